import type { EnvironmentSettings } from '../../foundation/core/environment.ts'
import { ApiError } from '../../foundation/core/errors.ts'
import { dollarsToCents } from '../../foundation/core/money.ts'
import { checkBankOf, type PaperRail } from '../../foundation/core/operator-account.ts'
import {
  isOfUnitedStates,
  isPostalServiceOnly,
  refuseParts,
  stateAndZipProblems,
} from '../../foundation/core/postal-address.ts'
import { isDrawable, isPrintable, printableLatin, widthInSizes } from '../../foundation/lib/text/paper-text.ts'
import type { Rail } from '../../money/rail/rail-rules.ts'
import { isPaper } from '../../money/rail/simulated-rail-rules.ts'
import { MAX_PAYEE_LENGTH, type PaperCheck, type PaperParty } from '../drawing/paper-check-rules.ts'
import type { PostalAddress } from './payment-rules.ts'
import type { PaymentStatus } from './payment-status.ts'
import type { FundingKind, GivenLine, RemittanceLine } from './payment-types.ts'

type PaperSource = Parameters<typeof checkBankOf>[0] & { settings: Pick<EnvironmentSettings, 'paperDrawnOn'> }

/** Returns whether a check is drawn on the operator's account. A wallet has no bank account, so its checks are. */
export const isDrawnOnOperator = (
  { settings: { paperDrawnOn } }: { settings: Pick<EnvironmentSettings, 'paperDrawnOn'> },
  fundingKind: FundingKind,
): boolean => fundingKind === 'wallet' || paperDrawnOn === 'operator'

/** Returns whether there is an account to draw a check on. `rail` limits the question to PRINT or MAIL. */
export const hasPaper = (source: PaperSource, fundingKind: FundingKind, rail?: PaperRail): boolean => {
  const rails: readonly PaperRail[] = rail ? [rail] : ['PRINT', 'MAIL']
  return !isDrawnOnOperator(source, fundingKind) || rails.some((one) => checkBankOf(source, one) !== null)
}

type Texts = Record<string, string | null | undefined>

/** Refuses a text with letters that cannot be printed. The error names its field. @throws ApiError unprintable_text */
export function requirePrintable(texts: Texts): void {
  refuseTexts(texts, isPrintable, 'cannot be printed on a check. Use Latin, Greek or Cyrillic letters')
  const payee = { name: texts.name }
  refuseTexts(
    payee,
    (name) => printableLatin(name).length <= MAX_PAYEE_LENGTH,
    `is longer than ${MAX_PAYEE_LENGTH} characters in Latin letters, in which it is printed on a check`,
  )
}

/** Refuses a text for the payee that the fonts cannot draw. The error names its field. */
const requireDrawable = (texts: Texts): void =>
  refuseTexts(texts, isDrawable, 'has characters that cannot be printed. Use Latin, Greek or Cyrillic letters')

function refuseTexts(texts: Texts, isGood: (text: string) => boolean, problem: string): void {
  const bad = Object.keys(texts).filter((field) => texts[field] && !isGood(texts[field]))
  if (bad.length === 0) return
  throw new ApiError('unprintable_text', {
    message: `${bad.join(', ')} ${problem}.`,
    fields: Object.fromEntries(bad.map((field) => [field, [problem]])),
  })
}

/** The content of a mailed check and its voucher. */
export type MailedOrder = {
  name: string
  description?: string | null
  remittance_advice?: GivenLine[] | string | null
  mail_type?: string | null
}

/** Refuses a check that cannot be printed or mailed. @throws ApiError unprintable_text, invalid_request */
export function requireMailable(order: MailedOrder, address: PostalAddress): void {
  requirePrintable(printedTexts(order.name, address))
  const advice = order.remittance_advice
  requireDrawable({
    description: order.description,
    ...(typeof advice === 'string' && { remittance_advice: advice }),
    ...(Array.isArray(advice) && Object.fromEntries(advice.flatMap(textsOfLine))),
  })
  requireDeliverable(address, { within: 'recipient', mailType: order.mail_type ?? null })
}

const textsOfLine = ({ id, description }: GivenLine, index: number): [string, string | null | undefined][] => [
  [`remittance_advice.${index}.id`, id],
  [`remittance_advice.${index}.description`, description],
]

/**
 * The maximum width of a line in the window of an envelope, as a multiple of the font size: 270 points, divided by the smallest font size.
 */
const WIDEST_LINE_IN_SIZES = 270 / 4.5

/** The mail types that courier companies deliver. */
const BY_COURIER = ['OVERNIGHT', 'TWO_DAY']

/**
 * Refuses an address to which a letter cannot be delivered. `within` is the field of the request that contains the address.
 *
 * @throws ApiError invalid_request
 */
export function requireDeliverable(
  address: PostalAddress,
  { within, mailType = null }: { within: string | null; mailType?: string | null },
): void {
  const { line_1, line_2, city, state, zip } = address
  const tooLong = 'is too long to be printed on one line'
  const isTooLong = (text: string) => widthInSizes(text) > WIDEST_LINE_IN_SIZES
  const isByCourier = BY_COURIER.includes(mailType ?? '') && isPostalServiceOnly(address)
  refuseParts(
    {
      ...(isTooLong(line_1) && { line_1: tooLong }),
      ...(line_2 && isTooLong(line_2) && { line_2: tooLong }),
      ...(isTooLong(`${city}, ${state} ${zip}`) && { city: `${tooLong} with state and zip` }),
      ...stateAndZipProblems(address),
      ...(isByCourier && { line_1: 'cannot be reached by courier. A PO box or military address needs USPS mail' }),
    },
    within,
  )
}

/** Returns the texts of a paper order that are printed, by field. */
export const printedTexts = (name: string, { line_1, line_2, city, state, zip, country }: PostalAddress) => ({
  name,
  'recipient.line_1': line_1,
  'recipient.line_2': line_2,
  'recipient.city': city,
  'recipient.state': state,
  'recipient.zip': zip,
  'recipient.country': country,
})

/** Formats an address for an envelope, without the country where the postal service does not need it. */
export function addressLines({ line_1, line_2, city, state, zip, country }: PostalAddress): string[] {
  return [line_1, line_2, `${city}, ${state} ${zip}`, isOfUnitedStates(country) ? '' : country].filter(
    (line) => !!line?.trim(),
  ) as string[]
}

/** Returns an address as the columns line_1, line_2, city, state, zip and country of the printer's list. */
export const addressCells = ({ line_1, line_2, city, state, zip, country }: PostalAddress): string[] => [
  line_1,
  line_2 ?? '',
  city,
  state,
  zip,
  country ?? '',
]

/** The number of lines that fit below a name on a check. */
const LINES_BESIDE_SENDER = 3

/** Returns the drawer of a check: the sender, or the operator on behalf of the sender. */
export function drawerOf({ name, address }: PaperParty, operator: { companyName: string } | null): PaperParty {
  if (!operator) return { name, address }
  const [street, ...below] = [address.slice(0, -2).join(', '), ...address.slice(-2)]
  const lines = address.length > LINES_BESIDE_SENDER ? [street, ...below] : address
  return { name: operator.companyName, address: [`for ${name}`, ...lines] }
}

/** Returns remittance advice as it is printed. A single line with only a description becomes plain text (see `remittanceLines`). */
export function adviceOnPaper(lines: RemittanceLine[] | null): PaperCheck['remittanceAdvice'] {
  const [first, ...others] = lines ?? []
  if (first?.description !== undefined && Object.keys(first).length === 1 && others.length === 0)
    return first.description
  return (lines ?? []).map(({ id = null, date = null, amount, description = null }) => ({
    id,
    date,
    amountCents: amount === undefined ? null : dollarsToCents(amount),
    description,
  }))
}

/** Returns the last four digits of an account number, padded with zeros. Applications may see no more. */
export const maskedAccountNumber = (accountNumber: string): string =>
  accountNumber.slice(-4).padStart(accountNumber.length, '0')

/** The facts from which the tracking steps of a check are derived. */
export type PaperProgress = {
  rail: Rail | null
  status: PaymentStatus
  depositedAt: Date | null
  updatedAt: Date
  legs: { sentAt: Date | null; settledAt: Date | null; returnedAt: Date | null }[]
}

export type TrackingStep = { at: Date; location: string }

/** Returns the tracking steps of a check in order, or an empty list for a payment that is not on paper. */
export function trackingOf({ rail, status, depositedAt, updatedAt, legs }: PaperProgress): TrackingStep[] {
  if (rail === null || !isPaper(rail)) return []
  const isMailed = rail === 'MAIL'
  const isStopped = status === 'VOID' || status === 'EXPIRED'
  const steps: [at: Date | null, location: string][] = [
    [depositedAt, isMailed ? 'Accepted by the printer' : 'Printed'],
    ...legs.flatMap(({ sentAt, settledAt, returnedAt }): [Date | null, string][] => [
      [isMailed ? sentAt : null, 'Handed to the post'],
      [settledAt, 'Cashed'],
      [returnedAt, 'Returned'],
    ]),
    [isStopped ? updatedAt : null, 'Stopped'],
  ]
  return steps.flatMap(([at, location]) => (at ? [{ at, location }] : []))
}
