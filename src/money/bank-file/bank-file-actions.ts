import { type Actor, recordAudit } from '../../foundation/audit/audit-actions.ts'
import type { AuditAction } from '../../foundation/audit/audit-rules.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { isolate } from '../../foundation/db/isolation.ts'
import { inSavepoint, inTransaction } from '../../foundation/db/transaction.ts'
import { readBankHolds } from '../../foundation/exception/bank-hold-actions.ts'
import { isId } from '../../foundation/lib/ids.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { settlementDateOf } from '../rail/banking-day-rules.ts'
import { bankFileNameOf, settlementOf, transmissionDeadline } from './bank-file-rules.ts'
import {
  type BankFileEvent,
  type BankFileKind,
  type BankFileStatus,
  bankFileTransitions,
  followUps,
} from './bank-file-status.ts'
import {
  type BankFileRow,
  type DuePlatform,
  insertBankFile,
  listBankFileParts,
  listBankFiles,
  listDueFilePlatforms,
  listOpenBankFiles,
  listPlatformsOfFile,
  listUnacknowledgedFiles,
  listUntransmittedFiles,
  lockBankFile,
  lockBankFileNumbers,
  lockNamedBankFile,
  markPlatformFollowed,
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

/** A bank file with its physical files, in the order in which they appear in outbound/. */
export type NewBankFile = Pick<BankFileRow, 'id' | 'kind' | 'name' | 'effectiveAt'> & {
  parts: readonly { name: string; content: string | Buffer }[]
  platformIds: Iterable<string>
}

/** The purpose under which a file's bytes are sealed. */
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

/** Adopts a file that the bank has but a restored database does not know. */
export async function adoptBankFile(
  deps: TxDeps,
  file: NewBankFile,
  { isTransmitted }: { isTransmitted: boolean },
): Promise<void> {
  await createBankFile(deps, file)
  await updatePublished(deps.sql, file.id, deps.clock.now())
  const row = isTransmitted ? await lockBankFile(deps.sql, file.id) : null
  if (row) await ensureTransmitted(deps, row)
}

/** The bytes of a file's first part in clear, or null when they were lost in a database restore. */
export async function contentOf(deps: Pick<TxDeps, 'sql' | 'keyRing'>, file: BankFileRow): Promise<Buffer | null> {
  const [part] = await listBankFileParts(deps.sql, file.id)
  return part ? deps.keyRing.open(part.contentSealed, sealedAs(file.kind)) : null
}

/**
 * The only place that changes the status of a bank file: applies one event of the table. Its legs follow in the
 * background, platform by platform. The caller has locked the file.
 *
 * @returns the updated file, or null when the event is not allowed in its status
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
 * The bank has a file, as proved by its acknowledgment, the operator, or a returned entry. If its transmission was
 * not observed, it is recorded first. `keepsAttention`: it is still not known which entries the bank has accepted.
 *
 * @returns the updated file, or null when it was rejected or canceled
 */
export async function acceptBankFile(
  deps: TxDeps,
  file: BankFileRow,
  { keepsAttention = false } = {},
): Promise<BankFileRow | null> {
  if (file.status === 'ACCEPTED') return file
  const now = deps.clock.now()
  const transmitted = await ensureTransmitted(deps, file)
  const settlesAt = settlementOf({ effectiveAt: file.effectiveAt, arrivedAt: now })
  const accepted = transmitted && (await applyBankFileEvent(deps, transmitted, 'accept', { settlesAt }))
  if (accepted && !keepsAttention) await updateAttention(deps.sql, file.id, null)
  return accepted
}

/** The bank rejected a whole file. @returns the updated file, or null when it was accepted or canceled */
export async function rejectBankFile(deps: TxDeps, file: BankFileRow): Promise<BankFileRow | null> {
  if (file.status === 'REJECTED') return file
  const transmitted = await ensureTransmitted(deps, file)
  const rejected = transmitted && (await applyBankFileEvent(deps, transmitted, 'reject'))
  if (rejected) await updateAttention(deps.sql, file.id, null)
  return rejected
}

/**
 * Marks a file as transmitted, even if its transfer was not observed. Anything left in outbound/ would reach the bank
 * a second time, so it moves to outbound/sent/.
 */
export async function ensureTransmitted(deps: TxDeps, file: BankFileRow): Promise<BankFileRow | null> {
  if (file.status !== 'WRITTEN' && file.status !== 'TRANSMITTED') return file
  // A resend that crashed before its commit leaves a transmitted file in outbound/.
  const transmitted = file.status === 'WRITTEN' ? await applyBankFileEvent(deps, file, 'transmit') : file
  const folder = deps.settings.achFiles?.folder
  if (transmitted && folder) await moveToSent(folder, await partNames(deps, file))
  return transmitted
}

/** The legs of an accepted file follow it again, because the bank rejected some of them after all. */
export async function followAgain(deps: TxDeps, file: BankFileRow): Promise<void> {
  await markPlatformsDue(deps.sql, file.id)
  await updateAttention(deps.sql, file.id, null)
  deps.afterCommit(deps.wake)
}

/** Records and reports that a file needs the operator's attention. */
export async function flagBankFile(deps: TxDeps, file: BankFileRow, attention: string): Promise<void> {
  await updateAttention(deps.sql, file.id, attention)
  deps.afterCommit(() => deps.log.error({ file: file.name }, `operator needed: ${attention}`))
}

/** The operator has handled a file. */
export const clearAttention = (deps: TxDeps, file: BankFileRow): Promise<void> =>
  updateAttention(deps.sql, file.id, null)

/** Locks the file with the name that an operator gave. @throws StartProblem */
export async function requireBankFile(deps: Pick<TxDeps, 'sql'>, text: string): Promise<BankFileRow> {
  const file = await lockNamedBankFile(deps.sql, { name: bankFileNameOf(text), id: isId(text) ? text : null })
  if (!file) throw new StartProblem(`There is no bank file ${text}. Run "remit files list --all" to see all files.`)
  return file
}

/** Platforms with legs that still have to follow a changed file. */
export const listPlatformsToFollow = (
  deps: Pick<Deps, 'sql'>,
  given: Parameters<typeof listDueFilePlatforms>[1],
): Promise<DuePlatform[]> => listDueFilePlatforms(deps.sql, given)

/** Has no effect if the file has changed again. */
export const platformHasFollowed = (tx: TxDeps, due: DuePlatform, status: BankFileStatus): Promise<void> =>
  markPlatformFollowed(tx.sql, due, status)

export const lockBankFileOf = (deps: TxDeps, id: string): Promise<BankFileRow | null> => lockBankFile(deps.sql, id)

const MAX_LISTED = 200

/** Files that are open or need attention, or the latest of all, newest first. */
export const getBankFiles = (deps: Deps, { isOpenOnly }: { isOpenOnly: boolean }): Promise<BankFileRow[]> =>
  listBankFiles(deps.sql, { isOpenOnly, limit: MAX_LISTED })

/** Every known file, oldest first, for a recovery. */
export const knownBankFiles = async (deps: Pick<Deps, 'sql'>): Promise<BankFileRow[]> =>
  (await listBankFiles(deps.sql, { isOpenOnly: false, limit: MAX_KNOWN })).reverse()

const MAX_KNOWN = 10_000

/** Keeps others from committing files until the end of the transaction. */
export const lockNumbers = (tx: TxDeps): Promise<void> => lockBankFileNumbers(tx.sql)

/** Has the next pass write a file, unless it is in the folder. */
export const unpublish = (tx: TxDeps, file: BankFileRow): Promise<void> => updatePublished(tx.sql, file.id, null)

/** Removes a file from outbound/ before its transfer. @throws StartProblem when it may already be transferred */
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
  // The folder is changed last, so that a crash leaves either the file or a row that the next pass corrects.
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

/** Writes committed files that are not in the folder yet. @returns the number of files written or found */
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
  // The last statement before the files get their names: a worker that has lost its lock fails here.
  await recordFileNumber(tx, folder, file.number)
  await updatePublished(tx.sql, file.id, tx.clock.now())
  for (const name of missing) await publishOutbound(folder, name)
  tx.log.info({ file: file.name, written: missing.length }, 'bank file written')
  return true
}

/** Records the files that the transfer job has moved to outbound/sent/. @returns how many */
export const observeTransmissions = (deps: Deps, folder: string): Promise<number> =>
  forEachFile(deps, { status: 'WRITTEN', isPublished: true }, async (tx, file) => {
    const names = await partNames(tx, file)
    const place = await findPlace(folder, names)
    if (place === 'sent') return (await applyBankFileEvent(tx, file, 'transmit')) !== null
    // Completes a cancellation after a crash between its renames, or before its commit.
    if (place !== 'canceled' || !(await cancelOutbound(folder, { names, isPublished: true }))) return false
    return (await applyBankFileEvent(tx, file, 'cancel')) !== null
  })

/**
 * For banks that send no acknowledgments: a transmitted file is accepted at its settlement time, unless it needs
 * attention, or something that the bank said is not read.
 *
 * @returns how many
 */
export async function acceptUnacknowledged(deps: Deps): Promise<number> {
  if (!(await isSilenceEvidence(deps))) return 0
  return forEachFile(deps, { status: 'TRANSMITTED', isPublished: true }, async (tx, file) => {
    if (isAcknowledged(tx, file.kind) || file.attention !== null || (await readBankHolds(tx)).isBankHeld) return false
    const settlesAt = settlementOf({ effectiveAt: file.effectiveAt, arrivedAt: file.transmittedAt as Date })
    if (settlesAt > tx.clock.now()) return false
    return (await applyBankFileEvent(tx, file, 'accept', { settlesAt })) !== null
  })
}

/** Whether the bank must acknowledge files of a kind. No money waits for a list of issued checks. */
const isAcknowledged = ({ settings }: Pick<Deps, 'settings'>, kind: BankFileKind): boolean =>
  kind !== 'issue' && settings.achFiles?.acknowledgements[kind === 'ach' ? 'ach' : 'paper'] !== 'none'

/** Runs `work` for each open file in a separate transaction. @returns the number of files for which it was true */
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

/** Runs `work` for each file. A failure does not stop the others. @returns the number of files for which it was true */
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
 * Reports files that were not transmitted in their window, or not acknowledged in time, once each. @returns how many
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
  effectiveAt ?? settlementDateOf(transmittedAt ?? createdAt)

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

/** Writes an action on a file to the audit trail of every platform with legs in it. */
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
