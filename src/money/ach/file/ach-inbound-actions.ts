import { reportOnFile } from '../../../connections/exchange/bank-file-rules.ts'
import type { Inbound } from '../../../connections/exchange/exchange-folder-actions.ts'
import {
  type InboundFile,
  type InboundOutcome,
  type Inbox,
  processInboundFile,
} from '../../../connections/exchange/inbox-actions.ts'
import type { Connection } from '../../../foundation/core/connections.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { inTransaction } from '../../../foundation/db/transaction.ts'
import { classifyDatabaseError } from '../../../foundation/db/trouble.ts'
import { keepInboundFile, recordBankCase } from '../../../foundation/exception/bank-case-actions.ts'
import { newId } from '../../../foundation/lib/ids.ts'
import type { NachaAcknowledgement } from '../format/nacha-acknowledgement-rules.ts'
import type { NachaReading } from '../format/nacha-parse-rules.ts'
import { applyAcknowledgement } from './ach-acknowledgement-actions.ts'
import { applyEntries, setAsideFailed } from './ach-entry-actions.ts'
import type { AchHooks } from './ach-file-actions.ts'
import { tryLockAchFiles } from './ach-file-store.ts'
import {
  describeKnownFile,
  describeUnreadFile,
  entriesOf,
  excludeUsed,
  type InboundEntry,
  type InboundReading,
  isComplete,
  type KnownFile,
  problemLines,
  readInbound,
  remarksOf,
  reportOnEntries,
  type SetAside,
  sameContent,
  unread,
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
 * Processes one file from the bank. Each effect is committed together with the record of the progress.
 *
 * @returns false if another worker is processing the file
 */
export const processAchInboundFile = (
  deps: Deps,
  hooks: AchHooks,
  { connection, ...given }: { connection: Connection; inbox: Inbox; file: Inbound },
): Promise<boolean> =>
  processInboundFile<InboundReading>(deps, given, {
    read: readInbound,
    refuse: (problem) => unread([{ line: 1, problem }], { lines: [] }),
    remarksOf,
    record: (read) => recordInbound(deps, hooks, { ...read, bank: bankOf(connection) }),
  })

/** The bank that a file comes from, and the ids of our company there. Without an ACH agreement, no entry is for our company. */
export type FileBank = { connectionId: string; companyId: string; immediateOrigin: string }

export const bankOf = ({ id, ach }: Connection): FileBank => ({
  connectionId: id,
  companyId: ach?.companyId ?? '',
  immediateOrigin: ach?.origin ?? '',
})

type OwnFile = InboundFile<InboundReading> & { bank: FileBank }

/** The maximum number of entries that one transaction applies. */
export const ENTRIES_AT_A_TIME = 500

/** Records and applies a file from the bank. @returns null if another worker is processing it */
export async function recordInbound(deps: Deps, hooks: AchHooks, file: OwnFile): Promise<InboundOutcome | null> {
  const begun = await inTransaction(deps, (tx) => beginFile(tx, file))
  if (begun === null || begun.isFinished) return begun
  const entries = entriesOf(begun.content.complete, file.bank.companyId)
  for (let done: number | null = begun.entriesDone; done < entries.length; ) {
    done = await applyNextEntries(deps, hooks, {
      file,
      id: begun.id,
      done,
      entries: entries.slice(done, done + ENTRIES_AT_A_TIME),
    })
    if (done === null) return null
  }
  return inTransaction(deps, (tx) => completeFile(tx, { ...file, ...begun }))
}

/** The content of a file. `complete` files are applied. `unread` files wait for a decision. `known` files arrived before. */
type FileContent = {
  complete: NachaReading[]
  unread: NachaReading[]
  known: KnownFile[]
  acknowledgements: NachaAcknowledgement[]
}

type Begun = { isFinished: false; id: string; entriesDone: number; content: FileContent }

/** Creates the record of a file and its cases. If the process stopped after a first try, finds the existing record. */
async function beginFile(tx: TxDeps, file: OwnFile): Promise<(InboundOutcome & { isFinished: true }) | Begun | null> {
  if (!(await tryLockAchFiles(tx.sql))) return null
  const known = await findInboundFile(tx.sql, { ...file, ...file.bank })
  if (known && !known.completedAt) {
    const content = await contentOfFile(tx, file, known.id)
    return { isFinished: false, id: known.id, entriesDone: known.entriesDone, content }
  }
  if (known?.name === file.name) return { ...known, isFinished: true }
  const { name, contentHash, reading } = file
  const id = newId(tx)
  const content = await contentOfFile(tx, file, id)
  const isUsed = !known && content.complete.length + content.acknowledgements.length > 0
  const report = isUsed ? null : reportOnFile(name, known ? [sameContent(known.name)] : unusedReasons(reading, content))
  const now = tx.clock.now()
  const { connectionId } = file.bank
  const row = { id, connectionId, name, contentHash, kind: reading.kind, isUsed, report, readAt: now }
  await insertInboundFile(tx.sql, { ...row, entriesDone: 0, completedAt: isUsed ? null : now })
  if (!known) await recordUnread(tx, { ...file, id, content })
  if (!isUsed) return { isUsed, report, isFinished: true }
  return { isFinished: false, id, entriesDone: 0, content }
}

async function contentOfFile(
  tx: TxDeps,
  { reading, bank: { connectionId } }: OwnFile,
  inboundFileId: string,
): Promise<FileContent> {
  const files = reading.kind === 'nacha' ? reading.files : []
  const contentHashes = files.map(({ contentHash }) => contentHash)
  const used =
    files.length > 0
      ? await listUsedContents(tx.sql, { connectionId, contentHashes, exceptFileId: inboundFileId })
      : new Map()
  const { fresh, known } = excludeUsed(files, used)
  return {
    complete: fresh.filter(isComplete),
    unread: fresh.filter((one) => !isComplete(one)),
    known,
    acknowledgements: reading.kind === 'acknowledgement' ? reading.acknowledgements : [],
  }
}

const unusedReasons = (reading: InboundReading, { unread: files, known }: FileContent): string[] =>
  reading.kind === null
    ? reading.problems
    : [...files.map(describeUnreadFile), ...known.map(describeKnownFile)].flatMap(({ problems }) => problems)

/** Records a case for each part of a file that cannot be used, and stores the bytes of the file for the decision. */
async function recordUnread(
  tx: TxDeps,
  { id, bank: { connectionId }, name, bytes, reading, content }: OwnFile & { id: string; content: FileContent },
): Promise<void> {
  const parts = [...content.complete, ...content.unread]
  if (parts.length > 0) {
    await insertInboundParts(
      tx.sql,
      { id, connectionId },
      parts.map(({ firstLine, contentHash }) => ({ line: firstLine, contentHash })),
    )
  }
  const common = { kind: 'file_unread', connectionId, source: 'ach', file: { id, name }, isBankWide: true } as const
  if (reading.kind === null && !reading.isEmpty) {
    const { problems, lines } = reading
    await recordBankCase(tx, { ...common, line: 0, note: noteOf(problems), content: { lines, problems } })
  }
  for (const file of content.unread) {
    const { firstLine, lastLine, problems, problemCount } = file
    const entries = entriesOf([file], '').filter(({ kind }) => kind === 'return' || kind === 'correction')
    const note = `${noteOf(problemLines(problems, problemCount))} (lines ${firstLine} to ${lastLine}, ${entries.length} entries can be read)`
    const lines = entries.slice(0, MAX_LINES_SHOWN).flatMap(({ records }) => records)
    await recordBankCase(tx, {
      ...common,
      line: firstLine,
      note,
      content: {
        lines,
        problems: problemLines(problems, problemCount),
        data: { entryCount: entries.length },
        ...hidden(entries.length),
      },
    })
  }
  const hasCase = content.unread.length > 0 || (reading.kind === null && !reading.isEmpty)
  if (hasCase && bytes) await keepInboundFile(tx, { id, connectionId, name, source: 'ach', bytes })
}

const MAX_LINES_SHOWN = 100

const hidden = (count: number): { hiddenCount?: number } =>
  count > MAX_LINES_SHOWN ? { hiddenCount: count - MAX_LINES_SHOWN } : {}

/** Returns the first problem and the number of problems. */
const noteOf = (problems: readonly string[]): string =>
  problems.length > 1
    ? `${problems[0]}, and ${problems.length - 1} more problems`
    : (problems[0] ?? 'nothing could be read')

type NextEntries = { file: OwnFile; id: string; done: number; entries: readonly InboundEntry[] }

const sourceOf = ({ id, file: { name, bank } }: NextEntries) => ({ id, name, ...bank })

/**
 * Applies the next entries of a file. If one fails, applies each one separately, so that it does not stop the others.
 *
 * @returns the number of processed entries, or null if another worker is processing the file
 */
async function applyNextEntries(deps: Deps, hooks: AchHooks, next: NextEntries): Promise<number | null> {
  const use = (tx: TxDeps) =>
    makeProgress(tx, next, () => applyEntries(tx, hooks, { source: sourceOf(next), entries: next.entries }))
  try {
    return await inTransaction(deps, use)
  } catch (error) {
    if (classifyDatabaseError(error) !== 'other') throw error
    return next.entries.length > 1 ? applyOneByOne(deps, hooks, next) : failEntry(deps, hooks, next, error)
  }
}

async function applyOneByOne(deps: Deps, hooks: AchHooks, next: NextEntries): Promise<number | null> {
  const end = next.done + next.entries.length
  let done: number | null = next.done
  while (done !== null && done < end) {
    const entries = next.entries.slice(done - next.done, done - next.done + 1)
    done = await applyNextEntries(deps, hooks, { ...next, done, entries })
  }
  return done
}

function failEntry(deps: Deps, hooks: AchHooks, next: NextEntries, error: unknown): Promise<number | null> {
  const [entry] = next.entries as [InboundEntry]
  deps.meter.stepFailed('read ACH files')
  deps.log.error({ err: error, file: next.file.name, line: entry.line }, 'entry from the bank not used')
  return inTransaction(deps, (tx) =>
    makeProgress(tx, next, async () => [await setAsideFailed(tx, hooks, { source: sourceOf(next), entry })]),
  )
}

/** Applies entries, unless another worker already did. Records the progress in the same transaction. */
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

type BegunFile = OwnFile & Begun

/** Writes the report of a file after all its entries were tried. */
async function completeFile(tx: TxDeps, file: BegunFile): Promise<InboundOutcome | null> {
  if (!(await tryLockAchFiles(tx.sql))) return null
  const { id, name, content } = file
  const known = await findInboundFile(tx.sql, { ...file, ...file.bank })
  if (known?.completedAt) return known
  await applyAcknowledgements(tx, file)
  const files = [...content.unread.map(describeUnreadFile), ...content.known.map(describeKnownFile)]
  const setAside = { entries: await listSetAside(tx.sql, id), files }
  const report = reportOnEntries(name, await countUsed(tx.sql, id), setAside)
  await updateCompleted(tx.sql, id, { report, completedAt: tx.clock.now() })
  return { isUsed: true, report }
}

async function applyAcknowledgements(
  tx: TxDeps,
  { id, name, bank, content: { acknowledgements } }: BegunFile,
): Promise<void> {
  const setAside: SetAside[] = []
  for (const [index, one] of acknowledgements.entries()) {
    const place = { file: { id, name }, position: index + 1, bank }
    const why = await applyAcknowledgement(tx, place, one)
    if (why !== null) setAside.push({ line: index + 1, traceNumber: null, reason: why })
  }
  if (setAside.length > 0) await insertSetAside(tx.sql, id, setAside)
}
