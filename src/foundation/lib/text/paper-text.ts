import { transliterate } from './transliteration.ts'

/**
 * The characters of IBM Plex Sans in every style used on paper, as ranges of code points, without control and
 * combining characters. A test compares them with the font files.
 */
export const FONT_CHARACTERS: ReadonlySet<string> = characterSet(
  '20-7e a1-ac ae-17f 18f 192 1a0-1a1 1af-1b0 1cd-1dc 1fa-1ff 218-21b 237 259 2bb-2bc 2c6-2c7 2d8-2dd 37e 384-38a 38c',
  '38e-3a1 3a3-3ce 400-45f 462-463 46a-46b 472-475 490-4c2 4cf-4d9 4dc-4e9 4ee-4f9 524-525 e3f 1e80-1e85 1e9e 1ea0-1ef9',
  '2010-2015 2018-201a 201c-201e 2020-2022 2026 2030 2032-2033 2039-203a 2044 2070 2074-2079 2080-2089 20a1 20a4 20a6',
  '20a8-20ae 20b1-20b2 20b4-20b5 20b8-20ba 20bd 20bf 2113 2116 2122 2126 212e 2150-2151 2153-215e 2190-2199 21a9-21aa',
  '21b0-21b3 21b6-21b7 21ba-21bb 21c4 21c6 2202 2206 220f 2211-2212 2215 2219-221a 221e 222b 2236 2248 2260 2264-2265',
  '25ca 2713 274c 2b0e-2b11 fb01-fb02',
)

/**
 * Returns a text on one line that the font can draw, in its original script. White space and control characters become a space. A character
 * that the font lacks is transliterated or becomes `?`.
 */
export const printable = (text: string): string => transliterate(text, { isKept: isInFont, unknown: '?' })

/** Returns a text on one line in Latin letters, which banks and post offices can read. */
export const printableLatin = (text: string): string => transliterate(text, { isKept: isLatinInFont, unknown: '?' })

/** Returns whether a bank and a post office can read a text on paper. A payee with an illegible name cannot be paid. */
export function isPrintable(text: string): boolean {
  const printed = printableLatin(text.replaceAll('?', ''))
  return printed !== '' && !printed.includes('?')
}

/** Returns whether the font has the letters of a text, in their own script. White space alone counts as a text without letters. */
export const isDrawable = (text: string): boolean => !printable(text.replaceAll('?', '')).includes('?')

type IsKept = (character: string) => boolean

const isInFont: IsKept = (character) => FONT_CHARACTERS.has(character)
const isLatinInFont: IsKept = (character) =>
  isInFont(character) && !/[\p{Script=Greek}\p{Script=Cyrillic}]/u.test(character)
function characterSet(...lines: string[]): Set<string> {
  const ranges = lines.flatMap((line) =>
    line.split(' ').map((range) => range.split('-').map((hex) => parseInt(hex, 16))),
  )
  const codePoints = ranges.flatMap(([first = 0, last = first]) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  )
  return new Set(codePoints.map((codePoint) => String.fromCodePoint(codePoint)))
}

/** Advance widths in IBM Plex Sans Regular, in thousandths of the font size. A test compares them with the font file. */
// biome-ignore format: as many as fit on a line
const WIDTHS: readonly [width: number, characters: string][] = [
  [236, ' '], [242, "'"], [250, 'ij'], [272, 'l,.'], [284, '!'], [292, ':;'], [314, '|'], [317, '[]'], [324, 'f'], [335, '()'],
  [343, '{}'], [351, 't'], [367, 'r'], [383, '/\\'], [399, '-'], [400, 'I'], [419, '"'], [450, '*'], [464, 'z'], [477, '?'],
  [487, 's'], [492, 'v'], [499, 'y'], [501, 'L'], [503, 'c'], [507, 'x'], [510, 'J'], [527, 'k'], [528, 'g'], [534, 'a'],
  [549, 'e'], [559, 'F'], [560, 'o'], [565, '_'], [568, 'hnu'], [572, 'T'], [580, 'Zbdpq'], [581, 'S'], [583, 'E'], [593, 'Y'],
  [598, '$'], [600, '+0123456789<=>^`~'], [606, 'P'], [609, 'V'], [613, 'X'], [621, 'C'], [634, 'K'], [640, 'R'], [641, 'A'],
  [653, 'B'], [671, 'D'], [678, 'U'], [694, '&'], [695, 'G'], [707, 'HN'], [708, 'OQ'], [713, '#'], [768, 'w'], [812, 'M'],
  [873, 'm'], [891, '@W'], [927, '%'], [1306, '‰'],
]

const WIDTH_OF_CHARACTER = new Map(
  WIDTHS.flatMap(([width, characters]) => [...characters].map((character) => [character, width] as const)),
)

/**
 * Returns an upper bound for the width of a text in Latin letters, as a multiple of its font size. Accents do not change the width of a
 * letter.
 */
export const widthInSizes = (text: string): number =>
  [...printableLatin(text).normalize('NFD').replace(/\p{M}/gu, '')].reduce(
    (sum, character) => sum + (WIDTH_OF_CHARACTER.get(character) ?? 1_000),
    0,
  ) / 1_000

/** Returns the width of a text in points, in the font and size in which it is drawn. */
export type Measure = (text: string) => number

/** Returns the text if it fits into `width`. Otherwise, returns its beginning and an ellipsis. */
export function cutToWidth(text: string, { width, measure }: { width: number; measure: Measure }): string {
  if (measure(text) <= width) return text
  let [fits, tooLong] = [0, text.length]
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2)
    if (measure(`${text.slice(0, middle).trimEnd()}…`) <= width) fits = middle
    else tooLong = middle
  }
  return `${text.slice(0, fits).trimEnd()}…`
}

/** Splits a text into lines no wider than `width`. Breaks between words, and within a word only if the word is wider than a line. */
export function wrapText(text: string, { width, measure }: { width: number; measure: Measure }): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ').flatMap((word) => breakWord(word, { width, measure }))) {
    const longer = line ? `${line} ${word}` : word
    if (measure(longer) <= width) line = longer
    else {
      lines.push(line)
      line = word
    }
  }
  return line ? [...lines, line] : lines
}

/** Returns the first `count` lines. If lines were dropped, the last one ends with an ellipsis. */
export const firstLines = (lines: string[], count: number): string[] =>
  lines.length > count ? [...lines.slice(0, count - 1), '…'] : lines

function breakWord(word: string, { width, measure }: { width: number; measure: Measure }): string[] {
  const pieces: string[] = []
  let rest = word
  while (measure(rest) > width) {
    let length = 1
    while (measure(rest.slice(0, length + 1)) <= width) length++
    pieces.push(rest.slice(0, length))
    rest = rest.slice(length)
  }
  return [...pieces, rest]
}
