import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { type Isolation, isolate } from '../../../foundation/db/isolation.ts'
import { inTransaction } from '../../../foundation/db/transaction.ts'
import { returnOrder } from '../../iso20022/order/order-answer-actions.ts'
import type { LegHandlers } from '../../rail/leg-actions.ts'
import { recordLineCases } from '../match-actions.ts'
import { openContent } from './returned-match-actions.ts'
import { returnMarkOf } from './returned-order-rules.ts'
import {
  listBookedReturns,
  listNoticedReturns,
  listUnreadNotices,
  type Notice,
  type ReturnLine,
  updateReturnsRead,
} from './returned-order-store.ts'

const RETURNS_PER_PASS = 500
const NOTICES_AT_A_TIME = 100

/**
 * One pass: gives the money of orders back that the bank has returned, as lines of statements and of notifications (camt.054) say. Each leg is
 * returned once, whatever says it. A line that a person must judge is a case.
 *
 * @returns the number of lines
 */
export async function returnOrders(deps: Deps, handlers: LegHandlers): Promise<number> {
  const isolation = isolate(deps, 'match bank statements')
  let count = 0
  for (const line of await listBookedReturns(deps.sql, { skipped: isolation.skipped(), limit: RETURNS_PER_PASS }))
    if (await returnIsolated(deps, handlers, { isolation, line })) count++
  for (let after: string | null = null; ; ) {
    const notices: Notice[] = await listUnreadNotices(deps.sql, { after, limit: NOTICES_AT_A_TIME })
    for (const notice of notices) count += await readNotice(deps, handlers, { isolation, notice })
    after = notices.at(-1)?.id ?? null
    if (notices.length < NOTICES_AT_A_TIME) return count
  }
}

/** Gives the money of one notice back. A line that failed is tried again, with the notice. @returns the number of lines */
async function readNotice(
  deps: Deps,
  handlers: LegHandlers,
  { isolation, notice }: { isolation: Isolation; notice: Notice },
): Promise<number> {
  const lines = await listNoticedReturns(deps.sql, notice)
  let done = 0
  for (const line of lines) if (await returnIsolated(deps, handlers, { isolation, line })) done++
  if (done === lines.length) await updateReturnsRead(deps.sql, notice.id, deps.clock.now())
  return done
}

/** Gives the money of one line back, unless it failed a moment ago. @returns whether the line is handled */
async function returnIsolated(
  deps: Deps,
  handlers: LegHandlers,
  { isolation, line }: { isolation: Isolation; line: ReturnLine },
): Promise<boolean> {
  const { platformIds, ids } = isolation.skipped()
  if (platformIds.includes(line.platformId) || ids.includes(line.legId)) return false
  const unit = { platformId: line.platformId, kind: 'leg', id: line.legId }
  return (await isolation.run(unit, () => inTransaction(deps, (tx) => returnLine(tx, handlers, line)))) !== null
}

async function returnLine(tx: TxDeps, handlers: LegHandlers, line: ReturnLine): Promise<true> {
  const { connectionId, legId, kind, cents, legCents } = line
  const mark = returnMarkOf(openContent(tx, line.contentSealed), { kind, legId })
  const problem =
    mark === null
      ? 'it pays an order back, and the bank does not mark it as a return'
      : cents !== legCents
        ? 'it returns an order with another amount'
        : ((await returnOrder(tx, handlers, { connectionId, legId, reason: mark.reason }))?.why ?? null)
  if (problem !== null) await recordLineCases(tx, handlers, [{ ...line, problem }])
  return true
}
