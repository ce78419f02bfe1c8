import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { isTransferCaseOpen, recordTransferCase } from '../../foundation/exception/bank-case-actions.ts'
import { reportProgress } from '../progress/transfer-progress-actions.ts'
import { proveFile, uploadFile } from '../transport/send-file-actions.ts'
import { endsSession, TransferProblem } from '../transport/transfer-problem-rules.ts'
import type { OutgoingFile, Proof, TransportSession } from '../transport/transport-types.ts'
import type { SftpPass } from './connection-pass-actions.ts'
import { recordFileNumber } from './exchange-guard-actions.ts'
import { applyOutgoingFileEvent, flagOutgoingFile, notSentCase, sealedAs } from './outgoing-file-actions.ts'
import {
  listOpenOutgoingFiles,
  listOutgoingFileParts,
  lockOutgoingFile,
  type OutgoingFilePart,
  type OutgoingFileRow,
  updatePartPublished,
  updatePartTransmitted,
  updatePublished,
} from './outgoing-file-store.ts'

/** A part of a file that was uploaded in this pass and that another session must find on the server. */
type Uploaded = { file: OutgoingFileRow; part: OutgoingFilePart; outgoing: OutgoingFile }

type Sent = { count: number; problem: TransferProblem | null }

/**
 * Uploads all waiting files, oldest first. A file that cannot be sent does not stop the next one. The parts of a file are uploaded in
 * order, so that its manifest comes last.
 */
export async function uploadFiles(
  pass: SftpPass,
  session: TransportSession,
): Promise<Sent & { toProve: readonly Uploaded[] }> {
  const { deps, connection } = pass
  const files = await listOpenOutgoingFiles(deps.sql, { connectionId: connection.id, status: 'WRITTEN' })
  const toProve: Uploaded[] = []
  let [count, problem]: [number, TransferProblem | null] = [0, null]
  for (const file of files.filter(({ attention }) => attention !== null)) await keepNotSentCase(deps, file)
  for (const file of files.filter(({ attention }) => attention === null)) {
    try {
      for (const part of await listOutgoingFileParts(deps.sql, file.id)) {
        if (part.transmittedAt !== null) continue
        const outgoing = await outgoingOf(pass, file, part)
        const proof = await uploadFile(session, outgoing)
        if (proof) await recordProof(pass, { file, part }, proof)
        else toProve.push({ file, part, outgoing })
      }
      count++
    } catch (error) {
      problem ??= await fileProblem(pass, file, error)
    }
  }
  return { count, problem, toProve }
}

/** Checks in another session that uploaded parts are on the server. */
export async function proveFiles(
  pass: SftpPass,
  session: TransportSession,
  uploaded: readonly Uploaded[],
): Promise<Sent> {
  let [count, problem]: [number, TransferProblem | null] = [0, null]
  for (const { file, part, outgoing } of uploaded) {
    try {
      await recordProof(pass, { file, part }, await proveFile(session, outgoing))
      count++
    } catch (error) {
      problem ??= await fileProblem(pass, file, error)
    }
  }
  return { count, problem }
}

async function outgoingOf(pass: SftpPass, file: OutgoingFileRow, part: OutgoingFilePart): Promise<OutgoingFile> {
  const { deps, folder, pgp } = pass
  const open = (sealed: Buffer) => deps.keyRing.open(sealed, sealedAs(file.kind))
  if (part.contentSealed === null) throw new Error('the bytes of a file to send were deleted')
  const content = open(part.contentSealed)
  // Encryption produces different bytes each time, so the bytes of the first try are kept and used again.
  const wire = part.wireSealed ? open(part.wireSealed) : pgp ? await pgp.seal(content) : null
  return {
    name: part.name,
    bytes: wire ?? content,
    mayBeThere: part.publishedAt !== null,
    onProgress: reportProgress(deps, { connectionId: file.connectionId, fileName: file.name }),
    beforePublish: async () => {
      await inTransaction(deps, async (tx) => {
        const locked = await lockOutgoingFile(tx.sql, file.id)
        if (locked?.status !== 'WRITTEN') throw new TransferProblem('failed', `${file.name} was canceled meanwhile.`)
        const at = tx.clock.now()
        if (locked.publishedAt === null) await updatePublished(tx.sql, file.id, at)
        const wireSealed = wire && tx.keyRing.seal(wire, sealedAs(file.kind))
        await updatePartPublished(tx.sql, { fileId: file.id, position: part.position }, { at, wireSealed })
      })
      // After the commit. If the process stops in between, the database does not look restored.
      await inTransaction(deps, (tx) => recordFileNumber(tx, folder, file))
    },
  }
}

type PartOfFile = { file: OutgoingFileRow; part: OutgoingFilePart }

/** Records that a part is at the bank. With its last part, the file becomes TRANSMITTED. */
const recordProof = ({ deps }: SftpPass, { file, part }: PartOfFile, proof: Proof): Promise<void> =>
  inTransaction(deps, async (tx) => {
    const locked = await lockOutgoingFile(tx.sql, file.id)
    await updatePartTransmitted(tx.sql, { fileId: file.id, position: part.position }, tx.clock.now())
    const parts = await listOutgoingFileParts(tx.sql, file.id)
    if (locked?.status !== 'WRITTEN' || parts.some(({ transmittedAt }) => transmittedAt === null)) return
    await applyOutgoingFileEvent(tx, locked, 'transmit', { proof })
  })

/** The kinds of problems with one file that trying again does not solve. */
const NEEDS_PERSON: readonly TransferProblem['kind'][] = ['other_content', 'encryption']

/**
 * Handles a problem with one file. A problem that needs the operator becomes a case.
 * @returns the problem, if trying again may solve it
 * @throws errors that end the session
 */
async function fileProblem({ deps }: SftpPass, file: OutgoingFileRow, error: unknown): Promise<TransferProblem | null> {
  if (!(error instanceof TransferProblem) || endsSession(error)) throw error
  if (!NEEDS_PERSON.includes(error.kind)) return error
  await inTransaction(deps, (tx) => recordNotSent(tx, file, error.message))
  return null
}

/** Opens the case about a file that waits for the operator again, if it was closed without a decision about the file. */
async function keepNotSentCase(deps: Deps, file: OutgoingFileRow): Promise<void> {
  if (await isTransferCaseOpen(deps, notSentCase(file))) return
  await inTransaction(deps, async (tx) => {
    const locked = await lockOutgoingFile(tx.sql, file.id)
    if (locked?.status !== 'WRITTEN' || locked.attention === null) return // the operator has decided it since
    await recordTransferCase(tx, { ...notSentCase(file), note: locked.attention })
  })
}

async function recordNotSent(tx: TxDeps, file: OutgoingFileRow, note: string): Promise<void> {
  if ((await lockOutgoingFile(tx.sql, file.id))?.status !== 'WRITTEN') return // another process or the operator has already sent or canceled it
  await flagOutgoingFile(tx, file, note)
  await recordTransferCase(tx, { ...notSentCase(file), note })
}
