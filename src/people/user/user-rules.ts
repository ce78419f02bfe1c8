import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { fieldError } from '../../foundation/core/errors.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { imageSize } from '../../foundation/lib/files/image-size.ts'
import { decodeBase64 } from '../../foundation/lib/text/base64.ts'
import { hiddenCharacterIn } from '../../foundation/lib/text/hidden-character.ts'

/**
 * Matches texts that may contain a phone number. The shortest phone numbers have seven digits with their country code. This quick check
 * avoids a slow parse of most names.
 */
const MAY_BE_PHONE = /(?:\p{Nd}\P{Nd}*){7}/u

/**
 * Parses a phone number and returns it in E.164. The default country is the United States. Returns null if the text contains anything
 * else, such as words or an extension. A text with an @ is an email address or a mistake.
 */
export function normalizePhone(text: string): string | null {
  if (!MAY_BE_PHONE.test(text) || text.includes('@') || hiddenCharacterIn(text)) return null
  const phone = parsePhoneNumberFromString(text.trim(), { defaultCountry: 'US', extract: false })
  return phone?.isValid() && !phone.ext ? phone.number : null
}

/** Parses a phone number. @throws ApiError invalid_request */
export function requirePhone(text: string, field: string): string {
  const phone = normalizePhone(text)
  if (phone === null) throw fieldError('invalid_request', field, 'must be a phone number such as +14155552671')
  return phone
}

/** Checks a birthday. @throws ApiError invalid_request if no living person can have it */
export function requireBirthday(deps: Pick<Deps, 'clock'>, day: string, field: string): string {
  if (day < '1900-01-01' || new Date(day) > deps.clock.now()) {
    throw fieldError('invalid_request', field, 'must be a date of birth as YYYY-MM-DD')
  }
  return day
}

export const ADDRESS_PARTS = ['line_1', 'line_2', 'city', 'state', 'zip', 'country'] as const
export type AddressPart = (typeof ADDRESS_PARTS)[number]

/** Address fields of a request; null clears a field. */
export type AddressChanges = { [Part in AddressPart]?: string | null | undefined }

/** Applies changes to an address. A new street clears the old second line. */
export function changedAddress(
  before: Partial<Record<AddressPart, string>> = {},
  changes: AddressChanges,
): Partial<Record<AddressPart, string>> {
  const kept = changes.line_1 == null ? before : { ...before, line_2: undefined }
  const parts = Object.entries({ ...kept, ...changes }).filter(([, text]) => text != null && text.trim() !== '')
  return Object.fromEntries(parts)
}

/** Returns whether the address is complete enough for mail. A profile may contain a partial address. */
export const isWholeAddress = (
  address: Partial<Record<AddressPart, string>> | null | undefined,
): address is Record<'line_1' | 'city' | 'state' | 'zip', string> & Partial<Record<AddressPart, string>> =>
  !!address?.line_1 && !!address.city && !!address.state && !!address.zip

/** Industry codes for a profile, from the North American Industry Classification System. */
export const NAICS_CODES = [
  11, 21, 22, 23, 33, 42, 45, 49, 51, 52, 53, 54, 55, 56, 61, 62, 71, 72, 81, 92, 441, 519, 524, 624, 4541, 5411, 5614,
  54112, 541211, 541214, 541614,
] as const

const MAX_SIGNATURE_BYTES = 512 * 1024

/** The maximum number of pixels in a signature. Drawing this number takes 125 ms, and even a small file can contain far more. */
const MAX_SIGNATURE_PIXELS = 2_000_000

/** Decodes a signature image. @throws ApiError invalid_signature_image */
export function requireSignatureImage(base64: string): Buffer {
  const bytes = decodeBase64(base64)
  if (bytes === null || bytes.length > MAX_SIGNATURE_BYTES || !isOfDrawableSize(bytes)) throw invalidSignatureImage()
  return bytes
}

/** Returns whether a PNG or JPEG is small enough to draw. Returns false for other formats. */
export function isOfDrawableSize(image: Buffer): boolean {
  const size = imageSize(image)
  return size !== null && size.pixels <= MAX_SIGNATURE_PIXELS
}

export const invalidSignatureImage = () =>
  fieldError(
    'invalid_signature_image',
    'signature',
    'must be a PNG or JPEG image in base64, of at most 512 KiB and 2 million pixels',
  )

/** Lists show this in place of an API secret, because only its hash is stored. */
export const MASKED_SECRET = '*'.repeat(40)

/** Answers show this in place of a webhook key, which is returned only with a new API key. */
export const MASKED_WEBHOOK_KEY = '*'.repeat(32)

/** Sort orders for users. */
export const userSorts = { DATE: 'timestamptz', USER_ID: 'text' } as const

export type UserSort = keyof typeof userSorts
