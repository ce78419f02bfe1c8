import type { Connection, SftpTransport } from '../../foundation/core/connections.ts'
import { openServer } from '../transport/open-server-actions.ts'
import { pgpOf } from '../transport/pgp-actions.ts'
import { withSftpSession } from '../transport/sftp-session-actions.ts'
import { TransferProblem } from '../transport/transfer-problem-rules.ts'
import type { Pgp, SftpServer, TransportSession } from '../transport/transport-types.ts'
import type { OpenConnection, SftpPass } from './connection-pass-actions.ts'
import { findConnectionState } from './connection-state-store.ts'
import { listOpenOutgoingFiles } from './outgoing-file-store.ts'
import {
  freeSession,
  leaseSession,
  recordFailure,
  recordSuccess,
  type SessionLease,
} from './session/connection-session-actions.ts'
import { receiveFiles } from './sftp-receive-actions.ts'
import { proveFiles, uploadFiles } from './sftp-send-actions.ts'

/** The milliseconds between two questions for files while there is nothing to send. */
const POLL_MS = 3 * 60_000

/**
 * Runs one pass over SFTP if it is due: sends waiting files, fetches the bank's files, and checks in a second session that the sent files
 * are on the server. Only one process at a time works on a connection.
 *
 * @returns the number of files that were sent or fetched
 */
export async function transferOverSftp(open: OpenConnection): Promise<number> {
  const { deps, connection } = open
  if (!(await isDue(open))) return 0
  const begin = performance.now()
  const lease = await leaseSession(deps, connection.id)
  if (!lease) return 0
  const ended = (outcome: string) =>
    deps.meter.sessionEnded({ connection: connection.id, outcome, seconds: (performance.now() - begin) / 1000 })
  try {
    const result = await runPass(open, lease)
    ended(result.problem?.kind ?? 'succeeded')
    if (result.problem) await recordFailure(deps, lease, failureOf(result.problem))
    else await recordSuccess(deps, lease, result.heardAt)
    return result.count
  } catch (error) {
    if (!(error instanceof TransferProblem)) {
      await freeSession(deps, lease)
      throw error
    }
    ended(error.kind)
    await recordFailure(deps, lease, failureOf(error))
    return 0
  } finally {
    lease.stop()
  }
}

/** The kinds of problems that trying again does not solve. */
const NEEDS_PERSON: readonly TransferProblem['kind'][] = ['settings', 'host_key', 'sign_in']

const failureOf = ({ kind, message }: TransferProblem) => ({
  kind,
  message,
  needsPerson: NEEDS_PERSON.includes(kind),
})

/** Returns whether a session is due: a file waits to be sent, or the bank's files were not listed for a while. */
async function isDue({ deps, connection: { id } }: OpenConnection): Promise<boolean> {
  const now = deps.realClock.now().getTime()
  const state = await findConnectionState(deps.sql, id)
  if (state?.nextTryAt && state.nextTryAt.getTime() > now) return false
  if (!state?.contactedAt || state.contactedAt.getTime() <= now - POLL_MS) return true
  const waiting = await listOpenOutgoingFiles(deps.sql, { connectionId: id, status: 'WRITTEN' })
  return waiting.some(({ attention }) => attention === null)
}

type PassResult = { count: number; heardAt: Date | null; problem: TransferProblem | null }

/** Runs the sessions of one pass. A problem of one file does not stop the others. Returns the first problem. */
async function runPass(open: OpenConnection, { isHeld }: SessionLease): Promise<PassResult> {
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

/** The decrypted keys. Decrypting them takes seconds, so they are kept until the connections are reloaded. */
const keys = new WeakMap<SftpTransport, Promise<{ server: SftpServer; pgp: Pgp | null }>>()

function keysOf(transport: SftpTransport): Promise<{ server: SftpServer; pgp: Pgp | null }> {
  const known = keys.get(transport)
  if (known) return known
  const opened = openKeys(transport)
  keys.set(transport, opened)
  opened.catch(() => keys.delete(transport)) // not kept, because the operator may add the missing file
  return opened
}

const openKeys = async (transport: SftpTransport) => ({
  server: await openServer(transport),
  pgp: transport.pgp && (await pgpOf(transport.pgp)),
})
