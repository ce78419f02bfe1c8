import { lockFileById } from '../../../connections/exchange/outgoing-file-actions.ts'
import type { TxDeps } from '../../../foundation/db/deps.ts'
import { endBankCase } from '../../../foundation/exception/bank-case-actions.ts'
import { applyLegEvent, type LegHandlers, lockLeg } from '../../rail/leg-actions.ts'
import { isInFlight } from '../../rail/leg-status.ts'
import type { LegRow } from '../../rail/leg-store.ts'
import type { ReportReason } from '../report/report-types.ts'
import { isFinal, returnCodeOf, type StatusMeaning } from '../report/status-code-rules.ts'
import { mayRejectCopy, stepOf } from './order-rules.ts'
import { areAllEnded, type OrderRow, updateOrderCode } from './order-store.ts'

/** What the bank, or a line of its statement, says about an order. */
export type Answer = { meaning: StatusMeaning; code: string; reasons: readonly ReportReason[] }

/** Why an answer was not applied, in words that follow a colon. */
export type Refusal = { why: string; leg: LegRow | null }

/**
 * Applies an answer to the leg of an order, by `stepOf`. The payment follows the leg: paid, or failed with the reason of the
 * bank. Even an answer that is not applied is recorded if it shows that the bank has the order: see `followOrderFile`.
 *
 * @param given.isDecided a person has asked the bank, so a rejection is not about another copy of the order, and returns one that was paid
 * @returns null if it is applied or changes nothing, or why a person must decide
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
  if (!isDecided && isInFlight(leg.status) && mayRejectCopy(answer, { isSentTwice }))
    return { why: 'it may reject one copy of the order, and the bank may execute another one', leg }
  const step = stepOf(answer, leg, { isDecided })
  // The bank does not call back an order that it has rejected.
  if (step === undefined && meaning === 'kept' && order.code === 'RJCT') return null
  if (step === undefined) {
    await updateOrderCode(tx.sql, order, { code, endedAt: null })
    return { why: contradictionOf(answer, leg), leg }
  }
  if (step !== 'none') {
    const given = step === 'return' ? { returnCode: returnCodeOf(reasons) } : {}
    if (!(await applyLegEvent(tx, handlers[leg.purpose], leg, step, given)))
      throw new Error(`a leg that is ${leg.status} refuses ${step}`)
  }
  // An order that was not called back still waits for its own final status.
  const isEnded = isFinal(meaning) && meaning !== 'kept'
  await updateOrderCode(tx.sql, order, { code, endedAt: isEnded ? tx.clock.now() : null })
  if (isEnded && (await areAllEnded(tx.sql, order.fileId)))
    await endBankCase(tx, { kind: 'order_unanswered', subjectId: order.fileId }, 'The bank has answered all orders.')
  return null
}

const contradictionOf = ({ meaning, code }: Answer, { status }: LegRow): string =>
  meaning === 'held' ? `the bank holds the order (${code})` : `the bank says ${code}, and the order is ${status} here`
