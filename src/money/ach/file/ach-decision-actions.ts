import { recordPlatformAudit } from '../../../connections/exchange/outgoing-file-actions.ts'
import { findConnection } from '../../../foundation/core/operator-account.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { inTransaction } from '../../../foundation/db/transaction.ts'
import { findOpenBankCase, findOpenCases, readInboundFile } from '../../../foundation/exception/bank-case-actions.ts'
import type { AppliedCase, CaseValues, ReadAgain } from '../../../foundation/exception/bank-case-rules.ts'
import type { BankCaseRow, OpenBankCase } from '../../../foundation/exception/bank-case-store.ts'
import { newId } from '../../../foundation/lib/ids.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import type { AchReturnCode } from '../../rail/ach-return-rules.ts'
import { applyLegEvent, lockLeg } from '../../rail/leg-actions.ts'
import { settleBankCase } from '../../rail/leg-release-actions.ts'
import { achReturnKind, isAchReturnCode } from '../../rail/return-code-rules.ts'
import type { NachaReading } from '../format/nacha-parse-rules.ts'
import { acceptFileOfReturn } from './ach-acknowledgement-actions.ts'
import { applyEntries, type InboundSource } from './ach-entry-actions.ts'
import type { AchHooks, Corrected } from './ach-file-actions.ts'
import { listSentEntries } from './ach-file-store.ts'
import { ENTRIES_AT_A_TIME } from './ach-inbound-actions.ts'
import { entriesOf, isComplete, readInbound, refusalOfReturn } from './ach-inbound-rules.ts'
import { insertSetAside, listPlatformsOfInbound } from './ach-inbound-store.ts'

/**
 * Applies the operator's decision about a case of an ACH file, except that of a whole file (`applyReadableFile`). The caller has locked the
 * case and closes it.
 *
 * @throws StartProblem if values are missing or invalid
 */
export async function applyAchCase(tx: TxDeps, hooks: AchHooks, decision: Decision): Promise<AppliedCase> {
  switch (decision.row.kind) {
    case 'entry_unread':
      return applyByHand(tx, hooks, decision)
    case 'correction_unread':
    case 'correction_impossible':
      return correctByHand(tx, hooks, decision)
    default:
      throw new StartProblem(
        'Nothing can be applied for this case. Decide who gets the money, then close it with a note.',
      )
  }
}

/**
 * Applies the readable entries of an incomplete file, some at a time. Applying an entry again has no effect.
 *
 * @throws StartProblem if no entry can be read, or the case is no longer open
 */
export async function applyReadableFile(deps: Deps, hooks: AchHooks, row: OpenBankCase): Promise<AppliedCase> {
  const files = await inTransaction(deps, (tx) => readKept(tx, row))
  if (files.length === 0) {
    throw new StartProblem(
      'Nothing of this file can be read as entries. Ask the bank for the right file, then close the case with a note.',
    )
  }
  const done = await applyFiles(deps, hooks, { row, files })
  return { done, platformIds: await listPlatformsOfInbound(deps.sql, row.inboundFileId) }
}

async function applyFiles(
  deps: Deps,
  hooks: AchHooks,
  { row, files }: { row: BankCaseRow; files: readonly NachaReading[] },
): Promise<string> {
  const source = sourceOfCase(deps, row)
  const entries = entriesOf(files, source.companyId)
  let leftCount = 0
  for (let done = 0; done < entries.length; done += ENTRIES_AT_A_TIME) {
    leftCount += await inTransaction(deps, async (tx) => {
      await findOpenBankCase(tx, row.id)
      const some = entries.slice(done, done + ENTRIES_AT_A_TIME)
      const left = await applyEntries(tx, hooks, { source, entries: some })
      if (left.length > 0) await insertSetAside(tx.sql, source.id, left)
      return left.length
    })
  }
  const others = leftCount > 0 ? ` ${leftCount} were not applied: see "remit exceptions list".` : ''
  return `${entries.length - leftCount} of ${entries.length} entries were applied.${others}`
}

/** Returns the file of a case. */
export function sourceOfCase(
  { connections }: Pick<Deps, 'connections'>,
  { inboundFileId: id, fileName: name, connectionId }: BankCaseRow,
): InboundSource {
  const companyId = findConnection(connections.current(), connectionId)?.ach?.companyId ?? ''
  return { id, name, connectionId, companyId }
}

/** Reads the files that a case concerns: one NACHA file of a physical file, or all of them if they could not be separated. */
async function readKept(tx: TxDeps, { inboundFileId, line }: BankCaseRow): Promise<NachaReading[]> {
  const bytes = await readInboundFile(tx, inboundFileId)
  const reading = bytes && readInbound(bytes)
  const files = reading?.kind === 'nacha' ? reading.files : []
  return files.filter(({ firstLine }) => line === 0 || firstLine === line)
}

/**
 * Reads a file with cases again, for example after an update of the program. Closes the cases of files that are now complete.
 *
 * @returns a text that says what was done
 * @throws StartProblem if no ACH file of this name has a case, or it still cannot be read
 */
export async function readAchFileAgain(deps: Deps, hooks: AchHooks, { name, by, why }: ReadAgain): Promise<string> {
  const cases = await findOpenCases(deps, { source: 'ach', fileName: name, kind: 'file_unread' })
  if (cases.length === 0) throw new StartProblem(`No ACH file with the name ${name} waits for a decision.`)
  const done: string[] = []
  for (const row of cases) {
    const files = await inTransaction(deps, (tx) => readKept(tx, row))
    if (files.length === 0 || !files.every(isComplete)) continue
    const applied = await applyFiles(deps, hooks, { row, files })
    done.push(applied)
    await inTransaction(deps, async (tx) => {
      const open = await findOpenBankCase(tx, row.id)
      const resolution = `The file was read again (${why}). ${applied}`
      if (open) await settleBankCase(tx, hooks.handlers, { row: open, resolution, by })
      for (const platformId of await listPlatformsOfInbound(tx.sql, row.inboundFileId)) {
        const audit = {
          platformId,
          action: 'bank_file_read_again',
          actor: 'operator',
          subject: `${by}: ${why}`,
        } as const
        await recordPlatformAudit(tx, { name }, audit)
      }
    })
  }
  if (done.length === 0) {
    throw new StartProblem(`${name} still cannot be read as a whole. "remit exceptions list" shows its cases.`)
  }
  return `${name} was read again. ${done.join(' ')}`
}

type Decision = { row: OpenBankCase; values: CaseValues }

/** Records the return of an entry that the operator names. @throws StartProblem if the entry cannot be returned */
async function applyByHand(
  tx: TxDeps,
  hooks: AchHooks,
  { row: { connectionId }, values: { trace, code } }: Decision,
): Promise<AppliedCase> {
  if (!trace || !/^\d{15}$/.test(trace)) {
    throw new StartProblem('--trace must be the trace number of the entry as it was sent, 15 digits.')
  }
  const returnCode = requireCodeOfReturn(code)
  const entry = (await listSentEntries(tx.sql, [trace])).get(trace)
  const refusal = entry && refusalOfReturn(entry, { connectionId })
  if (refusal)
    throw new StartProblem(
      `The return cannot be applied: ${refusal}. Ask the bank which entry it means. If none of yours came back, close the case with a note.`,
    )
  const leg = entry && (await lockLeg(tx, hooks.handlers, { platformId: entry.platformId, id: entry.legId }))
  if (!leg) throw new StartProblem(`No entry with the trace number ${trace} was sent. Ask the bank which one it means.`)
  const problem = await acceptFileOfReturn(tx, entry.fileId)
  if (problem !== null) throw new StartProblem(`The return cannot be applied: ${problem}.`)
  const returned = await applyLegEvent(tx, hooks.handlers[leg.purpose], leg, 'return', { returnCode })
  if (!returned) throw new StartProblem(`The entry is ${leg.status}, so it cannot be returned.`)
  return { done: `The entry with trace number ${trace} came back with ${returnCode}.`, platformIds: [leg.platformId] }
}

/** Returns the code of a return. Messages between the banks about a return move no money here. @throws StartProblem */
function requireCodeOfReturn(code: string | undefined): AchReturnCode {
  const returnCode = code?.toUpperCase() ?? ''
  if (!isAchReturnCode(returnCode)) throw new StartProblem('--code must be a return code, such as R01.')
  const kind = achReturnKind(returnCode)
  if (kind === 'return') return returnCode
  throw new StartProblem(
    `${returnCode} is not the return of an entry, but a ${kind} return: a message of a bank about an earlier return. Find out which bank has the money, then close the case with a note.`,
  )
}

async function correctByHand(tx: TxDeps, hooks: AchHooks, { row, values }: Decision): Promise<AppliedCase> {
  const corrected = parseCorrectedAccount(values)
  const { platformId, legId, connectionId, fileName, line } = row
  const leg = platformId && legId ? await lockLeg(tx, hooks.handlers, { platformId, id: legId }) : null
  if (!leg) throw new StartProblem('The case names no entry of this service. Close it with a note.')
  // If the return cannot be applied on another platform, it becomes a case there.
  const source = { connectionId, fileId: newId(tx), fileName, line }
  const why = await hooks.correct(tx, leg, { corrected, source })
  if (why !== null) throw new StartProblem(`The account was not corrected: ${why}.`)
  return { done: 'The account was corrected.', platformIds: [leg.platformId] }
}

/** Returns the corrected account from the operator's values. @throws StartProblem */
export function parseCorrectedAccount({
  routing,
  account,
  type,
}: Pick<CaseValues, 'routing' | 'account' | 'type'>): Corrected {
  if (routing === undefined && account === undefined && type === undefined) {
    throw new StartProblem('Give the correct values with --routing, --account or --type.')
  }
  if (routing !== undefined && !/^\d{9}$/.test(routing)) throw new StartProblem('--routing must be nine digits.')
  if (account !== undefined && !/^\d{4,17}$/.test(account)) throw new StartProblem('--account must be 4 to 17 digits.')
  const accountKind = type?.toLowerCase()
  if (accountKind !== undefined && accountKind !== 'checking' && accountKind !== 'savings') {
    throw new StartProblem('--type must be CHECKING or SAVINGS.')
  }
  return {
    ...(routing !== undefined && { routingNumber: routing }),
    ...(account !== undefined && { accountNumber: account }),
    ...(accountKind !== undefined && { accountKind }),
  }
}
