import { reportOnFile } from '../../connections/exchange/bank-file-rules.ts'
import { eachConnection, type OpenConnection } from '../../connections/exchange/connection-pass-actions.ts'
import type { Inbound } from '../../connections/exchange/exchange-folder-actions.ts'
import { type Inbox, openInbox } from '../../connections/exchange/inbox-actions.ts'
import type { BackgroundStep } from '../../foundation/db/background/background-step.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { isolate } from '../../foundation/db/isolation.ts'
import type { LegHandlers } from '../rail/leg-actions.ts'
import { retryCredits } from './credit/credit-actions.ts'
import { linkLateDetails } from './detail/detail-actions.ts'
import { closeConfirmed, matchStatement } from './match-actions.ts'
import { listUnmatched } from './match-store.ts'
import { compareReturns } from './missing-return-actions.ts'
import { returnOrders } from './returned/returned-order-actions.ts'
import { type FileResult, readStatementFile } from './statement-file-actions.ts'

const FILES_READ_PER_PASS = 20
const STATEMENTS_PER_PASS = 50

/** The maximum size of a file whose bytes are kept in the database. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024

export const readStatementsStep: BackgroundStep = {
  name: 'read bank statements',
  run: readBankStatements,
  isWoken: false,
}
export const matchStatementsStep: BackgroundStep<{ legHandlers: LegHandlers }> = {
  name: 'match bank statements',
  run: matchBankStatements,
  isWoken: true,
}

/** One pass: reads files with statements of each bank. @returns the number of files */
export function readBankStatements(deps: Deps): Promise<number> {
  return eachConnection(deps, {
    step: readStatementsStep.name,
    isFor: ({ statements }) => statements !== null,
    work: readStatementsOf,
  })
}

async function readStatementsOf(open: OpenConnection): Promise<number> {
  const isolation = isolate(open.deps, readStatementsStep.name)
  const inbox = openInbox(open)
  const except = isolation.skipped().ids
  let count = 0
  for (const file of await inbox.list('statement', { limit: FILES_READ_PER_PASS, except })) {
    const unit = { platformId: null, kind: 'inbound file', id: inbox.unitOf(file) }
    if (await isolation.run(unit, () => readOne(open, inbox, file))) count++
  }
  return count
}

async function readOne({ deps, connection }: OpenConnection, inbox: Inbox, file: Inbound): Promise<boolean> {
  const { name, byteCount } = file
  const result = await readStatementFile(deps, { connection, name, open: () => inbox.open(file) })
  if (result === null) return false
  const { contentHash, statements, problems, wasKnown } = result
  const bytes = byteCount <= MAX_KEPT_BYTES ? await inbox.read(file) : null
  const mark = contentHash.toString('hex').slice(0, 16)
  const isUsed = statements.some(({ status }) => status !== 'SET_ASIDE')
  const report = isUsed ? null : reportOnFile(name, unusedReasons(result))
  await inbox.end(file, bytes, { to: isUsed ? 'done' : 'set-aside', mark, report })
  deps.log.info({ file: name, isUsed, wasKnown, statements, problems: problems.length }, 'bank statements read')
  return true
}

const unusedReasons = ({ statements, problems }: FileResult): string[] => [
  statements.length > 0
    ? 'each of its statements was set aside: see "remit exceptions list". Test statements have no exception'
    : 'it has no statement that can be read: see "remit exceptions list"',
  ...problems,
]

/** One pass: matches the lines of new statements. A statement that fails does not stop the others. @returns the number of lines */
export async function matchBankStatements(deps: Deps, { legHandlers }: { legHandlers: LegHandlers }): Promise<number> {
  if (deps.settings.railNetwork === 'simulated') return 0
  const isolation = isolate(deps, matchStatementsStep.name)
  let count = await linkLateDetails(deps, isolation)
  const given = { skipped: isolation.skipped(), limit: STATEMENTS_PER_PASS }
  for (const statement of await listUnmatched(deps.sql, given)) {
    const unit = { platformId: null, kind: 'bank statement', id: statement.id }
    count += (await isolation.run(unit, () => matchStatement(deps, legHandlers, statement))) ?? 0
  }
  count += await retryCredits(deps, isolation)
  count += await returnOrders(deps, legHandlers)
  await closeConfirmed(deps, legHandlers, isolation)
  await compareReturns(deps, legHandlers, isolation)
  return count
}
