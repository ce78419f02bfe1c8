import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { fieldError } from '../core/errors.ts'
import type { Deps } from '../db/deps.ts'
import { imageSize } from '../lib/files/image-size.ts'
import { decodeBase64 } from '../lib/text/base64.ts'

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

export const ADDRESS_PARTS = ['line_1', 'line_2', 'city', 'state', 'zip', 'country'] as const
export type AddressPart = (typeof ADDRESS_PARTS)[number]

/** Parts of an address as a request names them: null takes one back. */
export type AddressChanges = { [Part in AddressPart]?: string | null | undefined }

/** An address after a change of some of its parts. A new street ends the second line of the old one. */
export function changedAddress(
  before: Partial<Record<AddressPart, string>> = {},
  changes: AddressChanges,
): Partial<Record<AddressPart, string>> {
  const kept = changes.line_1 == null ? before : { ...before, line_2: undefined }
  const parts = Object.entries({ ...kept, ...changes }).filter(([, text]) => text != null && text.trim() !== '')
  return Object.fromEntries(parts)
}

/** Whether a letter can be sent there: a profile can hold a part of an address. */
export const isWholeAddress = (
  address: Partial<Record<AddressPart, string>> | null | undefined,
): address is Record<'line_1' | 'city' | 'state' | 'zip', string> & Partial<Record<AddressPart, string>> =>
  !!address?.line_1 && !!address.city && !!address.state && !!address.zip

/** The industries that a profile can name: codes of the North American Industry Classification System. */
export const NAICS_CODES = [
  11, 21, 22, 23, 33, 42, 45, 49, 51, 52, 53, 54, 55, 56, 61, 62, 71, 72, 81, 92, 441, 519, 524, 624, 4541, 5411, 5614,
  54112, 541211, 541214, 541614,
] as const

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
