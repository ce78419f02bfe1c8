import { ApiError } from '../../core/errors.ts'
import type { Sql } from '../../db/connect.ts'
import type { Deps, TxDeps } from '../../db/deps.ts'
import { digestOf } from '../../db/digests.ts'
import { inTransaction } from '../../db/transaction.ts'
import { networkOf } from '../../lib/network.ts'
import { FREE_TRIES, TRIES_FORGOTTEN_HOURS, TRY_DELAYS_SECONDS, type TryKind } from './tries-rules.ts'
import { deleteTries, findNextTry, giveTryBack, renewTries, takeTry } from './tries-store.ts'

type TriesDeps =
  | Pick<Deps, 'sql' | 'keyRing' | 'realClock'>
  | Pick<TxDeps, 'sql' | 'keyRing' | 'realClock' | 'afterCommit'>

/** The subject whose attempts are counted, such as an email, an IP address or an owner. */
export type TrySubject = { kind: TryKind; name: string }

export const addressOf = ({ address }: { address: string }): TrySubject => ({
  kind: 'address',
  name: networkOf(address),
})

/** Counted separately from sign-ins: exhausting the sign-in attempts of an address does not block password resets. */
export const resetAddressOf = ({ address }: { address: string }): TrySubject => ({
  kind: 'reset_address',
  name: networkOf(address),
})

/**
 * Counts an attempt for each subject before checking it, so that simultaneous attempts are all counted.
 *
 * @throws ApiError too_many_tries
 */
export async function takeTries(deps: TriesDeps, subjects: TrySubject[]): Promise<void> {
  const now = deps.realClock.now()
  for (const subject of subjects) {
    const refusal = await withDigest(deps, subject, async (sql, digest) => {
      const isAllowed = await takeTry(sql, digest, now, {
        free: FREE_TRIES[subject.kind],
        delaysSeconds: TRY_DELAYS_SECONDS,
        forgottenHours: TRIES_FORGOTTEN_HOURS,
      })
      return isAllowed ? null : tooManyTries(await findNextTry(sql, digest), now)
    })
    if (refusal) throw refusal
  }
}

function tooManyTries(next: Date | null, now: Date): ApiError {
  const seconds = Math.max(1, Math.ceil(((next ?? now).getTime() - now.getTime()) / 1000))
  return new ApiError('too_many_tries', {
    message: `Too many tries. Try again in ${seconds} seconds.`,
    retryAfterSeconds: seconds,
  })
}

/** Takes back a successful attempt. Earlier attempts still count. */
export const giveBack = (deps: TriesDeps, subject: TrySubject): Promise<void> =>
  withDigest(deps, subject, (sql, digest) => giveTryBack(sql, digest, FREE_TRIES[subject.kind]))

/** Clears all attempts of a subject. */
export const clearTries = (deps: TriesDeps, subject: TrySubject): Promise<void> =>
  withDigest(deps, subject, deleteTries)

/** Runs `work` in the current transaction, or in a new one. */
function withDigest<Result>(
  deps: TriesDeps,
  { kind, name }: TrySubject,
  work: (sql: Sql, digest: Buffer) => Promise<Result>,
): Promise<Result> {
  const run = async (tx: Pick<TxDeps, 'sql' | 'keyRing' | 'afterCommit'>) =>
    work(tx.sql, await digestOf(tx, { text: `${kind} ${name}`, purpose: 'tries' }, renewTries))
  return 'afterCommit' in deps ? run(deps) : inTransaction(deps, run)
}
