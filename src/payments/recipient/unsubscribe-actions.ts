import { ApiError } from '../../foundation/core/errors.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { renewAndDigest } from '../../foundation/db/digests.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { normalizeEmail } from '../../foundation/lib/text/email.ts'
import { deleteSuppression, insertSuppression, renewRecipient } from './recipient-mail-store.ts'

/** Returns the digest of an address in the tables of recipient mail, for one platform or for all. */
export const recipientDigest = (
  deps: Pick<TxDeps, 'sql' | 'keyRing' | 'afterCommit'>,
  email: string,
  platformId: string | null,
): Promise<Buffer> =>
  renewAndDigest(deps, { text: normalizeEmail(email), purpose: 'mail recipient' }, (sql, renewal) =>
    renewRecipient(sql, renewal, platformId),
  )

/** Returns the token for an unsubscribe link. It never expires and cannot be forged. */
export const unsubscribeToken = ({ keyRing }: Pick<Deps, 'keyRing'>, email: string): string =>
  keyRing.seal(email, 'unsubscribe link').toString('base64url')

/** Reads the address from the token of an unsubscribe link. @throws ApiError link_not_found */
export function addressOfToken({ keyRing }: Pick<Deps, 'keyRing'>, token: string): string {
  try {
    return keyRing.openText(Buffer.from(token, 'base64url'), 'unsubscribe link')
  } catch {
    throw new ApiError('link_not_found', { message: 'This link is invalid. Open it from the email again.' })
  }
}

/** Suppresses or allows mail to the address of a link. @throws ApiError link_not_found */
export async function setSuppressed(deps: Deps, token: string, isSuppressed: boolean): Promise<void> {
  const email = addressOfToken(deps, token)
  await inTransaction(deps, async (tx) => {
    const emailDigest = await recipientDigest(tx, email, null)
    if (!isSuppressed) return deleteSuppression(tx.sql, emailDigest)
    const emailSealed = deps.keyRing.seal(normalizeEmail(email), 'suppressed email')
    return insertSuppression(tx.sql, { emailDigest, emailSealed, createdAt: deps.realClock.now() })
  })
}
