import { recordAudit } from '../../foundation/audit/audit-actions.ts'
import { ApiError } from '../../foundation/core/errors.ts'
import { permissionsOf } from '../../foundation/core/permission-rules.ts'
import type { TxDeps } from '../../foundation/db/deps.ts'
import { inSavepoint } from '../../foundation/db/transaction.ts'
import { type Caller, memberOf } from '../../foundation/http/caller.ts'
import { longBusinessDate } from '../../foundation/lib/clock.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { ownerPageUrl, sendMail } from '../../foundation/mail/mail-actions.ts'
import type { Destination } from '../../payments/payment/payment-change-actions.ts'
import { lockCaller, lockUser } from '../../people/user/user-lock-actions.ts'
import { payAllowedInvoice } from '../invoice/invoice-approval-actions.ts'
import { holdAuthorization, insertAuthorization, revokeAuthorization } from './autopay-store.ts'
import { getSubscription } from './subscription-actions.ts'
import { notifySenderPlatform } from './subscription-copy-actions.ts'
import { autopayMail, autopayText, failedAutopayMail } from './subscription-rules.ts'
import { findCreator, findSenderName, type ShownSubscription } from './subscription-store.ts'

/**
 * Turns autopay for the invoices of a subscription on or off. The text, the time and the address are stored as evidence, and the user gets
 * a copy by mail.
 *
 * @throws ApiError subscription_not_found, not_the_recipient, subscription_not_active
 */
export async function setAutopay(
  deps: TxDeps,
  caller: Caller,
  { id, autopay }: { id: string; autopay: boolean },
): Promise<void> {
  await lockCaller(deps, caller)
  const row = await getSubscription(deps, caller, id)
  if (row.payerId !== caller.userId) throw new ApiError('not_the_recipient')
  const now = deps.realClock.now()
  if (!autopay) {
    if (!(await revokeAuthorization(deps.sql, row, now))) return
    await recordAudit(deps, caller, 'autopay_off', id)
    await notifySenderPlatform(deps, row, { autopay })
    return
  }
  if (row.state !== 'ACTIVE') throw new ApiError('subscription_not_active')
  const { platformId, userId } = caller
  const text = autopayText({ ...row, payeeName: await findSenderName(deps.sql, row) })
  const isNew = await insertAuthorization(deps.sql, {
    platformId,
    userId,
    id: newId(deps),
    subscriptionId: id,
    givenBy: memberOf(caller),
    text,
    address: caller.origin.address,
    givenAt: now,
  })
  if (!isNew) return
  await recordAudit(deps, caller, 'autopay_on', id)
  await notifySenderPlatform(deps, row, { autopay })
  const { email } = await findCreator(deps.sql, { platformId, createdBy: memberOf(caller) })
  await sendMail(deps, {
    to: email,
    ...autopayMail({
      text,
      day: longBusinessDate(now, deps.settings.timeZone),
      url: ownerPageUrl(deps, caller, `/recurring/${id}`),
    }),
  })
}

/** Returns whether the person who ordered recurring payments can still send without a release. Null: an API key that no member created. */
export async function maySend(deps: TxDeps, order: { platformId: string; createdBy: string | null }): Promise<boolean> {
  if (order.createdBy === null) return true
  const { role } = await findCreator(deps.sql, order)
  return role !== null && permissionsOf(role, deps.settings.name).has('send')
}

/**
 * Pays the invoice of a run if its payer has turned autopay on. If the payment needs approval, or if the person who allowed it
 * may no longer send, prepares it. After a refusal, the invoice
 * stays unpaid, and the payer gets a mail.
 *
 * @param destination the account of an invoice from another platform, or null if it has none now
 */
export async function payAutomatically(
  deps: TxDeps,
  row: ShownSubscription,
  { invoiceId, destination }: { invoiceId: string; destination: Destination | null },
): Promise<void> {
  const { platformId, payerId } = row
  if (payerId === null || !row.autopay) return
  const payer = { platformId, userId: payerId, grantId: null, source: 'RECURRING' } as const
  await lockUser(deps, payer)
  const authorization = await holdAuthorization(deps.sql, row)
  if (!authorization) return
  const { givenBy } = authorization
  const order = { payer, id: invoiceId, destination, preparedBy: givenBy ?? payerId }
  try {
    const needsRelease = !(await maySend(deps, { platformId, createdBy: givenBy }))
    await inSavepoint(deps.sql, () => payAllowedInvoice(deps, { ...order, needsRelease }))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { email } = await findCreator(deps.sql, { platformId, createdBy: givenBy })
    const payeeName = await findSenderName(deps.sql, row)
    const url = ownerPageUrl(deps, payer, `/invoices/${invoiceId}`)
    await sendMail(deps, { to: email, ...failedAutopayMail({ ...row, payeeName, message: error.message, url }) })
  }
}
