import type { PaperCheck, PaperParty } from '../check/drawing/paper-check-rules.ts'
import { isPrintable } from '../check/drawing/paper-text-rules.ts'
import type { EnvironmentSettings } from '../core/environment.ts'
import { ApiError } from '../core/errors.ts'
import { centsOfDollars } from '../core/money.ts'
import type { Rail } from '../rail/rail-rules.ts'
import { isPaper } from '../rail/simulated-rail-rules.ts'
import type { PostalAddress } from './payment-rules.ts'
import type { PaymentStatus } from './payment-status.ts'
import type { FundingKind, RemittanceLine } from './payment-types.ts'

type PaperSettings = Pick<EnvironmentSettings, 'paperDrawnOn' | 'operatorBank'>

/** Whether a check is drawn on the operator's account: a wallet has no bank account of its own. */
export const isDrawnOnOperator = ({ paperDrawnOn }: PaperSettings, fundingKind: FundingKind): boolean =>
  fundingKind === 'wallet' || paperDrawnOn === 'operator'

/** Whether there is an account to draw a check on. */
export const hasPaper = (settings: PaperSettings, fundingKind: FundingKind): boolean =>
  !isDrawnOnOperator(settings, fundingKind) || settings.operatorBank !== null

/** Names the field of the request. A payee with an illegible name cannot be paid. @throws ApiError unprintable_text */
export function requirePrintable(texts: Record<string, string | null | undefined>): void {
  const unprintable = Object.keys(texts).filter((field) => texts[field] && !isPrintable(texts[field]))
  if (unprintable.length === 0) return
  const problem = 'cannot be printed on a check. Use Latin, Greek or Cyrillic letters'
  throw new ApiError('unprintable_text', {
    message: `${unprintable.join(', ')} ${problem}.`,
    fields: Object.fromEntries(unprintable.map((field) => [field, [problem]])),
  })
}

/** The texts of a paper order that get printed, by field. */
export const printedTexts = (name: string, { line_1, line_2, city, state, zip, country }: PostalAddress) => ({
  name,
  'recipient.line_1': line_1,
  'recipient.line_2': line_2,
  'recipient.city': city,
  'recipient.state': state,
  'recipient.zip': zip,
  'recipient.country': country,
})

/** An address as printed on an envelope, without the country where the postal service does not need it. */
export function addressLines({ line_1, line_2, city, state, zip, country }: PostalAddress): string[] {
  const isAbroad = country && !/^(us|usa|united states( of america)?)$/i.test(country.trim())
  return [line_1, line_2, `${city}, ${state} ${zip}`, isAbroad ? country : ''].filter(
    (line) => !!line?.trim(),
  ) as string[]
}

/** A check has room for four lines below a name. */
const LINES_BESIDE_SENDER = 3

/** The drawer of a check: the sender, or the operator on behalf of the sender. */
export function drawerOf({ name, address }: PaperParty, operator: { companyName: string } | null): PaperParty {
  if (!operator) return { name, address }
  const [street, ...below] = [address.slice(0, -2).join(', '), ...address.slice(-2)]
  const lines = address.length > LINES_BESIDE_SENDER ? [street, ...below] : address
  return { name: operator.companyName, address: [`for ${name}`, ...lines] }
}

/** Remittance advice as printed: a single line with only a description is plain text (see `remittanceLines`). */
export function adviceOnPaper(lines: RemittanceLine[] | null): PaperCheck['remittanceAdvice'] {
  const [first, ...others] = lines ?? []
  if (first?.description !== undefined && Object.keys(first).length === 1 && others.length === 0)
    return first.description
  return (lines ?? []).map(({ id = null, date = null, amount, description = null }) => ({
    id,
    date,
    amountCents: amount === undefined ? null : centsOfDollars(amount),
    description,
  }))
}

/** The last four digits, padded with zeros: all that an application may see of an account number. */
export const maskedAccountNumber = (accountNumber: string): string =>
  accountNumber.slice(-4).padStart(accountNumber.length, '0')

/** How far a check is on its way. */
export type PaperProgress = {
  rail: Rail | null
  status: PaymentStatus
  depositedAt: Date | null
  updatedAt: Date
  legs: { sentAt: Date | null; settledAt: Date | null; returnedAt: Date | null }[]
}

export type TrackingStep = { at: Date; location: string }

/** The tracking steps of a check in order, empty for a payment that is not on paper. */
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
