import {
  type Inbound,
  type InboundFile,
  type InboundOutcome,
  takeInboundFile,
} from '../bank-file/exchange-folder-actions.ts'
import { reportOnFile } from '../bank-file/inbound-file-rules.ts'
import type { Deps, TxDeps } from '../db/deps.ts'
import { failItem, type ItemFailed, inTransactionWithoutFailed } from '../db/failed-items.ts'
import { recordException } from '../exception/exception-actions.ts'
import type { AchFiles } from '../lib/environment.ts'
import { newId } from '../lib/ids.ts'
import { applyLegEvent, holdLeg, lockLeg } from '../rail/leg-actions.ts'
import { type LegStatus, legTransitions } from '../rail/leg-status.ts'
import type { LegRow } from '../rail/leg-store.ts'
import { acceptFileOfReturn, useAcknowledgement } from './ach-acknowledgement-actions.ts'
import type { AchDependents } from './ach-file-actions.ts'
import { findSentEntry, type SentEntry, tryLockAchFiles } from './ach-file-store.ts'
import {
  type InboundCounts,
  type InboundReading,
  mismatchOf,
  readInbound,
  reportOnEntries,
  type SetAside,
} from './ach-inbound-rules.ts'
import {
  findInboundFile,
  insertCorrection,
  insertInboundFile,
  insertReturn,
  insertSetAside,
  updateReport,
} from './ach-inbound-store.ts'
import type { NachaAcknowledgement } from './nacha-acknowledgement-rules.ts'
import type { NachaContent, ReadCorrection, ReadReturn } from './nacha-parse-rules.ts'

/** Reads one file of the bank: its effects and that it was read commit together. @returns false when another worker is at it */
export const takeInbound = (
  deps: Deps,
  dependents: AchDependents,
  { folder, origin }: AchFiles,
  file: Inbound,
): Promise<boolean> =>
  takeInboundFile<InboundReading>(
    deps,
    { folder, file },
    {
      read: readInbound,
      refuse: (problem) => ({ kind: null, problems: [problem] }),
      record: (read) => recordInbound(deps, dependents, { ...read, origin }),
    },
  )

type OwnFile = InboundFile<InboundReading> & { origin: AchFiles['origin'] }

function recordInbound(deps: Deps, dependents: AchDependents, file: OwnFile): Promise<InboundOutcome | null> {
  const log = ({ cause: err, item: line }: ItemFailed<number>) =>
    deps.log.error({ err, file: file.name, line }, 'entry of the bank not used')
  return inTransactionWithoutFailed(deps, log, (tx, failed) => recordOnce(tx, dependents, file, failed))
}

async function recordOnce(
  tx: TxDeps,
  dependents: AchDependents,
  file: OwnFile,
  failed: readonly number[],
): Promise<InboundOutcome | null> {
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

type FileInUse = OwnFile & { id: string; failed: readonly number[] }
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
    const why = failed.includes(entry.line)
      ? 'it could not be used; the log says why'
      : await work().catch(failItem(entry.line))
    if (why === null) counts[what]++
    else setAside.push(aside(entry.line, entry.originalTraceNumber, why))
  }
  for (const one of content.returns) await use('returns', one, () => useReturn(tx, dependents, id, one))
  for (const one of content.corrections) await use('corrections', one, () => useCorrection(tx, dependents, id, one))
  const returnLines = new Set([...content.returns, ...content.setAside.filter(({ isReturn }) => isReturn)].map(lineOf))
  for (const one of setAside) if (returnLines.has(one.line)) await holdNamedLeg(tx, dependents, one)
  return { counts, setAside: setAside.sort((a, b) => a.line - b.line) }
}

const aside = (line: number, traceNumber: string | null, reason: string): SetAside => ({ line, traceNumber, reason })

const lineOf = ({ line }: { line: number }) => line

/**
 * Holds the leg that a return names which was set aside: the bank may have the money. A leg that has come back already, or
 * was canceled, has nothing to hold.
 */
async function holdNamedLeg(tx: TxDeps, { handlers }: AchDependents, { traceNumber, reason }: SetAside): Promise<void> {
  const leg = traceNumber && (await lockNamed(tx, { handlers }, traceNumber))?.leg
  if (!leg || !isOneOf(legTransitions.return.from, leg.status)) return
  await holdLeg(tx, leg, reason)
  await recordException(tx, {
    platformId: leg.platformId,
    kind: 'return_set_aside',
    paymentId: leg.purpose === 'micro_deposit' ? null : leg.subjectId,
    legId: leg.id,
    userId: leg.userId,
    cents: leg.cents,
    note: reason,
  })
}

const isOneOf = (statuses: readonly LegStatus[], status: LegStatus) => statuses.includes(status)

/** @returns null, or why it cannot be used */
async function useReturn(
  tx: TxDeps,
  { handlers }: AchDependents,
  inboundFileId: string,
  one: ReadReturn,
): Promise<string | null> {
  const what = `return ${one.returnCode}`
  const named = await lockNamed(tx, { handlers }, one.originalTraceNumber)
  if (!named) return `${what} of an entry that no file had`
  const { leg, entry } = named
  const mismatch = mismatchOf({ ...leg, ...entry }, one)
  if (mismatch) return mismatch
  if (leg.status === 'RETURNED') return `${what}: the entry was returned before, with ${leg.returnCode}`
  if (entry.isRecalled) return `${what}: the entry was recalled, because its file, its batch or it alone was rejected`
  const contradiction = await acceptFileOfReturn(tx, entry.fileId)
  if (contradiction !== null) return `${what}: ${contradiction}`
  const { returnCode } = one
  const returned = await applyLegEvent(tx, handlers[leg.purpose], leg, 'return', { returnCode })
  if (!returned) return `${what}: the entry is ${leg.status}`
  await insertReturn(tx.sql, {
    inboundFileId,
    line: one.line,
    platformId: leg.platformId,
    legId: leg.id,
    returnCode,
    accountSealed: otherAccountOf(tx, entry, one),
  })
  return null
}

/** Banks reformat account numbers, so another one is kept, sealed, and not refused. */
function otherAccountOf(
  { keyRing }: TxDeps,
  { accountDigest }: SentEntry,
  { accountNumber }: ReadReturn,
): Buffer | null {
  const isSame = accountDigest === null || accountDigest.equals(keyRing.digest(accountNumber, 'ach account'))
  return isSame ? null : keyRing.seal(accountNumber, 'ach return')
}

/** The entry that a trace number names, and its leg, locked. */
async function lockNamed(
  tx: TxDeps,
  { handlers }: Pick<AchDependents, 'handlers'>,
  traceNumber: string,
): Promise<{ leg: LegRow; entry: SentEntry } | null> {
  const entry = await findSentEntry(tx.sql, traceNumber)
  const leg = entry && (await lockLeg(tx, handlers, { platformId: entry.platformId, id: entry.legId }))
  return leg && { leg, entry }
}

/** Is kept, sealed; and applied where it says what is right from now on. @returns null, or why a person must look */
async function useCorrection(
  tx: TxDeps,
  dependents: AchDependents,
  inboundFileId: string,
  one: ReadCorrection,
): Promise<string | null> {
  const what = `notification of change ${one.changeCode}`
  const named = await lockNamed(tx, dependents, one.originalTraceNumber)
  if (!named) return `${what} to an entry that no file had`
  const { leg, entry } = named
  const why = mismatchOf({ ...leg, ...entry }, one) ?? (await correct(tx, dependents, leg, one))
  await insertCorrection(tx.sql, {
    inboundFileId,
    line: one.line,
    platformId: leg.platformId,
    legId: leg.id,
    changeCode: one.changeCode,
    correctedSealed: tx.keyRing.seal(JSON.stringify(one.corrected), 'ach correction'),
    isApplied: why === null,
  })
  return why
}

/** @returns null, or why it cannot be applied */
async function correct(
  tx: TxDeps,
  dependents: AchDependents,
  leg: LegRow,
  { changeCode, corrected: { receiverId, ...corrected } }: ReadCorrection,
): Promise<string | null> {
  const isOfBank = Object.keys(corrected).length > 0 && receiverId === undefined
  const why = isOfBank ? await dependents.correct(tx, leg, corrected) : 'it is about the file, not the bank account'
  return why && `notification of change ${changeCode}: ${why}`
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
