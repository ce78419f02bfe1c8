import type { Transitions } from '../../foundation/lib/transitions.ts'

export const BANK_STATUSES = ['DEPOSIT_ONLY', 'PENDING', 'VERIFIED'] as const
export type BankStatus = (typeof BANK_STATUSES)[number]

export const bankTransitions = {
  // event     may leave                 leads to               specification.md 4.1
  release: { from: ['DEPOSIT_ONLY'], to: 'PENDING' }, //        two micro-deposits are sent
  verify: { from: ['PENDING'], to: 'VERIFIED' }, //             both amounts match
  confirm: { from: ['DEPOSIT_ONLY'], to: 'VERIFIED' }, //       its institution confirmed the account
  lapse: { from: ['PENDING'], to: 'DEPOSIT_ONLY' }, //          third wrong pair, ten days, or a returned micro-deposit
  revoke: { from: ['VERIFIED'], to: 'DEPOSIT_ONLY' }, //        a late return of a micro-deposit
  block: { from: ['DEPOSIT_ONLY', 'PENDING', 'VERIFIED'], to: 'DEPOSIT_ONLY' }, // a return code blocks further debits
} as const satisfies Transitions<BankStatus>

export type BankEvent = keyof typeof bankTransitions

export const MAX_WRONG_TRIES = 3
export const DAYS_TO_VERIFY = 10
export const MAX_RELEASES = 3
export const RELEASE_WINDOW_DAYS = 30

/**
 * The maximum number of releases for one account number in total, over all users of a platform. Without it, several users could guess the
 * amounts together. It allows the releases of two holders, and the wrong pairs of one.
 */
export const MAX_ACCOUNT_RELEASES = 2 * MAX_RELEASES
export const MAX_ACCOUNT_WRONG_TRIES = MAX_RELEASES * MAX_WRONG_TRIES

/**
 * Returns whether the users of a platform enter so many wrong amounts that they must be guessing. If so, no more micro-deposits are
 * released on that day. A few mistakes are normal.
 */
export const areTooManyWrong = ({ wrong, verified }: { wrong: number; verified: number }): boolean =>
  wrong >= MIN_PLATFORM_WRONG && wrong > 2 * verified

const MIN_PLATFORM_WRONG = 100

/** Returns whether two pairs of amounts in cents are the same, in any order. */
export const isSamePair = (given: readonly [number, number], sent: readonly [number, number]): boolean =>
  Math.min(...given) === Math.min(...sent) && Math.max(...given) === Math.max(...sent)

/** Returns two different random amounts from 1 to 99 cents. `random` supplies bytes. */
export function randomMicroDeposits(random: { bytes(length: number): Buffer }): [number, number] {
  const first = randomCents(random)
  let second = randomCents(random)
  while (second === first) second = randomCents(random)
  return [first, second]
}

function randomCents(random: { bytes(length: number): Buffer }): number {
  for (;;) {
    // 198 is the largest multiple of 99 that fits into a byte. Larger bytes would make small amounts more likely, so they are skipped.
    const byte = random.bytes(1).readUInt8()
    if (byte < 198) return (byte % 99) + 1
  }
}
