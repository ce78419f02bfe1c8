import { accountText } from '../../foundation/core/account-number.ts'
import type { TxDeps } from '../../foundation/db/deps.ts'
import { renewAndDigest } from '../../foundation/db/digests.ts'
import { renewAccount } from './bank-store.ts'
import { renewTrials } from './trial/trial-store.ts'

/**
 * Returns the digest of an account number on a platform. It identifies the account's banks, blocks and trials. For the given user only,
 * moves the trials to the current digest.
 */
export const accountDigestOf = (
  deps: Pick<TxDeps, 'sql' | 'keyRing' | 'afterCommit'>,
  { platformId, userId, routing, account }: { platformId: string; userId?: string; routing: string; account: string },
): Promise<Buffer> =>
  renewAndDigest(deps, { text: accountText({ routing, account }), purpose: 'bank account' }, async (sql, renewal) => {
    await renewAccount(sql, platformId, renewal)
    if (userId !== undefined) await renewTrials(sql, { platformId, userId }, renewal)
  })
