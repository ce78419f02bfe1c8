import { join } from 'node:path'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { readIfThere, writePrivateFile } from '../../foundation/lib/files/files.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { findUnpublishedFile, listBankFileParts, lockBankFileNumbers } from './bank-file-store.ts'
import { isInFolder, makeExchangeFolders } from './exchange-folder-actions.ts'
import { findLastGap, insertExchangeId, readExchangeState, upsertExchangeId } from './exchange-store.ts'

// A restored database does not know the latest files at the bank. The exchange folder has a marker with the number of the last file, so
// that a mismatch is detected before anything is written.

type Marker = { exchangeId: string; lastNumber: number }

const markerPath = (folder: string) => join(folder, '.exchange.json')

/**
 * Opens the exchange folder of an environment, and creates it if it is missing.
 *
 * @returns null if none is configured, or if files must not be read or written (`exchangeProblem`)
 */
export async function openExchange(deps: Deps): Promise<string | null> {
  const { achFiles } = deps.settings
  if (!achFiles) return null
  await makeExchangeFolders(achFiles.folder)
  const problem = await exchangeProblem(deps, achFiles.folder)
  deps.meter.exchangeBlocked(problem !== null)
  if (problem === null) return achFiles.folder
  report(deps, `bank files are not read or written: ${problem}. See "remit files recover"`)
  return null
}

/** Explains why the database and the exchange folder do not match. Returns null if they do. The first use ties them to each other. */
export async function exchangeProblem(deps: Deps, folder: string): Promise<string | null> {
  const state = await readExchangeState(deps.sql)
  const marker = await readMarker(folder)
  if (marker && marker.exchangeId === state.exchangeId) {
    if (marker.lastNumber > state.lastNumber) {
      return 'the database is older than the exchange folder: it was restored from a backup'
    }
    const gone = await findLostFile(deps, folder, marker)
    return gone && `${gone} was written, the database does not know it, and it is not in the exchange folder any more`
  }
  if (marker) return 'the exchange folder belongs to another database, or to an older state of this one'
  if (!state.hasPublished) {
    await tieExchange(deps, folder)
    return null
  }
  return 'the database knows files that the exchange folder has no trace of: the folder is new, or was restored'
}

/**
 * Finds a file that the restored database has lost: the last one in the folder's marker, if the database has no record of it and the
 * folder does not contain it. It may have been transferred. After a mere crash, the folder still contains it.
 */
async function findLostFile(deps: Deps, folder: string, { lastNumber }: Marker): Promise<string | null> {
  const file = await findUnpublishedFile(deps.sql, lastNumber)
  if (!file) return null
  const names = (await listBankFileParts(deps.sql, file.id)).map(({ name }) => name)
  return (await isInFolder(folder, names)) ? null : file.name
}

/** Returns the end of the last gap in the known payments after a restore, or null if there was none. Callers read it once per file. */
export const findRestoreGap = (deps: Pick<TxDeps, 'sql'>): Promise<Date | null> => findLastGap(deps.sql)

/** Ties the database to its folder. If several processes do so at once, the first one wins. */
async function tieExchange(deps: Deps, folder: string): Promise<void> {
  const exchangeId = newId(deps)
  await inTransaction(deps, (tx) => insertExchangeId(tx.sql, exchangeId))
  await finishTie(deps, folder)
}

/** Ties the database to its folder, in the transaction of a recovery. `finishTie` must run after the commit. */
export const beginTie = (tx: TxDeps): Promise<void> => upsertExchangeId(tx.sql, newId(tx))

/** Writes the marker from the state of the database. */
export async function finishTie(deps: Deps, folder: string): Promise<void> {
  const { exchangeId, lastNumberWritten } = await readExchangeState(deps.sql)
  if (exchangeId) await writeMarker(folder, { exchangeId, lastNumber: lastNumberWritten })
}

/** Records in the folder that a file number is used. Must run before the file gets its name. */
export async function recordFileNumber(tx: TxDeps, folder: string, number: number): Promise<void> {
  await lockBankFileNumbers(tx.sql)
  const marker = await readMarker(folder)
  if (!marker) throw new Error('the marker of the exchange folder is missing')
  if (marker.lastNumber < number) await writeMarker(folder, { ...marker, lastNumber: number })
}

async function readMarker(folder: string): Promise<Marker | null> {
  const text = await readIfThere(markerPath(folder))
  return text === null ? null : (JSON.parse(text) as Marker)
}

/** Writes the marker. @throws StartProblem */
const writeMarker = (folder: string, marker: Marker) =>
  writePrivateFile(markerPath(folder), `${JSON.stringify(marker)}\n`)

/** The minimum time between two log lines about a mismatch. Passes run every second. */
const REPORT_EVERY_MS = 60_000
const reportedAt = new Map<string, number>()

function report({ log, realClock, settings }: Deps, message: string): void {
  const now = realClock.now().getTime()
  if (now - (reportedAt.get(settings.name) ?? Number.NEGATIVE_INFINITY) < REPORT_EVERY_MS) return
  reportedAt.set(settings.name, now)
  log.error({ environment: settings.name }, message)
}
