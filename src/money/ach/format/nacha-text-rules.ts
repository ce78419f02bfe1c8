import { isPrintableAscii, transliterate } from '../../../foundation/lib/text/transliteration.ts'

/**
 * Text in the characters that a NACHA file allows, space to tilde (Appendix Three, 3.2). Scripts that cannot be
 * transliterated are left out.
 */
export const nachaTextOf = (text: string): string =>
  transliterate(text, { isKept: isPrintableAscii, unknown: '' }).replace(/ +/g, ' ')

/** A name that a bank can read. A name that cannot be transliterated is replaced by the receiver's id. */
export function nachaNameOf(name: string, receiverId: string): string {
  const written = nachaTextOf(name)
  return /[A-Za-z0-9]/.test(written) ? written : receiverId
}

/** Whether a line contains only characters that a NACHA file allows. */
export const isNachaText = (text: string): boolean => /^[ -~]*$/.test(text)
