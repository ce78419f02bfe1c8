import type { TxDeps } from '../db/deps.ts'
import type { LegRow } from '../rail/leg-store.ts'
import { isDrawnOnOperator } from './paper-rules.ts'
import type { PaymentRow } from './payment-store.ts'
import { withoutZeros } from './print-rules.ts'
import { insertPaperCheck, markStopped } from './print-store.ts'

type CheckDeps = Pick<TxDeps, 'sql' | 'clock' | 'keyRing' | 'settings'>

/** Whether the bank tells which checks were paid, and is told which ones are stopped. */
const isFollowed = ({ settings }: CheckDeps, { fundingKind }: PaymentRow): boolean =>
  settings.railNetwork === 'file' && isDrawnOnOperator(settings, fundingKind)

/** A check is out: from now on the bank may pay it. */
export async function recordCheck(deps: CheckDeps, payment: PaymentRow, leg: LegRow): Promise<void> {
  if (!isFollowed(deps, payment)) return
  const { operatorBank } = deps.settings
  if (!operatorBank) throw new Error('a check is drawn on the account of the operator, which is not configured')
  await insertPaperCheck(deps.sql, {
    platformId: leg.platformId,
    legId: leg.id,
    paymentId: payment.id,
    accountDigest: accountDigestOf(deps, operatorBank.accountNumber),
    accountLast4: operatorBank.accountNumber.slice(-4),
    number: withoutZeros(payment.number),
    cents: leg.cents,
  })
}

/** The bank must not pay a check any more. One that is printed by who gets it may be out before its leg says so. */
export async function stopCheck(deps: CheckDeps, payment: PaymentRow, before: LegRow): Promise<void> {
  if (!isFollowed(deps, payment)) return
  const isJustTaken = before.rail === 'PRINT' && before.status === 'WAITING' && deps.settings.operatorBank !== null
  if (isJustTaken) await recordCheck(deps, payment, before)
  await markStopped(deps.sql, before, deps.clock.now())
}

export const accountDigestOf = ({ keyRing }: Pick<TxDeps, 'keyRing'>, accountNumber: string): Buffer =>
  keyRing.digest(withoutZeros(accountNumber), 'paper account')
