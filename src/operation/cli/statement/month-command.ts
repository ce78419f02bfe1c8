import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decimalAmount } from '../../../foundation/core/money.ts'
import type { Deps } from '../../../foundation/db/deps.ts'
import { inTransaction } from '../../../foundation/db/transaction.ts'
import { formatDateTime } from '../../../foundation/lib/clock.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { neutralJson } from '../../../foundation/lib/text/plain-text.ts'
import { textTable } from '../../../foundation/lib/text/text-table.ts'
import {
  chooseAccounts,
  closeMonth,
  drawReport,
  getClosedMonths,
  getReport,
  reopenMonth,
  requireClosing,
} from '../../../money/closing/month-actions.ts'
import { type Month, readMonth, reportCsv, reportName } from '../../../money/closing/month-rules.ts'
import { printNote } from '../client/list-printer.ts'
import type { CommandFlags } from '../command-flags.ts'
import type { DatabaseCommand } from '../on-database.ts'

/** Prepares `remit reconcile close|months|report|reopen`: checks the command line before a database is opened. @throws StartProblem */
export function monthCommand(flags: CommandFlags, [verb = 'months']: readonly string[]): DatabaseCommand {
  if (verb === 'months') return (deps) => list(deps, flags)
  const month = readMonth(flags.month ?? '')
  if (!month) throw new StartProblem('--month must be a month such as 2026-03.')
  const by = flags.by?.trim() || 'operator'
  if (verb === 'close') return (deps) => close(deps, flags, { month, by })
  if (verb === 'report') return (deps) => report(deps, flags, month)
  const why = flags.why?.trim()
  if (!why) throw new StartProblem('remit reconcile reopen needs --why TEXT.')
  return (deps) => reopen(deps, flags, { month, by, why })
}

/**
 * Closes the month of each account. If an account cannot be closed, or its report cannot be written, the others still are. Accounts without
 * anything to close, such as those that were closed before, are only named. @throws StartProblem
 */
async function close(deps: Deps, flags: CommandFlags, { month, by }: { month: Month; by: string }): Promise<string> {
  const done: string[] = []
  const refused: string[] = []
  const accounts = await chooseAccounts(deps, flags.account)
  for (const account of accounts) {
    const result = await closeMonth(deps, { account, month, by }).catch(refusalOf)
    if ('refusal' in result) refused.push(result.refusal)
    else if ('nothing' in result) (accounts.length === 1 ? refused : done).push(result.nothing)
    else if ('problems' in result) {
      const { problems } = result
      const count = problems.length === 1 ? '1 thing is' : `${problems.length} things are`
      refused.push(
        `${month.name} of ${account} cannot be closed, because ${count} open:`,
        ...problems.map((one) => `  ${one}`),
      )
    } else {
      done.push(`${month.name} of ${account} is closed. ${await tryWriteReport(deps, flags, result.id)}`)
    }
  }
  if (refused.length > 0) throw new StartProblem([...done, ...refused].join('\n'))
  return done.join('\n')
}

function refusalOf(error: unknown): { refusal: string } {
  if (error instanceof StartProblem) return { refusal: error.message }
  throw error
}

/** Writes a report. If a folder cannot be written, the month is closed nevertheless. @returns a sentence */
const tryWriteReport = (deps: Deps, flags: CommandFlags, id: string): Promise<string> =>
  writeReport(deps, flags, id).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall === undefined) throw error
    return `Its report could not be written (${error.code}). Write it with remit reconcile report.`
  })

/** Writes the two files of a report. @returns a sentence that names them */
async function writeReport(deps: Deps, { output = '.' }: CommandFlags, id: string): Promise<string> {
  const content = await getReport(deps, id)
  if (!content) throw new StartProblem('The month was reopened.')
  const path = join(output, reportName(content))
  await mkdir(output, { recursive: true })
  await writeFile(`${path}.pdf`, await drawReport(deps, content))
  await writeFile(`${path}.csv`, reportCsv(content))
  return `Its report is in ${path}.pdf and ${path}.csv.`
}

async function report(deps: Deps, flags: CommandFlags, month: Month): Promise<string> {
  const done: string[] = []
  const refused: string[] = []
  for (const account of await chooseAccounts(deps, flags.account)) {
    const found = await requireClosing(deps, account, month).catch(refusalOf)
    if ('refusal' in found) refused.push(found.refusal)
    else done.push(await writeReport(deps, flags, found.id))
  }
  if (refused.length > 0) throw new StartProblem([...done, ...refused].join('\n'))
  return done.join('\n')
}

async function reopen(
  deps: Deps,
  flags: CommandFlags,
  { month, ...reason }: { month: Month; by: string; why: string },
): Promise<string> {
  const accounts = await chooseAccounts(deps, flags.account)
  await inTransaction(deps, async (tx) => {
    for (const account of accounts) await reopenMonth(tx, { account, month, ...reason })
  })
  return `${month.name} of ${accounts.join(' and ')} is open again.`
}

async function list(deps: Deps, { json }: CommandFlags): Promise<string> {
  const { months, hasMore } = await getClosedMonths(deps)
  if (json && hasMore) printNote('Earlier months are not shown.')
  if (json) return neutralJson(months)
  if (months.length === 0) return 'No month is closed.'
  const table = textTable([
    ['MONTH', 'ACCOUNT', 'OPENING', 'CLOSING', 'LINES', 'CLOSED', 'BY', 'REOPENED'],
    ...months.map((one) => [
      one.firstDay.slice(0, 7),
      `${one.connectionId}:${one.accountId}`,
      decimalAmount(one.openingCents),
      decimalAmount(one.closingCents),
      String(one.lineCount),
      formatDateTime(one.closedAt),
      one.closedBy,
      one.reopenedAt === null ? '' : `by ${one.reopenedBy}: ${one.reopenedWhy}`,
    ]),
  ])
  return hasMore ? `${table}\nEarlier months are not shown.` : table
}
