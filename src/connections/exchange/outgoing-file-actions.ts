import { createHash } from 'node:crypto'
import { type Actor, recordAudit } from '../../foundation/audit/audit-actions.ts'
import type { AuditAction } from '../../foundation/audit/audit-rules.ts'
import type { Connection } from '../../foundation/core/connections.ts'
import { findConnection } from '../../foundation/core/operator-account.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { endTransferCase } from '../../foundation/exception/bank-case-actions.ts'
import { isId } from '../../foundation/lib/ids.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { calendarOf } from './bank-calendar-rules.ts'
import { fileSettlementTime, parseOutgoingFileName } from './bank-file-rules.ts'
import { clearBackOff } from './connection-state-store.ts'
import { cancelOutbound, storeSent, withdrawOutbound } from './exchange-folder-actions.ts'
import {
  followUps,
  type OutgoingFileEvent,
  type OutgoingFileKind,
  outgoingFileTransitions,
} from './outgoing-file-status.ts'
import {
  clearPartsSent,
  type FileProof,
  insertOutgoingFile,
  insertPlatformOfFile,
  listOutgoingFileParts,
  listOutgoingFiles,
  listPlatformsOfFile,
  lockNamedOutgoingFile,
  lockOutgoingFile,
  lockOutgoingFileNumbers,
  markPlatformsDue,
  type OutgoingFileRow,
  updateAbsent,
  updateAttention,
  updateContent,
  updateOutgoingFileStatus,
  updatePublished,
} from './outgoing-file-store.ts'

/** A bank file to create, with its physical files in the order in which they appear in outbound/. */
export type NewOutgoingFile = Pick<OutgoingFileRow, 'id' | 'connectionId' | 'kind' | 'name' | 'effectiveAt'> & {
  parts: readonly { name: string; content: string | Buffer }[]
  platformIds: Iterable<string>
}

/** Returns the purpose for which the bytes of a file are sealed. */
export const sealedAs = (kind: OutgoingFileKind) => (kind === 'ach' ? 'ach file' : 'print file')

/** Commits a file with its bytes. The next pass writes it to the exchange folder. */
export async function createOutgoingFile(
  deps: TxDeps,
  { parts, platformIds, ...file }: NewOutgoingFile,
): Promise<void> {
  await lockOutgoingFileNumbers(deps.sql)
  const { sealed, ...bytes } = sealParts(deps, { kind: file.kind, parts })
  const given = { parts: sealed, platformIds: [...new Set(platformIds)] }
  await insertOutgoingFile(deps.sql, { ...file, ...bytes, createdAt: deps.clock.now() }, given)
  deps.afterCommit(() => deps.meter.bankFileChanged({ ...labelsOf(file), status: 'WRITTEN' }))
}

/** Seals the parts of a file, and computes the digest and the number of their bytes. */
function sealParts({ keyRing }: TxDeps, { kind, parts }: Pick<NewOutgoingFile, 'kind' | 'parts'>) {
  const bytes = Buffer.concat(parts.map(({ content }) => Buffer.from(content)))
  return {
    sealed: parts.map(({ name, content }) => ({ name, contentSealed: keyRing.seal(content, sealedAs(kind)) })),
    digest: createHash('sha256').update(bytes).digest(),
    byteCount: bytes.length,
  }
}

/** Adds the content of a file of which only the name was known since a restore of the database. */
export async function addLostContent(
  deps: TxDeps,
  file: Pick<NewOutgoingFile, 'id' | 'connectionId' | 'kind' | 'parts'>,
): Promise<void> {
  await updateContent(deps.sql, file.id, sealParts(deps, file))
  storeSentLater(deps, file)
}

/** Adopts a file that the bank has and a restored database does not contain. */
export async function adoptOutgoingFile(
  deps: TxDeps,
  file: NewOutgoingFile,
  { isTransmitted }: { isTransmitted: boolean },
): Promise<void> {
  await createOutgoingFile(deps, file)
  await updatePublished(deps.sql, file.id, deps.clock.now())
  const row = isTransmitted ? await lockOutgoingFile(deps.sql, file.id) : null
  if (!row) return
  await applyOutgoingFileEvent(deps, row, 'transmit', { proof: 'told' })
  storeSentLater(deps, file)
}

/** Moves the parts of a file to outbound/sent/, only after the commit: the next recovery must find them if this one fails. */
function storeSentLater(deps: TxDeps, { parts, ...file }: Pick<NewOutgoingFile, 'connectionId' | 'parts'>): void {
  const transport = connectionOf(deps, file)?.transport
  const names = parts.map(({ name }) => name)
  if (transport?.type === 'folder') deps.afterCommit(() => storeSent(transport.path, names))
}

/** Adds a platform to a file that a restore had lost. The status of its payments then follows the file. */
export async function addPlatformToFile(deps: TxDeps, fileId: string, platformId: string): Promise<void> {
  const file = await lockOutgoingFile(deps.sql, fileId)
  await insertPlatformOfFile(deps.sql, { fileId, platformId, isDue: file?.status !== 'WRITTEN' })
}

/** Returns the labels of a file in metrics. */
export const labelsOf = ({ connectionId, kind }: Pick<OutgoingFileRow, 'connectionId' | 'kind'>) => ({
  connection: connectionId,
  kind,
})

/** Returns the connection of a file, or null if it is no longer configured. */
export const connectionOf = (
  { connections }: Pick<Deps, 'connections'>,
  { connectionId }: Pick<OutgoingFileRow, 'connectionId'>,
) => findConnection(connections.current(), connectionId)

/** Returns the bytes of a file's first part, or null if a restore of the database lost them, or they were deleted. */
export async function contentOf(
  deps: Pick<TxDeps, 'sql' | 'keyRing'>,
  file: Pick<OutgoingFileRow, 'id' | 'kind'>,
): Promise<Buffer | null> {
  const [part] = await listOutgoingFileParts(deps.sql, file.id)
  return part?.contentSealed ? deps.keyRing.open(part.contentSealed, sealedAs(file.kind)) : null
}

/**
 * Applies one event of the state table to a bank file. Background work then updates its legs, one platform at a time. The caller must hold
 * the lock on the file. All status changes of bank files use this function.
 *
 * @returns the updated file, or null if its status does not allow the event
 */
export async function applyOutgoingFileEvent(
  deps: TxDeps,
  file: OutgoingFileRow,
  event: OutgoingFileEvent,
  given: { settlesAt?: Date; isPublished?: boolean; proof?: FileProof } = {},
): Promise<OutgoingFileRow | null> {
  const { from, to } = outgoingFileTransitions[event]
  const now = deps.clock.now()
  const after: OutgoingFileRow = {
    ...file,
    status: to,
    publishedAt: (given.isPublished ?? true) ? (file.publishedAt ?? now) : null,
    transmittedAt: event === 'transmit' ? now : file.transmittedAt,
    proof: event === 'resend' ? null : (given.proof ?? file.proof),
    resentAt: event === 'resend' ? now : file.resentAt,
    endedAt: event === 'transmit' || event === 'resend' ? null : now,
    settlesAt: given.settlesAt ?? file.settlesAt,
  }
  if (!(await updateOutgoingFileStatus(deps.sql, file.id, { ...after, from, to }))) return null
  if (followUps[file.kind][to]) await markPlatformsDue(deps.sql, file.id)
  if (file.status === 'WRITTEN' && file.attention !== null)
    await endTransferCase(deps, notSentCase(file), `The file is ${to}.`)
  deps.afterCommit(() => {
    deps.meter.bankFileChanged({ ...labelsOf(file), status: to })
    deps.log.info({ connection: file.connectionId, file: file.name, status: to }, 'bank file changed')
    deps.wake()
  })
  return after
}

/**
 * Accepts a file that the bank has, as its acknowledgment, the operator or a returned entry proves. Records the transmission first if it
 * was not observed. `keepsAttention`: whether it is still unknown which entries the bank has accepted.
 *
 * @returns the updated file, or null if it was rejected or canceled
 */
export async function acceptOutgoingFile(
  deps: TxDeps,
  file: OutgoingFileRow,
  { keepsAttention = false } = {},
): Promise<OutgoingFileRow | null> {
  if (file.status === 'ACCEPTED') return file
  const now = deps.clock.now()
  const transmitted = await markTransmitted(deps, file, 'told')
  const calendar = calendarOf(connectionOf(deps, file))
  const settlesAt = fileSettlementTime({ effectiveAt: file.effectiveAt, arrivedAt: now }, calendar)
  const accepted = transmitted && (await applyOutgoingFileEvent(deps, transmitted, 'accept', { settlesAt }))
  if (accepted && !keepsAttention) await updateAttention(deps.sql, file.id, null)
  return accepted
}

/** Rejects a whole file after the bank rejected it. @returns the updated file, or null if it was accepted or canceled */
export async function rejectOutgoingFile(deps: TxDeps, file: OutgoingFileRow): Promise<OutgoingFileRow | null> {
  if (file.status === 'REJECTED') return file
  const transmitted = await markTransmitted(deps, file, 'told')
  const rejected = transmitted && (await applyOutgoingFileEvent(deps, transmitted, 'reject'))
  if (rejected) await updateAttention(deps.sql, file.id, null)
  return rejected
}

/**
 * Marks a file as transmitted, even if its transfer was not observed. Moves the parts that are left in outbound/ to outbound/sent/, so that
 * they do not reach the bank a second time.
 */
export async function markTransmitted(
  deps: TxDeps,
  file: OutgoingFileRow,
  proof: FileProof,
): Promise<OutgoingFileRow | null> {
  if (file.status !== 'WRITTEN' && file.status !== 'TRANSMITTED') return file
  const transmitted = file.status === 'WRITTEN' ? await applyOutgoingFileEvent(deps, file, 'transmit', { proof }) : file
  const transport = connectionOf(deps, file)?.transport
  if (transmitted && transport?.type === 'folder') await takeOutbound(deps, file, transport.path)
  return transmitted
}

/**
 * Takes a file from the transfer job. Its parts are hidden before the commit, so that the job cannot send them, and are in outbound/sent/
 * only after it. If the transaction fails, the file is still WRITTEN, and the next pass gives its parts their names again.
 */
async function takeOutbound(deps: TxDeps, file: OutgoingFileRow, root: string): Promise<void> {
  const names = await partNames(deps, file)
  const withdrawn = await withdrawOutbound(root, names)
  // While a file is not published, a hidden part may be incomplete.
  deps.afterCommit(() => storeSent(root, file.publishedAt === null ? withdrawn : names))
}

/** Requests that the legs of an accepted file are updated again, because the bank rejected some of them later. */
export async function followAgain(deps: TxDeps, file: OutgoingFileRow): Promise<void> {
  await markPlatformsDue(deps.sql, file.id)
  await updateAttention(deps.sql, file.id, null)
  deps.afterCommit(deps.wake)
}

/** Records and logs that a file needs the operator's attention. */
export async function flagOutgoingFile(deps: TxDeps, file: OutgoingFileRow, attention: string): Promise<void> {
  await updateAttention(deps.sql, file.id, attention)
  deps.afterCommit(() =>
    deps.log.error({ connection: file.connectionId, file: file.name }, `operator needed: ${attention}`),
  )
}

/** Locks a file by the name that the operator typed. @throws StartProblem if there is none */
export async function requireOutgoingFile(deps: Pick<TxDeps, 'sql'>, text: string): Promise<OutgoingFileRow> {
  const file = await lockNamedOutgoingFile(deps.sql, {
    name: parseOutgoingFileName(text),
    id: isId(text) ? text : null,
  })
  if (!file) throw new StartProblem(`There is no bank file ${text}. Run "remit files list --all" to see all files.`)
  return file
}

export const lockFileById = (deps: TxDeps, id: string): Promise<OutgoingFileRow | null> =>
  lockOutgoingFile(deps.sql, id)

const MAX_LISTED = 200

/** Lists files, newest first: only those that are open or need attention, or the latest ones. */
export const getOutgoingFiles = (
  deps: Deps,
  given: { isOpenOnly: boolean; connectionId?: string },
): Promise<OutgoingFileRow[]> => listOutgoingFiles(deps.sql, { ...given, limit: MAX_LISTED })

/** Lists all known files of a connection, oldest first. A recovery uses it. */
export const listKnownOutgoingFiles = async (
  deps: Pick<Deps, 'sql'>,
  connectionId: string,
): Promise<OutgoingFileRow[]> =>
  (await listOutgoingFiles(deps.sql, { isOpenOnly: false, limit: null, connectionId })).reverse()

/** Cancels a file before its transfer. @throws StartProblem if it may already be transferred */
export async function cancelOutgoingFile(deps: TxDeps, file: OutgoingFileRow): Promise<void> {
  if (file.status !== 'WRITTEN')
    throw new StartProblem(`${file.name} is ${file.status}. Only a WRITTEN file can be canceled.`)
  if (file.transmittedAt !== null) {
    throw new StartProblem(
      `${file.name} was transmitted before, so the bank may have the first copy. Ask the bank, then accept or reject the file.`,
    )
  }
  const { transport } = requireConnection(deps, file)
  if (transport.type !== 'folder') return cancelBeforeUpload(deps, file)
  const names = await partNames(deps, file)
  await applyOutgoingFileEvent(deps, file, 'cancel')
  // The folder is changed last. If the process stops before that, the file is still there, or the next pass corrects its row.
  if (!(await cancelOutbound(transport.path, { names, isPublished: file.publishedAt !== null }))) {
    throw new StartProblem(
      `${file.name} is no longer in outbound/ and cannot be canceled. The transfer job may have taken it.`,
    )
  }
}

async function cancelBeforeUpload(deps: TxDeps, file: OutgoingFileRow): Promise<void> {
  if (file.publishedAt !== null) {
    throw new StartProblem(
      `The upload of ${file.name} has begun, so the bank may have it. Ask the bank, then use "remit files mark-sent" or "remit files reject".`,
    )
  }
  await applyOutgoingFileEvent(deps, file, 'cancel', { isPublished: false })
  await updateAttention(deps.sql, file.id, null)
}

/** Lets the next pass send the same bytes again. @throws StartProblem */
export async function resendOutgoingFile(deps: TxDeps, file: OutgoingFileRow): Promise<void> {
  if (file.status !== 'TRANSMITTED') {
    throw new StartProblem(`${file.name} is ${file.status}. Only a TRANSMITTED file can be sent again.`)
  }
  const parts = await listOutgoingFileParts(deps.sql, file.id)
  if (parts.length === 0 || parts.some(({ contentSealed }) => contentSealed === null))
    throw new StartProblem(
      `${file.name} cannot be sent again, because its content was lost when the database was restored.`,
    )
  requireConnection(deps, file)
  await clearPartsSent(deps.sql, file.id)
  await applyOutgoingFileEvent(deps, file, 'resend', { isPublished: false })
  await updateAttention(deps.sql, file.id, null)
}

/**
 * Lets the next pass send a file that could not be sent before.
 *
 * @param given.isAbsent whether the bank confirmed that it does not have the file
 * @throws StartProblem if it was sent, or if the bank may have it
 */
export async function sendOutgoingFile(
  deps: TxDeps,
  file: OutgoingFileRow,
  { isAbsent }: { isAbsent: boolean },
): Promise<void> {
  if (file.status !== 'WRITTEN') throw new StartProblem(`${file.name} is ${file.status}. Only a WRITTEN file waits.`)
  if (file.publishedAt !== null && file.attention !== null && !isAbsent) {
    throw new StartProblem(
      `The bank may already have ${file.name}: ${file.attention} Ask the bank. If it does not have the file, repeat with --yes.`,
    )
  }
  if (isAbsent && file.publishedAt !== null && file.attention === null) {
    throw new StartProblem(
      `${file.name} waits for no decision, and the bank may be receiving it now. See "remit files list".`,
    )
  }
  // A second copy in a folder is already there, or the transfer job has taken it.
  const isCopyInFolder = file.transmittedAt !== null && connectionOf(deps, file)?.transport.type === 'folder'
  if (isAbsent && !isCopyInFolder) {
    await clearPartsSent(deps.sql, file.id)
    await updateAbsent(deps.sql, file.id, deps.clock.now())
  }
  await updateAttention(deps.sql, file.id, null)
  await clearBackOff(deps.sql, file.connectionId)
  await endTransferCase(deps, notSentCase(file), 'The operator sends the file again.')
}

/**
 * Refuses the bank's answer about a file that it cannot have, because Remit has not begun to upload it. A file with a question may have
 * reached the bank in another way. @throws StartProblem
 */
export function requireUploadBegun(deps: Pick<Deps, 'connections'>, file: OutgoingFileRow): void {
  const { status, publishedAt, attention, name } = file
  if (status !== 'WRITTEN' || publishedAt !== null || attention !== null) return
  if (connectionOf(deps, file)?.transport.type === 'folder') return
  throw new StartProblem(
    `Remit has not begun to upload ${name}. If somebody gave it to the bank, run "remit files mark-sent ${name} --by NAME --why TEXT" first. To take it back, run "remit files cancel ${name}".`,
  )
}

/** Records that the bank has a file, as the operator says, also if somebody gave it to the bank by other means. @throws StartProblem */
export async function markOutgoingFileSent(deps: TxDeps, file: OutgoingFileRow): Promise<void> {
  if (file.status !== 'WRITTEN')
    throw new StartProblem(`${file.name} is ${file.status}. Only a WRITTEN file can be marked.`)
  await markTransmitted(deps, file, 'told')
  await updateAttention(deps.sql, file.id, null)
}

/** The case about a file that could not be sent over SFTP and waits for the operator. */
export const notSentCase = ({ connectionId, name: fileName }: Pick<OutgoingFileRow, 'connectionId' | 'name'>) =>
  ({ connectionId, kind: 'file_not_sent', fileName }) as const

/** Returns the connection of a file. @throws StartProblem if it is no longer configured */
function requireConnection(deps: Pick<Deps, 'connections'>, file: OutgoingFileRow): Connection {
  const connection = connectionOf(deps, file)
  if (connection) return connection
  throw new StartProblem(
    `${file.name} belongs to the connection ${file.connectionId}, which is not in connections.json.`,
  )
}

export const partNames = async (deps: Pick<TxDeps, 'sql'>, file: OutgoingFileRow): Promise<string[]> =>
  (await listOutgoingFileParts(deps.sql, file.id)).map(({ name }) => name)

type FileAudit = { action: AuditAction; actor: 'service' | 'operator'; subject?: string }

/** Adds an action on a file to the audit trail of every platform with legs in the file. */
export async function recordFileAudit(deps: TxDeps, file: OutgoingFileRow, audit: FileAudit): Promise<void> {
  for (const platformId of await listPlatformsOfFile(deps.sql, file.id)) {
    await recordPlatformAudit(deps, file, { ...audit, platformId })
  }
}

/** Adds an action on a file to the audit trail of one platform. */
export function recordPlatformAudit(
  deps: TxDeps,
  file: Pick<OutgoingFileRow, 'name'>,
  { platformId, action, actor, subject }: FileAudit & { platformId: string },
): Promise<void> {
  const by: Actor = { platformId, userId: null, credential: { kind: actor }, origin: null }
  return recordAudit(deps, by, action, subject ? `${file.name}: ${subject}` : file.name)
}
