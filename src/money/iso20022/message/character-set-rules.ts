import type { CharacterSet } from '../../../foundation/core/connections.ts'
import { isPrintableAscii, transliterate } from '../../../foundation/lib/text/transliteration.ts'

/** Set X of SWIFT (FIN), which SEPA has too. */
const SWIFT = /^[A-Za-z0-9/\-?:().,'+ ]$/

/** Signs of ASCII that set X does not have, with the sign that replaces them. */
const SIGNS = new Map(
  "! . |\" ' |# . |$ . |% . |& + |* . |; , |< ( |= . |> ) |@ . |[ ( |\\ / |] ) |^ . |_ - |` ' |{ ( |} ) |~ -"
    .split('|')
    .map((pair) => [pair.charAt(0), pair.charAt(2)]),
).set('|', '/')

/** Whether a set has a character. */
const isKeptBy: Record<CharacterSet, (character: string) => boolean> = {
  swift: isPrintableAscii,
  ascii: isPrintableAscii,
  unicode: (character) => !/[\p{C}\uFFFE\uFFFF]/u.test(character),
}

/** Marks a character without a Latin spelling. No text contains it, because it is replaced first. */
const UNKNOWN = '\uFFFD'

/** A text in the letters of a set, or the characters that cannot be written in it. */
export type WrittenText = { text: string; unwritable: null } | { text: null; unwritable: string[] }

/**
 * Writes a text on one line with the letters of a set: `Łódź` becomes `Lodz`, `ß` becomes `ss`, `Ø` becomes `O`. Nothing is omitted: a
 * character without a Latin spelling refuses the text.
 */
export function writeText(text: string, set: CharacterSet): WrittenText {
  const how = { isKept: isKeptBy[set], unknown: UNKNOWN }
  const written = transliterate(text, how).replace(/ +/g, ' ')
  if (!written.includes(UNKNOWN)) return { text: set === 'swift' ? inSetX(written) : written, unwritable: null }
  const characters = [...text.normalize('NFC')]
  return { text: null, unwritable: [...new Set(characters.filter((one) => transliterate(one, how).includes(UNKNOWN)))] }
}

const inSetX = (ascii: string): string =>
  [...ascii].map((sign) => (SWIFT.test(sign) ? sign : (SIGNS.get(sign) ?? sign))).join('')

/** A character with its number in Unicode, for a person who looks for it. */
export const nameCharacter = (character: string): string =>
  `“${character}” (U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')})`

/** Whether a text can be an id in a message: set X without a slash at an end, and without two of them together. */
export const isReference = (text: string): boolean =>
  [...text].every((character) => SWIFT.test(character)) && !/^\/|\/$|\/\//.test(text) && text.trim() === text
