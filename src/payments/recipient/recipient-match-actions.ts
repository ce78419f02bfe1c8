import type { Actor } from '../../foundation/audit/audit-actions.ts'
import type { TxDeps } from '../../foundation/db/deps.ts'
import { addInvoiceToAccount } from '../invoice-status/received-invoice-actions.ts'
import { claimRecipientPlace } from '../payment/multi/place-actions.ts'
import type { PaymentKey } from '../payment/payment-types.ts'
import { recordClaim } from './recipient-claim-actions.ts'
import {
  type Addressed,
  type DueMatch,
  deleteAddressed,
  insertAddressed,
  waitForAddress,
} from './recipient-match-store.ts'
import { claimPayment } from './recipient-store.ts'

/**
 * Moves a payment or an invoice into the account that verified its address. A payment is not moved if the account sent it, if another
 * account has it, or if a PIN protects it. A payment with a PIN can only be moved by its link.
 */
export async function matchOne(deps: TxDeps, match: DueMatch): Promise<void> {
  const { kind, accountPlatformId } = match
  if (accountPlatformId === null) return waitForAddress(deps.sql, match)
  const { platformId, subjectId: id, emailHash: hash } = match
  if (kind === 'invoice') await addInvoiceToAccount(deps, { platformId, id }, accountPlatformId)
  else await addPayment(deps, { platformId, paymentId: id }, { accountPlatformId, hash })
  await deleteAddressed(deps.sql, match)
}

/** Stores the address of a payment or an invoice, and requests the search for its account. */
export const keepAddress = ({ sql }: TxDeps, addressed: Addressed & { email: string }): Promise<void> =>
  insertAddressed(sql, addressed)

async function addPayment(
  deps: TxDeps,
  key: PaymentKey,
  { accountPlatformId, hash }: { accountPlatformId: string; hash: Buffer },
): Promise<void> {
  const account: Actor = {
    platformId: accountPlatformId,
    userId: accountPlatformId,
    credential: { kind: 'service' },
    origin: null,
  }
  const user = { platformId: accountPlatformId, userId: accountPlatformId }
  const isClaimed =
    (await claimPayment(deps.sql, key, { user, by: 'address' })) ||
    (await claimRecipientPlace(deps, key, { user, emailHash: hash }))
  if (isClaimed) await recordClaim(deps, key, account, 'address')
}
