import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { findConnection } from '../../../foundation/core/operator-account.ts'
import type { Deps } from '../../../foundation/db/deps.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { readStatementFile } from '../../../money/reconciliation/statement-file-actions.ts'
import { matchBankStatements } from '../../../money/reconciliation/statement-worker.ts'
import { legHandlers } from '../../scheduler/leg-handlers.ts'
import type { CommandFlags } from '../command-flags.ts'
import type { DatabaseCommand } from '../on-database.ts'

/** Prepares `remit statements read FILE --connection ID`. @throws StartProblem */
export function readStatementCommand(
  { connection: id, again }: CommandFlags,
  [, path = '']: readonly string[],
): DatabaseCommand {
  if (!id) throw new StartProblem('remit statements read needs --connection ID: the bank that sent the file.')
  return (deps) => readFile(deps, { id, path, isAgain: again ?? false })
}

async function readFile(
  deps: Deps,
  { id, path, isAgain }: { id: string; path: string; isAgain: boolean },
): Promise<string> {
  const connection = findConnection(deps.connections.current(), id)
  if (!connection) throw new StartProblem(`connections.json has no connection ${id}.`)
  const info = await stat(path).catch(() => null)
  if (!info?.isFile()) throw new StartProblem(`${path} is not a file.`)
  const file = { connection, name: basename(path), open: async () => createReadStream(path) }
  const result = await readStatementFile(deps, file, { isAgain })
  const lines = await matchBankStatements(deps, { legHandlers })
  if (result === null) throw new StartProblem(`${path} no longer exists.`)
  const { statements, problems, wasKnown } = result
  if (wasKnown)
    return 'This file was read before, so nothing was changed. --again tries statements that were set aside.'
  return [
    ...statements.map((one) => `${one.count} ${WORDS[one.status]}, with ${one.lines} lines.`),
    `${lines} lines were matched. "remit reconcile list" shows those that wait for you.`,
    ...problems.map((problem) => `  ${problem}`),
  ].join('\n')
}

const WORDS = {
  READING: 'not finished',
  PLACED: 'placed',
  DUPLICATE: 'known already',
  NOTED: 'without booked balances, not used',
  SET_ASIDE: 'set aside: see "remit exceptions list"',
}
