/** Characters that are invisible or look like others, with their names. */
const named: readonly [RegExp, string][] = [
  [/\u00a0|\u202f|\u2007/u, 'a no-break space'],
  [/\u200b|\u2060|\ufeff/u, 'a zero width space'],
  [/[\u200c\u200d]/u, 'a zero width joiner'],
  [/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u, 'a mark of the writing direction'],
  [/\u00ad/u, 'a soft hyphen'],
  [/[\uff10-\uff19]/u, 'a full-width digit'],
  [/[\uff01-\uff0f\uff1a-\uff5e]/u, 'a full-width character'],
  [/[\u2028\u2029\u0085\n\r]/u, 'a line break'],
  [/\t/u, 'a tab'],
  [/\p{Cc}|\p{Cf}/u, 'a control character'],
  [/[\u1680\u2000-\u2006\u2008-\u200a\u205f\u3000]/u, 'an unusual space'],
]

const ANY = new RegExp(named.map(([one]) => one.source).join('|'), 'u')

/**
 * Returns the first invisible or confusing character of a short text, as a text that follows the field's name: `has a zero width space
 * (U+200B) at position 5`. Returns null if there is none.
 */
export function hiddenCharacterIn(text: string): string | null {
  const found = ANY.exec(text)
  if (!found) return null
  const [character] = found
  const [, name] = named.find(([one]) => one.test(character)) ?? []
  const code = (character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')
  return `has ${name} (U+${code}) at position ${found.index + 1}. Remove it`
}
