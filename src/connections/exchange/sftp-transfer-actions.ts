import type { Connection, SftpTransport } from '../../foundation/core/connections.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { endTransferCase, recordTransferCase } from '../../foundation/exception/bank-case-actions.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { openServer } from '../transport/open-server-actions.ts'
import { pgpOf } from '../transport/pgp-actions.ts'
import { withSftpSession } from '../transport/sftp-session-actions.ts'
import { TransferProblem } from '../transport/transfer-problem-rules.ts'
import type { Pgp, SftpServer, TransportSession } from '../transport/transport-types.ts'
import type { OpenConnection, SftpPass } from './connection-pass-actions.ts'
import {
  findConnectionState,
  freeConnection,
  leaseConnection,
  renewLease,
  updateContacted,
  updateFailed,
} from './connection-state-store.ts'
import { listOpenOutgoingFiles } from './outgoing-file-store.ts'
import { receiveFiles } from './sftp-receive-actions.ts'
import { proveFiles, uploadFiles } from './sftp-send-actions.ts'

/** How often the server is asked for files while there is nothing to send. */
const POLL_MS = 3 * 60_000

/** The delay after the first failed session. It doubles up to the longest. */
const FIRST_DELAY_MS = 60_000
const LONGEST_DELAY_MS = 60 * 60_000

/** How long a connection stays with a process that was killed. A process that runs renews its lease. */
const LEASE_MS = 60_000
const RENEW_MS = 10_000

/** After so many failed sessions in a row, the bank is a case: about half an hour. */
const TRIES_BEFORE_CASE = 6

/** Problems that no later try solves. */
const NEEDS_PERSON: readonly TransferProblem['kind'][] = ['settings', 'host_key', 'sign_in']

/**
 * Runs one pass over SFTP if it is due: sends what waits, fetches what the bank has, and proves in a second session that what was sent is
 * there. One process at a time works on a connection.
 *
 * @returns the number of files that were sent or fetched
 */
export async function transferOverSftp(open: OpenConnection): Promise<number> {
  const { deps, connection } = open
  if (!(await isDue(open))) return 0
  const now = deps.realClock.now()
  const lease = { connectionId: connection.id, leaseId: newId(deps) }
  const begin = performance.now()
  if (!(await leaseConnection(deps.sql, { ...lease, now, until: new Date(now.getTime() + LEASE_MS) }))) return 0
  const kept = keepLease(deps, lease, begin)
  const ended = (outcome: string) =>
    deps.meter.sessionEnded({ connection: connection.id, outcome, seconds: (performance.now() - begin) / 1000 })
  try {
    const result = await runPass(open, kept)
    ended(result.problem?.kind ?? 'succeeded')
    if (result.problem) await recordFailure(deps, lease, result.problem)
    else await recordSuccess(deps, lease, result.heardAt)
    return result.count
  } catch (error) {
    if (!(error instanceof TransferProblem)) {
      await freeConnection(deps.sql, lease)
      throw error
    }
    ended(error.kind)
    await recordFailure(deps, lease, error)
    return 0
  } finally {
    kept.stop()
  }
}

/** A lease that is renewed until it is stopped. `isHeld`: no other process can have the connection. */
type KeptLease = { isHeld(): boolean; stop(): void }

function keepLease(deps: Deps, lease: Lease, leasedAt: number): KeptLease {
  let heldUntil = leasedAt + LEASE_MS
  const renew = async (): Promise<void> => {
    const at = performance.now()
    const isOurs = await renewLease(deps.sql, lease, new Date(deps.realClock.now().getTime() + LEASE_MS))
    heldUntil = isOurs ? at + LEASE_MS : Number.NEGATIVE_INFINITY
  }
  // If the database does not answer, the lease ends by itself.
  const timer = setInterval(() => void renew().catch(() => {}), RENEW_MS)
  return { isHeld: () => performance.now() < heldUntil, stop: () => clearInterval(timer) }
}

/** Whether a session is due: something waits to be sent, or the bank was not asked for a while. */
async function isDue({ deps, connection: { id } }: OpenConnection): Promise<boolean> {
  const now = deps.realClock.now().getTime()
  const state = await findConnectionState(deps.sql, id)
  if (state?.nextTryAt && state.nextTryAt.getTime() > now) return false
  if (!state?.contactedAt || state.contactedAt.getTime() <= now - POLL_MS) return true
  const waiting = await listOpenOutgoingFiles(deps.sql, { connectionId: id, status: 'WRITTEN' })
  return waiting.some(({ attention }) => attention === null)
}

type PassResult = { count: number; heardAt: Date | null; problem: TransferProblem | null }

/** A problem of one file does not stop the others. The first one is the result. */
async function runPass(open: OpenConnection, { isHeld }: KeptLease): Promise<PassResult> {
  const { server, pgp } = await keysOf(transportOf(open.connection))
  const pass: SftpPass = { ...open, pgp }
  const inSession = <T>(work: (session: TransportSession) => Promise<T>) =>
    withSftpSession(server, work, { mayContinue: isHeld })
  const { sent, received } = await inSession(async (session) => ({
    sent: await uploadFiles(pass, session),
    received: await receiveFiles(pass, session),
  }))
  const proven = sent.toProve.length > 0 ? await inSession((session) => proveFiles(pass, session, sent.toProve)) : null
  return {
    count: sent.count + received.count + (proven?.count ?? 0),
    heardAt: received.heardAt,
    problem: sent.problem ?? received.problem ?? proven?.problem ?? null,
  }
}

const transportOf = ({ transport }: Connection): SftpTransport => {
  if (transport.type !== 'sftp') throw new Error('the connection has no server')
  return transport
}

/** Decrypting keys takes seconds, so they are kept until the connections are reloaded. */
const keys = new WeakMap<SftpTransport, Promise<{ server: SftpServer; pgp: Pgp | null }>>()

function keysOf(transport: SftpTransport): Promise<{ server: SftpServer; pgp: Pgp | null }> {
  const known = keys.get(transport)
  if (known) return known
  const opened = openKeys(transport)
  keys.set(transport, opened)
  opened.catch(() => keys.delete(transport)) // the operator may have put the missing file there
  return opened
}

const openKeys = async (transport: SftpTransport) => ({
  server: await openServer(transport),
  pgp: transport.pgp && (await pgpOf(transport.pgp)),
})

type Lease = { connectionId: string; leaseId: string }

const failingCase = (connectionId: string) =>
  ({ connectionId, kind: 'connection_failing', fileName: connectionId }) as const

const recordSuccess = (deps: Deps, lease: Lease, heardAt: Date | null): Promise<void> =>
  inTransaction(deps, async (tx) => {
    await updateContacted(tx.sql, lease, { contactedAt: tx.realClock.now(), heardAt })
    await endTransferCase(tx, failingCase(lease.connectionId), 'A session with the bank succeeded.')
  })

async function recordFailure(deps: Deps, lease: Lease, { kind, message }: TransferProblem): Promise<void> {
  const { connectionId } = lease
  const tries = ((await findConnectionState(deps.sql, connectionId))?.tries ?? 0) + 1
  const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (tries - 1), LONGEST_DELAY_MS)
  const nextTryAt = new Date(deps.realClock.now().getTime() + delayMs)
  deps.log.warn({ connection: connectionId, kind, tries, retrySeconds: delayMs / 1000 }, `transfer failed: ${message}`)
  await inTransaction(deps, async (tx) => {
    await updateFailed(tx.sql, lease, { tries, nextTryAt, problem: message })
    if (!NEEDS_PERSON.includes(kind) && tries < TRIES_BEFORE_CASE) return
    await recordTransferCase(tx, { ...failingCase(connectionId), note: message })
  })
}
