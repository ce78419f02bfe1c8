import type { TxDeps } from '../../../foundation/db/deps.ts'
import { addDays, formatDate } from '../../../foundation/lib/clock.ts'
import { openContent } from '../credit/return-actions.ts'
import type { LineRange, Posting } from '../match-store.ts'
import { orderByBankReference } from './returned-order-rules.ts'
import { insertReturns, listNewReturns, listReturnableOrders, RETURN_DAYS } from './returned-order-store.ts'

/** The maximum number of orders of one amount that are searched for the order of a return. */
const MAX_ORDERS = 1_000

/**
 * Books new credits that the bank marks as returns. Such a credit shares a bank reference with the line of one order of the same amount.
 * Each order is used for one line. If too many orders have the amount, the operator decides.
 */
export async function matchReturnedOrders(
  tx: TxDeps,
  range: LineRange,
  { maxOrders = MAX_ORDERS }: { maxOrders?: number } = {},
): Promise<Posting[]> {
  const lines = await listNewReturns(tx.sql, range)
  if (lines.length === 0) return []
  const query = { connectionId: range.connectionId, lines, limit: maxOrders + 1 }
  const orders = (await listReturnableOrders(tx.sql, query)).map(({ contentSealed, ...order }) => ({
    ...order,
    content: openContent(tx, contentSealed),
  }))
  const ofAmount = Map.groupBy(orders, ({ cents }) => cents)
  const used = new Set<string>()
  const returns = lines.flatMap(({ lineId, cents, bookedOn, kind, contentSealed }) => {
    const sameAmount = ofAmount.get(cents) ?? []
    if (sameAmount.length > maxOrders) return []
    const firstDay = formatDate(addDays(new Date(bookedOn), -RETURN_DAYS))
    const free = sameAmount.filter(
      (one) => !used.has(one.legId) && one.bookedOn >= firstDay && one.bookedOn <= bookedOn,
    )
    const legId = orderByBankReference(openContent(tx, contentSealed), kind, free)
    const found = free.find((one) => one.legId === legId)
    if (!found) return []
    used.add(found.legId)
    return [{ lineId, platformId: found.platformId, paymentId: found.paymentId, legId: found.legId, cents }]
  })
  return insertReturns(tx.sql, returns, range.now)
}
