import { lockFileById } from '../../../connections/exchange/outgoing-file-actions.ts'
import type { TxDeps } from '../../../foundation/db/deps.ts'
import { endBankCase } from '../../../foundation/exception/bank-case-actions.ts'
import { applyLegEvent, endStop, isBookedNow, type LegHandlers, lockLeg } from '../../rail/leg-actions.ts'
import { isInFlight, type LegEvent } from '../../rail/leg-status.ts'
import type { LegRow } from '../../rail/leg-store.ts'
import type { ReportReason } from '../report/report-types.ts'
import { isFinal, returnCodeOf } from '../report/status-code-rules.ts'
import { type AnswerMeaning, mayConcernCopy, stepOf } from './order-rules.ts'
import {
  areAllEnded,
  findOrderOfLeg,
  listLegsOfUetrs,
  type OrderRow,
  updateOrderCode,
  updateUnended,
} from './order-store.ts'

/** An answer of the bank about an order, or a statement line that proves one. */
export type Answer = { meaning: AnswerMeaning; code: string; reasons: readonly ReportReason[] }

/** The reason why an answer was not applied, in words that follow a colon. */
export type Refusal = { why: string; leg: LegRow | null }

/**
 * Applies an answer to the leg of an order, by `stepOf`. The payment then becomes PAID, or FAILED with the bank's reason. An answer that is
 * not applied is still recorded if it shows that the bank has the order (see `followOrderFile`).
 *
 * @param given.isDecided whether the operator has asked the bank. Then a rejection or cancellation concerns no other copy of the order, a
 * paid order can be returned, and a rejected order can be paid
 * @returns null if the answer is applied or changes nothing, otherwise the reason why the operator must decide
 */
export async function applyAnswer(
  tx: TxDeps,
  handlers: LegHandlers,
  { order, answer, isDecided = false }: { order: OrderRow; answer: Answer; isDecided?: boolean },
): Promise<Refusal | null> {
  const { meaning, code, reasons } = answer
  const file = await lockFileById(tx, order.fileId)
  const leg = await lockLeg(tx, handlers, { platformId: order.platformId, id: order.legId })
  if (!leg) return { why: 'the payment of the order is not known', leg: null }
  if (order.recalledAt) return { why: 'it is about an order whose file was canceled or rejected', leg }
  const isSentTwice = (file?.resentAt ?? null) !== null
  const isOpen = isInFlight(leg.status) || (meaning === 'returned' && leg.status === 'SETTLED')
  if (!isDecided && isOpen && mayConcernCopy(answer, { isSentTwice }))
    return { why: 'it may be about one copy of the order, and the bank may execute another one', leg }
  const step = stepOf(answer, leg, { isDecided, wasReturned: order.code === RETURNED })
  const isBack = step === 'return' || step === 'cancel'
  if (!isDecided && isBack && meaning !== 'returned' && (await isBookedNow(tx, leg))) {
    await updateOrderCode(tx.sql, order, { code, endedAt: null })
    return { why: `the bank says ${code}, and a line of its statement books the order`, leg }
  }
  // The bank does not call back an order that it has rejected.
  if (step === undefined && meaning === 'kept' && order.code === 'RJCT') return null
  if (step === undefined) {
    await updateOrderCode(tx.sql, order, { code, endedAt: null })
    return { why: contradictionOf(answer, leg), leg }
  }
  if (step !== 'none' && !(await applyStep(tx, handlers, { leg, step, reasons })))
    throw new Error(`a leg that is ${leg.status} refuses ${step}`)
  if (step === 'reinstate') await updateUnended(tx.sql, order)
  // An order whose cancellation was refused still waits for its own final status.
  const isEnded = meaning === 'returned' || (isFinal(meaning) && meaning !== 'kept')
  await updateOrderCode(tx.sql, order, { code, endedAt: isEnded ? tx.clock.now() : null })
  if (isEnded && (await areAllEnded(tx.sql, order.fileId)))
    await endBankCase(tx, { kind: 'order_unanswered', subjectId: order.fileId }, 'The bank has answered all orders.')
  return null
}

/** @returns whether the leg allowed the step */
async function applyStep(
  tx: TxDeps,
  handlers: LegHandlers,
  { leg, step, reasons }: { leg: LegRow; step: LegEvent; reasons: readonly ReportReason[] },
): Promise<boolean> {
  if (step === 'cancel') return endStop(tx, handlers, leg)
  const given = step === 'return' ? { returnCode: returnCodeOf(reasons) } : {}
  const after = await applyLegEvent(tx, handlers[leg.purpose], leg, step, given)
  return after !== null && (step !== 'reinstate' || applyStep(tx, handlers, { leg: after, step: 'settle', reasons }))
}

/** The code of an order whose money was returned before the bank gave a final status. */
const RETURNED = 'RTRN'

/**
 * Refunds an order that the bank has returned according to a statement line, in the same way as a returned ACH credit.
 * A held payment waits for the operator, because its case may concern the same money.
 *
 * @param given.reason the bank's code, such as AC04, or null
 * @param given.isDecided whether the operator confirmed the return of this order
 * @returns null if the money was refunded now or earlier, or why the operator must decide
 */
export async function returnOrder(
  tx: TxDeps,
  handlers: LegHandlers,
  {
    connectionId,
    legId,
    reason,
    isDecided,
  }: { connectionId: string; legId: string; reason: string | null; isDecided: boolean },
): Promise<Refusal | null> {
  const order = await findOrderOfLeg(tx.sql, { connectionId, legId })
  if (!order) return { why: 'it returns an order that was not sent over this connection', leg: null }
  const leg = await lockLeg(tx, handlers, { platformId: order.platformId, id: legId })
  const isBack = leg?.status === 'RETURNED' || leg?.status === 'CANCELLED'
  if (leg?.heldAt && !isBack) return { why: 'it returns an order whose payment is held', leg }
  const reasons = reason === null ? [] : [{ code: reason, text: '' }]
  return applyAnswer(tx, handlers, { order, answer: { meaning: 'returned', code: RETURNED, reasons }, isDecided })
}

/** Finds the legs of orders that were sent over a connection, by their UETRs in lower case. */
export const findLegsOfUetrs = (
  { sql }: Pick<TxDeps, 'sql'>,
  given: { connectionId: string; uetrs: readonly string[] },
): Promise<{ uetr: string; legId: string }[]> => listLegsOfUetrs(sql, given)

const contradictionOf = ({ meaning, code }: Answer, { status }: LegRow): string =>
  meaning === 'held' ? `the bank holds the order (${code})` : `the bank says ${code}, and the order is ${status} here`
