import { isJpeg, isPng } from '../lib/files/file-type.ts'
import { isOfDecodableSize } from '../lib/files/image-size.ts'
import { decodeBase64 } from '../lib/text/base64.ts'
import type { PaymentStatus } from '../payment/payment-status.ts'
import type { DepositOption } from '../rail/rail-rules.ts'

/** How somebody without an account here can be paid, in the order in which the page shows it. */
export const PAGE_OPTIONS = [
  'BANK',
  'CARD',
  'PAYPAL',
  'VENMO',
  'INTERAC',
  'WIRE',
  'PRINT',
  'MAIL',
] as const satisfies readonly DepositOption[]
export type PageOption = (typeof PAGE_OPTIONS)[number]

/**
 * What of the sender's offer can be taken on the page: RTP is a bank account, too, and a wallet needs an account here.
 * `hasPaper`: whether a check can be drawn. One that failed is not printed.
 */
export function optionsOnPage(
  offered: readonly string[],
  { status, hasPaper }: { status: PaymentStatus; hasPaper: boolean },
): PageOption[] {
  const isPossible: Partial<Record<PageOption, boolean>> = { PRINT: hasPaper && status !== 'FAILED', MAIL: hasPaper }
  return PAGE_OPTIONS.filter(
    (option) =>
      (isPossible[option] ?? true) && (offered.includes(option) || (option === 'BANK' && offered.includes('RTP'))),
  )
}

/** Emails of one payment in 24 hours: the first, and three that the sender asks for. */
export const MAILS_A_DAY = 4

/** Mails in a day (UTC): of a platform to one recipient, and of all platforms with unverified owners to one. */
export const MAIL_LIMITS = { maxFromPlatform: 10, maxToRecipient: 20 }

/** So long a link shows what became of its payment. */
export const LINK_KEPT_DAYS = 90

const FREE_PINS = 5

/** Seconds until the next PIN, from the fifth wrong one on. The last delay stays, and nothing but the right PIN resets it. */
const PIN_DELAYS_SECONDS = [60, 300, 900, 3_600, 14_400, 86_400]

/** For how long a link takes no PIN after so many wrong ones. */
export const secondsLocked = (wrongPins: number): number =>
  wrongPins < FREE_PINS ? 0 : (PIN_DELAYS_SECONDS[wrongPins - FREE_PINS] ?? (PIN_DELAYS_SECONDS.at(-1) as number))

export function wrongPinMessage(wrongPins: number): string {
  const left = FREE_PINS - wrongPins
  if (left > 0) return `The PIN is wrong. ${left} ${left === 1 ? 'try' : 'tries'} left.`
  const minutes = secondsLocked(wrongPins) / 60
  return `The PIN is wrong. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`
}

/** The logo of a payer for a page, which shows pictures that it holds itself: other addresses would learn of its readers. */
export function logoUrl(logo: string | null): string | null {
  const bytes = logo && decodeBase64(logo)
  if (!bytes || !(isPng(bytes) || isJpeg(bytes)) || !isOfDecodableSize(bytes)) return null
  return `data:image/${isPng(bytes) ? 'png' : 'jpeg'};base64,${bytes.toString('base64')}`
}
