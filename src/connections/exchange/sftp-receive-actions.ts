import { createHash } from 'node:crypto'
import type { Connection } from '../../foundation/core/connections.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { recordTransferCase } from '../../foundation/exception/bank-case-actions.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { endsSession, TransferProblem } from '../transport/transfer-problem-rules.ts'
import type { RemoteFile, TransportSession } from '../transport/transport-types.ts'
import { kindOfInbound } from './bank-file-rules.ts'
import type { SftpPass } from './connection-pass-actions.ts'
import { recordRead } from './exchange-guard-actions.ts'
import { raiseUseCount } from './exchange-store.ts'
import { insertReceived, type KeptRow, listKept, updateRemoved } from './received-store.ts'

type Received = { count: number; heardAt: Date | null; problem: TransferProblem | null }

/** A file as a pass found it. `digest`: of its content, if the pass has read it. */
type Listed = { state: string; digest: Buffer | null }

/**
 * The files that each connection listed in its last pass. A file that has changed since then may still be uploading. Passes are at least a
 * second apart. A file that is replaced after it was read therefore has a later time, even on servers that report only whole seconds. Servers
 * that report no times need a comparison of the contents.
 */
const lastListings = new Map<string, Map<string, Listed>>()

/**
 * Commits the files that the bank has for us, and removes them from its server if the connection is configured to do so. Nothing is removed
 * before its content is committed. A file that is still growing waits for the next pass.
 */
export async function receiveFiles(pass: SftpPass, session: TransportSession): Promise<Received> {
  const { deps, connection } = pass
  const listedAt = deps.clock.now()
  const { files, unusable, warnings } = await session.list('in')
  for (const warning of warnings) deps.log.warn({ connection: connection.id }, `files of the bank: ${warning}`)
  for (const { name, problem } of unusable) await recordNotReceived(pass, name, problem)
  const [before, now] = listingsOf(pass, files)
  const kept = Map.groupBy(
    await listKept(deps.sql, { connectionId: connection.id, names: files.map(({ name }) => name) }),
    ({ name }) => name,
  )
  let [count, waiting, problem]: [number, number, TransferProblem | null] = [0, 0, null]
  for (const file of files) {
    try {
      const found = { file, kept: kept.get(file.name) ?? [], before: before.get(file.name), now: now.get(file.name) }
      const done = await receiveOne(pass, session, found)
      if (done === 'waits') waiting++
      else if (done === 'received') count++
    } catch (error) {
      if (!(error instanceof TransferProblem) || endsSession(error)) throw error
      await recordNotReceived(pass, file.name, error.message)
      problem ??= error
    }
  }
  // Files that cannot be fetched have a case, which holds the bank.
  return { count, heardAt: waiting === 0 && problem === null ? listedAt : null, problem }
}

/** Returns the files of the previous pass and those of this one, by their names. */
function listingsOf({ connection, deps }: SftpPass, files: readonly RemoteFile[]): [before: Listing, now: Listing] {
  const key = `${deps.settings.name} ${connection.id}`
  const before = lastListings.get(key) ?? new Map()
  const now: Listing = new Map(files.map((file) => [file.name, { state: stateOf(file), digest: null }]))
  lastListings.set(key, now)
  return [before, now]
}

type Listing = Map<string, Listed>

const stateOf = ({ byteCount, modifiedAt }: RemoteFile): string => `${byteCount} ${modifiedAt?.getTime() ?? ''}`

type Found = { file: RemoteFile; kept: readonly KeptRow[]; before: Listed | undefined; now: Listed | undefined }

/** Receives one file. `waits`: it is not complete yet. `known`: it was received before. */
async function receiveOne(
  pass: SftpPass,
  session: TransportSession,
  { file, kept, before, now }: Found,
): Promise<'received' | 'known' | 'waits'> {
  const same = kept.find((row) => isUnchanged(file, row))
  if (same) {
    await removeRead(pass, session, same)
    return 'known'
  }
  const wire = before?.state === stateOf(file) ? await session.read(file) : null
  if (!wire) return 'waits'
  const digest = createHash('sha256').update(wire).digest()
  const repeated = kept.find((row) => row.digest.equals(digest))
  if (repeated) {
    await removeRead(pass, session, repeated)
    return 'known'
  }
  if (now) now.digest = digest
  if (file.modifiedAt === null && !before?.digest?.equals(digest)) return 'waits'
  const { bytes, problem } = await openWire(pass, wire)
  const reused = kept.length > 0 ? 'a file of this name with other content was received before' : null
  const id = await commit(pass.deps, {
    connection: pass.connection,
    file,
    digest,
    bytes,
    problem: problem ?? reused ?? (bytes.length === 0 ? 'the file is empty' : null),
  })
  await recordRead(pass)
  await removeRead(pass, session, { id, name: file.name })
  return 'received'
}

/** Returns whether a file was certainly not replaced after it was received. Without its time, only its content shows that. */
const isUnchanged = ({ byteCount, modifiedAt }: RemoteFile, row: KeptRow): boolean =>
  modifiedAt !== null && byteCount === row.byteCount && modifiedAt.getTime() === row.modifiedAt?.getTime()

/** Decrypts a file and checks its signature. If that fails, keeps the encrypted bytes. */
async function openWire({ pgp }: SftpPass, wire: Buffer): Promise<{ bytes: Buffer; problem: string | null }> {
  if (!pgp) return { bytes: wire, problem: null }
  try {
    return { bytes: (await pgp.open(wire)).bytes, problem: null }
  } catch (error) {
    if (!(error instanceof TransferProblem)) throw error
    return { bytes: wire, problem: error.message }
  }
}

type NewFile = { connection: Connection; file: RemoteFile; digest: Buffer; bytes: Buffer; problem: string | null }

const commit = (deps: Deps, { connection, file, digest, bytes, problem }: NewFile): Promise<string> =>
  inTransaction(deps, async (tx) => {
    await raiseUseCount(tx.sql, { connectionId: connection.id, use: 'read' })
    return insertReceived(
      tx.sql,
      {
        id: newId(tx),
        connectionId: connection.id,
        kind: kindOfInbound(file.name, connection),
        name: file.name,
        digest,
        byteCount: file.byteCount,
        problem,
        createdAt: tx.clock.now(),
        modifiedAt: file.modifiedAt,
        removedAt: null,
      },
      tx.keyRing.seal(bytes, 'inbound file'),
    )
  })

/**
 * Removes a committed file from the bank's server if the connection is configured to do so. The name of the file can then be used again.
 */
async function removeRead(
  { deps, connection: { transport } }: SftpPass,
  session: TransportSession,
  { id, name }: { id: string; name: string },
): Promise<void> {
  if (transport.type !== 'sftp' || !transport.removesRead) return
  await session.remove(name)
  await updateRemoved(deps.sql, id, deps.clock.now())
}

const recordNotReceived = ({ deps, connection }: SftpPass, fileName: string, problem: string): Promise<void> =>
  inTransaction(deps, (tx) =>
    recordTransferCase(tx, {
      connectionId: connection.id,
      kind: 'file_not_received',
      fileName,
      note: `${fileName} was not fetched: ${problem}`,
    }),
  )
