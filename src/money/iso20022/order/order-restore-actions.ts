import {
  addPlatformToFile,
  adoptOutgoingFile,
  lockFileById,
} from '../../../connections/exchange/outgoing-file-actions.ts'
import type { Connection } from '../../../foundation/core/connections.ts'
import { formatDollars } from '../../../foundation/core/money.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { applyLegEvent, type LegHandlers, lockLeg, sendLegInFile } from '../../rail/leg-actions.ts'
import type { LegKey, LegRow } from '../../rail/leg-store.ts'
import {
  assignWaitingLegs,
  claimOf,
  endMissingPayments,
  holdIfMaybeAtBank,
  holdUnlessReviewed,
  NO_GAP,
  type RestoreGap,
  reportMissingPayments,
} from '../../rail/restore-hold-actions.ts'
import { FrameProblem } from '../../statement/text-line-rules.ts'
import { readCreditTransfer } from '../message/credit-transfer-read-rules.ts'
import type { Answer } from './order-answer-actions.ts'
import {
  insertRecoveredOrders,
  isStillUnassigned,
  type LostOrder,
  listLegsOfOrders,
  listOrdersWithoutPayment,
  listRecoveredOrders,
  markOrderMatched,
  markOrderRejected,
  type RecoveredOrder,
} from './order-restore-store.ts'
import { mayConcernCopy, orderIdOf } from './order-rules.ts'
import { insertOrders, tryLockOrders } from './order-store.ts'

// Recovers after a database restore: handles orders that the bank has and the database does not contain.

/** Adopts a message from its bytes, so that its orders are not sent again. @throws StartProblem */
export async function adoptOrders(
  tx: TxDeps,
  {
    connection,
    name,
    content,
    isTransmitted,
  }: { connection: Connection; name: string; content: Buffer; isTransmitted: boolean },
): Promise<void> {
  const orders = readOwnOrders(content, `${name}.xml`)
  const id = name.replace(/^orders-/, '')
  await adoptOutgoingFile(
    tx,
    {
      ...{ id, connectionId: connection.id, kind: 'orders', name, effectiveAt: null },
      ...{ parts: [{ name: `${name}.xml`, content }], platformIds: [] },
    },
    { isTransmitted },
  )
  await insertRecoveredOrders(tx.sql, id, orders)
}

function readOwnOrders(content: Buffer, fileName: string) {
  try {
    return readCreditTransfer(content.toString('utf8'))
  } catch (error) {
    if (!(error instanceof FrameProblem)) throw error
    throw new StartProblem(`${fileName} is not a message of this service: ${error.message}. Check the file.`)
  }
}

/**
 * The orders of recovered messages that are not assigned to a payment yet. `own`: by leg. `lost`: those at the bank whose leg this database does
 * not have, or has canceled.
 */
export type OrdersAtBank = { own: ReadonlyMap<string, RecoveredOrder>; lost: readonly RecoveredOrder[] }

export async function readOrdersAtBank({ sql }: Pick<TxDeps, 'sql'>): Promise<OrdersAtBank> {
  const orders = await listRecoveredOrders(sql)
  const known = new Set(orders.length > 0 ? (await listLegsOfOrders(sql, orders)).map(({ id }) => id) : [])
  return {
    own: new Map(orders.map((order) => [order.legId, order])),
    lost: orders.filter(({ legId, isRejected }) => !known.has(legId) && !isRejected),
  }
}

/**
 * Returns whether the bank has, or may have, the order of a leg. An order is certain by its EndToEndId. A payment that the database has lost
 * can be repeated with another leg, so a leg of the same amount is held until the operator has reviewed it.
 */
export async function isOrderAtBank(
  tx: TxDeps,
  handlers: LegHandlers,
  { leg, atBank: { own, lost }, gap }: { leg: LegRow; atBank: OrdersAtBank; gap: RestoreGap },
): Promise<boolean> {
  const order = own.get(leg.id)
  if (order && order.cents === leg.cents) {
    await assignToOrder(tx, handlers, { leg, order })
    return true
  }
  if (leg.heldAt) return true // the operator decides already
  for (const one of lost) {
    const { legId, cents, fileName, recoveredAt } = one
    if (cents !== leg.cents || claimOf(leg, { ...one, likeness: 'similar' }) === 'none') continue
    const note = `The bank has order ${legId} of the same amount in ${fileName}. It may be the one of this payment.`
    if (await holdUnlessReviewed(tx, leg, { since: recoveredAt, note })) return true
  }
  return holdIfMaybeAtBank(tx, leg, gap)
}

/** Assigns a waiting leg to its order. The answers of the bank then determine its status. */
async function assignToOrder(
  tx: TxDeps,
  handlers: LegHandlers,
  { leg, order }: { leg: LegRow; order: RecoveredOrder },
): Promise<void> {
  if (!(await sendLegInFile(tx, handlers, leg, { isAtBank: true }))) return
  const { fileId, legId, message, payment, executeOn, cents, currency, uetr } = order
  const { platformId } = leg
  await insertOrders(tx.sql, [{ fileId, legId, platformId, message, payment, executeOn, cents, currency, uetr }])
  await addPlatformToFile(tx, fileId, platformId)
  await endMatched(tx, order)
  tx.log.warn({ leg: legId }, 'the bank already has the order of this leg: not sent again')
}

async function endMatched(tx: TxDeps, order: RecoveredOrder): Promise<void> {
  await markOrderMatched(tx.sql, order, tx.clock.now())
  await endMissingPayments(tx, { fileId: order.fileId, events: [order.legId] })
}

/**
 * Assigns waiting legs to the orders that the bank already has. From then on, nobody can void them without asking the bank.
 *
 * @returns the number of orders that are not assigned
 */
export async function assignOrdersOfRestore(deps: Deps, handlers: LegHandlers): Promise<number> {
  await assignWaitingLegs(deps, 'write orders', {
    tryLock: tryLockOrders,
    list: async (sql) => listLegsOfOrders(sql, await listRecoveredOrders(sql)),
    prepare: async (tx) => {
      const atBank = await readOrdersAtBank(tx)
      return (leg) => isOrderAtBank(tx, handlers, { leg, atBank, gap: NO_GAP })
    },
  })
  return (await listRecoveredOrders(deps.sql)).length
}

/**
 * Records that a payment, which was held after a restore, was paid by an order of the lost time. The operator has asked the bank.
 *
 * @returns a text that says what was done
 * @throws StartProblem if the order cannot be the one of the payment
 */
export async function payByLostOrder(
  tx: TxDeps,
  handlers: LegHandlers,
  { leg: { platformId, id }, trace, code }: { leg: LegKey; trace: string | undefined; code: string | undefined },
): Promise<string> {
  const leg = await lockLeg(tx, handlers, { platformId, id })
  if (!(await tryLockOrders(tx.sql))) throw new StartProblem('Orders are being written now. Repeat this in a minute.')
  const order = (await readOrdersAtBank(tx)).lost.find(({ legId }) => legId === orderIdOf(trace))
  if (!leg || !order) {
    throw new StartProblem(
      'Name an order that remit files recover added and that is not assigned: --trace ORDER --code ACSC. If the bank does not have the payment, close this.',
    )
  }
  if (order.cents !== leg.cents) {
    throw new StartProblem(
      `The order ${trace} is of ${formatDollars(order.cents)}, and the payment is of ${formatDollars(leg.cents)}.`,
    )
  }
  if (code?.toUpperCase() !== 'ACSC') {
    throw new StartProblem(
      'Ask the bank about the order. If it has executed the order, give --code ACSC. If the order is still pending, wait. Close this only if the bank has rejected it, or it belongs to another payment. The payment is then sent.',
    )
  }
  const isSent = await sendLegInFile(tx, handlers, leg, { isAtBank: true })
  const sent = isSent ? await lockLeg(tx, handlers, leg) : null
  if (!sent || !(await applyLegEvent(tx, handlers[leg.purpose], sent, 'settle')))
    throw new StartProblem('The payment does not wait for the bank, or another exception holds it.')
  await endMatched(tx, order)
  return `The bank has paid the payment by order ${trace}. It is not sent again.`
}

/**
 * Applies an answer of the bank about an order whose payment is not known. If the bank has rejected the order, no payment is assigned to it.
 *
 * @returns null, or the reason why the operator must decide
 */
export async function answerLostOrder(
  tx: TxDeps,
  { order: { fileId, legId }, answer }: { order: LostOrder; answer: Answer },
): Promise<string | null> {
  const { meaning, code } = answer
  const file = await lockFileById(tx, fileId)
  if (!(await isStillUnassigned(tx.sql, { legId })))
    return `the order ${legId} was assigned to a payment at this moment`
  const isBack = meaning === 'rejected' || meaning === 'canceled'
  if (isBack && !mayConcernCopy(answer, { isSentTwice: (file?.resentAt ?? null) !== null })) {
    await markOrderRejected(tx.sql, legId, tx.clock.now())
    const resolution = `The bank has answered the order with ${code}.`
    await endMissingPayments(tx, { fileId, events: [legId], resolution })
    return null
  }
  if (meaning === 'received' || meaning === 'pending' || meaning === 'accepted') return null
  return `the bank says ${code}, and the payment of the order is not known. It names the order ${legId}`
}

/** Records a case for each recovered order of a connection whose payment nobody has repeated. @returns the number of new cases */
export const reportMissingOrders = (deps: Deps, connectionId: string): Promise<number> =>
  reportMissingPayments(deps, 'read answers to orders', {
    list: (since) => listOrdersWithoutPayment(deps.sql, { connectionId, recoveredBefore: since }),
    isUnassigned: (tx, order) => isStillUnassigned(tx.sql, order),
    caseOf: ({ fileId, fileName, legId, cents }) => ({
      ...{ connectionId, source: 'order', file: { id: fileId, name: fileName }, event: legId, cents },
      note: `The bank has order ${legId} of ${formatDollars(cents)} from before the restore, and nobody has repeated its payment.`,
    }),
  })
