import type { TxDeps } from '../db/deps.ts'
import type { OperatorBank } from '../lib/environment.ts'
import { ApiError } from '../lib/errors.ts'
import type { LegRow } from '../rail/leg-store.ts'
import { withoutZeros } from './print-rules.ts'
import { findPaperCheck, insertNumberedCheck } from './print-store.ts'

/**
 * The number under which the bank knows the check of a leg: the next one of the account when the check goes out, the
 * same each time after. Its payment is locked.
 *
 * @throws ApiError paper_unavailable: it was drawn on an account that is not configured any more
 */
export async function checkNumberOf(
  deps: Pick<TxDeps, 'sql' | 'keyRing'>,
  { leg, operatorBank }: { leg: LegRow; operatorBank: OperatorBank },
): Promise<number> {
  const accountDigest = accountDigestOf(deps, operatorBank.accountNumber)
  const known = await findPaperCheck(deps.sql, leg)
  if (known && !known.accountDigest.equals(accountDigest)) throw new ApiError('paper_unavailable')
  return (
    known?.serial ??
    insertNumberedCheck(deps.sql, {
      platformId: leg.platformId,
      legId: leg.id,
      paymentId: leg.subjectId,
      accountDigest,
      accountLast4: operatorBank.accountNumber.slice(-4),
      firstSerial: operatorBank.firstCheckNumber,
      cents: leg.cents,
    })
  )
}

export const accountDigestOf = ({ keyRing }: Pick<TxDeps, 'keyRing'>, accountNumber: string): Buffer =>
  keyRing.digest(withoutZeros(accountNumber), 'paper account')
