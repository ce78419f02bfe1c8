import type { ProcessorContract } from '../../foundation/core/connections.ts'
import { addDays } from '../../foundation/lib/clock.ts'
import { isoReasons } from '../rail/iso-reason-rules.ts'
import type { ReturnCode } from '../rail/return-code-rules.ts'

/** The codes of cards that processors may name besides the reasons of ISO 20022. */
const CARD_CODES: readonly string[] = ['04', '05', '06']

/** The code of a rejected or returned order. A code that is not known stands for a refusal without a reason. */
export const returnCodeOf = (code: string | null): ReturnCode =>
  code !== null && (CARD_CODES.includes(code) || Object.hasOwn(isoReasons, code)) ? (code as ReturnCode) : 'MS03'

const FIRST_DELAY_MS = 2_000
const LONGEST_DELAY_MS = 10 * 60_000

/** How long after its time limit a call counts as lost, if its process has died. */
const LOST_AFTER_MS = 30_000

/** When an order in SENDING is asked about, if nothing was recorded until then. */
export const lostAt = (now: Date, { answerMs }: { answerMs: number }): Date =>
  new Date(now.getTime() + answerMs + LOST_AFTER_MS)

/** When an order is tried or asked about again. `tries`: in its status, so far. `retryAfterSeconds`: what the processor asks for. */
export function nextTryAt(
  now: Date,
  { tries, retryAfterSeconds = null }: { tries: number; retryAfterSeconds?: number | null },
): Date {
  const ownMs = Math.min(FIRST_DELAY_MS * 2 ** Math.min(tries, 20), LONGEST_DELAY_MS)
  return new Date(now.getTime() + Math.max(ownMs, (retryAfterSeconds ?? 0) * 1000))
}

/** When a paid order is asked about again: each day while it can come back. Null: no more. */
export function nextReturnCheckAt(
  now: Date,
  { paidAt, returnDays }: { paidAt: Date; returnDays: number },
): Date | null {
  const at = addDays(now, 1)
  return at > addDays(paidAt, returnDays) ? null : at
}

/** Whether an order has been unknown, or its answers unreadable, for longer than its connection allows. */
export const isOverdue = (
  unknownSince: Date | null,
  now: Date,
  { caseAfterMs }: Pick<ProcessorContract, 'caseAfterMs'>,
): boolean => unknownSince !== null && now.getTime() - unknownSince.getTime() >= caseAfterMs

/** Why an order waits whose processor does not have enough money of the operator. */
export const LOW_BALANCE = 'The balance at the processor is too low.'

/** Why an order waits for the next day. */
export const DAY_LIMIT = 'The limit of the connection for a day is used up.'
