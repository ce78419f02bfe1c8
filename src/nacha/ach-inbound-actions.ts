import {
  type Inbound,
  type InboundFile,
  type InboundOutcome,
  takeInboundFile,
} from '../bank-file/exchange-folder-actions.ts'
import { reportOnFile } from '../bank-file/inbound-file-rules.ts'
import type { Deps, TxDeps } from '../db/deps.ts'
import { failItem, type ItemFailed, inTransactionWithoutFailed } from '../db/failed-items.ts'
import { isolate } from '../db/isolation.ts'
import { inSavepoint } from '../db/transaction.ts'
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
  entriesOf,
  type InboundCounts,
  type InboundEntry,
  type InboundReading,
  leaveOutUsed,
  mismatchOf,
  nachaReading,
  readInbound,
  refusedFileOf,
  reportOnEntries,
  type SetAside,
  sameContent,
} from './ach-inbound-rules.ts'
import {
  findInboundFile,
  insertCorrection,
  insertInboundFile,
  insertInboundParts,
  insertReturn,
  insertSetAside,
  listUsedContents,
  updateReport,
} from './ach-inbound-store.ts'
import type { NachaAcknowledgement } from './nacha-acknowledgement-rules.ts'
import type { ReadCorrection, ReadReturn } from './nacha-parse-rules.ts'

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
  const log = ({ cause: err, item: line }: ItemFailed<number>) => {
    deps.meter.stepFailed('read ACH files')
    deps.log.error({ err, file: file.name, line }, 'entry of the bank not used')
  }
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
  const { name, contentHash } = file
  const reading = known ? usedBefore(known.name) : await withoutUsed(tx, file.reading)
  const row = {
    id: newId(tx),
    name,
    contentHash,
    kind: file.reading.kind,
    isUsed: reading.kind !== null,
    report: reading.kind === null ? reportOnFile(name, reading.problems) : null,
    readAt: tx.clock.now(),
  }
  await insertInboundFile(tx.sql, row)
  if (reading.kind === null) return row
  const { counts, setAside } = await useFile(tx, dependents, { ...file, reading, id: row.id, failed })
  const refused = reading.kind === 'nacha' ? reading.files.filter(({ content }) => content === null) : []
  const report = reportOnEntries(name, counts, { entries: setAside, files: refused.map(refusedFileOf) })
  if (report === null) return row
  await insertSetAside(tx.sql, row.id, setAside)
  await updateReport(tx.sql, row.id, report)
  return { isUsed: true, report }
}

const usedBefore = (name: string): InboundReading => ({ kind: null, problems: [sameContent(name)] })

/** What was used once is not used again: banks send a file again together with others, or stored in another way. */
async function withoutUsed(tx: TxDeps, reading: InboundReading): Promise<InboundReading> {
  if (reading.kind !== 'nacha') return reading
  const contentHashes = reading.files.flatMap(({ contentHash }) => contentHash ?? [])
  return nachaReading(leaveOutUsed(reading.files, await listUsedContents(tx.sql, contentHashes)))
}

type FileInUse = OwnFile & { id: string; failed: readonly number[] }
type Used = { counts: InboundCounts; setAside: SetAside[] }

async function useFile(tx: TxDeps, dependents: AchDependents, file: FileInUse): Promise<Used> {
  const { reading } = file
  if (reading.kind === 'acknowledgement') return useAcknowledgements(tx, file, reading.acknowledgements)
  const files = reading.kind === 'nacha' ? reading.files : []
  const parts = files.flatMap(({ firstLine, contentHash }) => (contentHash ? [{ line: firstLine, contentHash }] : []))
  await insertInboundParts(tx.sql, file.id, parts)
  return useEntries(tx, dependents, file, entriesOf(files))
}

/** One after the other: two entries can be about one payment. */
async function useEntries(
  tx: TxDeps,
  dependents: AchDependents,
  { id, failed }: FileInUse,
  entries: readonly InboundEntry[],
): Promise<Used> {
  const counts = { returns: 0, corrections: 0, acknowledgements: 0 }
  const setAside: SetAside[] = []
  for (const entry of entries) {
    const { line, traceNumber } = entry
    const reason = failed.includes(line)
      ? 'it could not be used; the log says why'
      : await useEntry(tx, dependents, id, entry).catch(failItem(line))
    if (reason === null) counts[entry.kind === 'return' ? 'returns' : 'corrections']++
    else {
      const isHeld = !entry.isReturn || (await holdNamedLeg(tx, dependents, { line, traceNumber, reason }))
      setAside.push({ line, traceNumber, reason: isHeld ? reason : `${reason}; its payment could not be held` })
    }
  }
  return { counts, setAside }
}

/** @returns null, or why it cannot be used */
function useEntry(
  tx: TxDeps,
  dependents: AchDependents,
  inboundFileId: string,
  entry: InboundEntry,
): Promise<string | null> {
  if (entry.kind === 'return') return useReturn(tx, dependents, inboundFileId, entry.one)
  if (entry.kind === 'correction') return useCorrection(tx, dependents, inboundFileId, entry.one)
  return Promise.resolve(entry.reason)
}

/**
 * Holds the leg that a return names which was set aside: the bank may have the money. A leg that has come back already, or
 * was canceled, has nothing to hold.
 *
 * @returns false when that failed: the entries of other platforms are used all the same
 */
async function holdNamedLeg(
  tx: TxDeps,
  { handlers }: AchDependents,
  { traceNumber, reason }: SetAside,
): Promise<boolean> {
  const leg = traceNumber && (await lockNamed(tx, { handlers }, traceNumber))?.leg
  if (!leg || !isOneOf(legTransitions.return.from, leg.status)) return true
  const { platformId, id } = leg
  const held = await isolate(tx, 'read ACH files').run({ platformId, kind: 'leg', id }, () =>
    inSavepoint(tx.sql, async () => {
      await holdLeg(tx, leg, reason)
      await recordException(tx, {
        platformId,
        kind: 'return_set_aside',
        paymentId: leg.purpose === 'micro_deposit' ? null : leg.subjectId,
        legId: id,
        userId: leg.userId,
        cents: leg.cents,
        note: reason,
      })
      return true
    }),
  )
  return held ?? false
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
    if (why !== null) setAside.push({ line: index + 1, traceNumber: null, reason: why })
  }
  return {
    counts: { returns: 0, corrections: 0, acknowledgements: acknowledgements.length - setAside.length },
    setAside,
  }
}
