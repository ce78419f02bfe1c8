import { createHash } from 'node:crypto'
import type { Deps, TxDeps } from '../db/deps.ts'
import { inTransaction } from '../db/transaction.ts'
import { troubleOf } from '../db/trouble.ts'
import { isCalendarDate } from '../lib/clock.ts'
import type { AchFiles } from '../lib/environment.ts'
import { newId } from '../lib/ids.ts'
import { formatDollars } from '../lib/money.ts'
import { applyLegEvent, lockLeg } from '../rail/leg-actions.ts'
import type { LegRow } from '../rail/leg-store.ts'
import type { AchDependents } from './ach-file-actions.ts'
import { findAchFile, findTracedLeg, tryLockAchFiles } from './ach-file-store.ts'
import { type Inbound, moveInbound, readInboundBytes, writeReport } from './ach-folder-actions.ts'
import {
  type InboundCounts,
  type InboundReading,
  MAX_INBOUND_BYTES,
  readInbound,
  reportOnEntries,
  reportOnFile,
  type SetAside,
} from './ach-inbound-rules.ts'
import {
  findInboundFile,
  insertAcknowledgement,
  insertCorrection,
  insertInboundFile,
  insertSetAside,
  updateReport,
} from './ach-inbound-store.ts'
import type { NachaAcknowledgement } from './nacha-acknowledgement-rules.ts'
import type { NachaContent, ReadCorrection, ReadEntry, ReadReturn } from './nacha-parse-rules.ts'

/** What became of a file: whether something was taken from it, and what a person has to know. */
type Outcome = { isUsed: boolean; report: string | null }

/**
 * Reads one file of the bank: its effects and that it was read commit together; then it is moved away.
 *
 * @returns false when another worker is at it
 */
export async function takeInbound(
  deps: Deps,
  dependents: AchDependents,
  { folder, origin }: AchFiles,
  { name, byteCount }: Inbound,
): Promise<boolean> {
  const isTooLarge = byteCount > MAX_INBOUND_BYTES
  const bytes = isTooLarge ? Buffer.from(`${name} ${byteCount}`) : await readInboundBytes(folder, name)
  if (!bytes) return false
  const reading: InboundReading = isTooLarge
    ? { kind: null, problems: [`${byteCount} bytes: more than the ${MAX_INBOUND_BYTES} that a file may have`] }
    : readInbound(bytes)
  const contentHash = createHash('sha256').update(bytes).digest()
  const file = { name, contentHash, reading, origin }
  const outcome = await recordInbound(deps, dependents, file)
  if (!outcome) return false
  const mark = contentHash.toString('hex').slice(0, 16)
  if (outcome.report !== null) await writeReport(folder, name, { report: outcome.report, mark })
  await moveInbound(folder, name, { to: outcome.isUsed ? 'done' : 'set-aside', mark })
  if (outcome.report !== null) deps.log.error({ file: name, isUsed: outcome.isUsed }, 'a file of the bank needs a look')
  else deps.log.info({ file: name }, 'file of the bank read')
  return true
}

type InboundFile = { name: string; contentHash: Buffer; reading: InboundReading; origin: AchFiles['origin'] }

async function recordInbound(deps: Deps, dependents: AchDependents, file: InboundFile): Promise<Outcome | null> {
  const failed = new Map<number, string>()
  for (;;) {
    try {
      return await inTransaction(deps, (tx) => recordOnce(tx, dependents, file, failed))
    } catch (error) {
      if (!(error instanceof EntryFailed)) throw error
      deps.log.error({ err: error.cause, file: file.name, line: error.line }, 'entry of the bank not used')
      failed.set(error.line, 'it could not be used; the log says why')
    }
  }
}

class EntryFailed extends Error {
  readonly line: number

  constructor(line: number, cause: unknown) {
    super('entry not used', { cause })
    this.line = line
  }
}

async function recordOnce(
  tx: TxDeps,
  dependents: AchDependents,
  file: InboundFile,
  failed: Map<number, string>,
): Promise<Outcome | null> {
  if (!(await tryLockAchFiles(tx.sql))) return null
  const known = await findInboundFile(tx.sql, file)
  if (known?.name === file.name) return known
  const { name, contentHash, reading } = file
  const problems = known ? [`the same content as ${known.name}, which was used`] : problemsOf(reading)
  const row = {
    id: newId(tx),
    name,
    contentHash,
    kind: reading.kind,
    isUsed: problems.length === 0,
    report: problems.length > 0 ? reportOnFile(name, problems) : null,
    readAt: tx.clock.now(),
  }
  await insertInboundFile(tx.sql, row)
  if (!row.isUsed) return row
  const { counts, setAside } = await useFile(tx, dependents, { ...file, id: row.id, failed })
  const report = reportOnEntries(name, counts, setAside)
  if (report === null) return row
  await insertSetAside(tx.sql, row.id, setAside)
  await updateReport(tx.sql, row.id, report)
  return { isUsed: true, report }
}

const problemsOf = (reading: InboundReading): string[] => (reading.kind === null ? reading.problems : [])

type FileInUse = InboundFile & { id: string; failed: Map<number, string> }
type Used = { counts: InboundCounts; setAside: SetAside[] }

async function useFile(tx: TxDeps, dependents: AchDependents, file: FileInUse): Promise<Used> {
  const { reading } = file
  if (reading.kind === 'nacha') return useContent(tx, dependents, file, reading.content)
  return useAcknowledgements(tx, file, reading.kind === null ? [] : reading.acknowledgements)
}

/** One after the other: two entries can be about one payment. */
async function useContent(
  tx: TxDeps,
  dependents: AchDependents,
  { id, failed }: FileInUse,
  content: NachaContent,
): Promise<Used> {
  const counts = { returns: 0, corrections: 0, acknowledgements: 0 }
  const setAside: SetAside[] = [
    ...content.setAside.map(({ line, originalTraceNumber, why }) => aside(line, originalTraceNumber, why)),
    ...content.entries.map(({ line, traceNumber }) =>
      aside(line, traceNumber, 'neither a return nor a notification of change'),
    ),
  ]
  const use = async (
    what: keyof InboundCounts,
    entry: ReadReturn | ReadCorrection,
    work: () => Promise<string | null>,
  ) => {
    const why = failed.get(entry.line) ?? (await work().catch((error) => refuseEntry(entry, error)))
    if (why === null) counts[what]++
    else setAside.push(aside(entry.line, entry.originalTraceNumber, why))
  }
  for (const one of content.returns) await use('returns', one, () => useReturn(tx, dependents, one))
  for (const one of content.corrections) await use('corrections', one, () => useCorrection(tx, dependents, id, one))
  return { counts, setAside: setAside.sort((a, b) => a.line - b.line) }
}

const aside = (line: number, traceNumber: string | null, reason: string): SetAside => ({ line, traceNumber, reason })

function refuseEntry({ line }: ReadEntry, error: unknown): never {
  throw troubleOf(error) === 'other' ? new EntryFailed(line, error) : error
}

/** @returns null, or why it cannot be used */
async function useReturn(tx: TxDeps, { handlers }: AchDependents, one: ReadReturn): Promise<string | null> {
  const leg = await legOf(tx, { handlers }, one.originalTraceNumber)
  if (!leg) return `return ${one.returnCode} of an entry that no file had`
  const what = `return ${one.returnCode}`
  if (leg.direction !== one.direction) return `${what} of a ${one.direction}: the entry was a ${leg.direction}`
  if (leg.cents !== one.amountCents) {
    return `${what} of ${formatDollars(one.amountCents)}: the entry was of ${formatDollars(leg.cents)}`
  }
  if (leg.status === 'RETURNED') return `${what}: the entry was returned before, with ${leg.returnCode}`
  const returned = await applyLegEvent(tx, handlers[leg.purpose], leg, 'return', { returnCode: one.returnCode })
  return returned ? null : `${what}: the entry is ${leg.status}`
}

async function legOf(
  tx: TxDeps,
  { handlers }: Pick<AchDependents, 'handlers'>,
  traceNumber: string,
): Promise<LegRow | null> {
  const key = await findTracedLeg(tx.sql, traceNumber)
  return key && lockLeg(tx, handlers, key)
}

/** Is kept, sealed; and applied where it says what is right from now on. @returns null, or why a person must look */
async function useCorrection(
  tx: TxDeps,
  dependents: AchDependents,
  inboundFileId: string,
  one: ReadCorrection,
): Promise<string | null> {
  const what = `notification of change ${one.changeCode}`
  const leg = await legOf(tx, dependents, one.originalTraceNumber)
  if (!leg) return `${what} to an entry that no file had`
  const { receiverId, ...corrected } = one.corrected
  const isOfBank = Object.keys(corrected).length > 0 && receiverId === undefined
  const why = isOfBank ? await dependents.correct(tx, leg, corrected) : 'it is about the file, not the bank account'
  await insertCorrection(tx.sql, {
    inboundFileId,
    line: one.line,
    platformId: leg.platformId,
    legId: leg.id,
    changeCode: one.changeCode,
    correctedSealed: tx.keyRing.seal(JSON.stringify(one.corrected), 'ach correction'),
    isApplied: why === null,
  })
  return why && `${what}: ${why}`
}

async function useAcknowledgements(
  tx: TxDeps,
  { id, origin }: FileInUse,
  acknowledgements: readonly NachaAcknowledgement[],
): Promise<Used> {
  const setAside: SetAside[] = []
  for (const [index, one] of acknowledgements.entries()) {
    const why = await useAcknowledgement(tx, { inboundFileId: id, position: index + 1, origin }, one)
    if (why !== null) setAside.push(aside(index + 1, null, why))
  }
  return {
    counts: { returns: 0, corrections: 0, acknowledgements: acknowledgements.length - setAside.length },
    setAside,
  }
}

async function useAcknowledgement(
  tx: TxDeps,
  { inboundFileId, position, origin }: { inboundFileId: string; position: number; origin: AchFiles['origin'] },
  { file, outcome, errors }: NachaAcknowledgement,
): Promise<string | null> {
  const creationDate = file.creationDate.replace(/^(..)(..)(..)$/, '20$1-$2-$3')
  const isOurs = file.immediateOrigin === origin.immediateOrigin && isCalendarDate(creationDate)
  const sent = isOurs ? await findAchFile(tx.sql, { creationDate, modifier: file.fileIdModifier }) : null
  if (!sent) return `acknowledgement of a file ${file.fileIdModifier} of ${file.creationDate} that was not sent`
  await insertAcknowledgement(tx.sql, { inboundFileId, position, fileId: sent.id, outcome, errors })
  return outcome === 'accepted' ? null : `${sent.name} is ${outcome}: ${errors.join('; ') || 'no reason is given'}`
}
