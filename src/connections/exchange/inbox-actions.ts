import { createHash } from 'node:crypto'
import type { Connection } from '../../foundation/core/connections.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { inSpan } from '../../foundation/lib/trace/trace.ts'
import { type InboundKind, kindOfInbound, MAX_INBOUND_BYTES } from './bank-file-rules.ts'
import type { OpenConnection } from './connection-pass-actions.ts'
import { findConnectionState } from './connection-state-store.ts'
import {
  type Inbound,
  listInbound,
  listInboundNames,
  moveInbound,
  openInbound,
  readInbound,
  writeReport,
} from './exchange-folder-actions.ts'
import { recordRead } from './exchange-guard-actions.ts'
import { raiseUseCount } from './exchange-store.ts'
import {
  findReceivedContent,
  insertReceived,
  listReceived,
  listReceivedNames,
  type ReceivedRow,
  updateReceivedEnded,
} from './received-store.ts'

/** The end of a file that was read: it is moved to `done` or `set-aside`. `mark` distinguishes it from other files with its name. */
export type InboundEnd = { to: 'done' | 'set-aside'; mark: string; report: string | null }

/** Identifies a file by its exchange, or else by its name alone. */
export type InboundKey = { name: string; id?: string | null }

/** The unread files of one bank. With the transport `folder`, they are in inbound/, otherwise in the database. */
export type Inbox = {
  /** Lists complete files of a kind, except those that failed recently. `before`: only files that arrived before this time. */
  list(
    kind: InboundKind,
    given: { limit: number; except: readonly string[]; before?: Date },
  ): Promise<readonly Inbound[]>
  /**
   * Returns the time until which all files of the bank were fetched, by the clock of `changedAt`, or null if none were fetched yet. If one
   * of two files that belong together arrived long before this time and the other did not, the other one will not arrive.
   */
  completeUntil(): Promise<Date | null>
  /** Lists the names of all unread files. */
  names(): Promise<string[]>
  read(file: InboundKey): Promise<Buffer | null>
  /** Reads a file in pieces, because it can be larger than the memory. Returns null if another worker has moved it. */
  open(file: InboundKey): Promise<AsyncIterable<Buffer> | null>
  /** Removes a file from the unread files. */
  end(file: InboundKey, bytes: Buffer | null, end: InboundEnd): Promise<void>
  /** Returns the name of a file in the failures of a step. */
  unitOf(file: Inbound): string
}

export const openInbox = (open: OpenConnection): Inbox =>
  open.connection.transport.type === 'folder' ? folderInbox(open) : databaseInbox(open)

const unitOf =
  (connectionId: string) =>
  ({ name }: Inbound) =>
    `${connectionId}/${name}`

const namesExcept = (connectionId: string, except: readonly string[]): string[] =>
  except.flatMap((unit) => (unit.startsWith(`${connectionId}/`) ? unit.slice(connectionId.length + 1) : []))

function folderInbox({ deps, connection, folder }: OpenConnection): Inbox {
  const { id } = connection
  return {
    list: (kind, { limit, except, before = deps.realClock.now() }) =>
      listInbound(folder, {
        connection,
        kind,
        limit,
        except: namesExcept(id, except),
        realNow: before,
      }),
    completeUntil: async () => deps.realClock.now(),
    names: () => listInboundNames(folder),
    read: ({ name }) => readInbound(folder, name),
    open: ({ name }) => openInbound(folder, name),
    end: async ({ name }, bytes, { to, mark, report }) => {
      if (bytes) {
        await recordEnded(deps, { connection, name, bytes, to })
        await recordRead({ deps, connection, folder })
      }
      if (report !== null) await writeReport(folder, name, { report, mark })
      await moveInbound(folder, name, { to, mark })
    },
    unitOf: unitOf(id),
  }
}

/** Stores the bytes of a file that was read from a folder. */
async function recordEnded(
  deps: Deps,
  { connection, name, bytes, to }: { connection: Connection; name: string; bytes: Buffer; to: InboundEnd['to'] },
): Promise<void> {
  const now = deps.clock.now()
  const connectionId = connection.id
  const row: ReceivedRow = {
    id: newId(deps),
    connectionId,
    kind: kindOfInbound(name, connection),
    name,
    digest: createHash('sha256').update(bytes).digest(),
    byteCount: bytes.length,
    problem: null,
    createdAt: now,
    modifiedAt: null,
    removedAt: now,
  }
  await inTransaction(deps, async (tx) => {
    const id = await insertReceived(tx.sql, row, tx.keyRing.seal(bytes, 'inbound file'))
    await updateReceivedEnded(tx.sql, { connectionId, name, id }, { status: statusOf(to), endedAt: now })
    await raiseUseCount(tx.sql, { connectionId, use: 'read' })
  })
}

const statusOf = (to: InboundEnd['to']) => (to === 'done' ? 'READ' : 'SET_ASIDE')

function databaseInbox({ deps, connection: { id: connectionId } }: OpenConnection): Inbox {
  return {
    list: async (kind, { limit, except, before = deps.clock.now() }) => {
      const rows = await listReceived(deps.sql, {
        connectionId,
        kind,
        limit,
        before,
        except: namesExcept(connectionId, except),
      })
      return rows.map(({ createdAt: changedAt, ...row }) => ({ ...row, changedAt }))
    },
    completeUntil: async () => (await findConnectionState(deps.sql, connectionId))?.heardAt ?? null,
    names: () => listReceivedNames(deps.sql, connectionId),
    read: async ({ name, id = null }) => {
      const sealed = await findReceivedContent(deps.sql, { connectionId, name, id })
      return sealed && deps.keyRing.open(sealed, 'inbound file')
    },
    open: async ({ name, id = null }) => {
      const sealed = await findReceivedContent(deps.sql, { connectionId, name, id })
      return sealed && piecesOf(deps.keyRing.open(sealed, 'inbound file'))
    },
    end: ({ name, id = null }, _bytes, { to }) =>
      updateReceivedEnded(deps.sql, { connectionId, name, id }, { status: statusOf(to), endedAt: deps.clock.now() }),
    unitOf: unitOf(connectionId),
  }
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}

const PIECE_BYTES = 64 * 1024

/** A file that was read. `contentHash` identifies its content, regardless of its name. `bytes` is null if the file is too large. */
export type InboundFile<Reading> = { name: string; contentHash: Buffer; bytes: Buffer | null; reading: Reading }

/** The outcome of a file: whether any part of it was applied, and a report for the operator. */
export type InboundOutcome = { isUsed: boolean; report: string | null }

/**
 * Processes one file from the bank: reads it, records it, and removes it from the unread files.
 *
 * @returns false if another worker is processing it
 */
export const processInboundFile = <Reading>(
  deps: Pick<Deps, 'log'>,
  given: { inbox: Inbox; file: Inbound },
  steps: InboundSteps<Reading>,
): Promise<boolean> =>
  inSpan('exchange read', { attributes: { 'remit.file.bytes': given.file.byteCount } }, () =>
    processFile(deps, given, steps),
  )

type InboundSteps<Reading> = {
  read(bytes: Buffer): Reading | Promise<Reading>
  refuse(problem: string): Reading
  /** Returns unusual facts about the file that have no effect on how it is applied. */
  remarksOf(reading: Reading): readonly string[]
  /** Records and applies the file. Returns null if another worker is processing it. */
  record(file: InboundFile<Reading>): Promise<InboundOutcome | null>
}

async function processFile<Reading>(
  deps: Pick<Deps, 'log'>,
  { inbox, file }: { inbox: Inbox; file: Inbound },
  steps: InboundSteps<Reading>,
): Promise<boolean> {
  const { name, byteCount } = file
  const isTooLarge = byteCount > MAX_INBOUND_BYTES
  const bytes = isTooLarge ? Buffer.from(`${name} ${byteCount}`) : await inbox.read(file)
  if (!bytes) return false
  const problem = isTooLarge
    ? `${byteCount} bytes: more than the ${MAX_INBOUND_BYTES} that a file may have`
    : file.problem
  const reading = problem === null ? await steps.read(bytes) : steps.refuse(problem)
  const contentHash = createHash('sha256').update(bytes).digest()
  const kept = isTooLarge ? null : bytes
  const outcome = await steps.record({ name, contentHash, bytes: kept, reading })
  if (!outcome) return false
  const { isUsed, report } = outcome
  const mark = contentHash.toString('hex').slice(0, 16)
  await inbox.end(file, kept, { to: isUsed || report === null ? 'done' : 'set-aside', mark, report })
  if (report !== null) deps.log.error({ file: name, isUsed }, 'file from the bank needs attention')
  else deps.log.info({ file: name }, 'file from the bank read')
  const remarks = steps.remarksOf(reading)
  if (remarks.length > 0) deps.log.warn({ file: name, remarks: remarks.slice(0, 20) }, 'file from the bank is unusual')
  return true
}
