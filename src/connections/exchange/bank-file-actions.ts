import { type Actor, recordAudit } from '../../foundation/audit/audit-actions.ts'
import type { AuditAction } from '../../foundation/audit/audit-rules.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { isolate } from '../../foundation/db/isolation.ts'
import { inSavepoint, inTransaction } from '../../foundation/db/transaction.ts'
import { readBankHolds } from '../../foundation/exception/bank-hold-actions.ts'
import { nextSettlementDate } from '../../foundation/lib/banking-day.ts'
import { isId } from '../../foundation/lib/ids.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { fileSettlementTime, parseBankFileName, transmissionDeadline } from './bank-file-rules.ts'
import { type BankFileEvent, type BankFileKind, bankFileTransitions, followUps } from './bank-file-status.ts'
import {
  type BankFileRow,
  insertBankFile,
  listBankFileParts,
  listBankFiles,
  listOpenBankFiles,
  listPlatformsOfFile,
  listUnacknowledgedFiles,
  listUntransmittedFiles,
  lockBankFile,
  lockBankFileNumbers,
  lockNamedBankFile,
  markPlatformsDue,
  tryLockBankFile,
  updateAttention,
  updateBankFileStatus,
  updateLate,
  updatePublished,
} from './bank-file-store.ts'
import {
  cancelOutbound,
  findPlace,
  isInOutbound,
  moveToSent,
  prepareOutbound,
  publishOutbound,
  returnToOutbound,
} from './exchange-folder-actions.ts'
import { recordFileNumber } from './exchange-guard-actions.ts'
import { isSilenceEvidence } from './silence-actions.ts'

/** A bank file to create, with its physical files in the order in which they appear in outbound/. */
export type NewBankFile = Pick<BankFileRow, 'id' | 'kind' | 'name' | 'effectiveAt'> & {
  parts: readonly { name: string; content: string | Buffer }[]
  platformIds: Iterable<string>
}

/** Returns the purpose for which the bytes of a file are sealed. */
const sealedAs = (kind: BankFileKind) => (kind === 'ach' ? 'ach file' : 'print file')

/** Commits a file with its bytes. The next pass writes it to the exchange folder. */
export async function createBankFile(deps: TxDeps, { parts, platformIds, ...file }: NewBankFile): Promise<void> {
  await lockBankFileNumbers(deps.sql)
  const sealed = parts.map(({ name, content }) => ({
    name,
    contentSealed: deps.keyRing.seal(content, sealedAs(file.kind)),
  }))
  const given = { parts: sealed, platformIds: [...new Set(platformIds)] }
  await insertBankFile(deps.sql, { ...file, createdAt: deps.clock.now() }, given)
  deps.afterCommit(() => deps.meter.bankFileChanged({ kind: file.kind, status: 'WRITTEN' }))
}

/** Adopts a file that the bank has and a restored database does not know. */
export async function adoptBankFile(
  deps: TxDeps,
  file: NewBankFile,
  { isTransmitted }: { isTransmitted: boolean },
): Promise<void> {
  await createBankFile(deps, file)
  await updatePublished(deps.sql, file.id, deps.clock.now())
  const row = isTransmitted ? await lockBankFile(deps.sql, file.id) : null
  if (row) await markTransmitted(deps, row)
}

/** Returns the bytes of a file's first part, or null if a restore of the database lost them. */
export async function contentOf(deps: Pick<TxDeps, 'sql' | 'keyRing'>, file: BankFileRow): Promise<Buffer | null> {
  const [part] = await listBankFileParts(deps.sql, file.id)
  return part ? deps.keyRing.open(part.contentSealed, sealedAs(file.kind)) : null
}

/**
 * Applies one event of the state table to a bank file. Its legs follow in the background, platform by platform. The caller must hold the
 * lock on the file. All status changes of bank files use this function.
 *
 * @returns the updated file, or null if its status does not allow the event
 */
export async function applyBankFileEvent(
  deps: TxDeps,
  file: BankFileRow,
  event: BankFileEvent,
  given: { settlesAt?: Date; isPublished?: boolean } = {},
): Promise<BankFileRow | null> {
  const { from, to } = bankFileTransitions[event]
  const now = deps.clock.now()
  const after: BankFileRow = {
    ...file,
    status: to,
    publishedAt: (given.isPublished ?? true) ? (file.publishedAt ?? now) : null,
    transmittedAt: event === 'transmit' ? now : file.transmittedAt,
    resentAt: event === 'resend' ? now : file.resentAt,
    endedAt: event === 'transmit' || event === 'resend' ? null : now,
    settlesAt: given.settlesAt ?? file.settlesAt,
  }
  if (!(await updateBankFileStatus(deps.sql, file.id, { ...after, from, to }))) return null
  if (followUps[file.kind][to]) await markPlatformsDue(deps.sql, file.id)
  deps.afterCommit(() => {
    deps.meter.bankFileChanged({ kind: file.kind, status: to })
    deps.log.info({ file: file.name, status: to }, 'bank file changed')
    deps.wake()
  })
  return after
}

/**
 * Accepts a file that the bank has, as its acknowledgment, the operator or a returned entry proves. Records the transmission first if it
 * was not observed. `keepsAttention`: it is still unknown which entries the bank has accepted.
 *
 * @returns the updated file, or null if it was rejected or canceled
 */
export async function acceptBankFile(
  deps: TxDeps,
  file: BankFileRow,
  { keepsAttention = false } = {},
): Promise<BankFileRow | null> {
  if (file.status === 'ACCEPTED') return file
  const now = deps.clock.now()
  const transmitted = await markTransmitted(deps, file)
  const settlesAt = fileSettlementTime({ effectiveAt: file.effectiveAt, arrivedAt: now })
  const accepted = transmitted && (await applyBankFileEvent(deps, transmitted, 'accept', { settlesAt }))
  if (accepted && !keepsAttention) await updateAttention(deps.sql, file.id, null)
  return accepted
}

/** Rejects a whole file, because the bank did. @returns the updated file, or null if it was accepted or canceled */
export async function rejectBankFile(deps: TxDeps, file: BankFileRow): Promise<BankFileRow | null> {
  if (file.status === 'REJECTED') return file
  const transmitted = await markTransmitted(deps, file)
  const rejected = transmitted && (await applyBankFileEvent(deps, transmitted, 'reject'))
  if (rejected) await updateAttention(deps.sql, file.id, null)
  return rejected
}

/**
 * Marks a file as transmitted, even if its transfer was not observed. Moves the parts that are left in outbound/ to outbound/sent/, so
 * that they do not reach the bank a second time.
 */
export async function markTransmitted(deps: TxDeps, file: BankFileRow): Promise<BankFileRow | null> {
  if (file.status !== 'WRITTEN' && file.status !== 'TRANSMITTED') return file
  // If resending a file crashed before its commit, outbound/ contains a file that is already transmitted.
  const transmitted = file.status === 'WRITTEN' ? await applyBankFileEvent(deps, file, 'transmit') : file
  const folder = deps.settings.achFiles?.folder
  if (transmitted && folder) await moveToSent(folder, await partNames(deps, file))
  return transmitted
}

/** Makes the legs of an accepted file follow it again, because the bank rejected some of them later. */
export async function followAgain(deps: TxDeps, file: BankFileRow): Promise<void> {
  await markPlatformsDue(deps.sql, file.id)
  await updateAttention(deps.sql, file.id, null)
  deps.afterCommit(deps.wake)
}

/** Records and logs that a file needs the operator's attention. */
export async function flagBankFile(deps: TxDeps, file: BankFileRow, attention: string): Promise<void> {
  await updateAttention(deps.sql, file.id, attention)
  deps.afterCommit(() => deps.log.error({ file: file.name }, `operator needed: ${attention}`))
}

/** Locks a file by the name that the operator typed. @throws StartProblem if there is none */
export async function requireBankFile(deps: Pick<TxDeps, 'sql'>, text: string): Promise<BankFileRow> {
  const file = await lockNamedBankFile(deps.sql, { name: parseBankFileName(text), id: isId(text) ? text : null })
  if (!file) throw new StartProblem(`There is no bank file ${text}. Run "remit files list --all" to see all files.`)
  return file
}

export const lockFileById = (deps: TxDeps, id: string): Promise<BankFileRow | null> => lockBankFile(deps.sql, id)

const MAX_LISTED = 200

/** Lists files, newest first: only those that are open or need attention, or the latest ones. */
export const getBankFiles = (deps: Deps, { isOpenOnly }: { isOpenOnly: boolean }): Promise<BankFileRow[]> =>
  listBankFiles(deps.sql, { isOpenOnly, limit: MAX_LISTED })

/** Lists all known files, oldest first. A recovery uses it. */
export const listKnownBankFiles = async (deps: Pick<Deps, 'sql'>): Promise<BankFileRow[]> =>
  (await listBankFiles(deps.sql, { isOpenOnly: false, limit: MAX_KNOWN })).reverse()

const MAX_KNOWN = 10_000

/** Cancels a file: removes it from outbound/ before its transfer. @throws StartProblem if it may already be transferred */
export async function cancelBankFile(deps: TxDeps, file: BankFileRow, folder: string): Promise<void> {
  if (file.status !== 'WRITTEN')
    throw new StartProblem(`${file.name} is ${file.status}. Only a WRITTEN file can be canceled.`)
  if (file.transmittedAt !== null) {
    throw new StartProblem(
      `${file.name} was transmitted before, so the bank may have the first copy. Ask the bank, then accept or reject the file. Both remove it from outbound/.`,
    )
  }
  const names = await partNames(deps, file)
  await applyBankFileEvent(deps, file, 'cancel')
  // Changes the folder last. After a crash, the file is still there, or the next pass corrects its row.
  if (!(await cancelOutbound(folder, { names, isPublished: file.publishedAt !== null }))) {
    throw new StartProblem(
      `${file.name} is no longer in outbound/ and cannot be canceled. The transfer job may have taken it.`,
    )
  }
}

/** Gives the same bytes to the transfer job again. @throws StartProblem */
export async function resendBankFile(deps: TxDeps, file: BankFileRow, folder: string): Promise<void> {
  if (file.status !== 'TRANSMITTED') {
    throw new StartProblem(`${file.name} is ${file.status}. Only a TRANSMITTED file can be sent again.`)
  }
  const names = await partNames(deps, file)
  if (names.length === 0)
    throw new StartProblem(
      `${file.name} cannot be sent again, because its content was lost when the database was restored.`,
    )
  const isBack = await returnToOutbound(folder, names)
  await applyBankFileEvent(deps, file, 'resend', { isPublished: isBack })
  await updateAttention(deps.sql, file.id, null)
}

const partNames = async (deps: Pick<TxDeps, 'sql'>, file: BankFileRow): Promise<string[]> =>
  (await listBankFileParts(deps.sql, file.id)).map(({ name }) => name)

/** Writes committed files that are not in the folder yet. @returns the number of files that were written or found */
export const publishBankFiles = (deps: Deps, folder: string): Promise<number> =>
  forEachFile(deps, { status: 'WRITTEN', isPublished: false }, (tx, file) => publish(tx, folder, file))

async function publish(tx: TxDeps, folder: string, file: BankFileRow): Promise<boolean> {
  const parts = await listBankFileParts(tx.sql, file.id)
  const missing: string[] = []
  for (const { name, contentSealed } of parts) {
    const content = tx.keyRing.open(contentSealed, sealedAs(file.kind))
    if (await isInOutbound(folder, name, content)) continue
    await prepareOutbound(folder, name, content)
    missing.push(name)
  }
  // This is the last statement before the files get their names, so a worker that has lost its lock fails here.
  await recordFileNumber(tx, folder, file.number)
  await updatePublished(tx.sql, file.id, tx.clock.now())
  for (const name of missing) await publishOutbound(folder, name)
  tx.log.info({ file: file.name, written: missing.length }, 'bank file written')
  return true
}

/** Records the files that the transfer job has moved to outbound/sent/. @returns the number of files */
export const observeTransmissions = (deps: Deps, folder: string): Promise<number> =>
  forEachFile(deps, { status: 'WRITTEN', isPublished: true }, async (tx, file) => {
    const names = await partNames(tx, file)
    const place = await findPlace(folder, names)
    if (place === 'sent') return (await applyBankFileEvent(tx, file, 'transmit')) !== null
    // Completes a cancellation that crashed between its renames or before its commit.
    if (place !== 'canceled' || !(await cancelOutbound(folder, { names, isPublished: true }))) return false
    return (await applyBankFileEvent(tx, file, 'cancel')) !== null
  })

/**
 * Accepts transmitted files at their settlement time, for banks that send no acknowledgments. Skips files that need attention, and waits
 * while a message of the bank is unread.
 *
 * @returns the number of files
 */
export async function acceptUnacknowledged(deps: Deps): Promise<number> {
  if (!(await isSilenceEvidence(deps))) return 0
  return forEachFile(deps, { status: 'TRANSMITTED', isPublished: true }, async (tx, file) => {
    if (isAcknowledged(tx, file.kind) || file.attention !== null || (await readBankHolds(tx)).isBankHeld) return false
    const settlesAt = fileSettlementTime({ effectiveAt: file.effectiveAt, arrivedAt: file.transmittedAt as Date })
    if (settlesAt > tx.clock.now()) return false
    return (await applyBankFileEvent(tx, file, 'accept', { settlesAt })) !== null
  })
}

/** Whether the bank must acknowledge files of a kind. Lists of issued checks need no acknowledgment, because no money waits for them. */
const isAcknowledged = ({ settings }: Pick<Deps, 'settings'>, kind: BankFileKind): boolean =>
  kind !== 'issue' && settings.achFiles?.acknowledgements[kind === 'ach' ? 'ach' : 'paper'] !== 'none'

/** Runs `work` for each open file in its own transaction. @returns the number of files for which it returned true */
async function forEachFile(
  deps: Deps,
  which: Parameters<typeof listOpenBankFiles>[1],
  work: (tx: TxDeps, file: BankFileRow) => Promise<boolean>,
): Promise<number> {
  return countFiles(deps, await listOpenBankFiles(deps.sql, which), ({ id }) =>
    inTransaction(deps, async (tx) => {
      const file = await tryLockBankFile(tx.sql, id)
      const isStill = file?.status === which.status && (file.publishedAt !== null) === which.isPublished
      return isStill && work(tx, file)
    }),
  )
}

/** Runs `work` for each file. A failure does not stop the others. @returns the number of files for which it returned true */
async function countFiles(
  deps: Deps,
  files: readonly BankFileRow[],
  work: (file: BankFileRow) => Promise<boolean>,
): Promise<number> {
  const isolation = isolate(deps, 'exchange bank files')
  const skippedIds = isolation.skipped().ids
  let count = 0
  for (const file of files.filter(({ id }) => !skippedIds.includes(id))) {
    if (await isolation.run({ platformId: null, kind: 'bank file', id: file.id }, () => work(file))) count++
  }
  return count
}

/**
 * Reports files that were not transmitted in their window, or not acknowledged in time. Each is reported once.
 *
 * @returns the number of files
 */
export async function reportLateFiles(deps: Deps): Promise<number> {
  const now = deps.clock.now()
  const untransmitted = (await listUntransmittedFiles(deps.sql, now)).filter(
    ({ createdAt }) => transmissionDeadline(createdAt) < now,
  )
  const unacknowledged = (await listUnacknowledgedFiles(deps.sql)).filter(
    (file) =>
      isAcknowledged(deps, file.kind) &&
      !['print', 'checkbook'].includes(file.kind) &&
      acknowledgementDeadline(file) < now,
  )
  const count = await countFiles(deps, untransmitted, (file) => reportLate(deps, file, 'transmission'))
  return count + (await countFiles(deps, unacknowledged, (file) => reportLate(deps, file, 'acknowledgement')))
}

const acknowledgementDeadline = ({ effectiveAt, transmittedAt, createdAt }: BankFileRow): Date =>
  effectiveAt ?? nextSettlementDate(transmittedAt ?? createdAt)

const lateColumns = { transmission: 'transmission_late_at', acknowledgement: 'acknowledgement_late_at' } as const

async function reportLate(deps: Deps, file: BankFileRow, late: keyof typeof lateColumns): Promise<boolean> {
  return inTransaction(deps, async (tx) => {
    if (!(await updateLate(tx.sql, file.id, lateColumns[late], tx.clock.now()))) return false
    const isolation = isolate(deps, 'exchange bank files')
    const audit = { action: 'bank_file_late', actor: 'service', subject: late } as const
    for (const platformId of await listPlatformsOfFile(tx.sql, file.id)) {
      const record = () => recordPlatformAudit(tx, file, { ...audit, platformId })
      await isolation.run({ platformId }, () => inSavepoint(tx.sql, record))
    }
    tx.afterCommit(() => {
      tx.meter.bankFileLate({ kind: file.kind, late })
      tx.log.error({ file: file.name, late }, 'bank file is late')
    })
    return true
  })
}

type FileAudit = { action: AuditAction; actor: 'service' | 'operator'; subject?: string }

/** Adds an action on a file to the audit trail of every platform with legs in the file. */
export async function recordFileAudit(deps: TxDeps, file: BankFileRow, audit: FileAudit): Promise<void> {
  for (const platformId of await listPlatformsOfFile(deps.sql, file.id)) {
    await recordPlatformAudit(deps, file, { ...audit, platformId })
  }
}

function recordPlatformAudit(
  deps: TxDeps,
  file: BankFileRow,
  { platformId, action, actor, subject }: FileAudit & { platformId: string },
): Promise<void> {
  const by: Actor = { platformId, userId: null, credential: { kind: actor }, origin: null }
  return recordAudit(deps, by, action, subject ? `${file.name}: ${subject}` : file.name)
}
