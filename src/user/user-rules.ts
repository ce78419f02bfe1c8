import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import type { Deps } from '../db/deps.ts'
import { decodeBase64 } from '../lib/base64.ts'
import { fieldError } from '../lib/errors.ts'
import { imageSize } from '../lib/image-size.ts'

/** The shortest numbers there are have seven digits with their country code. It spares most names a long search. */
const MAY_BE_PHONE = /(?:\p{Nd}\P{Nd}*){7}/u

/** A phone number in E.164, read as one of the United States when it has no country code; null if it is none. */
export function normalPhone(text: string): string | null {
  if (!MAY_BE_PHONE.test(text)) return null
  const phone = parsePhoneNumberFromString(text, 'US')
  return phone?.isValid() ? phone.number : null
}

/** @throws ApiError invalid_request */
export function requirePhone(text: string, field: string): string {
  const phone = normalPhone(text)
  if (phone === null) throw fieldError('invalid_request', field, 'must be a phone number, such as +14155552671')
  return phone
}

/** @throws ApiError invalid_request when nobody alive was born on that day */
export function requireBirthday(deps: Pick<Deps, 'clock'>, day: string, field: string): string {
  if (day < '1900-01-01' || new Date(day) > deps.clock.now()) {
    throw fieldError('invalid_request', field, 'must be a date of birth, as YYYY-MM-DD')
  }
  return day
}

const MAX_SIGNATURE_BYTES = 512 * 1024

/** Drawing so many takes an eighth of a second: a small file can have very many. */
const MAX_SIGNATURE_PIXELS = 2_000_000

/** The bytes of a signature image. @throws ApiError invalid_signature_image */
export function requireSignatureImage(base64: string): Buffer {
  const bytes = decodeBase64(base64)
  if (bytes === null || bytes.length > MAX_SIGNATURE_BYTES || !isOfDrawableSize(bytes)) throw invalidSignatureImage()
  return bytes
}

/** False for anything but a PNG or JPEG. */
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

/** What lists show in place of an API secret, of which only the hash is kept. */
export const MASKED_SECRET = '*'.repeat(40)

/** The same for a webhook key, which is shown with a new API key only. */
export const MASKED_WEBHOOK_KEY = '*'.repeat(32)

/** What users can be sorted by. */
export const userSorts = { DATE: 'timestamptz', USER_ID: 'text' } as const

export type UserSort = keyof typeof userSorts
