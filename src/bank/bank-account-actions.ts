import type { TxDeps } from '../db/deps.ts'
import { digestOf } from '../db/digests.ts'
import { renewAccount, renewTrials } from './bank-store.ts'

/**
 * The digest of an account number on a platform, under which its banks, blocks and trials stand. Those of a user are renewed
 * only when it is named: they are its own.
 */
export const accountDigestOf = (
  deps: Pick<TxDeps, 'sql' | 'keyRing' | 'afterCommit'>,
  { platformId, userId, routing, account }: { platformId: string; userId?: string; routing: string; account: string },
): Promise<Buffer> =>
  digestOf(deps, { text: accountText({ routing, account }), purpose: 'bank account' }, async (sql, renewal) => {
    await renewAccount(sql, platformId, renewal)
    if (userId !== undefined) await renewTrials(sql, { platformId, userId }, renewal)
  })

/** What the digest of a bank account is made of. */
export const accountText = ({ routing, account }: { routing: string; account: string }): string =>
  `${routing} ${account}`
