import type { Rail } from './rail-rules.ts'
import type { ReturnCode } from './return-code-rules.ts'
import { isPaper, type MagicOutcome, type SimulatedOutcome } from './simulated-rail-rules.ts'

type Magic = readonly [fate: SimulatedOutcome, returnCode: ReturnCode | null]

/** The account numbers that cause an outcome in sandbox and demo, for payments from and to these accounts. */
export const magicAccounts: Readonly<Record<string, Magic>> = {
  '9999999901': ['returned', 'R01'],
  '9999999902': ['returned', 'R02'],
  '9999999903': ['returned', 'R03'],
  '9999999910': ['returned', 'R10'],
  '9999999920': ['returned_late', 'R10'],
  '9999999930': ['slow', null],
  '9999999940': ['corrected', null],
}

/** The corrected account number in a simulated notification of change (C01). */
export const MAGIC_CORRECTED_ACCOUNT = '9999999941'

/** The account number whose micro-deposits are returned. */
export const MAGIC_MICRO_DEPOSIT_ACCOUNT = '9999999950'

/** Returns whether a leg was returned only because of a magic account number. */
export function isReturnOfMagicAccount(
  { purpose, fate, returnCode }: { purpose: string; fate: SimulatedOutcome | null; returnCode: ReturnCode | null },
  accountNumber: string,
): boolean {
  if (purpose === 'micro_deposit') return accountNumber === MAGIC_MICRO_DEPOSIT_ACCOUNT
  const [itsFate, itsCode] = magicAccounts[accountNumber] ?? []
  return fate !== null && fate === itsFate && returnCode === itsCode
}

/** The cents of an amount that cause an outcome in sandbox and demo, for the pull or the push. */
export const magicCents: Readonly<Record<number, readonly [leg: 'pull' | 'push', ...magic: Magic]>> = {
  61: ['pull', 'returned', 'R01'],
  62: ['push', 'returned', 'R02'],
  63: ['push', 'returned', 'R03'],
  64: ['pull', 'returned_late', 'R10'],
  65: ['push', 'returned_late', 'R10'],
  66: ['push', 'slow', null],
  71: ['push', 'returned', 'A'],
  72: ['push', 'returned', 'B'],
  73: ['push', 'returned', 'C'],
  74: ['push', 'returned', 'D'],
  81: ['push', 'returned', '04'],
  82: ['push', 'returned', '05'],
  83: ['push', 'returned', '06'],
}

/** Returns the simulated outcome of a payment's leg, from its bank account or else from the cents of its amount. */
export function findMagicOutcome(leg: {
  direction: 'debit' | 'credit'
  rail: Rail
  cents: number
  accountNumber: string | null
}): MagicOutcome | null {
  const byAccount = leg.accountNumber === null ? undefined : magicAccounts[leg.accountNumber]
  if (byAccount) return { fate: byAccount[0], returnCode: byAccount[1] }
  const byCents = magicCents[leg.cents % 100]
  if (!byCents || byCents[0] !== (leg.direction === 'debit' ? 'pull' : 'push')) return null
  const [, fate, returnCode] = byCents
  return fate === 'returned' && isPaper(leg.rail) !== isPaperCode(returnCode) ? null : { fate, returnCode }
}

const isPaperCode = (code: ReturnCode | null) => code !== null && /^[A-D]$/.test(code)
