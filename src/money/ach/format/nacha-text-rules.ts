import { isPrintableAscii, transliterate } from '../../../foundation/lib/text/transliteration.ts'

/**
 * Converts a text to the characters that a NACHA file allows: space to tilde (Appendix Three, 3.2). Scripts that cannot be transliterated
 * are omitted.
 */
export const formatNachaText = (text: string): string =>
  transliterate(text, { isKept: isPrintableAscii, unknown: '' }).replace(/ +/g, ' ')

/** Converts a name to characters that a bank can read. If no character of the name can be converted, returns the receiver's id. */
export function formatNachaName(name: string, receiverId: string): string {
  const written = formatNachaText(name)
  return /[A-Za-z0-9]/.test(written) ? written : receiverId
}

/** Returns whether a line contains only characters that a NACHA file allows. */
export const isNachaText = (text: string): boolean => /^[ -~]*$/.test(text)
