import { accountOf, findConnection } from '../../../foundation/core/operator-account.ts'
import type { BackgroundStep } from '../../../foundation/db/background/background-step.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { type ItemFailed, inTransactionSkippingFailed } from '../../../foundation/db/failed-items.ts'
import { isolate } from '../../../foundation/db/isolation.ts'
import type { LegHandlers } from '../../../money/rail/leg-actions.ts'
import {
  type CheckLine,
  checkLinesOf,
  markChecksRead,
  type StatementWithChecks,
  statementsWithChecks,
} from '../../../money/reconciliation/statement-check-actions.ts'
import { tryLockPrinting } from '../printing/print-store.ts'
import { applyLines } from './paid-check-actions.ts'
import { bookedLine } from './paid-line-rules.ts'

const STATEMENTS_PER_PASS = 50

export const readStatementChecksStep: BackgroundStep<{ legHandlers: LegHandlers }> = {
  name: 'read checks of statements',
  run: (deps, { legHandlers }) => readStatementChecks(deps, legHandlers),
  isWoken: true,
}

/**
 * One pass: marks the checks that bank statements report as paid, in the same way as a list of paid checks. A list and a statement about
 * the same check count once.
 *
 * @returns the number of checks that became PAID
 */
export async function readStatementChecks(deps: Deps, handlers: LegHandlers): Promise<number> {
  if (deps.settings.railNetwork === 'simulated') return 0
  const isolation = isolate(deps, readStatementChecksStep.name)
  const query = { accounts: accountsOf(deps), skipped: isolation.skipped(), limit: STATEMENTS_PER_PASS }
  let count = 0
  for (const statement of await statementsWithChecks(deps, query)) {
    const unit = { platformId: null, kind: 'bank statement', id: statement.id }
    count += (await isolation.run(unit, () => readChecksOf(deps, handlers, statement))) ?? 0
  }
  return count
}

function readChecksOf(deps: Deps, handlers: LegHandlers, statement: StatementWithChecks): Promise<number> {
  const log = ({ cause: err, item: line }: ItemFailed<number>) => {
    deps.meter.stepFailed(readStatementChecksStep.name)
    deps.log.error({ err, statement: statement.id, line }, 'paid check not used')
  }
  return inTransactionSkippingFailed<number, Deps, number>(deps, log, async (tx, failed) => {
    const rows = await checkLinesOf(tx, statement.id)
    if (rows.length > 0 && !(await tryLockPrinting(tx.sql, 'paid'))) return 0
    const account = numberOf(tx, statement)
    if (account === null) return 0
    await markChecksRead(tx, statement.id)
    if (rows.length === 0) return 0
    const { id, connectionId, day } = statement
    const { usedCount } = await applyLines(tx, handlers, {
      file: { id, connectionId, name: `The bank statement of ${day}` },
      witness: 'statement',
      reading: { lines: rows.map((row) => paidLineOf(row, account)), account: null, hasAccountColumn: true },
      failed,
    })
    return usedCount
  })
}

/** Lists the accounts in connections.json. Statements of other accounts wait until their account is configured again. */
const accountsOf = ({ connections }: Pick<Deps, 'connections'>) =>
  connections
    .current()
    .all.flatMap(({ id: connectionId, accounts }) => accounts.map(({ id: accountId }) => ({ connectionId, accountId })))

/** Returns the number of the account, or null if connections.json no longer contains it. */
function numberOf({ connections }: Pick<TxDeps, 'connections'>, { connectionId, accountId }: StatementWithChecks) {
  const connection = findConnection(connections.current(), connectionId)
  const isThere = connection?.accounts.some(({ id }) => id === accountId) ?? false
  return connection && isThere ? accountOf(connection, accountId).accountNumber : null
}

const paidLineOf = ({ position, place, serial, cents, bookedOn }: CheckLine, account: string) =>
  bookedLine(
    { number: position, text: `${place}: check ${serial}` },
    { account, number: serial, cents, paidOn: bookedOn },
  )
