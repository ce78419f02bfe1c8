import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { isInOutbound, prepareOutbound, publishOutbound } from '../bank-file/exchange-folder-actions.ts'
import type { Deps, TxDeps } from '../db/deps.ts'
import { failItem, type ItemFailed, inTransactionWithoutFailed } from '../db/failed-items.ts'
import { inTransaction } from '../db/transaction.ts'
import { troubleOf } from '../db/trouble.ts'
import { newId } from '../lib/ids.ts'
import { beginChecks } from '../paper/check-drawing-actions.ts'
import { type LegHandlers, legsToFile, postponeLeg, sendLegInFile } from '../rail/leg-actions.ts'
import type { LegRow } from '../rail/leg-store.ts'
import { paperCheckOf } from './paper-actions.ts'
import {
  CHECKS_PER_FILE,
  fileNamesOf,
  manifestOf,
  type PrintedCheck,
  STOPS_PER_FILE,
  stopListOf,
} from './print-rules.ts'
import {
  assignPrintFile,
  findMailing,
  hasStoppedChecks,
  insertPrintFile,
  listUnwrittenPrintFiles,
  lockUnwrittenPrintFile,
  markPrintFileWritten,
  takeStoppedChecks,
  tryLockPrinting,
} from './print-store.ts'

/** A check that cannot be drawn is tried again after so long. */
const POSTPONED_MS = 60 * 60 * 1000

/**
 * Commits one batch of the checks that go by post: their payments are MAILED, and the bytes are there. It is not written yet.
 *
 * @returns how many checks; 0 when none waits, or another worker makes a batch
 */
export const printChecks = (deps: Deps, handlers: LegHandlers): Promise<number> =>
  inTransactionWithoutFailed(
    deps,
    ({ cause: err, item: leg }: ItemFailed<LegRow>) => {
      deps.log.error({ err, leg: leg.id }, 'check not printed') // the others are
      return postponeLeg(deps, leg, new Date(deps.clock.now().getTime() + POSTPONED_MS))
    },
    (tx) => printBatch(tx, handlers),
  )

async function printBatch(tx: TxDeps, handlers: LegHandlers): Promise<number> {
  if (!(await tryLockPrinting(tx.sql, 'print'))) return 0
  const now = tx.clock.now()
  const legs = await legsToFile(tx, { rail: 'MAIL', until: now, limit: CHECKS_PER_FILE, except: [] })
  if (legs.length === 0) return 0
  const drawing = beginChecks(now)
  const printed: (PrintedCheck & { leg: LegRow })[] = []
  for (const leg of legs) {
    const check = await printOne(tx, handlers, { leg, drawing }).catch(failItem(leg))
    if (check) printed.push({ ...check, leg })
    await setImmediate() // drawing keeps the process busy: others have their turn
  }
  if (printed.length === 0) return 0
  const id = newId(tx)
  const pdfSealed = tx.keyRing.seal(await drawing.end(), 'print file')
  const listSealed = tx.keyRing.seal(manifestOf(printed), 'print file')
  await insertPrintFile(tx.sql, { id, kind: 'print', pdfSealed, listSealed }, now)
  const legKeys = printed.map(({ leg }) => ({ platformId: leg.platformId, legId: leg.id }))
  await assignPrintFile(tx.sql, id, legKeys)
  return printed.length
}

type Drawing = ReturnType<typeof beginChecks>

/** Null when it waits no more. */
async function printOne(
  tx: TxDeps,
  handlers: LegHandlers,
  { leg, drawing }: { leg: LegRow; drawing: Drawing },
): Promise<PrintedCheck | null> {
  if (!(await sendLegInFile(tx, handlers, leg))) return null
  const key = { platformId: leg.platformId, paymentId: leg.subjectId }
  const mailing = await findMailing(tx.sql, key)
  assert.ok(mailing, 'a check goes by post to no address')
  const check = await paperCheckOf(tx, key, leg)
  const page = drawing.add(check)
  return { ...mailing, number: Number(check.number), paymentId: key.paymentId, cents: leg.cents, page }
}

/** Commits a list of the checks that the bank must not pay any more. @returns how many */
export async function stopChecks(deps: Deps): Promise<number> {
  if (!(await hasStoppedChecks(deps.sql))) return 0
  return inTransaction(deps, async (tx) => {
    if (!(await tryLockPrinting(tx.sql, 'stop')) || !(await hasStoppedChecks(tx.sql))) return 0
    const id = newId(tx)
    const stopped = await takeStoppedChecks(tx.sql, { fileId: id, limit: STOPS_PER_FILE })
    const listSealed = tx.keyRing.seal(stopListOf(stopped), 'print file')
    await insertPrintFile(tx.sql, { id, kind: 'stop', pdfSealed: null, listSealed }, tx.clock.now())
    return stopped.length
  })
}

/** Writes what was committed and is not in the folder. @returns how many batches it wrote or found */
export async function writePrintFiles(deps: Deps, folder: string): Promise<number> {
  let count = 0
  for (const id of await listUnwrittenPrintFiles(deps.sql)) {
    try {
      if (await inTransaction(deps, (tx) => writeBatch(tx, { folder, id }))) count++
    } catch (error) {
      if (troubleOf(error) !== 'other') throw error
      deps.log.error({ err: error, file: id }, 'print file not written') // the next one may go
    }
  }
  return count
}

async function writeBatch(tx: TxDeps, { folder, id }: { folder: string; id: string }): Promise<boolean> {
  const file = await lockUnwrittenPrintFile(tx.sql, id)
  if (!file) return false
  const names = fileNamesOf(file)
  const contents: [name: string, sealed: Buffer][] = [
    ...(file.pdfSealed ? [[names.pdf, file.pdfSealed] satisfies [string, Buffer]] : []),
    [names.list, file.listSealed],
  ]
  const missing: string[] = []
  for (const [name, sealed] of contents) {
    const content = tx.keyRing.open(sealed, 'print file')
    if (await isInOutbound(folder, name, content)) continue
    await prepareOutbound(folder, name, content)
    missing.push(name)
  }
  // The last statement before the files get their names: one who has lost the lock meanwhile fails here.
  await markPrintFileWritten(tx.sql, id, tx.clock.now())
  for (const name of missing) await publishOutbound(folder, name)
  tx.log.info({ file: names.list, written: missing }, 'print file written')
  return true
}
