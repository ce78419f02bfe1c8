import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import type { Isolation } from '../../../foundation/db/isolation.ts'
import { inTransaction } from '../../../foundation/db/transaction.ts'
import { isMonthClosed } from '../bank-day-actions.ts'
import { rebook } from '../booking-actions.ts'
import { openContent } from '../credit/return-actions.ts'
import { findLine, lockLines, updateLine } from '../decision/reconcile-store.ts'
import { type MatchedStatement, tryLockUnmatched, updateMatched } from '../match-store.ts'
import type { AccountKey } from '../own-account-rules.ts'
import { type LinkedLine, pairsOf, withDetails } from './detail-rules.ts'
import {
  hasNotifications,
  listCandidates,
  listNotifications,
  listSharedAmounts,
  lockStatementOf,
  type Notification,
  namesChecks,
  type SealedLine,
  updateDetails,
  updateUnmatched,
} from './detail-store.ts'

// A bank can book many payments as one line of a statement, and list them in a notification (camt.054). The notification changes no balance.
// Its details become those of the line, and the line is then matched by them.

/** The number of amounts whose lines are compared at a time. */
const AMOUNTS_AT_A_TIME = 500

const NOTIFICATIONS_PER_PASS = 20

/** Links the lines of a new statement with the notifications that came before it. */
export async function linkDetails(deps: Deps, key: AccountKey, statement: MatchedStatement): Promise<void> {
  if (!(await hasNotifications(deps.sql, key))) return
  const scope = { ...key, statementId: statement.id, detailStatementId: null }
  const amounts = await listSharedAmounts(deps.sql, scope)
  for (let from = 0; from < amounts.length; from += AMOUNTS_AT_A_TIME) {
    await inTransaction(deps, async (tx) => {
      if (!(await tryLockUnmatched(tx.sql, statement.id))) return
      const some = await listCandidates(tx.sql, scope, amounts.slice(from, from + AMOUNTS_AT_A_TIME))
      for (const pair of pairsOfRows(tx, some)) await link(tx, pair)
    })
  }
}

/**
 * Links new notifications with lines that came before them and wait for the operator, without a decision. These lines are matched again. A
 * closed month stays as it is, and paid checks are not read a second time.
 *
 * @returns the number of lines
 */
export async function linkLateDetails(deps: Deps, isolation: Isolation): Promise<number> {
  const given = { skipped: isolation.skipped(), limit: NOTIFICATIONS_PER_PASS }
  let count = 0
  for (const notification of await listNotifications(deps.sql, given)) {
    const unit = { platformId: null, kind: 'bank statement', id: notification.id }
    count += (await isolation.run(unit, () => linkNotification(deps, notification))) ?? 0
  }
  return count
}

async function linkNotification(deps: Deps, { id, connectionId, accountId }: Notification): Promise<number> {
  const scope = { connectionId, accountId, statementId: null, detailStatementId: id }
  const amounts = await listSharedAmounts(deps.sql, scope)
  let count = 0
  for (let from = 0; from < amounts.length; from += AMOUNTS_AT_A_TIME) {
    const some = await listCandidates(deps.sql, scope, amounts.slice(from, from + AMOUNTS_AT_A_TIME))
    for (const pair of pairsOfRows(deps, some)) if (await inTransaction(deps, (tx) => linkLate(tx, pair))) count++
  }
  await inTransaction(deps, (tx) => updateMatched(tx.sql, id, tx.clock.now()))
  return count
}

type Pair = { line: LinkedLine; detail: LinkedLine }

const pairsOfRows = (
  deps: Pick<Deps, 'keyRing'>,
  { booked, notified }: { booked: readonly SealedLine[]; notified: readonly SealedLine[] },
): Pair[] => {
  const opened = (rows: readonly SealedLine[]) =>
    rows.map(({ contentSealed, ...row }) => ({ ...row, content: openContent(deps, contentSealed) }))
  return pairsOf(opened(booked), opened(notified))
}

const link = (tx: TxDeps, { line, detail }: Pair): Promise<boolean> =>
  updateDetails(tx.sql, {
    lineId: line.id,
    detailId: detail.id,
    contentSealed: tx.keyRing.seal(JSON.stringify(withDetails(line.content, detail.content)), 'statement line'),
  })

/** The reason of lines that are matched again. Steps that compare only amounts skip these lines. */
const CAME_LATER = 'the bank gave its details later'

async function linkLate(tx: TxDeps, pair: Pair): Promise<boolean> {
  const { id } = pair.line
  const found = await findLine(tx.sql, id)
  if (!found || (await isMonthClosed(tx, found)) || (await namesChecks(tx.sql, pair.detail.id))) return false
  const statementId = await lockStatementOf(tx.sql, id)
  const [line] = await lockLines(tx.sql, [id])
  if (statementId === null || !line || (line.status !== 'SUSPENSE' && line.status !== 'NEW')) return false
  if (!(await link(tx, pair))) return false
  if (line.status === 'SUSPENSE') {
    await rebook(tx, { connectionId: line.connectionId, accountId: line.accountId }, { lineId: id, postings: [] })
    await updateLine(tx.sql, id, { status: 'NEW', reason: CAME_LATER })
    await updateUnmatched(tx.sql, statementId)
  }
  return true
}
