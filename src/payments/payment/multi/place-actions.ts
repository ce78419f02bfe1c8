import type { TxDeps } from '../../../foundation/db/deps.ts'
import { emailHash as hashOf, isEmail } from '../../../foundation/lib/text/email.ts'
import type { UserKey } from '../../../people/user/user-store.ts'
import { lockPaymentForOperator } from '../payment-actions.ts'
import { claimRecipient, listRecipients } from '../payment-recipient-store.ts'
import type { PaymentKey } from '../payment-types.ts'

/**
 * Replaces an address among the recipients of a payment by the user that verified the address.
 *
 * @returns whether no other user had replaced the address, and the user is neither the sender nor another recipient
 */
export async function claimRecipientPlace(
  deps: TxDeps,
  payment: PaymentKey,
  { user, emailHash }: { user: UserKey; emailHash: Buffer },
): Promise<boolean> {
  if (!(await lockPaymentForOperator(deps, payment))) return false
  const recipients = await listRecipients(deps.sql, payment)
  const place = recipients.find(({ recipient }) => isEmail(recipient) && hashOf(recipient).equals(emailHash))
  return place !== undefined && claimRecipient(deps.sql, place, user)
}
