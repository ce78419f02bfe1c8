/** The possible meanings of a search text. A meaning is null if the text cannot have it. */
export type Lookup = {
  /** The start of a name or an email address, in lower case. */
  words: string
  /** The start of a number. */
  number: string | null
  cents: number | null
  /** The first and the last id with these first digits. */
  ids: { first: string; last: string } | null
}

const MIN_ID_DIGITS = 8

/** Parses the text of a search: `dana`, `dana@example.com`, `1042`, `$1,250.50`, or an id or its first digits. */
export function parseLookup(q: string): Lookup {
  const text = q.trim().toLowerCase()
  const amount = /^\$?([\d,]+(?:\.\d{1,2})?)$/.exec(text)?.[1]?.replaceAll(',', '')
  const cents = amount ? Math.round(Number(amount) * 100) : null
  const isId = new RegExp(`^[0-9a-f]{${MIN_ID_DIGITS},32}$`).test(text)
  return {
    words: text.replace(/\s+/g, ' '),
    number: /^[\w.-]+$/.test(text) ? text : null,
    cents: cents !== null && Number.isSafeInteger(cents) && cents > 0 ? cents : null,
    ids: isId ? { first: text.padEnd(32, '0'), last: text.padEnd(32, 'f') } : null,
  }
}
