import type { Actor } from '../audit/audit-actions.ts'
import type { TxDeps } from '../db/deps.ts'
import { recordClaim } from './recipient-claim-actions.ts'
import { type DueMatch, deleteAddressed, waitForAddress } from './recipient-match-store.ts'
import { claimPayment } from './recipient-store.ts'

/**
 * Gives a payment to the account that has verified its address. It stays where it is if the account sent it, if somebody
 * else has it already, or if a PIN protects it: then its link adds it.
 */
export async function matchOne(deps: TxDeps, match: DueMatch): Promise<void> {
  const { platformId, subjectId: paymentId, accountPlatformId } = match
  if (accountPlatformId === null) return waitForAddress(deps.sql, match)
  const account: Actor = {
    platformId: accountPlatformId,
    userId: accountPlatformId,
    credential: { kind: 'service' },
    origin: null,
  }
  const user = { platformId: accountPlatformId, userId: accountPlatformId }
  const isClaimed = await claimPayment(deps.sql, { platformId, paymentId }, { user, by: 'address' })
  if (isClaimed) await recordClaim(deps, { platformId, paymentId }, account, 'address')
  await deleteAddressed(deps.sql, match)
}
