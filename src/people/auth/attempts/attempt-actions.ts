import { ApiError } from '../../../foundation/core/errors.ts'
import type { Sql } from '../../../foundation/db/connect.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { renewAndDigest } from '../../../foundation/db/digests.ts'
import { inTransaction } from '../../../foundation/db/transaction.ts'
import { networkOf } from '../../../foundation/lib/network.ts'
import { type AttemptKind, FREE_ATTEMPTS } from './attempt-rules.ts'
import { countAttempt, decrementAttempts, deleteAttempts, findNextAttemptAt, renewAttempts } from './attempt-store.ts'

type AttemptDeps =
  | Pick<Deps, 'sql' | 'keyRing' | 'realClock'>
  | Pick<TxDeps, 'sql' | 'keyRing' | 'realClock' | 'afterCommit'>

/** The subject whose attempts are counted, such as an email, an IP address or an owner. */
export type AttemptSubject = { kind: AttemptKind; name: string }

export const addressSubject = ({ address }: { address: string }): AttemptSubject => ({
  kind: 'address',
  name: networkOf(address),
})

/** Returns the subject of password resets from an address. It is separate from sign-ins, so that many sign-ins do not block resets. */
export const resetAddressSubject = ({ address }: { address: string }): AttemptSubject => ({
  kind: 'reset_address',
  name: networkOf(address),
})

/**
 * Counts an attempt for each subject before checking it, so that simultaneous attempts are all counted.
 *
 * @throws ApiError too_many_tries
 */
export async function countAttempts(deps: AttemptDeps, subjects: AttemptSubject[]): Promise<void> {
  const now = deps.realClock.now()
  for (const subject of subjects) {
    const refusal = await withDigest(deps, subject, async (sql, digest) => {
      const isAllowed = await countAttempt(sql, digest, now, FREE_ATTEMPTS[subject.kind])
      return isAllowed ? null : tooManyAttempts(await findNextAttemptAt(sql, digest), now)
    })
    if (refusal) throw refusal
  }
}

function tooManyAttempts(next: Date | null, now: Date): ApiError {
  const seconds = Math.max(1, Math.ceil(((next ?? now).getTime() - now.getTime()) / 1000))
  return new ApiError('too_many_tries', {
    message: `Too many attempts. Try again in ${seconds} seconds.`,
    retryAfterSeconds: seconds,
  })
}

/** Removes one attempt from the count, because it succeeded. Earlier attempts still count. */
export const uncountAttempt = (deps: AttemptDeps, subject: AttemptSubject): Promise<void> =>
  withDigest(deps, subject, (sql, digest) => decrementAttempts(sql, digest, FREE_ATTEMPTS[subject.kind]))

export const clearAttempts = (deps: AttemptDeps, subject: AttemptSubject): Promise<void> =>
  withDigest(deps, subject, deleteAttempts)

/** Runs `work` with the digest of a subject, in the current transaction or in a new one. */
function withDigest<Result>(
  deps: AttemptDeps,
  { kind, name }: AttemptSubject,
  work: (sql: Sql, digest: Buffer) => Promise<Result>,
): Promise<Result> {
  const run = async (tx: Pick<TxDeps, 'sql' | 'keyRing' | 'afterCommit'>) =>
    work(tx.sql, await renewAndDigest(tx, { text: `${kind} ${name}`, purpose: 'tries' }, renewAttempts))
  return 'afterCommit' in deps ? run(deps) : inTransaction(deps, run)
}
