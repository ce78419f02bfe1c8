import { isPrintableAscii, transliterate } from '../../lib/text/transliteration.ts'

/**
 * Text in the characters that a NACHA file may hold, space to tilde (Appendix Three, 3.2). Characters of scripts that cannot
 * be transliterated are left out.
 */
export const nachaTextOf = (text: string): string =>
  transliterate(text, { isKept: isPrintableAscii, unknown: '' }).replace(/ +/g, ' ')

/** A name as a bank can read it. One in a script that cannot be transliterated is replaced by what the receiver is known by. */
export function nachaNameOf(name: string, receiverId: string): string {
  const written = nachaTextOf(name)
  return /[A-Za-z0-9]/.test(written) ? written : receiverId
}

/** Whether a line holds nothing but the characters that a NACHA file may hold. */
export const isNachaText = (text: string): boolean => /^[ -~]*$/.test(text)
