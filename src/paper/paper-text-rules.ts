/** What the standard fonts of a PDF can draw beside Latin-1: the rest of WinAnsi (PDF 32000-1, annex D.2). */
const WIN_ANSI_EXTRAS = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'

/** Letters that no decomposition leads to Latin-1, as passports write them (ICAO 9303, part 3, section 6). */
const LATIN_OF_LETTER = new Map(
  [
    // Latin
    'ł l|Ł L|đ d|Đ D|ħ h|Ħ H|ı i|ĸ k|ŋ n|Ŋ N|ŧ t|Ŧ T|ẞ SS|ə a|Ə A|ƙ k|ɓ b|ɗ d|ơ o|Ơ O|ư u|Ư U',
    // Greek
    'α a|β v|γ g|δ d|ε e|ζ z|η i|θ th|ι i|κ k|λ l|μ m|ν n|ξ x|ο o|π p|ρ r|σ s|ς s|τ t|υ y|φ f|χ ch|ψ ps|ω o',
    // Cyrillic
    'а a|б b|в v|г g|ґ g|д d|ђ d|е e|ё e|є ie|ж zh|з z|ѕ dz|и i|і i|ї i|й i|ј j|к k|ќ k|л l|љ lj|м m|н n|њ nj|о o',
    'п p|р r|с s|т t|ћ c|у u|ў u|ф f|х kh|ц ts|ч ch|џ dz|ш sh|щ shch|ъ ie|ы y|ь |э e|ю iu|я ia',
    // signs
    '‐ -|‑ -|‒ -|― -|− -|′ \'|″ "|₽ RUB|₹ INR|₩ KRW|₪ ILS|№ No',
  ].flatMap((line) => line.split('|').flatMap((pair) => bothCases(pair.split(' ') as [string, string]))),
)

function bothCases([letter, latin]: [string, string]): [string, string][] {
  const upper = letter.toUpperCase()
  if (upper === letter || upper.length !== 1) return [[letter, latin]]
  return [
    [upper, latin.charAt(0).toUpperCase() + latin.slice(1)],
    [letter, latin],
  ]
}

/**
 * Text with nothing in it but what the standard fonts can draw, on one line: other Latin, Greek and Cyrillic letters are
 * transliterated, white space and control characters become a space, and each character of another script a `?`.
 */
export function printable(text: string): string {
  const line = text.normalize('NFC').replace(/[\s\p{Cc}]+/gu, ' ')
  const characters = [...line.replace(/(?<=[οΟ])[υύ]/g, 'u')] // a Greek letter that depends on the one before it
  return characters.map(printableCharacter).join('').trim()
}

/** Whether everything in a text can be drawn or transliterated. A payee whose name cannot be read cannot be paid. */
export const isPrintable = (text: string): boolean =>
  printable(text.replaceAll('?', '')) !== '' && !printable(text.replaceAll('?', '')).includes('?')

function printableCharacter(character: string): string {
  if (isDrawable(character)) return character
  const letters = [...character.normalize('NFKD').replace(/[\p{M}\p{Cf}\p{Cs}\p{Zs}]/gu, '')]
  return letters.map((letter) => (isDrawable(letter) ? letter : (LATIN_OF_LETTER.get(letter) ?? '?'))).join('')
}

const isDrawable = (character: string) =>
  /^[\x20-\x7e\xa1-\xac\xae-\xff]$/.test(character) || WIN_ANSI_EXTRAS.includes(character)

/** Width of a text in points, in the font and size it will be drawn in. */
export type Measure = (text: string) => number

/** The text if it is no wider than `width`, else as much of its beginning as is, and an ellipsis. */
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

/** Lines no wider than `width`, broken between words, and inside a word that is wider than a line. */
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

/** At most so many lines, the last of them an ellipsis if there were more. */
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
