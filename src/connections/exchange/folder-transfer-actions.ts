import type { Connection } from '../../foundation/core/connections.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import {
  endTransferCase,
  isTransferCaseOpen,
  recordTransferCase,
} from '../../foundation/exception/bank-case-actions.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { inSpan } from '../../foundation/lib/trace/trace.ts'
import type { OpenConnection } from './connection-pass-actions.ts'
import {
  cancelOutbound,
  findPlace,
  isInOutbound,
  prepareOutbound,
  publishOutbound,
  publishPrepared,
} from './exchange-folder-actions.ts'
import { recordFileNumber } from './exchange-guard-actions.ts'
import { applyOutgoingFileEvent, partNames, sealedAs } from './outgoing-file-actions.ts'
import { forEachFile } from './outgoing-file-pass-actions.ts'
import { listOutgoingFileParts, type OutgoingFileRow, updatePublished } from './outgoing-file-store.ts'

const failingCase = (connectionId: string) =>
  ({ connectionId, kind: 'connection_failing', fileName: connectionId }) as const

/** Opens a case for a connection whose folder cannot be used. Other failures open no case, because they do not concern one bank alone. */
export async function recordFolderProblem(deps: Deps, { id }: Connection, error: unknown): Promise<void> {
  if (!(error instanceof StartProblem)) return
  await inTransaction(deps, (tx) => recordTransferCase(tx, { ...failingCase(id), note: error.message }))
}

/** Closes the case about the folder of a connection, if one is open. */
export async function endFolderProblem({ deps, connection: { id } }: OpenConnection): Promise<void> {
  const one = failingCase(id)
  if (await isTransferCaseOpen(deps, one))
    await inTransaction(deps, (tx) => endTransferCase(tx, one, 'The folder can be used again.'))
}

/** Writes committed files that are not in the folder yet. @returns the number of files that were written or found */
export const publishOutgoingFiles = ({ deps, connection, folder }: OpenConnection): Promise<number> =>
  forEachFile(deps, { connectionId: connection.id, status: 'WRITTEN', isPublished: false }, (tx, file) =>
    inSpan('exchange write', { attributes: { 'remit.connection': connection.id } }, () => publish(tx, folder, file)),
  )

async function publish(tx: TxDeps, folder: string, file: OutgoingFileRow): Promise<boolean> {
  // The first copy of a file that is sent again may be in outbound/sent/. The parts get their names after the commit (`observeTransmissions`),
  // so that a copy there cannot be the second one before the file is recorded as written.
  const isSentAgain = file.transmittedAt !== null
  const parts = await listOutgoingFileParts(tx.sql, file.id)
  const missing: string[] = []
  for (const { name, contentSealed } of parts) {
    if (contentSealed === null) throw new Error('the bytes of a file to send were deleted')
    const content = tx.keyRing.open(contentSealed, sealedAs(file.kind))
    if (!isSentAgain && (await isInOutbound(folder, name, content))) continue
    await prepareOutbound(folder, name, content)
    missing.push(name)
  }
  // This is the last statement before the files get their names, so a worker that has lost its lock fails here.
  await recordFileNumber(tx, folder, file)
  await updatePublished(tx.sql, file.id, tx.clock.now())
  if (!isSentAgain) for (const name of missing) await publishOutbound(folder, name)
  tx.log.info({ connection: file.connectionId, file: file.name, written: missing.length }, 'bank file written')
  return true
}

/** Publishes prepared files, and records those that the transfer job has moved to outbound/sent/. @returns the number of files recorded */
export const observeTransmissions = ({ deps, connection, folder }: OpenConnection): Promise<number> =>
  forEachFile(deps, { connectionId: connection.id, status: 'WRITTEN', isPublished: true }, async (tx, file) => {
    const names = await partNames(tx, file)
    await publishPrepared(folder, names)
    const place = await findPlace(folder, names)
    if (place === 'sent') return (await applyOutgoingFileEvent(tx, file, 'transmit', { proof: 'moved' })) !== null
    // If the process stopped during a cancellation, between the renames or before the commit, the cancellation is completed here.
    if (place !== 'canceled' || !(await cancelOutbound(folder, { names, isPublished: true }))) return false
    return (await applyOutgoingFileEvent(tx, file, 'cancel')) !== null
  })
