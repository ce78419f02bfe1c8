import { formatDollars } from '../../foundation/core/money.ts'
import type { TxDeps } from '../../foundation/db/deps.ts'
import { isOperatorAccount } from '../../money/bank/operator-account-actions.ts'
import { accountsNamed, readOwnAccounts } from '../check/paid/paid-account-actions.ts'
import { nameOf } from '../check/paid/paid-check-rules.ts'
import { readKnownChecks } from '../check/paid/paid-line-actions.ts'
import type { OwnCheck, ScannedCheck } from './scanned-check-rules.ts'

/** A check that this service issued and that cannot be deposited. The reason names no account. */
export type RefusedCheck = { number: string; amountCents: number; reason: string }

/**
 * Recognizes checks that this service issued. Such a check deposits its own payment instead of debiting the drawer. Refuses checks that are
 * not outstanding, or that differ from their payment.
 */
export async function recognizeOwnChecks(
  tx: TxDeps,
  checks: readonly ScannedCheck[],
): Promise<{ checks: ScannedCheck[]; refused: RefusedCheck[] }> {
  const known: ScannedCheck[] = []
  const refused: RefusedCheck[] = []
  for (const check of checks) {
    const own = (await isOperatorAccount(tx, check)) ? await findOwnCheck(tx, check) : null
    if (typeof own === 'string') refused.push({ number: check.number, amountCents: check.amountCents, reason: own })
    else known.push(own ? { ...check, own } : check)
  }
  return { checks: known, refused }
}

/** Finds the payment of a check. @returns the payment, or why the check is refused */
async function findOwnCheck(tx: TxDeps, { account, number, amountCents }: ScannedCheck): Promise<OwnCheck | string> {
  const accounts = accountsNamed(tx, await readOwnAccounts(tx, null), { digits: account, isSuffix: false })
  const [found] = await readKnownChecks(tx, accounts, Number(number))
  if (!found) return 'no check of this number was drawn on the account of this service'
  if (found.cents !== amountCents) return `the scan says ${formatDollars(amountCents)}: ${nameOf(found)}`
  if (found.status !== 'SENT' && found.status !== 'ACCEPTED') return nameOf(found)
  const { platformId, paymentId, legId } = found
  return { platformId, paymentId, legId }
}
