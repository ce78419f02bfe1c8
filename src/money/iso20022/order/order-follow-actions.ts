import type { OpenConnection } from '../../../connections/exchange/connection-pass-actions.ts'
import { lockFileById } from '../../../connections/exchange/outgoing-file-actions.ts'
import { followUps } from '../../../connections/exchange/outgoing-file-status.ts'
import type { OutgoingFileRow } from '../../../connections/exchange/outgoing-file-store.ts'
import type { TxDeps } from '../../../foundation/db/deps.ts'
import { isolate } from '../../../foundation/db/isolation.ts'
import { inTransaction } from '../../../foundation/db/transaction.ts'
import {
  closeBankCase,
  endBankCase,
  findOpenCases,
  findStillOpenCase,
  recordBankCase,
} from '../../../foundation/exception/bank-case-actions.ts'
import { applyLegEvent, endStop, type LegHandlers, lockLeg, recallLeg } from '../../rail/leg-actions.ts'
import { recordHoldingCase } from '../../rail/leg-case-actions.ts'
import { isInFlight } from '../../rail/leg-status.ts'
import type { LegKey, LegRow } from '../../rail/leg-store.ts'
import { applyAnswer } from './order-answer-actions.ts'
import {
  areAllEnded,
  BOOKED,
  findOrderOfLeg,
  findOrderOfRecall,
  listBookedOrders,
  listFollowingOrders,
  listUnanswered,
  markOrderRecalled,
  type OrderRow,
  updateRecall,
  updateReopened,
} from './order-store.ts'

/**
 * Handles a file that was canceled, or rejected before the bank read its content: its legs wait for another file. An order that the bank
 * has already answered is not sent again, and the operator decides. An order whose payment is being voided is canceled. For a file with
 * recalls, undoes the recalls.
 */
export async function followOrderFile(
  tx: TxDeps,
  handlers: LegHandlers,
  { file, platformId }: { file: OutgoingFileRow; platformId: string },
): Promise<void> {
  const followUp = followUps[file.kind][file.status]
  if (followUp === 'keep') await keepOrder(tx, handlers, file.id)
  if (followUp !== 'recall') return
  for (const order of await listFollowingOrders(tx.sql, { fileId: file.id, platformId })) {
    const leg = await lockLeg(tx, handlers, { platformId, id: order.legId })
    if (!leg || !isInFlight(leg.status)) continue
    if (order.code !== null) await holdAnswered(tx, { file, order, leg })
    else if (await freeLeg(tx, handlers, leg)) await markOrderRecalled(tx.sql, order, tx.clock.now())
  }
  if (await areAllEnded(tx.sql, file.id))
    await endBankCase(tx, { kind: 'order_unanswered', subjectId: file.id }, `The file is ${file.status}.`)
}

/** Frees the leg of an order that never took effect. The order is put into another file, unless its payment is being voided. */
const freeLeg = (tx: TxDeps, handlers: LegHandlers, leg: LegRow): Promise<boolean> =>
  leg.status === 'STOPPING' ? endStop(tx, handlers, leg) : recallLeg(tx, handlers, leg)

/** Holds an order that the bank has answered although its file counts as canceled or rejected. The bank may execute it. */
async function holdAnswered(
  tx: TxDeps,
  { file, order, leg }: { file: OutgoingFileRow; order: OrderRow; leg: LegRow },
): Promise<void> {
  const note = `The file of an order is ${file.status}, and the bank has answered the order with ${order.code}.`
  await recordHoldingCase(tx, {
    ...{ kind: 'order_contradicts', connectionId: file.connectionId, source: 'order', isBankWide: false, leg, note },
    ...{ file: { id: leg.id, name: file.name }, line: 0, event: file.id, cents: leg.cents, content: { lines: [] } },
  })
}

/** Ends a recall that never reached the bank. The order stays. */
async function keepOrder(tx: TxDeps, handlers: LegHandlers, recallId: string): Promise<void> {
  const order = await findOrderOfRecall(tx.sql, recallId)
  const leg = order && (await lockLeg(tx, handlers, { platformId: order.platformId, id: order.legId }))
  if (!leg || !(await updateRecall(tx.sql, order, { from: recallId, to: null }))) return
  if (leg.status === 'STOPPING') await applyLegEvent(tx, handlers[leg.purpose], leg, 'keep')
}

const BOOKED_AT_A_TIME = 500

/**
 * One pass: settles orders that a line of the bank's statement books, which proves their payment. An order that fails is tried again with
 * growing delays.
 *
 * @returns the number of orders that changed
 */
export async function settleBookedOrders(open: OpenConnection, handlers: LegHandlers): Promise<number> {
  const { deps, connection } = open
  const isolation = isolate(deps, 'read answers to orders')
  const answer = { meaning: 'paid', code: BOOKED, reasons: [] } as const
  const settle = async (order: OrderRow): Promise<number> =>
    (await inTransaction(deps, (tx) => applyAnswer(tx, handlers, { order, answer }))) === null ? 1 : 0
  let count = 0
  for (const order of await listBookedOrders(deps.sql, {
    connectionId: connection.id,
    skipped: isolation.skipped(),
    limit: BOOKED_AT_A_TIME,
  })) {
    const unit = { platformId: order.platformId, kind: 'leg', id: order.legId }
    count += (await isolation.run(unit, () => settle(order))) ?? 0
  }
  return count
}

/**
 * Handles orders whose lines were undone. An order that only its line proved is open again: it waits for the bank's answer or another line,
 * and is reported like an order without an answer. The refund of a returned order cannot be taken back, so it becomes a case until a line
 * books the return.
 *
 * @param given.sent the legs whose payment the lines had booked
 * @param given.returned the legs whose return the lines had booked
 */
export async function reopenOrders(
  tx: TxDeps,
  handlers: LegHandlers,
  { connectionId, sent, returned }: { connectionId: string; sent: readonly LegKey[]; returned: readonly LegKey[] },
): Promise<void> {
  const now = tx.clock.now()
  await updateReopened(tx.sql, sent, now)
  for (const key of returned) {
    const order = await findOrderOfLeg(tx.sql, { connectionId, legId: key.id })
    const leg = order && (await lockLeg(tx, handlers, key))
    if (leg?.status !== 'RETURNED' && leg?.status !== 'CANCELLED') continue
    await recordBankCase(tx, {
      ...{ kind: 'return_not_booked', connectionId, source: 'statement', line: 0, isBankWide: false, leg },
      ...{ file: { id: key.id, name: 'bank statement' }, event: now.toISOString(), cents: leg.cents },
      note: 'The line that booked the return of an order was undone, and the money was refunded before. Ask the bank whether it returned the order.',
      content: { lines: [] },
    })
  }
}

/** Ends the cases about messages that were sent again. Their time starts again. */
async function endCasesOfResent({ deps, connection }: OpenConnection): Promise<void> {
  const cases = await findOpenCases(deps, { kind: 'order_unanswered', connectionId: connection.id })
  for (const { id, inboundFileId, event } of cases)
    await inTransaction(deps, async (tx) => {
      const file = await lockFileById(tx, inboundFileId)
      if (!file?.transmittedAt || file.transmittedAt.toISOString() <= event) return
      const open = await findStillOpenCase(tx, id)
      if (open) await closeBankCase(tx, open, { resolution: 'The file was sent again.' })
    })
}

/** Opens a case for each message with orders that the bank has not answered in time. Such orders are never sent again automatically. */
export async function reportUnanswered(open: OpenConnection): Promise<void> {
  const { deps, connection } = open
  if (!connection.iso20022) return
  await endCasesOfResent(open)
  const { answerHours } = connection.iso20022
  const sentBefore = new Date(deps.clock.now().getTime() - answerHours * 60 * 60 * 1000)
  for (const { fileId, name, sentAt, isReopened, count } of await listUnanswered(deps.sql, {
    connectionId: connection.id,
    sentBefore,
  })) {
    const orders = count === 1 ? 'An order has' : `${count} orders have`
    await inTransaction(deps, (tx) =>
      recordBankCase(tx, {
        ...{ kind: 'order_unanswered', connectionId: connection.id, source: 'order', file: { id: fileId, name } },
        ...{ line: 0, event: sentAt.toISOString(), isBankWide: false, content: { lines: [] } },
        note: `${orders} no final answer of the bank ${answerHours} hours after ${isReopened ? 'the line that proved it was undone' : 'the file was sent'}.`,
      }),
    )
  }
}
