import { ApiError } from '../../../foundation/core/errors.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { type RecipientEvent, recipientTransitions } from '../payment-recipient-status.ts'
import {
  changeRecipientStatus,
  listRecipients,
  type PaymentRecipientRow,
  type RecipientChange,
  setPaymentRecipient,
} from '../payment-recipient-store.ts'
import { type PaymentStatus, paymentTransitions } from '../payment-status.ts'
import type { PaymentKey, PaymentRow } from '../payment-types.ts'

/**
 * Changes the status of a recipient. No other code does. The caller holds the lock of the payment.
 *
 * @returns false if the current status does not allow the change
 */
export const applyRecipientEvent = (
  deps: TxDeps,
  recipient: PaymentRecipientRow,
  event: RecipientEvent,
  endorsement: RecipientChange['endorsement'] = null,
): Promise<boolean> => changeRecipientStatus(deps.sql, recipient, { ...recipientTransitions[event], endorsement })

/** Returns the recipients of a payment to several recipients, or an empty list for other payments. */
export const findRecipients = (deps: Pick<TxDeps, 'sql'>, payment: PaymentKey): Promise<PaymentRecipientRow[]> =>
  listRecipients(deps.sql, payment)

/** One of several recipients: a user, or the holder of a link. */
export type RecipientOf = { userId: string } | { position: number }

export const isRecipientOf = (recipient: PaymentRecipientRow, who: RecipientOf): boolean =>
  'userId' in who ? recipient.userId === who.userId : recipient.position === who.position

/**
 * Makes one of several recipients the depositor, who chooses where the money goes, if all others have endorsed the payment. The recipient
 * stays the depositor when the payment fails. A payment with one recipient is returned unchanged.
 *
 * @throws ApiError not_the_recipient, endorse_only, endorsements_missing
 */
export async function becomeDepositor(deps: TxDeps, payment: PaymentRow, who: RecipientOf): Promise<PaymentRow> {
  if (payment.kind !== 'MULTI') return payment
  const { platformId, id: paymentId } = payment
  const own = await requireDepositor(deps, payment, who)
  if (own.status === 'DEPOSITOR') return payment
  const { userId } = own
  const user = userId && { platformId: own.userPlatformId ?? platformId, userId }
  // In other statuses, the next step of the caller fails with its own error.
  if (depositable.includes(payment.status) && (await applyRecipientEvent(deps, own, 'deposit')) && user) {
    await setPaymentRecipient(deps.sql, { platformId, paymentId }, user)
  }
  return user ? { ...payment, recipientPlatformId: user.platformId, recipientId: user.userId } : payment
}

/**
 * Returns the recipient who may deposit a payment now, if there are several. Changes nothing.
 *
 * @throws ApiError not_the_recipient, endorse_only, endorsements_missing
 */
export async function requireDepositor(
  deps: Pick<TxDeps, 'sql'> | Pick<Deps, 'sql'>,
  { platformId, id: paymentId }: PaymentRow,
  who: RecipientOf,
): Promise<PaymentRecipientRow> {
  const recipients = await listRecipients(deps.sql, { platformId, paymentId })
  const own = recipients.find((recipient) => isRecipientOf(recipient, who))
  if (own?.status === 'DEPOSITOR') return own
  if (!own || recipients.some(({ status }) => status === 'DEPOSITOR')) throw new ApiError('not_the_recipient')
  if (own.endorseOnly) throw new ApiError('endorse_only')
  const missing = missingEndorsements(recipients, own)
  if (missing.length > 0) throw endorsementsMissing(missing)
  return own
}

/** Returns the other recipients who have not endorsed the payment yet. */
export const missingEndorsements = (recipients: readonly PaymentRecipientRow[], own: PaymentRecipientRow) =>
  recipients.filter(({ position, status }) => position !== own.position && status !== 'ENDORSED')

const depositable: readonly PaymentStatus[] = paymentTransitions.deposit.from

const endorsementsMissing = (missing: readonly PaymentRecipientRow[]): ApiError =>
  new ApiError('endorsements_missing', {
    message: `${missing.map(({ name }) => name).join(', ')} must endorse the payment first.`,
  })
