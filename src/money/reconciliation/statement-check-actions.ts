import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import {
  type CheckLine,
  type DecidedCheck,
  isStatementId,
  listCheckLines,
  listChecksOfLine,
  listWithChecks,
  type StatementWithChecks,
  updateChecksRead,
  type WithChecks,
} from './statement-check-store.ts'

// Gives access to paid checks on statements. They prove payments, so `payments/check/paid/` handles them.

export type { CheckLine, DecidedCheck, StatementWithChecks }

/** Lists matched statements of some accounts whose paid checks were not handled yet, oldest first. */
export const statementsWithChecks = ({ sql }: Pick<Deps, 'sql'>, query: WithChecks): Promise<StatementWithChecks[]> =>
  listWithChecks(sql, query)

/** Lists the paid checks of a statement. */
export const checkLinesOf = ({ sql }: Pick<TxDeps, 'sql'>, statementId: string): Promise<CheckLine[]> =>
  listCheckLines(sql, statementId)

/** Lists the checks that the operator books with a line. */
export const decidedChecksOf = ({ sql }: Pick<TxDeps, 'sql'>, lineId: string): Promise<DecidedCheck[]> =>
  listChecksOfLine(sql, lineId)

/** Records that the paid checks of a statement were handled. */
export const markChecksRead = ({ sql, clock }: Pick<TxDeps, 'sql' | 'clock'>, statementId: string): Promise<void> =>
  updateChecksRead(sql, statementId, clock.now())

/** Returns whether an id is that of a statement, and not of a list of paid checks. */
export const isStatement = ({ sql }: Pick<TxDeps, 'sql'>, id: string): Promise<boolean> => isStatementId(sql, id)
