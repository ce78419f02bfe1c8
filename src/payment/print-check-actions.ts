import type { TxDeps } from '../db/deps.ts'
import type { OperatorBank } from '../lib/environment.ts'
import { ApiError } from '../lib/errors.ts'
import type { LegRow } from '../rail/leg-store.ts'
import { withoutZeros } from './print-rules.ts'
import { findPaperCheck, insertNumberedCheck } from './print-store.ts'

/**
 * The number under which the bank knows the check of a leg, and the date on it: the next number of the account when the
 * check goes out, the same each time after. `issuedOn` and `payee` are those on a check that goes out now. Its payment is
 * locked.
 *
 * @throws ApiError paper_unavailable: it was drawn on an account that is not configured any more
 */
export async function numberCheck(
  deps: Pick<TxDeps, 'sql' | 'keyRing'>,
  { leg, operatorBank, ...printed }: { leg: LegRow; operatorBank: OperatorBank; issuedOn: string; payee: string },
): Promise<{ serial: number; issuedOn: string }> {
  const { accountNumber, firstCheckNumber: firstSerial } = operatorBank
  const accountDigest = accountDigestOf(deps, accountNumber)
  const known = await findPaperCheck(deps.sql, leg)
  if (known && !known.accountDigest.equals(accountDigest)) throw new ApiError('paper_unavailable')
  if (known) return known
  const account = { accountDigest, accountSealed: sealAccount(deps, accountNumber), firstSerial }
  const serial = await insertNumberedCheck(deps.sql, account, {
    platformId: leg.platformId,
    legId: leg.id,
    paymentId: leg.subjectId,
    accountLast4: accountNumber.slice(-4),
    cents: leg.cents,
    ...printed,
  })
  return { serial, issuedOn: printed.issuedOn }
}

const SEALED_AS = 'paper account'

const sealAccount = ({ keyRing }: Pick<TxDeps, 'keyRing'>, accountNumber: string): Buffer =>
  keyRing.seal(accountNumber, SEALED_AS)

type DrawnCheck = { accountDigest: Buffer; accountSealed: Buffer | null; accountLast4: string }

/** The full number of the account on which a check was drawn. */
export function accountNumberOf(
  { keyRing, settings: { operatorBank } }: Pick<TxDeps, 'keyRing' | 'settings'>,
  { accountDigest, accountSealed, accountLast4 }: DrawnCheck,
): string {
  if (accountSealed) return keyRing.openText(accountSealed, SEALED_AS)
  // A check of version 0.1, which kept no account number.
  const isConfigured = operatorBank && accountDigestOf({ keyRing }, operatorBank.accountNumber).equals(accountDigest)
  return isConfigured ? operatorBank.accountNumber : accountLast4
}

export const accountDigestOf = ({ keyRing }: Pick<TxDeps, 'keyRing'>, accountNumber: string): Buffer =>
  keyRing.digest(withoutZeros(accountNumber), 'paper account')
