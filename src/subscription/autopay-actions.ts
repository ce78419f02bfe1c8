import { recordAudit } from '../audit/audit-actions.ts'
import { ApiError } from '../core/errors.ts'
import type { TxDeps } from '../db/deps.ts'
import { type Caller, memberOf } from '../http/caller.ts'
import { payInvoiceIn } from '../invoice/invoice-payment-actions.ts'
import { newId } from '../lib/ids.ts'
import { sendMail } from '../mail/mail-actions.ts'
import { lockCaller } from '../user/user-lock-actions.ts'
import { findShownName, holdAuthorization, insertAuthorization, revokeAuthorization } from './autopay-store.ts'
import { getSubscription } from './subscription-actions.ts'
import { autopayMail, autopayText, failedAutopayMail } from './subscription-rules.ts'
import { findCreator, type SubscriptionRow } from './subscription-store.ts'

/**
 * Allows the invoices of a subscription to be paid without asking, or ends that. The text, the time and the address are kept as
 * evidence, and the user gets a copy by mail.
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
    if (await revokeAuthorization(deps.sql, row, now)) await recordAudit(deps, caller, 'autopay_off', id)
    return
  }
  if (row.state !== 'ACTIVE') throw new ApiError('subscription_not_active')
  const { platformId, userId } = caller
  const text = autopayText({ ...row, payeeName: await findShownName(deps.sql, row) })
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
  const { email } = await findCreator(deps.sql, { platformId, createdBy: memberOf(caller) })
  await sendMail(deps, { to: email, ...autopayMail({ text, at: now }) })
}

/** Pays an invoice of a run, if its payer allowed that. A refusal leaves the invoice unpaid, and the payer gets mail. */
export async function payAutomatically(deps: TxDeps, row: SubscriptionRow, invoiceId: string): Promise<void> {
  const { platformId, payerId } = row
  const authorization = payerId && (await holdAuthorization(deps.sql, row))
  if (!payerId || !authorization) return
  const payer = { platformId, userId: payerId }
  try {
    await payInvoiceIn(deps, { payer: { ...payer, grantId: null, source: 'RECURRING' }, id: invoiceId })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { email } = await findCreator(deps.sql, { platformId, createdBy: authorization.givenBy })
    const payeeName = await findShownName(deps.sql, row)
    await sendMail(deps, { to: email, ...failedAutopayMail({ ...row, payeeName, message: error.message }) })
  }
}
