/** Letters that do not come apart into a base letter and a mark, and punctuation that word processors put in. */
const REPLACEMENTS: Record<string, string> = {
  ß: 'ss',
  ẞ: 'SS',
  Æ: 'AE',
  æ: 'ae',
  Œ: 'OE',
  œ: 'oe',
  Ø: 'O',
  ø: 'o',
  Ł: 'L',
  ł: 'l',
  Đ: 'D',
  đ: 'd',
  Ð: 'D',
  ð: 'd',
  Þ: 'TH',
  þ: 'th',
  ı: 'i',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '‐': '-',
  '–': '-',
  '—': '-',
}

const NOT_ALLOWED = '?'

/**
 * Text in the characters that a NACHA file may hold, space to tilde (Appendix Three, 3.2): letters lose their accents,
 * white space is a space, and what has no counterpart becomes a question mark, so that nobody's name becomes empty.
 */
export function asciiOf(text: string): string {
  const plain = [...text.normalize('NFKD').replace(/\p{Mark}/gu, '')].map((character) => {
    if (character >= ' ' && character <= '~') return character
    return REPLACEMENTS[character] ?? (/\s/.test(character) ? ' ' : NOT_ALLOWED)
  })
  return plain.join('')
}

/** Whether a line holds nothing but the characters that a NACHA file may hold. */
export const isNachaText = (text: string): boolean => /^[ -~]*$/.test(text)
