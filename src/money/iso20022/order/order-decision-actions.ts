import { formatDollars } from '../../../foundation/core/money.ts'
import type { TxDeps } from '../../../foundation/db/deps.ts'
import type { AppliedCase, CaseValues } from '../../../foundation/exception/bank-case-rules.ts'
import type { BankCaseRow, OpenBankCase } from '../../../foundation/exception/bank-case-store.ts'
import { isId } from '../../../foundation/lib/ids.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { type LegHandlers, lockLeg, sendLegInFile } from '../../rail/leg-actions.ts'
import { isOrderReason } from '../../rail/return-code-rules.ts'
import { meaningOf } from '../report/status-code-rules.ts'
import { type Answer, applyAnswer } from './order-answer-actions.ts'
import { orderIdOf } from './order-rules.ts'
import {
  findOrderOfLeg,
  findRecalledOrderOfLeg,
  listUnansweredOrders,
  markOrderRecalled,
  type OrderRow,
} from './order-store.ts'

/**
 * Applies the bank's information that the operator enters about an order: a status such as ACSC, the answer to a recall such as CNCL, or
 * the reason of a rejection or return such as AC04. The caller has locked the case and closes it.
 *
 * @throws StartProblem if values are missing or invalid, or the answer contradicts an earlier one
 */
export async function applyOrderCase(
  tx: TxDeps,
  handlers: LegHandlers,
  { row, values }: { row: OpenBankCase; values: CaseValues },
): Promise<AppliedCase> {
  const trace = orderIdOf(values.trace)
  if (row.legId !== null && trace && trace !== row.legId)
    throw new StartProblem(`This case is about the order ${row.legId}, not ${trace}. Leave out --trace.`)
  const legId = row.legId ?? trace
  if (!isId(legId)) throw new StartProblem('--trace must be the EndToEndId of the order, 32 letters and digits.')
  const answer = answerOf(values.code?.toUpperCase() ?? '')
  const named = { connectionId: row.connectionId, legId }
  const order = (await findOrderOfLeg(tx.sql, named)) ?? (await resumeOrder(tx, handlers, named))
  if (!order) throw new StartProblem(`No order ${legId} was sent over the connection ${row.connectionId}.`)
  const refusal = await applyAnswer(tx, handlers, { order, answer, isDecided: true })
  if (refusal) throw new StartProblem(`The answer cannot be applied: ${refusal.why}.`)
  return { done: `The order ${legId} has the status ${answer.code}.`, platformIds: [order.platformId] }
}

/**
 * Sends the waiting leg of an order whose file was canceled or rejected with this order, because the bank has it after all. The leg counts as
 * sent also if its payment is held or a user is stopped.
 *
 * @returns null if there is no such order
 */
async function resumeOrder(
  tx: TxDeps,
  handlers: LegHandlers,
  named: { connectionId: string; legId: string },
): Promise<OrderRow | null> {
  const order = await findRecalledOrderOfLeg(tx.sql, named)
  const leg = order && (await lockLeg(tx, handlers, { platformId: order.platformId, id: order.legId }))
  if (!leg || !(await sendLegInFile(tx, handlers, leg, { isAtBank: true }))) return order
  await markOrderRecalled(tx.sql, order, null)
  return { ...order, recalledAt: null }
}

const MAX_SHOWN = 100

/** The orders of a message without a final answer, as `remit exceptions show` prints them. `hasMore`: whether others were left out. */
export type WaitingOrders = {
  orders: { order: string; payment: string; amount: string; last_answer: string | null }[]
  hasMore: boolean
}

/** Returns the first 100 orders that an open case waits for. */
export async function waitingOrdersOf(
  { sql }: Pick<TxDeps, 'sql'>,
  { kind, inboundFileId }: Pick<OpenBankCase, 'kind' | 'inboundFileId'>,
): Promise<WaitingOrders> {
  if (kind !== 'order_unanswered') return { orders: [], hasMore: false }
  const rows = await listUnansweredOrders(sql, { fileId: inboundFileId, limit: MAX_SHOWN + 1 })
  const orders = rows.slice(0, MAX_SHOWN).map(({ legId, paymentId, cents, code }) => ({
    order: legId,
    payment: paymentId,
    amount: formatDollars(cents),
    last_answer: code,
  }))
  return { orders, hasMore: rows.length > MAX_SHOWN }
}

/** Returns whether an order of a message has no final answer. */
export const hasWaitingOrders = async (
  { sql }: Pick<TxDeps, 'sql'>,
  { inboundFileId: fileId }: Pick<BankCaseRow, 'inboundFileId'>,
): Promise<boolean> => (await listUnansweredOrders(sql, { fileId, limit: 1 })).length > 0

/** Returns whether a case concerns the leg of an order. */
export async function isCaseOfOrder(tx: TxDeps, { connectionId, legId }: OpenBankCase): Promise<boolean> {
  const named = legId && { connectionId, legId }
  if (!named) return false
  return ((await findOrderOfLeg(tx.sql, named)) ?? (await findRecalledOrderOfLeg(tx.sql, named))) !== null
}

function answerOf(code: string): Answer {
  const meaning = meaningOf('status', code) ?? meaningOf('recall', code)
  if (meaning !== null) return { meaning, code, reasons: [] }
  if (isOrderReason(code)) return { meaning: 'rejected', code: 'RJCT', reasons: [{ code, text: '' }] }
  throw new StartProblem(
    '--code must be a status of ISO 20022 such as ACSC, the answer to a recall such as CNCL or RJCR, or the reason of a rejection or return such as AC04.',
  )
}
