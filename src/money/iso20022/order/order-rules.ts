import { createHash } from 'node:crypto'
import type { Connection, IsoContract, RailTerms } from '../../../foundation/core/connections.ts'
import { formatDollars } from '../../../foundation/core/money.ts'
import { accountOf } from '../../../foundation/core/operator-account.ts'
import { addBankingDays, type BankCalendar, isBankingDay } from '../../../foundation/lib/banking-day.ts'
import { businessDate, formatDate, instantOf, localClock, startOfNextDay } from '../../../foundation/lib/clock.ts'
import type { LegEvent, LegStatus } from '../../rail/leg-status.ts'
import type { CreditOrder, DebtorAccount, SentMessage } from '../message/message-types.ts'
import type { ReportReason } from '../report/report-types.ts'
import type { StatusMeaning } from '../report/status-code-rules.ts'
import type { OrderRow } from './order-store.ts'

/**  The payee and the texts of an order, from the payment. `sender`: the user for whom the operator pays, or null if unknown. */
export type OrderDetails = Pick<CreditOrder, 'creditor' | 'creditorBank' | 'memo' | 'regulatoryText'> & {
  sender: string | null
}

/** The parts of an order that the agreement with the bank asks for. Without terms for its rail, it cannot be sent. */
export function agreedParts(
  terms: RailTerms | undefined,
  { sender }: Pick<OrderDetails, 'sender'>,
): Pick<CreditOrder, 'ultimateDebtor' | 'intermediaryBank' | 'purpose'> {
  const bank = terms?.intermediaryBank ?? null
  return {
    ultimateDebtor: terms?.namesSender ? sender : null,
    intermediaryBank: bank && { ...bank, clearingNumber: null, address: null },
    purpose: terms?.purpose ?? null,
  }
}

/** Returns the reason why an order exceeds the limit for one order or for a day, or null. */
export function limitProblem(terms: RailTerms | undefined, cents: number): string | null {
  const limits = [terms?.centsPerOrder, terms?.centsPerDay].filter((one) => one != null)
  const lowest = Math.min(...limits)
  return cents > lowest ? `is above the limit of the bank, ${formatDollars(lowest)}` : null
}

/**
 * Returns the day on which the bank executes an order that is sent now. @param cutOff HH:MM in the time zone of the bank. Null: there is no
 * cut-off
 */
export function executionDate(
  now: Date,
  { cutOff, calendar }: { cutOff: string | null; calendar: BankCalendar },
): string {
  const day = localClock(now, calendar.timeZone)
  if (cutOff === null) return formatDate(day)
  const isInTime = isBankingDay(day, calendar) && day.toISOString().slice(11, 16) <= cutOff
  return formatDate(isInTime ? day : addBankingDays(day, 1, calendar))
}

/** Returns when an order may get another execution date than one that is sent now: after the cut-off of the day, or on the next day. */
export function nextExecutionDateAt(
  now: Date,
  { cutOff, timeZone }: { cutOff: string | null; timeZone: string },
): Date {
  const nextDay = startOfNextDay(now, timeZone)
  if (cutOff === null) return nextDay
  const lastMinute = instantOf(new Date(`${businessDate(now, timeZone)}T${cutOff}:00Z`), timeZone)
  const afterCutOff = new Date(lastMinute.getTime() + 60_000)
  return afterCutOff > now ? afterCutOff : nextDay
}

/** Returns the account that the orders of a connection debit. */
export function debtorAccountOf(connection: Connection, { account, holder, bic }: IsoContract): DebtorAccount {
  const { routingNumber, accountNumber, currency } = accountOf(connection, account)
  return {
    id: account,
    holder: holder.name,
    address: holder.address,
    number: { number: accountNumber },
    currency,
    bank: { bic, clearingNumber: routingNumber, name: null, address: null },
  }
}

/** Returns the id of an order as it is stored. Banks write it with or without hyphens. */
export const orderIdOf = (text: string | undefined): string => text?.replaceAll('-', '').toLowerCase() ?? ''

/** Returns the name of a message's file. */
export const fileNameOf = (kind: 'orders' | 'recall', fileId: string): string => `${kind}-${fileId}`

/** An order of a sent message, whether or not its payment is known. */
export type SentOrderRow = Pick<
  OrderRow,
  'fileId' | 'legId' | 'message' | 'payment' | 'cents' | 'currency' | 'uetr' | 'recallId'
>

/**
 * Returns the sent messages from the rows of their orders, for comparison with the bank's answers: messages with orders, and requests to
 * cancel.
 */
export const sentMessagesOf = (orders: readonly SentOrderRow[]): SentMessage[] => [
  ...messagesBy(orders, ({ fileId }) => fileId),
  ...messagesBy(
    orders.filter(({ recallId }) => recallId !== null),
    ({ recallId }) => recallId as string,
  ),
]

const messagesBy = (orders: readonly SentOrderRow[], idOf: (order: SentOrderRow) => string): SentMessage[] =>
  [...Map.groupBy(orders, idOf)].map(([messageId, ofMessage]) => ({
    messageId,
    messageName: ofMessage[0]?.message as SentMessage['messageName'],
    payments: [...Map.groupBy(ofMessage, ({ payment }) => payment)].map(([paymentId, ofPayment]) => ({
      paymentId,
      orders: ofPayment.map(({ legId, cents, currency, uetr }) => ({ legId, cents, currency, uetr })),
    })),
  }))

/**
 * The meaning of an answer for an order. `returned`: the bank booked a return, and the money was refunded. Only a
 * statement or notification reports this.
 */
export type AnswerMeaning = StatusMeaning | 'returned'

type Step = LegEvent | 'none'

const NO_NEWS = { SENT: 'none', ACCEPTED: 'none', STOPPING: 'none', SETTLED: 'none' } as const

/**
 * The effect of a bank's answer on the leg of its order. An answer that arrives twice, or after a later one, changes nothing. If the
 * status of the leg is missing here, it contradicts the answer, and the operator decides.
 */
const answerSteps: Record<AnswerMeaning, Partial<Record<LegStatus, Step>>> = {
  received: { ...NO_NEWS, RETURNED: 'none', CANCELLED: 'none' },
  pending: { ...NO_NEWS, RETURNED: 'none', CANCELLED: 'none' },
  accepted: { ...NO_NEWS, RETURNED: 'none', CANCELLED: 'none', SENT: 'accept' },
  paid: { SENT: 'settle', ACCEPTED: 'settle', STOPPING: 'settle', SETTLED: 'none' },
  rejected: { SENT: 'return', ACCEPTED: 'return', STOPPING: 'cancel', RETURNED: 'none', CANCELLED: 'none' },
  canceled: { SENT: 'return', ACCEPTED: 'return', STOPPING: 'cancel', RETURNED: 'none', CANCELLED: 'none' },
  kept: { ...NO_NEWS, STOPPING: 'keep' },
  held: {},
  mixed: {},
  returned: {
    ...{ SENT: 'return', ACCEPTED: 'return', SETTLED: 'return', RETURNED: 'none' },
    ...{ STOPPING: 'cancel', CANCELLED: 'none' },
  },
}

/**
 * The step of an answer, or undefined if it contradicts the leg. A rejection after the payment, and a payment after the rejection, are the
 * operator's decision: the bank may mean another copy. A late answer that an order was paid does not contradict its return.
 */
export const stepOf = (
  { meaning }: { meaning: AnswerMeaning },
  { status, settledAt }: { status: LegStatus; settledAt: Date | null },
  { isDecided, wasReturned }: { isDecided: boolean; wasReturned: boolean },
): Step | undefined => {
  if (meaning === 'paid' && status === 'RETURNED') {
    if (settledAt !== null || wasReturned) return 'none'
    return isDecided ? 'reinstate' : undefined
  }
  const isReturn = isDecided && status === 'SETTLED' && (meaning === 'rejected' || meaning === 'canceled')
  return isReturn ? 'return' : answerSteps[meaning][status]
}

/** The reasons of a rejection or cancellation because the bank already has the message or the order. It may still execute the first copy. */
const DUPLICATE_CODES: readonly (string | null)[] = ['AM05', 'DU01', 'DU02', 'DU03', 'DU04', 'DU05', 'DUPL']

/**
 * Returns whether a rejection, a cancellation or a return may be about one of two copies of an order. The bank may execute the other one.
 *
 * @param given.isSentTwice whether the operator has sent the file again
 */
export const mayConcernCopy = (
  { meaning, reasons }: { meaning: AnswerMeaning; reasons: readonly ReportReason[] },
  { isSentTwice }: { isSentTwice: boolean },
): boolean =>
  (meaning === 'rejected' || meaning === 'canceled' || meaning === 'returned') &&
  (isSentTwice || reasons.some(({ code, text }) => DUPLICATE_CODES.includes(code) || /duplicat|already/i.test(text)))

/** Returns the id of a file with answers, which is derived from its content. A file that is read again therefore has the same id. */
export function inboundIdOf(connectionId: string, contentHash: Buffer): string {
  const bytes = createHash('sha256').update(connectionId).update('\n').update(contentHash).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6) // a UUID of version 8 (RFC 9562)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex')
}
