// Splits one line of CSV into fields, so that a misplaced quotation mark damages at most its own line.

export const SEPARATORS = [',', ';', '\t', '|'] as const
export type Separator = (typeof SEPARATORS)[number]

/**
 * The possible readings of a line: first with quotation marks as in RFC 4180, then with quotation marks as plain characters. `isOpen`: a
 * quoted field does not end in this line, so it may continue in the next one.
 */
export type SplitLine = { readings: string[][]; isOpen: boolean }

export function splitLine(text: string, separator: Separator): SplitLine {
  const plain = text.split(separator)
  if (!text.includes('"')) return { readings: [plain], isOpen: false }
  const fields: string[] = []
  let isOpen = false
  for (let at = 0; at <= text.length; ) {
    const start = at + (/^ */.exec(text.slice(at))?.[0].length ?? 0)
    const isQuoted = text.charAt(start) === '"'
    const close = isQuoted ? closingMark(text, start + 1, separator) : -1
    isOpen ||= isQuoted && close === -1
    const next = text.indexOf(separator, close === -1 ? at : close)
    const end = next === -1 ? text.length : next
    fields.push(close === -1 ? text.slice(at, end) : text.slice(start + 1, close).replaceAll('""', '"'))
    at = end + 1
  }
  return { readings: [fields, plain], isOpen }
}

/** Finds the quotation mark that stands before a separator or the end of the line. Returns -1 if there is none. */
function closingMark(text: string, from: number, separator: Separator): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    if (text.charAt(at + 1) === '"') at++
    else if (isEndOfField(text.slice(at + 1), separator)) return at
  }
  return -1
}

const isEndOfField = (rest: string, separator: Separator): boolean =>
  /^ *$/.test(rest) || rest.replace(/^ */, '').startsWith(separator)
