import type { TxDeps } from '../../../foundation/db/deps.ts'
import { openContent } from '../credit/return-actions.ts'
import type { LineRange, Posting } from '../match-store.ts'
import { orderByBankReference } from './returned-order-rules.ts'
import { insertReturns, listReturnCandidates } from './returned-order-store.ts'

/**
 * Books new credits that the bank marks as returns. Such a credit shares a bank reference with the line of one order of the same amount.
 * Each order is used for one line.
 */
export async function matchReturnedOrders(tx: TxDeps, range: LineRange): Promise<Posting[]> {
  const candidates = await listReturnCandidates(tx.sql, range)
  const used = new Set<string>()
  const returns = [...Map.groupBy(candidates, ({ lineId }) => lineId).values()].flatMap((ofLine) => {
    const [line] = ofLine
    const free = ofLine.filter(({ legId }) => !used.has(legId))
    if (!line || free.length === 0) return []
    const orders = free.map(({ legId, bookedSealed }) => ({ legId, content: openContent(tx, bookedSealed) }))
    const legId = orderByBankReference(openContent(tx, line.contentSealed), line.kind, orders)
    const found = free.find((one) => one.legId === legId)
    if (found) used.add(found.legId)
    return found ?? []
  })
  return insertReturns(tx.sql, returns, range.now)
}
