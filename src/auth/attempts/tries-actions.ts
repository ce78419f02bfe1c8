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

/** What tries are counted of: an email, an address, an owner. */
export type TrySubject = { kind: TryKind; name: string }

export const addressOf = ({ address }: { address: string }): TrySubject => ({
  kind: 'address',
  name: networkOf(address),
})

/** Apart from those of sign-ins: whoever uses these up leaves the way to a new password open. */
export const resetAddressOf = ({ address }: { address: string }): TrySubject => ({
  kind: 'reset_address',
  name: networkOf(address),
})

/**
 * Counts a try of each subject before it is known whether it is in vain: those at the same time count too.
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

/** Takes back a try that was not in vain; earlier ones go on counting. */
export const giveBack = (deps: TriesDeps, subject: TrySubject): Promise<void> =>
  withDigest(deps, subject, (sql, digest) => giveTryBack(sql, digest, FREE_TRIES[subject.kind]))

/** Forgets all tries of a subject. */
export const clearTries = (deps: TriesDeps, subject: TrySubject): Promise<void> =>
  withDigest(deps, subject, deleteTries)

/** Works on the tries of a subject: in the transaction that there is, or in one of its own. */
function withDigest<Result>(
  deps: TriesDeps,
  { kind, name }: TrySubject,
  work: (sql: Sql, digest: Buffer) => Promise<Result>,
): Promise<Result> {
  const run = async (tx: Pick<TxDeps, 'sql' | 'keyRing' | 'afterCommit'>) =>
    work(tx.sql, await digestOf(tx, { text: `${kind} ${name}`, purpose: 'tries' }, renewTries))
  return 'afterCommit' in deps ? run(deps) : inTransaction(deps, run)
}
