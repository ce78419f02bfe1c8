import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { formatDollars } from '../../../foundation/core/money.ts'
import { inTransaction } from '../../../foundation/db/transaction.ts'
import { isCalendarDate } from '../../../foundation/lib/clock.ts'
import { shownPath } from '../../../foundation/lib/files/files.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { exportJournal } from '../../../money/ledger/journal-actions.ts'
import { type AccountNames, readAccountNames } from '../../../money/ledger/journal-rules.ts'
import { readConfig } from '../../app/config.ts'
import { withEnvironmentDatabase } from '../../app/start.ts'
import type { CommandFlags } from '../command-flags.ts'
import { chosenEnvironment, findPlatform } from '../on-database.ts'

/** Runs `remit ledger export`. The journal is written to stdout, and its totals to stderr. @returns the exit code @throws StartProblem */
export async function runLedgerExport(flags: CommandFlags): Promise<number> {
  const [from, to] = [dayOf(flags.from, '--from'), dayOf(flags.to, '--to')]
  if (from > to) throw new StartProblem('--from must not be after --to.')
  const names = flags.accounts === undefined ? new Map() : await readNames(flags.accounts)
  const config = readConfig(flags)
  return withEnvironmentDatabase(config, chosenEnvironment(config, flags), async ({ deps }) => {
    const { owner } = flags
    const platformId = owner === undefined ? null : await inTransaction(deps, (tx) => findPlatform(tx, owner))
    const { count, cents } = await exportJournal(deps, { from, to, platformId, names }, write)
    console.error(`${count === 1 ? '1 entry' : `${count} entries`}, ${formatDollars(cents)} debits and credits.`)
    return 0
  })
}

/** Parses the day of an option. @throws StartProblem */
function dayOf(text: string | undefined, flag: string): Date {
  if (text !== undefined && isCalendarDate(text)) return new Date(text)
  throw new StartProblem(`${flag} must be a day such as 2026-11-30.`)
}

/** Reads the names of accounts. @throws StartProblem with a line for each problem */
async function readNames(path: string): Promise<AccountNames> {
  const text = await readFile(path, 'utf8').catch(({ code }) => {
    throw new StartProblem(`The names of accounts in ${shownPath(path)} cannot be read (${code}).`)
  })
  const { names, problems } = readAccountNames(parseJson(text))
  if (problems.length === 0) return names
  throw new StartProblem([`${shownPath(path)} cannot be used:`, ...problems.map((one) => `  ${one}`)].join('\n'))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Writes text, and waits while the reader of the output is slower than the database. */
async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}
