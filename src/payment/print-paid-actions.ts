import { createHash } from 'node:crypto'
import type { Deps, TxDeps } from '../db/deps.ts'
import { inTransaction } from '../db/transaction.ts'
import { troubleOf } from '../db/trouble.ts'
import { newId } from '../lib/ids.ts'
import { type Inbound, moveInbound, readInboundBytes, writeReport } from '../nacha/ach-folder-actions.ts'
import { MAX_INBOUND_BYTES, reportOnFile } from '../nacha/ach-inbound-rules.ts'
import { applyLegEvent, type LegHandlers, lockLeg } from '../rail/leg-actions.ts'
import { accountDigestOf } from './print-check-actions.ts'
import {
  checkMeant,
  nameOf,
  type PaidItem,
  type PaidReading,
  readPaidFile,
  reportOnPaid,
  type SetAside,
} from './print-paid-rules.ts'
import {
  findPaidFile,
  insertPaidFile,
  listChecksOfNumber,
  markPaid,
  tryLockPrinting,
  updatePaidReport,
} from './print-store.ts'

/** Whether the file could be read, and what a person has to know. */
type Outcome = { isUsed: boolean; report: string | null }

/**
 * Reads one file of paid checks: their payments are PAID, and that it was read commits with them; then it is moved away.
 *
 * @returns false when another worker is at it
 */
export async function takePaidFile(
  deps: Deps,
  handlers: LegHandlers,
  { folder, file: { name, byteCount } }: { folder: string; file: Inbound },
): Promise<boolean> {
  const isTooLarge = byteCount > MAX_INBOUND_BYTES
  const bytes = isTooLarge ? Buffer.from(`${name} ${byteCount}`) : await readInboundBytes(folder, name)
  if (!bytes) return false
  const reading: PaidReading = isTooLarge
    ? { items: null, problems: [`${byteCount} bytes: more than the ${MAX_INBOUND_BYTES} that a file may have`] }
    : readPaidFile(bytes)
  const contentHash = createHash('sha256').update(bytes).digest()
  const outcome = await recordPaidFile(deps, handlers, { name, contentHash, reading })
  if (!outcome) return false
  const { isUsed, report } = outcome
  const mark = contentHash.toString('hex').slice(0, 16)
  if (report !== null) await writeReport(folder, name, { report, mark })
  await moveInbound(folder, name, { to: isUsed || report === null ? 'done' : 'set-aside', mark })
  if (report !== null) deps.log.error({ file: name, isUsed }, 'a file of paid checks needs a look')
  else deps.log.info({ file: name }, 'file of paid checks read')
  return true
}

type PaidFile = { name: string; contentHash: Buffer; reading: PaidReading }

async function recordPaidFile(deps: Deps, handlers: LegHandlers, file: PaidFile): Promise<Outcome | null> {
  const failed = new Set<number>()
  for (;;) {
    try {
      return await inTransaction(deps, (tx) => recordOnce(tx, handlers, { ...file, failed }))
    } catch (error) {
      if (!(error instanceof LineFailed)) throw error
      deps.log.error({ err: error.cause, file: file.name, line: error.line }, 'paid check not used')
      failed.add(error.line)
    }
  }
}

class LineFailed extends Error {
  readonly line: number

  constructor(line: number, cause: unknown) {
    super('line not used', { cause })
    this.line = line
  }
}

async function recordOnce(
  tx: TxDeps,
  handlers: LegHandlers,
  { name, contentHash, reading, failed }: PaidFile & { failed: Set<number> },
): Promise<Outcome | null> {
  if (!(await tryLockPrinting(tx.sql, 'paid'))) return null
  const known = await findPaidFile(tx.sql, { name, contentHash })
  if (known?.name === name) return known
  const problems = known ? [`the same content as ${known.name}, which was used`] : problemsOf(reading)
  const row = {
    id: newId(tx),
    name,
    contentHash,
    // One without a line says nothing, and may come again under another name.
    isUsed: problems.length === 0 && linesOf(reading) > 0,
    report: problems.length > 0 ? reportOnFile(name, problems) : null,
    readAt: tx.clock.now(),
  }
  await insertPaidFile(tx.sql, row)
  if (!row.isUsed || reading.items === null) return row
  const setAside = [...reading.setAside, ...(await useItems(tx, handlers, { fileId: row.id, ...reading, failed }))]
  const usedCount = linesOf(reading) - setAside.length
  const report = reportOnPaid(
    name,
    usedCount,
    setAside.sort((a, b) => a.line - b.line),
  )
  if (report !== null) await updatePaidReport(tx.sql, row.id, report)
  return { isUsed: true, report }
}

const problemsOf = (reading: PaidReading): string[] => (reading.items === null ? reading.problems : [])

const linesOf = (reading: PaidReading): number =>
  reading.items === null ? 0 : reading.items.length + reading.setAside.length

/** One after the other: two lines can be about one check. @returns those that were not used */
async function useItems(
  tx: TxDeps,
  handlers: LegHandlers,
  { fileId, items, failed }: { fileId: string; items: readonly PaidItem[]; failed: Set<number> },
): Promise<SetAside[]> {
  const setAside: SetAside[] = []
  for (const item of items) {
    const { line } = item
    const reason = failed.has(line)
      ? 'it could not be used; the log says why'
      : await useItem(tx, handlers, { fileId, item }).catch((error) => {
          throw troubleOf(error) === 'other' ? new LineFailed(line, error) : error
        })
    if (reason !== null) setAside.push({ line, reason })
  }
  return setAside
}

/** @returns null, or why it cannot be used */
async function useItem(
  tx: TxDeps,
  handlers: LegHandlers,
  { fileId, item }: { fileId: string; item: PaidItem },
): Promise<string | null> {
  const accountDigest = accountDigestOf(tx, item.account)
  const check = checkMeant(await listChecksOfNumber(tx.sql, { accountDigest, number: item.number }), item)
  if (typeof check === 'string') return `account ending in ${item.account.slice(-4)}: ${check}`
  const leg = await lockLeg(tx, handlers, { platformId: check.platformId, id: check.legId })
  const paid = leg && (await applyLegEvent(tx, handlers[leg.purpose], leg, 'settle'))
  if (!paid) return nameOf({ ...check, status: leg?.status ?? check.status }) // it was stopped meanwhile
  await markPaid(tx.sql, check, { fileId, ...item })
  return null
}
