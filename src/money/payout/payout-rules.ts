import type { ProcessorContract } from '../../foundation/core/connections.ts'
import { addDays } from '../../foundation/lib/clock.ts'
import { isOrderReason, type ReturnCode } from '../rail/return-code-rules.ts'

/** The codes of card networks that processors may report in addition to the reasons of ISO 20022. */
const CARD_CODES: readonly string[] = ['04', '05', '06']

/** Returns whether a code is the reason of an order that a processor rejected or returned. */
export const isPayoutReason = (code: string): code is ReturnCode => CARD_CODES.includes(code) || isOrderReason(code)

/** Returns the return code of a rejected or returned order. An unknown code counts as a refusal without a reason. */
export const returnCodeOf = (code: string | null): ReturnCode => (code !== null && isPayoutReason(code) ? code : 'MS03')

const FIRST_DELAY_MS = 2_000
const LONGEST_DELAY_MS = 10 * 60_000

/** The milliseconds after its time limit when a call counts as lost, because its process may have ended. */
const LOST_AFTER_MS = 30_000

/** Returns when the processor is asked about an order in SENDING, if no result was recorded until then. */
export const lostAt = (now: Date, { answerMs }: { answerMs: number }): Date =>
  new Date(now.getTime() + answerMs + LOST_AFTER_MS)

/**
 * Returns when an order is tried or asked about again. `tries`: the number of tries in its current status. `retryAfterSeconds`: the delay
 * that the processor requests.
 */
export function nextTryAt(
  now: Date,
  { tries, retryAfterSeconds = null }: { tries: number; retryAfterSeconds?: number | null },
): Date {
  const ownMs = Math.min(FIRST_DELAY_MS * 2 ** Math.min(tries, 20), LONGEST_DELAY_MS)
  return new Date(now.getTime() + Math.max(ownMs, (retryAfterSeconds ?? 0) * 1000))
}

/**
 * Returns when the processor is asked about a paid order again: each day while the order can be returned, and until it has answered. Null:
 * never again.
 */
export function nextReturnCheckAt(
  now: Date,
  { paidAt, returnDays, isAnswered }: { paidAt: Date; returnDays: number; isAnswered: boolean },
): Date | null {
  const at = addDays(now, 1)
  return isAnswered && at > addDays(paidAt, returnDays) ? null : at
}

/** Returns whether an order has been unknown, or its answers unreadable, for longer than its connection allows. */
export const isOverdue = (
  unknownSince: Date | null,
  now: Date,
  { caseAfterMs }: Pick<ProcessorContract, 'caseAfterMs'>,
): boolean => unknownSince !== null && now.getTime() - unknownSince.getTime() >= caseAfterMs

/** The reason why an order waits if its processor does not have enough money of the operator. */
export const LOW_BALANCE = 'The balance at the processor is too low.'

/** The reason why an order waits for the next day. */
export const DAY_LIMIT = 'The limit of the connection for a day is used up.'
