import {
  type Inbound,
  type InboundFile,
  type InboundOutcome,
  processInboundFile,
} from '../../bank-file/exchange-folder-actions.ts'
import { reportOnFile } from '../../bank-file/inbound-file-rules.ts'
import type { AchFiles } from '../../core/environment.ts'
import type { Deps, TxDeps } from '../../db/deps.ts'
import { inTransaction } from '../../db/transaction.ts'
import { troubleOf } from '../../db/trouble.ts'
import { newId } from '../../lib/ids.ts'
import type { NachaAcknowledgement } from '../format/nacha-acknowledgement-rules.ts'
import type { NachaReading } from '../format/nacha-parse-rules.ts'
import { applyAcknowledgement } from './ach-acknowledgement-actions.ts'
import { applyEntries, setAsideFailed } from './ach-entry-actions.ts'
import type { AchDependents } from './ach-file-actions.ts'
import { tryLockAchFiles } from './ach-file-store.ts'
import {
  entriesOf,
  excludeUsed,
  type InboundEntry,
  type InboundReading,
  nachaReading,
  readInbound,
  refusedFileOf,
  reportOnEntries,
  type SetAside,
  sameContent,
} from './ach-inbound-rules.ts'
import {
  countUsed,
  findInboundFile,
  insertInboundFile,
  insertInboundParts,
  insertSetAside,
  listSetAside,
  listUsedContents,
  lockEntriesDone,
  updateCompleted,
  updateEntriesDone,
} from './ach-inbound-store.ts'

/**
 * Processes one file from the bank. Each effect commits together with the record that it was applied.
 *
 * @returns false when another worker is processing the file
 */
export const processAchInboundFile = (
  deps: Deps,
  dependents: AchDependents,
  { folder, origin }: AchFiles,
  file: Inbound,
): Promise<boolean> =>
  processInboundFile<InboundReading>(
    deps,
    { folder, file },
    {
      read: readInbound,
      refuse: (problem) => ({ kind: null, problems: [problem] }),
      record: (read) => recordInbound(deps, dependents, { ...read, origin }),
    },
  )

type OwnFile = InboundFile<InboundReading> & { origin: AchFiles['origin'] }

/** The number of entries that are applied in one transaction. */
const ENTRIES_AT_A_TIME = 250

/** @returns null when another worker is processing the file */
async function recordInbound(deps: Deps, dependents: AchDependents, file: OwnFile): Promise<InboundOutcome | null> {
  const begun = await inTransaction(deps, (tx) => beginFile(tx, file))
  if (begun === null || begun.isComplete) return begun
  const { id, reading } = begun
  const entries = reading.kind === 'nacha' ? entriesOf(reading.files) : []
  for (let done: number | null = begun.entriesDone; done < entries.length; ) {
    done = await applyNextEntries(deps, dependents, {
      file,
      id,
      done,
      entries: entries.slice(done, done + ENTRIES_AT_A_TIME),
    })
    if (done === null) return null
  }
  return inTransaction(deps, (tx) => completeFile(tx, { ...file, id, reading }))
}

type Begun = { isComplete: false; id: string; entriesDone: number; reading: InboundReading }

/** Creates the record of a file, or finds it after a crash. */
async function beginFile(tx: TxDeps, file: OwnFile): Promise<(InboundOutcome & { isComplete: true }) | Begun | null> {
  if (!(await tryLockAchFiles(tx.sql))) return null
  const known = await findInboundFile(tx.sql, file)
  if (known && !known.completedAt) {
    const reading = await excludeUsedFiles(tx, file.reading, known.id)
    return { isComplete: false, id: known.id, entriesDone: known.entriesDone, reading }
  }
  if (known?.name === file.name) return { ...known, isComplete: true }
  const { name, contentHash } = file
  const id = newId(tx)
  const reading = known ? usedBefore(known.name) : await excludeUsedFiles(tx, file.reading, id)
  const isUsed = reading.kind !== null
  const report = reading.kind === null ? reportOnFile(name, reading.problems) : null
  const now = tx.clock.now()
  const row = { id, name, contentHash, kind: file.reading.kind, isUsed, report, readAt: now }
  await insertInboundFile(tx.sql, { ...row, entriesDone: 0, completedAt: isUsed ? null : now })
  if (!isUsed) return { isUsed, report, isComplete: true }
  if (reading.kind === 'nacha') await insertInboundParts(tx.sql, id, usedParts(reading.files))
  return { isComplete: false, id, entriesDone: 0, reading }
}

const usedBefore = (name: string): InboundReading => ({ kind: null, problems: [sameContent(name)] })

const usedParts = (files: readonly NachaReading[]) =>
  files.flatMap(({ firstLine, contentHash }) => (contentHash ? [{ line: firstLine, contentHash }] : []))

/** Skips files that were already applied: banks resend a file together with others, or in another encoding. */
async function excludeUsedFiles(tx: TxDeps, reading: InboundReading, inboundFileId: string): Promise<InboundReading> {
  if (reading.kind !== 'nacha') return reading
  const contentHashes = usedParts(reading.files).map(({ contentHash }) => contentHash)
  const used = await listUsedContents(tx.sql, { contentHashes, exceptFileId: inboundFileId })
  return nachaReading(excludeUsed(reading.files, used))
}

type NextEntries = { file: OwnFile; id: string; done: number; entries: readonly InboundEntry[] }

/**
 * Applies the next entries of a file. If one fails, each is applied separately, so that it does not stop the others.
 *
 * @returns the number of entries done, or null when another worker is processing the file
 */
async function applyNextEntries(deps: Deps, dependents: AchDependents, next: NextEntries): Promise<number | null> {
  const use = (tx: TxDeps) =>
    makeProgress(tx, next, () => applyEntries(tx, dependents, { inboundFileId: next.id, entries: next.entries }))
  try {
    return await inTransaction(deps, use)
  } catch (error) {
    if (troubleOf(error) !== 'other') throw error
    return next.entries.length > 1 ? applyOneByOne(deps, dependents, next) : failEntry(deps, dependents, next, error)
  }
}

async function applyOneByOne(deps: Deps, dependents: AchDependents, next: NextEntries): Promise<number | null> {
  const end = next.done + next.entries.length
  let done: number | null = next.done
  while (done !== null && done < end) {
    const entries = next.entries.slice(done - next.done, done - next.done + 1)
    done = await applyNextEntries(deps, dependents, { ...next, done, entries })
  }
  return done
}

function failEntry(deps: Deps, dependents: AchDependents, next: NextEntries, error: unknown): Promise<number | null> {
  const [entry] = next.entries as [InboundEntry]
  deps.meter.stepFailed('read ACH files')
  deps.log.error({ err: error, file: next.file.name, line: entry.line }, 'entry from the bank not used')
  return inTransaction(deps, (tx) => makeProgress(tx, next, async () => [await setAsideFailed(tx, dependents, entry)]))
}

/** Applies entries unless another worker already did, and records the progress in the same transaction. */
async function makeProgress(
  tx: TxDeps,
  { id, done, entries }: NextEntries,
  use: () => Promise<SetAside[]>,
): Promise<number | null> {
  if (!(await tryLockAchFiles(tx.sql))) return null
  const entriesDone = await lockEntriesDone(tx.sql, id)
  if (entriesDone !== done) return entriesDone
  const setAside = await use()
  if (setAside.length > 0) await insertSetAside(tx.sql, id, setAside)
  await updateEntriesDone(tx.sql, id, done + entries.length)
  return done + entries.length
}

type BegunFile = OwnFile & { id: string }

/** Writes the report once all entries of a file have been tried. */
async function completeFile(tx: TxDeps, file: BegunFile): Promise<InboundOutcome | null> {
  if (!(await tryLockAchFiles(tx.sql))) return null
  const { id, name, reading } = file
  const known = await findInboundFile(tx.sql, file)
  if (known?.completedAt) return known
  if (reading.kind === 'acknowledgement') await applyAcknowledgements(tx, file, reading.acknowledgements)
  const files = reading.kind === 'nacha' ? reading.files.filter(({ content }) => content === null) : []
  const setAside = { entries: await listSetAside(tx.sql, id), files: files.map(refusedFileOf) }
  const report = reportOnEntries(name, await countUsed(tx.sql, id), setAside)
  await updateCompleted(tx.sql, id, { report, completedAt: tx.clock.now() })
  return { isUsed: true, report }
}

async function applyAcknowledgements(
  tx: TxDeps,
  { id, origin }: BegunFile,
  acknowledgements: readonly NachaAcknowledgement[],
): Promise<void> {
  const setAside: SetAside[] = []
  for (const [index, one] of acknowledgements.entries()) {
    const why = await applyAcknowledgement(tx, { inboundFileId: id, position: index + 1, origin }, one)
    if (why !== null) setAside.push({ line: index + 1, traceNumber: null, reason: why })
  }
  if (setAside.length > 0) await insertSetAside(tx.sql, id, setAside)
}
