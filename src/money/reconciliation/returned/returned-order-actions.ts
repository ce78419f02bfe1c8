import { formatDollars } from '../../../foundation/core/money.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { type Isolation, isolate } from '../../../foundation/db/isolation.ts'
import { inTransaction } from '../../../foundation/db/transaction.ts'
import { returnOrder } from '../../iso20022/order/order-answer-actions.ts'
import type { LegHandlers } from '../../rail/leg-actions.ts'
import { openContent } from '../credit/return-actions.ts'
import { digestsOf, MAX_CASES, problemOfMisfit, recordLineCases } from '../match-actions.ts'
import { listNoticedMisfits, type Misfit } from '../match-reference-store.ts'
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
 * One pass: refunds the money of orders that the bank has returned, by lines of statements and of notifications
 * (camt.054). Each leg is returned once, even if several lines report its return. A line that needs the operator's
 * decision gets a case.
 *
 * @returns the number of lines that changed something
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

/** Refunds the money of the lines of one notice. A line that failed is tried again with its notice. @returns the number of lines */
async function readNotice(
  deps: Deps,
  handlers: LegHandlers,
  { isolation, notice }: { isolation: Isolation; notice: Notice },
): Promise<number> {
  const lines = await listNoticedReturns(deps.sql, notice)
  const results: (boolean | null)[] = []
  for (const line of lines) results.push(await returnIsolated(deps, handlers, { isolation, line }))
  const unit = { platformId: null, kind: 'bank statement', id: notice.id }
  const isSkipped = isolation.skipped().ids.includes(notice.id)
  results.push(isSkipped ? null : await isolation.run(unit, () => recordDifferences(deps, handlers, notice)))
  if (!results.includes(null)) await updateReturnsRead(deps.sql, notice, deps.clock.now())
  return results.filter((isChanged) => isChanged).length
}

/**
 * Opens a case for each leg that a notification names with another amount, as the second witness of the payment.
 *
 * @returns whether there are new cases
 */
const recordDifferences = (
  deps: Deps,
  handlers: LegHandlers,
  { id, kind, connectionId, accountId, day, lineCount }: Notice,
): Promise<boolean> =>
  inTransaction(deps, async (tx) => {
    if (kind !== 'notification' || accountId === null || day === null) return false
    const range = { statementId: id, connectionId, day, from: 1, to: lineCount, now: tx.clock.now() }
    const given = { digests: digestsOf(deps, { connectionId, accountId }), limit: MAX_CASES }
    const misfits = (await listNoticedMisfits(tx.sql, range, given)).map(problemOfMisfit)
    const problems = misfits.map((one) => ({ ...one, connectionId, proposal: proposalFor(one) }))
    return (await recordLineCases(tx, handlers, problems)) > 0
  })

const proposalFor = ({ cents, legCents }: Misfit): string =>
  `The statement decides. If its line has ${formatDollars(legCents)}, close this case. If it has ${formatDollars(Math.abs(cents))}, the line waits: see "remit reconcile show LINE".`

/** Refunds the money of one line, unless it failed recently. @returns whether something changed. Null: it failed */
async function returnIsolated(
  deps: Deps,
  handlers: LegHandlers,
  { isolation, line }: { isolation: Isolation; line: ReturnLine },
): Promise<boolean | null> {
  const { platformIds, ids } = isolation.skipped()
  if (platformIds.includes(line.platformId) || ids.includes(line.legId)) return null
  const unit = { platformId: line.platformId, kind: 'leg', id: line.legId }
  return isolation.run(unit, () => inTransaction(deps, (tx) => returnLine(tx, handlers, line)))
}

/** @returns whether the money was refunded, or a new case was opened */
async function returnLine(tx: TxDeps, handlers: LegHandlers, line: ReturnLine): Promise<boolean> {
  const problem = await tryReturn(tx, handlers, line)
  return problem === null || (await recordLineCases(tx, handlers, [{ ...line, problem }])) > 0
}

/**
 * Refunds the money of one line. The operator's decision counts as the mark of the bank.
 * @returns why the operator must decide, or null
 */
async function tryReturn(tx: TxDeps, handlers: LegHandlers, line: ReturnLine): Promise<string | null> {
  const { connectionId, legId, kind, cents, legCents, isDecided, isCanceled } = line
  if (isCanceled) return 'it returns an order that was canceled, and no line books the order'
  const mark = returnMarkOf(openContent(tx, line.contentSealed), { kind, legId })
  if (mark === null && !isDecided) return 'it pays an order back, and the bank does not mark it as a return'
  if (cents !== legCents) return 'it returns an order with another amount'
  const refusal = await returnOrder(tx, handlers, { connectionId, legId, reason: mark?.reason ?? null, isDecided })
  return refusal?.why ?? null
}
