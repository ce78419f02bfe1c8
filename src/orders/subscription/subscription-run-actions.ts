import { ApiError } from '../../foundation/core/errors.ts'
import { centsToDollars } from '../../foundation/core/money.ts'
import type { TxDeps } from '../../foundation/db/deps.ts'
import { ownerPageUrl, sendMail } from '../../foundation/mail/mail-actions.ts'
import { acceptPayment, type OrderInTransaction } from '../../payments/payment/accept/accept-actions.ts'
import { payeesOf, prepareOrder, type Sender } from '../../payments/payment/accept/prepare-actions.ts'
import { holdActiveUser, lockUser } from '../../people/user/user-lock-actions.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import { recordStatusEvent } from '../../webhook/event/event-actions.ts'
import { countNeeded, prepareApprovalFor } from '../approval/approval-actions.ts'
import { createInvoiceIn } from '../invoice/invoice-actions.ts'
import type { InvoiceRow } from '../invoice/invoice-store.ts'
import { maySend, payAutomatically } from './autopay-actions.ts'
import { assignRecipientPlatform, invoiceForCopy, notifyPayerPlatform } from './subscription-copy-actions.ts'
import { failedRunMail, nextRun } from './subscription-rules.ts'
import { subscriptionTransitions } from './subscription-status.ts'
import {
  claimRun,
  type DueSubscription,
  findCreator,
  findSubscription,
  insertRun,
  isLatestInvoiceUnpaid,
  type RunRow,
  type SubscriptionRow,
} from './subscription-store.ts'

/**
 * Executes a due run of a subscription. The claim commits together with the payment, so a run happens only once, regardless of the number
 * of workers and of interruptions. A refusal is the outcome of the run and does not stop later runs.
 */
export async function runSubscription(deps: TxDeps, { platformId, userId, id, dueAt }: DueSubscription): Promise<void> {
  await lockUser(deps, { platformId, userId })
  const row = await findSubscription(deps.sql, { platformId, id })
  // The subscription may have been canceled after it was listed, or another worker may have done the run.
  if (row?.nextAt?.getTime() !== dueAt.getTime()) return
  const next = nextRun(row, row.nextRun)
  const { from, to } = subscriptionTransitions[next ? 'run' : 'end']
  if (!(await claimRun(deps.sql, row, { run: row.nextRun, from, to, next }))) return
  if (await isLatestInvoiceUnpaid(deps.sql, row)) {
    await recordStatusEvent(deps, { platformId, type: 'SUBSCRIPTION', id, status: 'OVERDUE' })
  }
  const made = row.skipped.includes(row.nextRun) ? skipped : await perform(deps, row).catch(refusalOf)
  const { invoice, ...outcome } = made instanceof ApiError ? failed(made) : made
  const run = { ...outcome, invoiceId: invoice?.id ?? null, number: row.nextRun, createdAt: deps.clock.now() }
  await insertRun(deps.sql, row, run)
  if (invoice) await payAutomatically(deps, row, { invoiceId: invoice.id, destination: null })
  const after = {
    ...(await assignRecipientPlatform(deps, row, invoice)),
    state: to,
    nextRun: next?.run ?? row.nextRun + 1,
  }
  await notifyPayerPlatform(deps, after, { run, invoice: await invoiceForCopy(deps, after, invoice) })
  if (made instanceof ApiError) await reportFailure(deps, row, { refusal: made, at: dueAt, next: next?.at ?? null })
}

type Made = Pick<RunRow, 'outcome' | 'paymentId' | 'approvalId' | 'errorCode'> & { invoice: InvoiceRow | null }

/** The result of a run that created nothing. */
const MADE_NOTHING = { paymentId: null, approvalId: null, invoice: null, errorCode: null } as const

const skipped: Made = { outcome: 'SKIPPED', ...MADE_NOTHING }

const failed = ({ code }: ApiError): Made => ({ outcome: 'FAILED', ...MADE_NOTHING, errorCode: code })

/** Returns the refusal of a run that wrote nothing. Rethrows any other error, which rolls the run back. */
function refusalOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  throw error
}

const perform = (deps: TxDeps, row: SubscriptionRow): Promise<Made> =>
  row.type === 'INVOICE' ? sendInvoice(deps, row) : pay(deps, row)

/** Sends the invoice. @throws ApiError as `createInvoiceIn` */
async function sendInvoice(deps: TxDeps, row: SubscriptionRow): Promise<Made> {
  const order = {
    amount: centsToDollars(row.amountCents),
    name: row.name,
    recipient: row.recipient,
    description: row.description ?? '',
    account: row.fundingId,
  }
  const invoice = await createInvoiceIn(deps, { sender: row, order, attachment: null })
  return { outcome: 'INVOICED', ...MADE_NOTHING, invoice }
}

/** Creates the payment. If it needs a release, only prepares it. @throws ApiError as `acceptPayment` */
async function pay(deps: TxDeps, row: SubscriptionRow): Promise<Made> {
  const { platformId, userId, preparedBy } = row
  const sender: Sender = { platformId, userId, grantId: null, source: 'RECURRING' }
  const { payee, ...details } = row.details
  const order: OrderInTransaction = {
    ...details,
    amount: centsToDollars(row.amountCents),
    name: row.name,
    account: row.fundingId,
    description: row.description,
    attachment: null,
  }
  if (payee) await requireSamePayee(deps, { sender, order, payee })
  if (!row.sendsDirectly || !(await maySend(deps, row)) || (await countNeeded(deps, sender, order)) > 0) {
    if (!(await holdActiveUser(deps, row))) throw new ApiError('user_not_active')
    const approval = await prepareApprovalFor(deps, { user: row, order, preparedBy, source: 'RECURRING' })
    return { outcome: 'PREPARED', ...MADE_NOTHING, approvalId: approval.id }
  }
  const payment = await acceptPayment({ how: 'inTransaction', deps }, { sender, order })
  return { outcome: 'PAID', ...MADE_NOTHING, paymentId: payment.id }
}

/**
 * Refuses to pay another user than the one whom the sender meant. A user_id can be used again when its user is deleted. @throws ApiError
 * approval_payee_changed, and as `prepareOrder`
 */
async function requireSamePayee(
  deps: TxDeps,
  { sender, order, payee }: { sender: Sender; order: OrderInTransaction; payee: UserKey },
): Promise<void> {
  const { attachment: _, ...rest } = order
  const prepared = await prepareOrder(deps, { sender, order: rest, claim: null })
  const now = (await payeesOf(deps, [prepared]))[0]?.payee
  if (!now || (now.platformId === payee.platformId && now.userId === payee.userId)) return
  throw new ApiError('approval_payee_changed', {
    message:
      'The recipient is another user now than when this subscription was created. Cancel it and create it again.',
  })
}

async function reportFailure(
  deps: TxDeps,
  row: SubscriptionRow,
  { refusal: { message }, at, next }: { refusal: ApiError; at: Date; next: Date | null },
): Promise<void> {
  const { platformId, id } = row
  await recordStatusEvent(deps, { platformId, type: 'SUBSCRIPTION', id, status: 'FAILED' })
  const { email } = await findCreator(deps.sql, row)
  await sendMail(deps, {
    to: email,
    ...failedRunMail({ ...row, at, next, message, url: ownerPageUrl(deps, row, `/recurring/${id}`) }),
  })
}
