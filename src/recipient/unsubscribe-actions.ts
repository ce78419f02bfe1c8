import type { Deps } from '../db/deps.ts'
import { inTransaction } from '../db/transaction.ts'
import { normalEmail } from '../lib/email.ts'
import { ApiError } from '../lib/errors.ts'
import { deleteSuppression, insertSuppression } from './recipient-mail-store.ts'

/** How an address stands in the tables of mail to recipients. */
export const recipientDigest = ({ keyRing }: Pick<Deps, 'keyRing'>, email: string): Buffer =>
  keyRing.digest(normalEmail(email), 'mail recipient')

/** Names an address in the link by which it refuses mail. It never expires, and nobody else can make one. */
export const unsubscribeToken = ({ keyRing }: Pick<Deps, 'keyRing'>, email: string): string =>
  keyRing.seal(email, 'unsubscribe link').toString('base64url')

/** The address of a link. @throws ApiError link_not_found */
export function addressOfToken({ keyRing }: Pick<Deps, 'keyRing'>, token: string): string {
  try {
    return keyRing.openText(Buffer.from(token, 'base64url'), 'unsubscribe link')
  } catch {
    throw new ApiError('link_not_found', { message: 'This link is not valid.' })
  }
}

/** Suppresses mail to the address of a link, or allows it again. @throws ApiError link_not_found */
export async function setSuppressed(deps: Deps, token: string, isSuppressed: boolean): Promise<void> {
  const digest = recipientDigest(deps, addressOfToken(deps, token))
  await inTransaction(deps, (tx) =>
    isSuppressed ? insertSuppression(tx.sql, digest, deps.realClock.now()) : deleteSuppression(tx.sql, digest),
  )
}
