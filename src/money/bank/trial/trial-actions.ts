import { ApiError } from '../../../foundation/core/errors.ts'
import type { TxDeps } from '../../../foundation/db/deps.ts'
import { addDays, businessDate } from '../../../foundation/lib/clock.ts'
import { accountDigestOf } from '../bank-account-actions.ts'
import {
  areTooManyWrong,
  MAX_ACCOUNT_RELEASES,
  MAX_ACCOUNT_WRONG_TRIES,
  MAX_RELEASES,
  MAX_WRONG_TRIES,
  RELEASE_WINDOW_DAYS,
} from '../bank-status.ts'
import type { BankRow } from '../bank-store.ts'
import {
  addPlatformTrial,
  countAccountTrials,
  findPlatformTrials,
  findTrials,
  lockAccountTrials,
  type TrialsRow,
  upsertTrials,
} from './trial-store.ts'

// Limits how often the amounts of micro-deposits can be guessed. Callers must hold the lock on the bank's user.

type Trials = TrialsRow & { accountDigest: Buffer }

/** Finds the attempts of a user for the account of a bank, with the digest under which they are stored. */
async function readTrials(deps: TxDeps, bank: BankRow): Promise<Trials> {
  const { platformId, userId, routing, accountSealed } = bank
  const account = deps.keyRing.openText(accountSealed, 'bank account')
  const accountDigest = await accountDigestOf(deps, { platformId, userId, routing, account })
  return { accountDigest, ...(await findTrials(deps.sql, { platformId, userId, accountDigest })) }
}

const windowStart = (deps: TxDeps): Date => addDays(deps.clock.now(), -RELEASE_WINDOW_DAYS)

const change = (deps: TxDeps, bank: BankRow, trials: Trials, changed: Partial<TrialsRow>): Promise<void> =>
  upsertTrials(deps.sql, { ...bank, ...trials }, { ...trials, ...changed })

/** Counts a release of micro-deposits. @throws ApiError release_limit_reached */
export async function countRelease(deps: TxDeps, bank: BankRow): Promise<void> {
  const trials = await readTrials(deps, bank)
  const since = windowStart(deps)
  const recent = trials.releasedAt.filter((at) => at > since)
  if (recent.length >= MAX_RELEASES) throw new ApiError('release_limit_reached')
  // Fixed amounts are only used in tests, where users share accounts and need not guess.
  if (!deps.settings.microDepositCents) {
    await requireAccountTrials(deps, { platformId: bank.platformId, accountDigest: trials.accountDigest }, since)
    await requirePlatformTrials(deps, bank)
  }
  await change(deps, bank, trials, { releasedAt: [...recent, deps.clock.now()] })
}

async function requireAccountTrials(
  deps: TxDeps,
  account: { platformId: string; accountDigest: Buffer },
  since: Date,
): Promise<void> {
  await lockAccountTrials(deps.sql, account.accountDigest)
  const { releases, wrong } = await countAccountTrials(deps.sql, account, since)
  if (releases < MAX_ACCOUNT_RELEASES && wrong < MAX_ACCOUNT_WRONG_TRIES) return
  throw new ApiError('release_limit_reached', {
    message: `This account had too many micro-deposits or wrong amounts in ${RELEASE_WINDOW_DAYS} days. Try again later.`,
  })
}

async function requirePlatformTrials(deps: TxDeps, { platformId }: BankRow): Promise<void> {
  if (!areTooManyWrong(await findPlatformTrials(deps.sql, dayOf(deps, platformId)))) return
  deps.log.warn({ platform: platformId }, 'too many wrong amounts of micro-deposits: no more are released today')
  throw new ApiError('release_limit_reached', {
    message: 'Too many wrong amounts of micro-deposits were entered on this platform today. Try again tomorrow.',
  })
}

const dayOf = ({ clock, settings }: TxDeps, platformId: string) => ({
  platformId,
  day: businessDate(clock.now(), settings.timeZone),
})

/** Resets the count of wrong pairs, so that all tries are available for the next micro-deposits. */
export async function forgetWrongTries(deps: TxDeps, bank: BankRow): Promise<void> {
  await change(deps, bank, await readTrials(deps, bank), { wrongTries: 0 })
}

export async function countRightPair(deps: TxDeps, bank: BankRow): Promise<void> {
  await forgetWrongTries(deps, bank)
  await addPlatformTrial(deps.sql, dayOf(deps, bank.platformId), { wrong: 0, verified: 1 })
}

/** Counts a wrong pair. @returns the number of tries that are left for these micro-deposits */
export async function countWrongPair(deps: TxDeps, bank: BankRow): Promise<number> {
  const trials = await readTrials(deps, bank)
  const triesLeft = Math.max(0, MAX_WRONG_TRIES - trials.wrongTries - 1)
  const since = windowStart(deps)
  await change(deps, bank, trials, {
    wrongTries: triesLeft === 0 ? 0 : trials.wrongTries + 1,
    wrongAt: [...trials.wrongAt.filter((at) => at > since), deps.clock.now()],
  })
  await addPlatformTrial(deps.sql, dayOf(deps, bank.platformId), { wrong: 1, verified: 0 })
  return triesLeft
}
