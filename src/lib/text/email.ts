import { hash } from 'node:crypto'

/** The grammar of the HTML standard ("valid e-mail address"), with at least one dot in the domain. */
const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/

/** RFC 5321, 4.5.3.1.3: a path has 256 characters, including its angle brackets. */
const MAX_LENGTH = 254

export const isEmail = (text: string): boolean => text.length <= MAX_LENGTH && EMAIL.test(text)

/** The key under which an address is found. Addresses can be guessed, so the hash hides nothing. */
export const emailHash = (email: string): Buffer => hash('sha256', normalizeEmail(email), 'buffer')

/** The form in which email addresses are stored and compared. */
export const normalizeEmail = (text: string): string => text.toLowerCase()
