import { inTransaction } from '../../foundation/db/transaction.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { returnCheckbook } from '../../payments/checkbook/checkbook-return-actions.ts'
import type { CommandFlags } from './command-flags.ts'
import type { DatabaseCommand } from './on-database.ts'

/** Prepares `remit checkbooks …`: checks the command line before a database is opened. @throws StartProblem */
export function checkbookCommand({ note }: CommandFlags, [, id = '']: readonly string[]): DatabaseCommand {
  if (!note) throw new StartProblem('remit checkbooks return needs --note TEXT: why the post returned it.')
  return (deps) =>
    inTransaction(deps, async (tx) => {
      await returnCheckbook(tx, { id, note })
      return 'The checkbook is RETURNED.'
    })
}
