import { isJpeg, isPng } from '../../foundation/lib/files/file-type.ts'
import { isOfDecodableSize } from '../../foundation/lib/files/image-size.ts'
import { decodeBase64 } from '../../foundation/lib/text/base64.ts'
import type { DepositOption } from '../../money/rail/rail-rules.ts'
import type { PaymentStatus } from '../payment/payment-status.ts'

/** The payout options for a payee without an account, in the order of the page. */
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
 * Returns the sender's options that are possible on the page. RTP needs a bank account, and a wallet needs a Remit account. `canPrint` and
 * `canMail`: whether a check can be drawn. `isOn`: whether the rail of another option is available. A failed payment cannot be printed.
 */
export function optionsOnPage(
  offered: readonly string[],
  {
    status,
    canPrint,
    canMail,
    isOn,
  }: { status: PaymentStatus; canPrint: boolean; canMail: boolean; isOn(option: DepositOption): boolean },
): PageOption[] {
  const isPossible = (option: DepositOption) => offered.includes(option) && isOn(option)
  const onPage: Partial<Record<PageOption, boolean>> = {
    BANK: isPossible('BANK') || isPossible('RTP'),
    PRINT: offered.includes('PRINT') && canPrint && status !== 'FAILED',
    MAIL: offered.includes('MAIL') && canMail,
  }
  return PAGE_OPTIONS.filter((option) => onPage[option] ?? isPossible(option))
}

/** The days (in real time) from the last mail that asked for a choice to the only reminder. */
export const REMINDER_DAYS = 7

/** The maximum number of emails per payment in 24 hours: the first one, and three that the sender requests. */
export const MAILS_A_DAY = 4

/**
 * The maximum number of mails per UTC day: from one platform to one recipient, and from all platforms with unverified owners to one
 * recipient.
 */
export const MAIL_LIMITS = { maxFromPlatform: 10, maxToRecipient: 20 }

/** The days for which a link shows the outcome of its payment. */
export const LINK_KEPT_DAYS = 90

const FREE_PINS = 5

/**
 * The seconds until the next attempt after the fifth wrong PIN, the sixth, and so on. The last delay repeats. Only the right PIN resets the
 * count.
 */
const PIN_DELAYS_SECONDS = [60, 300, 900, 3_600, 14_400, 86_400]

/** Returns the seconds for which a link accepts no PIN after a number of wrong ones. */
export const secondsLocked = (wrongPins: number): number =>
  wrongPins < FREE_PINS ? 0 : (PIN_DELAYS_SECONDS[wrongPins - FREE_PINS] ?? (PIN_DELAYS_SECONDS.at(-1) as number))

export function wrongPinMessage(wrongPins: number): string {
  const left = FREE_PINS - wrongPins
  if (left > 0) return `The PIN is incorrect. You have ${left} ${left === 1 ? 'attempt' : 'attempts'} left.`
  const minutes = secondsLocked(wrongPins) / 60
  return `The PIN is incorrect. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`
}

/** Returns the payer's logo as a data URL. Remote images are not shown, because their servers would learn about visitors. */
export function logoUrl(logo: string | null): string | null {
  const bytes = logo && decodeBase64(logo)
  if (!bytes || !(isPng(bytes) || isJpeg(bytes)) || !isOfDecodableSize(bytes)) return null
  return `data:image/${isPng(bytes) ? 'png' : 'jpeg'};base64,${bytes.toString('base64')}`
}
