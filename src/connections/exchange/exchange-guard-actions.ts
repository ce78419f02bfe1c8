import { join } from 'node:path'
import { type Connection, hasFiles } from '../../foundation/core/connections.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { createPrivateFolder, readIfThere, writePrivateFile } from '../../foundation/lib/files/files.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { isInFolder, makeExchangeFolders } from './exchange-folder-actions.ts'
import {
  findLastGap,
  findLastRecovery,
  insertExchangeId,
  listSkippedNumbers,
  raiseUseCount,
  readExchangeState,
  type SkippedNumbers,
  upsertExchangeId,
} from './exchange-store.ts'
import { listOutgoingFileParts, listUnpublishedFiles, lockOutgoingFileNumbers } from './outgoing-file-store.ts'

// Guards against a restored database, which does not know the latest files at the bank. The state folder of each connection contains a
// marker with the number of its last file, and with how many files were read and how many sessions gave orders to processors. So a mismatch is
// detected before anything is written. With the transport `folder`, the state folder is the folder for the transfer job.

/**
 * `lastNumber`: the highest number of a file that was written. `missing`: lower numbers of files that were not written then. `useCount`: as in
 * `ExchangeState`.
 */
type Marker = { exchangeId: string; lastNumber: number; missing: readonly number[]; useCount: number }
type MarkerInFile = Pick<Marker, 'exchangeId' | 'lastNumber'> & Partial<Marker>

const markerPath = (folder: string) => join(folder, '.exchange.json')

/** Returns the state folder of a connection. */
export function stateFolderOf({ settings }: Pick<Deps, 'settings'>, { id, transport }: Connection): string {
  if (transport.type === 'folder') return transport.path
  if (settings.stateFolder === null) throw new Error('this environment has no folder for the state of its connections')
  return join(settings.stateFolder, id)
}

/** Creates the state folder of a connection if it is missing. @throws StartProblem */
export async function makeStateFolder(deps: Pick<Deps, 'settings'>, connection: Connection): Promise<string> {
  const folder = stateFolderOf(deps, connection)
  if (connection.transport.type === 'folder') await makeExchangeFolders(folder)
  else await createPrivateFolder(folder)
  return folder
}

/**
 * Opens the state folder of a connection.
 *
 * @returns null if files must not be read or written (`exchangeProblem`)
 */
export async function openExchange(deps: Deps, connection: Connection): Promise<string | null> {
  const folder = await makeStateFolder(deps, connection)
  const problem = await exchangeProblem(deps, connection, folder)
  deps.meter.exchangeBlocked({ connection: connection.id, isBlocked: problem !== null })
  if (problem === null) return folder
  report(deps, connection, `files are not read or written: ${problem}. See "remit files recover"`)
  return null
}

/** Explains why the database and a state folder do not match, or returns null if they do. The first use ties them together. */
export async function exchangeProblem(deps: Deps, connection: Connection, folder: string): Promise<string | null> {
  // Another process can write the folder between the two reads, so a problem must be found twice.
  const problem = await compareWithFolder(deps, connection, folder)
  return problem && compareWithFolder(deps, connection, folder)
}

async function compareWithFolder(deps: Deps, connection: Connection, folder: string): Promise<string | null> {
  const marker = await readMarker(folder)
  const state = await readExchangeState(deps.sql, connection.id)
  if (marker && marker.exchangeId === state.exchangeId) {
    if (marker.lastNumber > state.lastNumber || marker.useCount > state.useCount) {
      return 'the database is older than the exchange folder: it was restored from a backup'
    }
    const lost = await findLostFile(deps, connection, { folder, marker })
    if (lost) return lost
    if (marker.useCount < state.useCount) await recordUses(deps, connection, folder)
    return null
  }
  if (marker) return 'the exchange folder belongs to another database, or to an older state of this one'
  if (!state.hasPublished) {
    await tieExchange(deps, connection, folder)
    return null
  }
  return 'the database knows files that the exchange folder has no trace of: the folder is new, or was restored'
}

/**
 * Returns how many files at least were written since the state of the database, as the marker of the folder shows. Without a marker, none are
 * known. Files that an earlier recovery did not add have no number.
 */
export async function countLostFiles(deps: Pick<Deps, 'sql'>, { id }: Connection, folder: string): Promise<number> {
  const [{ lastNumber }, marker] = [await readExchangeState(deps.sql, id), await readMarker(folder)]
  return Math.max((marker?.lastNumber ?? 0) - lastNumber, 0)
}

/**
 * Finds a file that the restored database has lost: the folder's marker has its number, and the database has no record that it was written. The
 * bank may have it. With the transport `folder`, a file that is still in the folder was not lost: the process stopped at a bad time.
 */
async function findLostFile(
  deps: Deps,
  { id: connectionId, transport }: Connection,
  { folder, marker: { lastNumber, missing } }: { folder: string; marker: Marker },
): Promise<string | null> {
  for (const file of await listUnpublishedFiles(deps.sql, { connectionId, upTo: lastNumber })) {
    if (missing.includes(file.number)) continue
    if (transport.type !== 'folder') return `${file.name} was uploaded, and the database does not know it`
    const names = (await listOutgoingFileParts(deps.sql, file.id)).map(({ name }) => name)
    if (await isInFolder(folder, names)) continue
    return `${file.name} was written, the database does not know it, and the exchange folder no longer has it`
  }
  return null
}

/** Returns the end of the last gap in the known payments after a restore, or null if there was none. Callers read it once per file. */
export const findRestoreGap = (deps: Pick<TxDeps, 'sql'>): Promise<Date | null> => findLastGap(deps.sql)

/**
 * Returns the last time when the database was restored, or null. Orders at processors have no files. After a restore, orders that are newer
 * than the backup are unknown.
 */
export const findLastRestore = (deps: Pick<TxDeps, 'sql'>): Promise<Date | null> => findLastRecovery(deps.sql)

/** Returns the places in a list of wallet numbers that no wallet may get, because a restore has lost who has them. */
export const findSkippedNumbers = (deps: Pick<TxDeps, 'sql'>, connectionId: string): Promise<SkippedNumbers[]> =>
  listSkippedNumbers(deps.sql, connectionId)

/** Returns whether the files of a connection show that the database was restored, and no operator has recovered them yet. */
export async function isRecoveryMissing(deps: Deps): Promise<boolean> {
  for (const connection of deps.connections.current().all.filter(hasFiles))
    if ((await openExchange(deps, connection)) === null) return true
  return false
}

/** Ties the database to a state folder. If several processes do so at once, the first one wins. */
async function tieExchange(deps: Deps, connection: Connection, folder: string): Promise<void> {
  const exchangeId = newId(deps)
  await inTransaction(deps, (tx) => insertExchangeId(tx.sql, connection.id, exchangeId))
  await finishTie(deps, connection, folder)
}

/** Ties the database to a state folder, in the transaction of a recovery. `finishTie` must run after the commit. */
export const beginTie = (tx: TxDeps, { id }: Connection): Promise<void> => upsertExchangeId(tx.sql, id, newId(tx))

/** Writes the marker from the state of the database. */
export async function finishTie(deps: Deps, { id }: Connection, folder: string): Promise<void> {
  const { exchangeId, lastNumberWritten: lastNumber, useCount } = await readExchangeState(deps.sql, id)
  if (exchangeId) await writeMarker(folder, { exchangeId, lastNumber, missing: [], useCount })
}

/** Records in the folder that a file number is used. Must run before the bank can get the file. */
export async function recordFileNumber(
  tx: TxDeps,
  folder: string,
  { connectionId, number }: { connectionId: string; number: number },
): Promise<void> {
  await lockOutgoingFileNumbers(tx.sql)
  const marker = await readMarker(folder)
  if (!marker) throw new Error('the marker of the exchange folder is missing')
  const lastNumber = Math.max(marker.lastNumber, number)
  const unpublished = await listUnpublishedFiles(tx.sql, { connectionId, upTo: lastNumber })
  const missing = unpublished.map((file) => file.number).filter((one) => one !== number)
  await writeMarker(folder, { ...marker, lastNumber, missing })
}

/** Records in the folder that a file of the bank was read. Must run after the commit, and before the file is moved or removed. */
export const recordRead = ({ deps, connection, folder }: { deps: Deps; connection: Connection; folder: string }) =>
  recordUses(deps, connection, folder)

/** Counts a session with a processor, before it gets orders, and records this in all state folders. Not while a recovery is missing. */
export async function recordOrders(deps: Deps, processorId: string): Promise<void> {
  if (await isRecoveryMissing(deps)) return
  await inTransaction(deps, (tx) => raiseUseCount(tx.sql, { connectionId: processorId, use: 'order' }))
  for (const connection of deps.connections.current().all.filter(hasFiles))
    await recordUses(deps, connection, stateFolderOf(deps, connection))
}

/** Writes the number of uses in the database into the marker. */
const recordUses = (deps: Deps, { id }: Connection, folder: string): Promise<void> =>
  inTransaction(deps, async (tx) => {
    await lockOutgoingFileNumbers(tx.sql)
    const marker = await readMarker(folder)
    const { exchangeId, useCount } = await readExchangeState(tx.sql, id)
    if (marker && marker.exchangeId === exchangeId && marker.useCount < useCount)
      await writeMarker(folder, { ...marker, useCount })
  })

async function readMarker(folder: string): Promise<Marker | null> {
  const text = await readIfThere(markerPath(folder))
  return text === null ? null : { missing: [], useCount: 0, ...(JSON.parse(text) as MarkerInFile) }
}

/** Writes the marker. @throws StartProblem */
const writeMarker = (folder: string, marker: Marker) =>
  writePrivateFile(markerPath(folder), `${JSON.stringify(marker)}\n`)

/** The minimum time between two log lines about a mismatch. Passes run every second. */
const REPORT_EVERY_MS = 60_000
const reportedAt = new Map<string, number>()

function report({ log, realClock, settings }: Deps, { id }: Connection, message: string): void {
  const now = realClock.now().getTime()
  const key = `${settings.name} ${id}`
  if (now - (reportedAt.get(key) ?? Number.NEGATIVE_INFINITY) < REPORT_EVERY_MS) return
  reportedAt.set(key, now)
  log.error({ environment: settings.name, connection: id }, message)
}
