import { dirname } from 'node:path'
import { cancelOutbound, findPlace } from '../../connections/exchange/exchange-folder-actions.ts'
import {
  beginTie,
  countLostFiles,
  exchangeProblem,
  finishTie,
  makeStateFolder,
} from '../../connections/exchange/exchange-guard-actions.ts'
import { endGapOf, insertRecovery } from '../../connections/exchange/exchange-store.ts'
import {
  applyOutgoingFileEvent,
  listKnownOutgoingFiles,
  markTransmitted,
  partNames,
} from '../../connections/exchange/outgoing-file-actions.ts'
import {
  clearPartsSent,
  lockOutgoingFileNumbers,
  type OutgoingFileRow,
  updatePublished,
} from '../../connections/exchange/outgoing-file-store.ts'
import { type Connection, hasFiles, ISO_RAILS } from '../../foundation/core/connections.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { reserveAchFile, reservedAchNames } from '../../money/ach/file/ach-adopt-actions.ts'
import { assignEntriesOfRestore } from '../../money/ach/file/ach-joined-actions.ts'
import { assignOrdersOfRestore } from '../../money/iso20022/order/order-restore-actions.ts'
import { lostNumbersUpTo } from '../../money/wallet/wallet-number-actions.ts'
import { assignChecksOfRestore, reserveCheckNumbers } from '../../payments/check/printing/print-restore-actions.ts'
import { followBankFiles } from '../scheduler/bank-file-work.ts'
import { achHooks, legHandlers } from '../scheduler/leg-handlers.ts'
import type { CommandFlags } from './command-flags.ts'
import { isUpTo, type Last, lastFlags, lastOf, requirePast, unknownLast } from './recover/last-files.ts'
import { adopt, type LostFile, lostCanceled, lostFiles } from './recover/lost-files.ts'

/**
 * Prepares `remit files recover`. After a restore of the database, the operator names the last files that the bank and the printer have.
 * Files up to these are never written again. Files that the bank or printer may have are put on hold.
 */
export const recoverCommand =
  (flags: CommandFlags) =>
  async (deps: Deps): Promise<string> => {
    const connection = chosenConnection(deps, flags)
    if (!hasFiles(connection)) return recoverProcessors(deps, connection, flags)
    const folder = await makeStateFolder(deps, connection)
    const problem = await exchangeProblem(deps, connection, folder)
    const known = await listKnownOutgoingFiles(deps, connection.id)
    const reserved = await reservedAchNames(deps, connection)
    const withContent = known.filter(({ name }) => !reserved.includes(name))
    const lost = await lostFiles(connection, withContent, flags.file ?? [])
    const { rails } = deps.connections.current()
    const isPaperOn = connection.checks !== null && rails.MAIL === connection.id
    const hasOrders = ISO_RAILS.some((rail) => rails[rail] === connection.id)
    const last = lastOf(flags, { known, lost, problem, isPaperOn, hasOrders })
    requirePast(last, connection, deps.clock.now())
    const nextCheckNumber = checkNumberOf(flags)
    const foundCount =
      lost.filter(({ name }) => !reserved.includes(name)).length + (await lostCanceled(connection, known)).length
    const missingCount = (await countLostFiles(deps, connection, folder)) - foundCount
    const given = {
      connection,
      known,
      lost,
      last,
      nextCheckNumber,
      missingCount,
      isConfirmed: flags.yes ?? false,
      flags,
    }
    const report = await inTransaction(deps, (tx) => recover(tx, given))
    await finishTie(deps, connection, folder)
    // The legs of canceled files wait again, so the bank can have them in a later file.
    await followBankFiles(deps)
    const openCount = connection.id === rails.ACH ? await assignEntriesOfRestore(deps, achHooks) : 0
    const checkCount = isPaperOn ? await assignChecksOfRestore(deps, legHandlers) : 0
    const orderCount = hasOrders ? await assignOrdersOfRestore(deps, legHandlers) : 0
    const missing = [
      ...missingPayments(openCount, ['entry at the bank is', 'entries at the bank are']),
      ...missingPayments(checkCount, ['check at the printer is', 'checks at the printer are']),
      ...missingPayments(orderCount, ['order at the bank is', 'orders at the bank are']),
    ]
    const advice = '  Ask your clients to repeat the payments of the lost time.'
    return [report, ...missing, ...(missing.length > 0 ? [advice] : [])].join('\n')
  }

const missingPayments = (count: number, [one, several]: readonly [string, string]): string[] =>
  count > 0 ? [`  ${count} ${count === 1 ? one : several} not assigned to a payment yet.`] : []

/** Returns the connection that the operator named, or the only one. @throws StartProblem */
function chosenConnection({ connections }: Deps, { connection: id }: CommandFlags): Connection {
  const { all } = connections.current()
  if (all.length === 0) throw new StartProblem('This environment has no connections. Add --environment production.')
  const withFiles = all.filter(hasFiles)
  const [only, ...others] = withFiles.length > 0 ? withFiles : all
  const found = id === undefined && others.length === 0 ? only : all.find((one) => one.id === id)
  if (found) return found
  throw new StartProblem(`Name the connection with --connection: ${all.map((one) => one.id).join(', ')}.`)
}

/** Records a restore of a database whose connection has no files. @throws StartProblem */
async function recoverProcessors(deps: Deps, { id }: Connection, flags: CommandFlags): Promise<string> {
  const isForFiles = [...Object.values(lastFlags), 'file', 'nextCheckNumber'] as const
  if (isForFiles.some((name) => flags[name] !== undefined))
    throw new StartProblem(`The connection ${id} has no files. Name only --connection.`)
  await inTransaction(deps, (tx) =>
    insertRecovery(tx.sql, { connectionId: id, recoveredAt: tx.clock.now(), hasGaps: false, statement: {} }),
  )
  return HELD_AT_PROCESSORS.trim()
}

const HELD_AT_PROCESSORS =
  '  Older payments that wait for a processor are held before they are sent. Run "remit exceptions list" and compare with the processor.'

function checkNumberOf({ nextCheckNumber: text }: CommandFlags): number | null {
  if (text === undefined) return null
  if (!/^\d{1,12}$/.test(text) || text === '0') throw new StartProblem('--next-check-number must be a check number.')
  return Number(text)
}

type Recovery = {
  connection: Connection
  known: readonly OutgoingFileRow[]
  lost: readonly LostFile[]
  last: Last
  nextCheckNumber: number | null
  /** The number of files since the backup that are neither in the folder nor given. */
  missingCount: number
  /** Whether the operator goes on without them. */
  isConfirmed: boolean
  flags: CommandFlags
}

/** Refuses files that the bank is said not to have, although they were found where only sent files are. @throws StartProblem */
function requireUpToLast(last: Last, lost: readonly LostFile[]): void {
  for (const { name, kind, isTransmitted, paths } of lost)
    if (isTransmitted && !isUpTo(name, last[kind])) throw sentLater(name, dirname(paths[0] as string))
}

const sentLater = (name: string, folder: string) =>
  new StartProblem(
    [
      `${name} is in ${folder}, and it is later than the last file that you named. Nothing was changed.`,
      'Ask the bank or the printer whether it has this file. If it has, name this file or a later one.',
      'If it does not, move the file into outbound/, so that it is sent, and leave it out of --file.',
    ].join('\n'),
  )

/** Determines whether the bank has a file that the database knows. @returns the change, or null @throws StartProblem */
async function recoverKnown(
  tx: TxDeps,
  { transport }: Connection,
  { file, last }: { file: OutgoingFileRow; last: string | null },
): Promise<'transmitted' | 'canceled' | 'toWrite' | null> {
  const isAtBank = isUpTo(file.name, last)
  if (!isAtBank && (file.status === 'TRANSMITTED' || file.status === 'ACCEPTED')) {
    throw new StartProblem(
      `The bank has ${file.name}, which is later than the file that you named. Nothing was changed. Name the last file.`,
    )
  }
  if (file.status !== 'WRITTEN') return null
  const names = await partNames(tx, file)
  const folder = transport.type === 'folder' ? transport.path : null
  const place = folder && (await findPlace(folder, names))
  if (folder && place === 'canceled' && file.name !== last)
    if (await cancelOutbound(folder, { names, isPublished: true }))
      return (await applyOutgoingFileEvent(tx, file, 'cancel')) ? 'canceled' : null
  if (isAtBank) return (await markTransmitted(tx, file, 'told')) ? 'transmitted' : null
  // The first copy of a file that is sent again stays in outbound/sent/.
  if (place === 'sent' && file.transmittedAt === null) throw sentLater(file.name, 'outbound/sent')
  // The next pass sends the file, unless it is in the folder.
  await updatePublished(tx.sql, file.id, null)
  await clearPartsSent(tx.sql, file.id)
  return 'toWrite'
}

const incomplete = (count: number) =>
  new StartProblem(
    [
      `The exchange folder shows that ${count} more ${count === 1 ? 'file was' : 'files were'} written since the backup. Nothing was changed.`,
      'Add each of them with --file PATH, also lists of stopped checks and requests to cancel orders.',
      'If you cannot get them, repeat with --yes. Everything older is then on hold until you decide.',
    ].join('\n'),
  )

/** Continues the check numbers where the operator says. @throws StartProblem for a number that is in use */
async function reserveFrom(tx: TxDeps, connection: Connection, nextNumber: number): Promise<void> {
  const lastNumber = await reserveCheckNumbers(tx, connection, nextNumber)
  if (lastNumber !== null && lastNumber >= nextNumber)
    throw new StartProblem(
      `--next-check-number ${nextNumber} is too low, because check ${lastNumber} exists. Nothing was changed. Name a higher number.`,
    )
}

async function recover(tx: TxDeps, recovery: Recovery): Promise<string> {
  const { connection, known, lost, last, nextCheckNumber, missingCount, isConfirmed, flags } = recovery
  await lockOutgoingFileNumbers(tx.sql)
  const counts = { transmitted: 0, canceled: 0, toWrite: 0, adopted: 0 }
  for (const file of known) {
    const change = await recoverKnown(tx, connection, { file, last: last[file.kind] })
    if (change) counts[change]++
  }
  requireUpToLast(last, lost)
  let hasGaps = false
  for (const file of lost) {
    const isTransmitted = file.isTransmitted || isUpTo(file.name, last[file.kind])
    const adopted = await adopt(tx, connection, { ...file, isTransmitted, hasNextNumber: nextCheckNumber !== null })
    hasGaps ||= adopted.hasGapBefore
    if (!adopted.hasGapBefore) await endGapOf(tx.sql, { connectionId: connection.id, onlyLost: file.name })
    if (adopted.isAdded) counts.adopted++
  }
  const unknown = unknownLast({ known, lost, last })
  if (unknown.includes('ach')) await reserveAchFile(tx, connection, last.ach as string)
  if (unknown.includes('print') && nextCheckNumber === null) {
    throw new StartProblem(
      'The last print file and its check numbers are unknown here. Add --next-check-number N, or add its files with --file.',
    )
  }
  if (unknown.includes('checkbook')) {
    throw new StartProblem(
      `${last.checkbook} is unknown here, and a second book with its numbers must not be printed. Add its list ${last.checkbook}.csv with --file.`,
    )
  }
  if (nextCheckNumber !== null) await reserveFrom(tx, connection, nextCheckNumber)
  // A copy of a lost ACH file ends the gap, if nothing else is unknown.
  const lostAch = unknown.includes('ach') ? last.ach : null
  hasGaps ||= unknown.includes('print') || unknown.includes('orders')
  if (missingCount > 0 && !hasGaps && lostAch === null && !isConfirmed) throw incomplete(missingCount)
  hasGaps ||= missingCount > (lostAch === null ? 0 : 1)
  const onlyLost = hasGaps ? null : lostAch
  hasGaps ||= lostAch !== null
  const walletNumbers = await lostNumbersUpTo(tx, connection, flags.lastWalletNumber)
  const statement = { ...last, onlyLost, nextCheckNumber, walletNumbers, adopted: lost.map(({ name }) => name) }
  await insertRecovery(tx.sql, { connectionId: connection.id, recoveredAt: tx.clock.now(), hasGaps, statement })
  await beginTie(tx, connection)
  return [
    `Files of ${connection.id} are sent again.`,
    `  ${counts.transmitted} known files are at the bank. ${counts.toWrite} are not and will be sent.`,
    ...(counts.canceled > 0 ? [`  ${counts.canceled} were canceled after the backup.`] : []),
    `  ${counts.adopted} files were added. Their entries are not sent again.`,
    hasGaps
      ? '  Some files are unknown. Everything older is on hold until you decide. Run "remit exceptions list".'
      : '  All files are known.',
    ...(tx.connections.current().all.some(({ processor }) => processor !== null) ? [HELD_AT_PROCESSORS] : []),
  ].join('\n')
}
