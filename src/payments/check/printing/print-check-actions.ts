import { withoutZeros } from '../../../foundation/core/account-number.ts'
import type { OperatorBank } from '../../../foundation/core/environment.ts'
import { ApiError } from '../../../foundation/core/errors.ts'
import type { TxDeps } from '../../../foundation/db/deps.ts'
import { renewAndDigest } from '../../../foundation/db/digests.ts'
import type { LegRow } from '../../../money/rail/leg-store.ts'
import { carryCheckSerialOver, findPaperCheck, insertNumberedCheck } from './print-store.ts'

/**
 * Returns the number and date of a leg's check. The first call issues the check with `issuedOn`, `payee` and the next number of the
 * account. Later calls return the same number. The caller holds the lock of the payment.
 *
 * @throws ApiError paper_unavailable if the check was drawn on an account that is no longer configured
 */
export async function numberCheck(
  deps: Pick<TxDeps, 'sql' | 'keyRing' | 'afterCommit'>,
  {
    leg,
    operatorBank,
    connectionId,
    ...printed
  }: { leg: LegRow; operatorBank: OperatorBank; connectionId: string; issuedOn: string; payee: string },
): Promise<{ serial: number; issuedOn: string }> {
  const { accountNumber, firstCheckNumber: firstSerial } = operatorBank
  const known = await findPaperCheck(deps.sql, leg)
  if (known && !isPaperAccount(deps, known, accountNumber)) throw new ApiError('paper_unavailable')
  if (known) return known
  const accountDigest = await storePaperDigest(deps, accountNumber)
  const account = { connectionId, accountDigest, accountSealed: sealPaperAccount(deps, accountNumber), firstSerial }
  const serial = await insertNumberedCheck(deps.sql, account, {
    platformId: leg.platformId,
    legId: leg.id,
    paymentId: leg.subjectId,
    cents: leg.cents,
    ...printed,
  })
  return { serial, issuedOn: printed.issuedOn }
}

/** Finds the number that is printed on a leg's check. Returns null if the check has the number of its payment, or is not issued. */
export const findPrintedNumber = async (
  deps: Pick<TxDeps, 'sql'>,
  leg: Pick<LegRow, 'platformId' | 'id'>,
): Promise<number | null> => (await findPaperCheck(deps.sql, leg))?.serial ?? null

export const sealPaperAccount = ({ keyRing }: Pick<TxDeps, 'keyRing'>, accountNumber: string): Buffer =>
  keyRing.seal(accountNumber, 'paper account')

/** Opens the sealed number of an account that checks were drawn on. */
export const openPaperAccount = ({ keyRing }: Pick<TxDeps, 'keyRing'>, accountSealed: Buffer): string =>
  keyRing.openText(accountSealed, 'paper account')

/** Returns the digest under which the checks of an account are numbered. */
export const storePaperDigest = (
  deps: Pick<TxDeps, 'sql' | 'keyRing' | 'afterCommit'>,
  accountNumber: string,
): Promise<Buffer> =>
  renewAndDigest(deps, { text: withoutZeros(accountNumber), purpose: 'paper account' }, carryCheckSerialOver)

/** Lists all digests under which checks of an account can be stored, including digests from before a key rotation. */
export const listPaperDigests = ({ keyRing }: Pick<TxDeps, 'keyRing'>, accountNumber: string): Buffer[] =>
  keyRing.digests(withoutZeros(accountNumber), 'paper account')

/** Returns whether a digest belongs to an account. Digests from before a key rotation are accepted as well. */
export const isPaperAccount = (
  { keyRing }: Pick<TxDeps, 'keyRing'>,
  { accountDigest }: { accountDigest: Buffer },
  accountNumber: string,
): boolean => keyRing.isDigestOf(accountDigest, withoutZeros(accountNumber), 'paper account')
