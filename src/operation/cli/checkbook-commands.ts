import type { Deps } from '../../foundation/db/deps.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { returnCheckbook } from '../../payments/checkbook/checkbook-return-actions.ts'
import { type EnvironmentFlags, onDatabase } from './on-database.ts'

export type CheckbookFlags = EnvironmentFlags & { note?: string | undefined }

/** `remit checkbooks …` @returns the exit code @throws StartProblem */
export const runCheckbooks = async (flags: CheckbookFlags, names: readonly string[]): Promise<number> =>
  onDatabase(flags, checkbookCommand(flags, names))

/** Checks the command line before it opens a database. @throws StartProblem */
export function checkbookCommand(
  { note }: CheckbookFlags,
  [, id = '']: readonly string[],
): (deps: Deps) => Promise<string> {
  if (!note) throw new StartProblem('remit checkbooks return needs --note TEXT: why the post returned it.')
  return (deps) =>
    inTransaction(deps, async (tx) => {
      await returnCheckbook(tx, { id, note })
      return 'The checkbook is RETURNED.'
    })
}
