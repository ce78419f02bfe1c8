import type { TxDeps } from '../../../foundation/db/deps.ts'
import { type LegHandlers, lockLeg } from '../../../money/rail/leg-actions.ts'
import { decidedChecksOf } from '../../../money/reconciliation/statement-check-actions.ts'
import { findCheckOfLeg } from './paid-check-store.ts'
import { applyLine, beginList, judgeMatched } from './paid-line-actions.ts'
import { bookedLine } from './paid-line-rules.ts'

/**
 * Marks the checks that the operator has matched with a statement line as paid, as if the line had their numbers. A check that cannot be paid,
 * such as a stopped one, becomes an exception.
 *
 * @returns the number of payments that are held
 */
export async function payMatchedChecks(tx: TxDeps, handlers: LegHandlers, lineId: string): Promise<number> {
  let heldCount = 0
  for (const { platformId, legId, ...one } of await decidedChecksOf(tx, lineId)) {
    await lockLeg(tx, handlers, { platformId, id: legId })
    const check = await findCheckOfLeg(tx.sql, { platformId, legId })
    // A check without a number never left. Its line contradicts the books.
    if (!check) continue
    const { number, cents } = check
    const line = bookedLine(
      { number: one.position, text: `${one.place}: check ${number}, by a decision` },
      { account: null, number, cents, paidOn: one.bookedOn },
    )
    const list = await beginList(tx, {
      file: { id: one.statementId, name: `The bank statement of ${one.day}`, connectionId: one.connectionId },
      witness: 'statement',
      reading: { lines: [line], account: null, hasAccountColumn: true },
    })
    const judged = await judgeMatched(tx, { list, line, check })
    const { outcome } = await applyLine(tx, handlers, { list, ...judged })
    if (outcome === 'case' && judged.verdict.outcome !== 'stopped_paid') heldCount++
  }
  return heldCount
}
