import { hash } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { hiddenCharacterIn } from './hidden-character.ts'

/** Matches email addresses: a dot-atom before the @ (RFC 5322, 3.2.3), and a domain with at least one dot after it. */
const EMAIL =
  /^[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]+)*@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/

/** The maximum length of an address. RFC 5321 (4.5.3.1.3) allows 256 characters for an address in angle brackets. */
const MAX_LENGTH = 254

/** Matches domains of plain letters and digits. Other characters, such as full-width letters, can look like plain ones. */
const DOMAIN_OF_LETTERS = /^[\p{L}\p{M}\p{N}.-]+$/u

export const isEmail = (text: string): boolean => asciiEmail(text) !== null

/**
 * Returns an address with its domain in ASCII, as name servers need it (RFC 5891): `info@münchen.de` → `info@xn--mnchen-3ya.de`. Returns
 * null if the text is not an address.
 */
export function asciiEmail(text: string): string | null {
  const isShort = text.length <= MAX_LENGTH
  if (isShort && EMAIL.test(text)) return text
  const at = text.lastIndexOf('@')
  const domain = text.slice(at + 1)
  const isOfLetters = isShort && at > 0 && DOMAIN_OF_LETTERS.test(domain) && domain.normalize('NFKC') === domain
  const ascii = isOfLetters ? `${text.slice(0, at)}@${domainToASCII(domain)}` : ''
  return ascii.length <= MAX_LENGTH && EMAIL.test(ascii) ? ascii : null
}

/** Explains the problem of an address, as a text that follows the field's name. */
export function emailProblem(text: string): string {
  const hidden = hiddenCharacterIn(text)
  if (hidden) return hidden
  const local = text.slice(0, Math.max(text.lastIndexOf('@'), 0))
  const foreign = /[^ -~]/u.exec(local)
  if (foreign) return `has “${foreign[0]}” before the @, where only ASCII letters reach every mail server`
  if (/^\.|\.\.|\.$/.test(local))
    return 'must not have a dot at the start or end of the part before the @, or two in a row'
  return 'must be an email address such as ada@example.com'
}

/** Returns the hash by which an address is found. The hash hides nothing, because addresses can be guessed. */
export const emailHash = (email: string): Buffer => hash('sha256', normalizeEmail(email), 'buffer')

/** Returns the form in which email addresses are stored and compared. */
export const normalizeEmail = (text: string): string => (asciiEmail(text) ?? text).toLowerCase()
