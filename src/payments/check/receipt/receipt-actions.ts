import type { Deps } from '../../../foundation/db/deps.ts'
import type { Caller } from '../../../foundation/http/caller.ts'
import { formatLongDate, longBusinessDate } from '../../../foundation/lib/clock.ts'
import { getEntriesOfLegs } from '../../../money/ach/file/ach-sent-actions.ts'
import { bankAccountNumber } from '../../../money/bank/bank-correction-actions.ts'
import { maskedDestination } from '../../../money/destination/destination-actions.ts'
import { maskedDigits } from '../../../money/destination/destination-rules.ts'
import { legsOf } from '../../../money/rail/leg-actions.ts'
import type { LegRow } from '../../../money/rail/leg-store.ts'
import { railWords } from '../../../money/rail/rail-rules.ts'
import { returnCodes } from '../../../money/rail/return-code-rules.ts'
import { isPaper } from '../../../money/rail/simulated-rail-rules.ts'
import { calendarNow } from '../../payment/expected-day-rules.ts'
import { readPaidOutsideAt } from '../../payment/leg/paid-outside-actions.ts'
import { getPayment, isRecipient, isSenderSide } from '../../payment/payment-actions.ts'
import type { PaymentRow } from '../../payment/payment-types.ts'
import { getPaymentDetails } from '../../payment/search/payment-search-actions.ts'
import type { FoundPayment } from '../../payment/search/payment-search-store.ts'
import { findPrintedNumber } from '../printing/print-check-actions.ts'
import type { PaperReceipt, ReceiptParty } from './receipt-drawing-actions.ts'
import {
  type Arrival,
  arrivalOf,
  describeOutcome,
  findPayout,
  type Movement,
  movementOfLeg,
  type PayoutState,
  payoutStateOf,
  statusWords,
} from './receipt-rules.ts'

/** An entry in a file of the bank. `effectiveDate` is YYYY-MM-DD. */
export type Trace = { movement: Movement; number: string; effectiveDate: string }

/** The progress of a payment's money, and the numbers by which banks find it. */
export type Progress = Arrival & {
  traces: Trace[]
  payoutState: PayoutState
  /** The number printed on the check, if it differs from the number of the payment. */
  checkNumber: number | null
}

/** Reads the progress of a payment. A recipient sees only the movement that pays the recipient. @throws ApiError payment_not_found */
export async function getProgress(deps: Deps, caller: Caller, paymentId: string): Promise<Progress> {
  return progressOf(deps, caller, await getPayment(deps, caller, paymentId))
}

async function progressOf(deps: Deps, caller: Caller, payment: PaymentRow): Promise<Progress> {
  const { platformId, rail } = payment
  const legs = await legsOf(deps, { platformId, subjectId: payment.id })
  const payout = findPayout(legs)
  const shown = isSenderSide(caller, payment) ? legs : legs.filter(({ purpose }) => purpose === 'payment_push')
  const paidAt = await readPaidOutsideAt(deps, payment)
  const arrival = paidAt ? { expectedOn: null, arrivedAt: paidAt } : arrivalOf(payment, payout, calendarNow(deps))
  return {
    ...arrival,
    payoutState: payoutStateOf(payout, arrival),
    traces: await tracesOf(deps, platformId, shown),
    checkNumber: payout && rail && isPaper(rail) ? await findPrintedNumber(deps, payout) : null,
  }
}

async function tracesOf(deps: Deps, platformId: string, legs: readonly LegRow[]): Promise<Trace[]> {
  const movements = new Map(legs.filter(({ rail }) => rail === 'ACH').map((leg) => [leg.id, movementOfLeg(leg)]))
  if (movements.size === 0) return []
  const entries = await getEntriesOfLegs(deps, { platformId, legIds: [...movements.keys()] })
  return entries.flatMap(({ legId, traceNumber, effectiveDate }) => {
    const movement = movements.get(legId)
    return movement ? [{ movement, number: traceNumber, effectiveDate }] : []
  })
}

/**
 * Draws the receipt of a payment as a PDF for everybody who may read the payment. Each side sees its own account, masked.
 *
 * @throws ApiError payment_not_found, overloaded, rate_limited
 */
export async function getReceipt(
  deps: Deps,
  caller: Caller,
  paymentId: string,
): Promise<{ number: string; pdf: Buffer }> {
  const details = await getPaymentDetails(deps, caller, paymentId)
  const receipt = await receiptOf(deps, caller, details)
  const pdf = await deps.drawings.paper.schedule(caller, (run) => run<Buffer>('receipt', receipt))
  return { number: receipt.number, pdf }
}

type Read = { payment: PaymentRow; found: FoundPayment }

async function receiptOf(deps: Deps, caller: Caller, { payment, found }: Read): Promise<PaperReceipt> {
  const progress = await progressOf(deps, caller, payment)
  const now = deps.clock.now()
  return {
    number: payment.number,
    amountCents: payment.amountCents,
    status: statusWords[payment.status],
    outcome: describeOutcome({ status: payment.status, payout: progress.payoutState }),
    from: { name: found.sender, lines: await fundingLines(deps, caller, payment) },
    to: await payeeOf(deps, caller, payment),
    facts: factsOf(deps, payment, progress),
    notes: [
      `As of ${longBusinessDate(now, deps.settings.timeZone)}. Payment ${payment.id}.`,
      'This receipt is not a check. It cannot be cashed or deposited.',
      ...(deps.settings.railNetwork === 'simulated' ? ['A test payment: no real money moves.'] : []),
    ],
    createdAt: now,
  }
}

/** Returns the lines about the account that pays, for the sender's side. The account of a scanned check belongs to its drawer. */
async function fundingLines(deps: Deps, caller: Caller, payment: PaymentRow): Promise<string[]> {
  if (!isSenderSide(caller, payment) || payment.kind === 'SCANNED') return []
  if (payment.fundingKind === 'wallet') return ['Wallet']
  return bankLines(deps, { platformId: payment.platformId, bankId: payment.fundingId })
}

/** Returns the payee. For the payee's side, the account that receives the money is included. */
async function payeeOf(deps: Deps, caller: Caller, payment: PaymentRow): Promise<ReceiptParty> {
  const { name, recipient } = payment
  const isOwn = isRecipient(caller, payment) || (caller.isOwner && payment.recipientPlatformId === caller.platformId)
  const contact = recipient.includes('@') && recipient !== name ? [recipient] : []
  return { name, lines: [...contact, ...(isOwn ? await destinationLines(deps, payment) : [])] }
}

async function destinationLines(deps: Deps, payment: PaymentRow): Promise<string[]> {
  const { destinationKind: kind, destinationId: id } = payment
  if (kind === null || id === null) return []
  if (kind === 'wallet') return ['Wallet']
  const platformId = payment.destinationPlatformId ?? payment.recipientPlatformId ?? payment.platformId
  if (kind === 'bank') return bankLines(deps, { platformId, bankId: id })
  const masked = await maskedDestination(deps, { platformId, id })
  return masked === null ? [] : [masked]
}

async function bankLines(deps: Deps, bank: { platformId: string; bankId: string }): Promise<string[]> {
  const account = await bankAccountNumber(deps, bank)
  return account === null ? [] : [`Bank account ${maskedDigits(account)}`]
}

const movementWords: Record<Movement, string> = { debit: 'Debit', credit: 'Credit', refund: 'Refund' }

function factsOf({ settings }: Deps, payment: PaymentRow, progress: Progress): PaperReceipt['facts'] {
  const dayOf = (at: Date) => longBusinessDate(at, settings.timeZone)
  const longDay = (day: string) => formatLongDate(new Date(`${day}T00:00:00Z`))
  const { rail, number, status, returnCode, depositedAt } = payment
  const isOnPaper = rail !== null && isPaper(rail)
  const facts: [string, string | null][] = [
    ['Created', dayOf(payment.createdAt)],
    ['Started', depositedAt && dayOf(depositedAt)],
    ['Expected', progress.expectedOn && longDay(progress.expectedOn)],
    [isOnPaper ? 'Cashed' : 'Arrived', progress.arrivedAt && dayOf(progress.arrivedAt)],
    [statusWords[status], hasEnded(payment) ? dayOf(payment.updatedAt) : null],
    ['Method', rail ? railWords[rail] : 'Not chosen yet'],
    ['Payment number', isOnPaper && progress.checkNumber === null ? null : number],
    ['Check number', isOnPaper ? String(progress.checkNumber ?? number) : null],
    ...progress.traces.map(({ movement, number, effectiveDate }): [string, string] => [
      'Trace number',
      `${number} (${movementWords[movement]}, ${longDay(effectiveDate)})`,
    ]),
    ['Reason', status === 'FAILED' && returnCode ? `${returnCode}: ${returnCodes[returnCode].reason}` : null],
    ['Memo', payment.description],
  ]
  return facts.flatMap(([label, value]) => (value ? [[label, value] as const] : []))
}

const hasEnded = ({ status }: PaymentRow): boolean => ['FAILED', 'VOID', 'EXPIRED', 'REFUNDED'].includes(status)
