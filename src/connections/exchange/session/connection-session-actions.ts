import type { Deps } from '../../../foundation/db/deps.ts'
import { inTransaction } from '../../../foundation/db/transaction.ts'
import { endTransferCase, recordTransferCase } from '../../../foundation/exception/bank-case-actions.ts'
import { newId } from '../../../foundation/lib/ids.ts'
import {
  findConnectionState,
  freeConnection,
  leaseConnection,
  renewLease,
  updateContacted,
  updateFailed,
} from '../connection-state-store.ts'

/** The delay in milliseconds after the first failed session. It doubles with each failure up to the longest delay. */
const FIRST_DELAY_MS = 60_000
const LONGEST_DELAY_MS = 60 * 60_000

/** The time in milliseconds for which a connection stays reserved after its process was killed. A running process renews its lease. */
const LEASE_MS = 60_000
const RENEW_MS = 10_000

/** The number of failed sessions in a row after which a case is opened, which takes about half an hour. */
const TRIES_BEFORE_CASE = 6

type Lease = { connectionId: string; leaseId: string }

/** The lease of a connection for one process. It is renewed until `stop`. `isHeld`: whether no other process can have the connection. */
export type SessionLease = Lease & { isHeld(): boolean; stop(): void }

/** Reserves a connection for this process. @returns null while another process has reserved it */
export async function leaseSession(deps: Deps, connectionId: string): Promise<SessionLease | null> {
  const now = deps.realClock.now()
  const lease = { connectionId, leaseId: newId(deps) }
  const begin = performance.now()
  if (!(await leaseConnection(deps.sql, { ...lease, now, until: new Date(now.getTime() + LEASE_MS) }))) return null
  return keepLease(deps, lease, begin)
}

function keepLease(deps: Deps, lease: Lease, leasedAt: number): SessionLease {
  let heldUntil = leasedAt + LEASE_MS
  const renew = async (): Promise<void> => {
    const at = performance.now()
    const isOurs = await renewLease(deps.sql, lease, new Date(deps.realClock.now().getTime() + LEASE_MS))
    heldUntil = isOurs ? at + LEASE_MS : Number.NEGATIVE_INFINITY
  }
  // If the database does not answer, the lease is not renewed and ends.
  const timer = setInterval(() => void renew().catch(() => {}), RENEW_MS)
  return { ...lease, isHeld: () => performance.now() < heldUntil, stop: () => clearInterval(timer) }
}

/** Frees a connection without a result. */
export const freeSession = (deps: Deps, lease: Lease): Promise<void> => freeConnection(deps.sql, lease)

/** Returns whether a connection waits after a session that failed. */
export async function isBackingOff(deps: Deps, connectionId: string): Promise<boolean> {
  const nextTryAt = (await findConnectionState(deps.sql, connectionId))?.nextTryAt
  return nextTryAt != null && nextTryAt > deps.realClock.now()
}

const failingCase = (connectionId: string) =>
  ({ connectionId, kind: 'connection_failing', fileName: connectionId }) as const

/** Records a session that succeeded. `heardAt`: all files that the bank had written by this time have been fetched. */
export const recordSuccess = (deps: Deps, lease: Lease, heardAt: Date | null): Promise<void> =>
  inTransaction(deps, async (tx) => {
    await updateContacted(tx.sql, lease, { contactedAt: tx.realClock.now(), heardAt })
    await endTransferCase(tx, failingCase(lease.connectionId), 'A session with the bank succeeded.')
  })

/**
 * Records a session that failed, and the time from which the next one may begin. `kind`: the kind of the problem, for the log.
 * `needsPerson`: whether trying again cannot solve the problem.
 */
export async function recordFailure(
  deps: Deps,
  lease: Lease,
  { kind, message, needsPerson }: { kind: string; message: string; needsPerson: boolean },
): Promise<void> {
  const { connectionId } = lease
  const tries = ((await findConnectionState(deps.sql, connectionId))?.tries ?? 0) + 1
  const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (tries - 1), LONGEST_DELAY_MS)
  const nextTryAt = new Date(deps.realClock.now().getTime() + delayMs)
  deps.log.warn({ connection: connectionId, kind, tries, retrySeconds: delayMs / 1000 }, `session failed: ${message}`)
  await inTransaction(deps, async (tx) => {
    await updateFailed(tx.sql, lease, { tries, nextTryAt, problem: message })
    if (!needsPerson && tries < TRIES_BEFORE_CASE) return
    await recordTransferCase(tx, { ...failingCase(connectionId), note: message })
  })
}
