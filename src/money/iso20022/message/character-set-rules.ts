import type { CharacterSet } from '../../../foundation/core/connections.ts'
import { isPrintableAscii, transliterate } from '../../../foundation/lib/text/transliteration.ts'

/** Matches the characters of set X of SWIFT (FIN), which SEPA also uses. */
const SWIFT = /^[A-Za-z0-9/\-?:().,'+ ]$/

/** The signs of ASCII that set X does not contain, with their replacements. */
const SIGNS = new Map(
  "! . |\" ' |# . |$ . |% . |& + |* . |; , |< ( |= . |> ) |@ . |[ ( |\\ / |] ) |^ . |_ - |` ' |{ ( |} ) |~ -"
    .split('|')
    .map((pair) => [pair.charAt(0), pair.charAt(2)]),
).set('|', '/')

/** Whether a set contains a character. */
const isKeptBy: Record<CharacterSet, (character: string) => boolean> = {
  swift: isPrintableAscii,
  ascii: isPrintableAscii,
  unicode: (character) => !/[\p{C}\uFFFE\uFFFF]/u.test(character),
}

/** Stands for a character without a Latin spelling. It never occurs in a text, because it is replaced before. */
const UNKNOWN = '\uFFFD'

/** A text in the characters of a set, or the characters that cannot be written in it. */
export type WrittenText = { text: string; unwritable: null } | { text: null; unwritable: string[] }

/**
 * Writes a text on one line with the characters of a set: `Łódź` becomes `Lodz`, `ß` becomes `ss`, `Ø` becomes `O`. Nothing is left out. If
 * a character has no Latin spelling, the text is refused.
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

/** Returns a character with its Unicode number, so that a person can find it. */
export const nameCharacter = (character: string): string =>
  `“${character}” (U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')})`

/** Returns whether a text can be an id in a message: set X without a slash at either end, and without two slashes in a row. */
export const isReference = (text: string): boolean =>
  [...text].every((character) => SWIFT.test(character)) && !/^\/|\/$|\/\//.test(text) && text.trim() === text
