import type { TxDeps } from '../db/deps.ts'
import { ApiError } from '../lib/errors.ts'
import { networkOf } from '../lib/network.ts'
import { FREE_TRIES, TRIES_FORGOTTEN_HOURS, TRY_DELAYS_SECONDS, type TryKind } from './tries-rules.ts'
import { deleteTries, findNextTry, giveTryBack, takeTry } from './tries-store.ts'

type TriesDeps = Pick<TxDeps, 'sql' | 'keyRing' | 'realClock'>

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
    const isAllowed = await takeTry(deps.sql, digestOf(deps, subject), now, {
      free: FREE_TRIES[subject.kind],
      delaysSeconds: TRY_DELAYS_SECONDS,
      forgottenHours: TRIES_FORGOTTEN_HOURS,
    })
    if (!isAllowed) throw await refusal(deps, subject, now)
  }
}

async function refusal(deps: TriesDeps, subject: TrySubject, now: Date): Promise<ApiError> {
  const next = await findNextTry(deps.sql, digestOf(deps, subject))
  const seconds = Math.max(1, Math.ceil(((next ?? now).getTime() - now.getTime()) / 1000))
  return new ApiError('too_many_tries', {
    message: `Too many tries. Try again in ${seconds} seconds.`,
    retryAfterSeconds: seconds,
  })
}

/** Takes back a try that was not in vain; earlier ones go on counting. */
export async function giveBack(deps: TriesDeps, subject: TrySubject): Promise<void> {
  await giveTryBack(deps.sql, digestOf(deps, subject), FREE_TRIES[subject.kind])
}

/** Forgets all tries of a subject. */
export async function clearTries(deps: TriesDeps, subject: TrySubject): Promise<void> {
  await deleteTries(deps.sql, digestOf(deps, subject))
}

const digestOf = ({ keyRing }: TriesDeps, { kind, name }: TrySubject) => keyRing.digest(`${kind} ${name}`, 'tries')
