import { withoutZeros } from '../../../foundation/core/account-number.ts'
import type { Connection } from '../../../foundation/core/connections.ts'
import type { OperatorBank } from '../../../foundation/core/environment.ts'
import { ApiError } from '../../../foundation/core/errors.ts'
import type { TxDeps } from '../../../foundation/db/deps.ts'
import { renewAndDigest } from '../../../foundation/db/digests.ts'
import type { LegRow } from '../../../money/rail/leg-store.ts'
import { carryCheckSerialOver, findPaperCheck, insertNumberedCheck } from './print-store.ts'

/** The number of a check, its date, and the account that it is drawn on. */
type NumberedCheck = { serial: number; issuedOn: string; operatorBank: OperatorBank }

/**
 * Returns the number and date of a leg's check. The first call issues the check with `issuedOn`, `payee` and the next number of the
 * account. Later calls return the same number and account, also if newer checks are drawn on another account of the connection. The caller
 * holds the lock of the payment.
 *
 * @throws ApiError paper_unavailable if the connection no longer has the account that the check was drawn on
 */
export async function numberCheck(
  deps: Pick<TxDeps, 'sql' | 'keyRing' | 'afterCommit'>,
  {
    leg,
    operatorBank,
    connection,
    ...printed
  }: { leg: LegRow; operatorBank: OperatorBank; connection: Connection; issuedOn: string; payee: string },
): Promise<NumberedCheck> {
  const known = await findPaperCheck(deps.sql, leg)
  if (known) {
    const { serial, issuedOn } = known
    return { serial, issuedOn, operatorBank: accountOfCheck(deps, known, { operatorBank, connection }) }
  }
  const { accountNumber, firstCheckNumber: firstSerial } = operatorBank
  const accountDigest = await storePaperDigest(deps, accountNumber)
  const accountSealed = sealPaperAccount(deps, accountNumber)
  const account = { connectionId: connection.id, accountDigest, accountSealed, firstSerial }
  const serial = await insertNumberedCheck(deps.sql, account, {
    platformId: leg.platformId,
    legId: leg.id,
    paymentId: leg.subjectId,
    cents: leg.cents,
    ...printed,
  })
  return { serial, issuedOn: printed.issuedOn, operatorBank }
}

/** Returns the account that an issued check is drawn on: the current one, or another one of its connection. */
function accountOfCheck(
  deps: Pick<TxDeps, 'keyRing'>,
  known: { accountDigest: Buffer },
  { operatorBank, connection }: { operatorBank: OperatorBank; connection: Connection },
): OperatorBank {
  if (isPaperAccount(deps, known, operatorBank.accountNumber)) return operatorBank
  const former = connection.accounts.find(({ accountNumber }) => isPaperAccount(deps, known, accountNumber))
  if (!former) {
    throw new ApiError('paper_unavailable', {
      message: `This check is drawn on an account that the connection ${connection.id} no longer has. The operator must add the account again.`,
    })
  }
  const { routingNumber, accountNumber } = former
  const hasSameRouting = routingNumber === operatorBank.routingNumber
  const fractionalRouting = hasSameRouting ? operatorBank.fractionalRouting : null
  return { ...operatorBank, routingNumber, accountNumber, fractionalRouting }
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
