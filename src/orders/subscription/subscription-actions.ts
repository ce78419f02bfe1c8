import { recordAudit } from '../../foundation/audit/audit-actions.ts'
import { ApiError, fieldError } from '../../foundation/core/errors.ts'
import { requireCents } from '../../foundation/core/money.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import type { Page } from '../../foundation/db/list-page.ts'
import type { Paging } from '../../foundation/db/paging.ts'
import { type Caller, memberOf } from '../../foundation/http/caller.ts'
import { addDays, businessDate, formatDate } from '../../foundation/lib/clock.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { holdAccount } from '../../money/destination/destination-actions.ts'
import { acceptRefusal } from '../../payments/payment/accept/accept-refusal-rules.ts'
import type { Acceptance } from '../../payments/payment/accept/accept-store.ts'
import { payeesOf, prepareOrder, senderOf } from '../../payments/payment/accept/prepare-actions.ts'
import { lockCaller } from '../../people/user/user-lock-actions.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import { recordStatusEvent } from '../../webhook/event/event-actions.ts'
import { requirePerson } from '../approval/approval-actions.ts'
import { checkLaterInvoices } from '../invoice/invoice-actions.ts'
import { notifyPayerPlatform } from './subscription-copy-actions.ts'
import {
  autopayText,
  type Interval,
  MAX_ACTIVE_SUBSCRIPTIONS,
  MAX_DAYS_AHEAD,
  misses,
  nextRun,
  runAt,
  runsAhead,
  type SubscriptionDetails,
} from './subscription-rules.ts'
import { subscriptionTransitions } from './subscription-status.ts'
import {
  countActiveSubscriptions,
  findSenderName,
  findSubscription,
  insertRun,
  insertSubscription,
  listActiveSubscriptions,
  listRuns,
  listSubscriptions,
  type RunRow,
  type ShownSubscription,
  type SubscriptionFilter,
  type SubscriptionKey,
  type SubscriptionRow,
  updateCanceled,
  updateSkipped,
} from './subscription-store.ts'

/** A recurring payment. The amount is in dollars. */
export type SubscriptionOrder = SubscriptionDetails & {
  amount: number
  name: string
  account?: string | null
  description?: string | null
  interval: Interval
  duration?: number | null
  start_date?: string | null
}

/**
 * Creates a subscription for a recurring payment. Each run checks limits, funds and the recipient.
 *
 * @throws ApiError invalid_request, bank_not_found, own_recipient, invalid_recipient, paper_unavailable, unprintable_text,
 * subscription_limit_reached
 */
export async function subscribe(deps: TxDeps, caller: Caller, order: SubscriptionOrder): Promise<ShownSubscription> {
  await lockCaller(deps, caller)
  const { interval: _interval, duration: _duration, start_date: _start, ...payment } = order
  const prepared = await prepareOrder(deps, { sender: senderOf(caller), order: payment, claim: null })
  await requireOwnAccount(deps, caller, prepared.fundingId)
  const payee = await findPayee(deps, prepared)
  const { recipient, remittance_advice } = order
  return addSubscription(deps, caller, order, {
    type: 'CHECK',
    amountCents: prepared.amountCents,
    name: prepared.name,
    recipient: prepared.recipient,
    fundingId: prepared.fundingId,
    payerId: null,
    recipientPlatformId: null,
    description: prepared.description,
    details: { recipient, ...(remittance_advice && { remittance_advice }), ...(payee && { payee }) },
  })
}

/**
 * Checks the owner of a bank, which cannot change later. Each run checks whether the bank can be debited. @throws ApiError bank_not_found
 */
async function requireOwnAccount(deps: TxDeps, { platformId, userId }: UserKey, id: string | null): Promise<void> {
  if (id === null) return
  const account = await holdAccount(deps, { platformId, userId, id })
  if (account?.kind === 'bank' || account?.kind === 'wallet') return
  throw fieldError('bank_not_found', 'account', 'is not a bank or wallet of this user. Check its id')
}

/**
 * Finds the user who would be paid now. Refuses a recipient that can never be paid. Each run checks whether the recipient can be paid at that
 * time.
 *
 * @throws ApiError own_recipient, invalid_recipient
 */
async function findPayee(deps: TxDeps, prepared: Acceptance): Promise<UserKey | null> {
  const [found] = await payeesOf(deps, [prepared])
  const refusal = found?.refusal
  if (refusal?.outcome === 'own_recipient' || refusal?.outcome === 'invalid_recipient')
    throw acceptRefusal(refusal, prepared.recipient)
  return found?.payee ?? null
}

/** A recurring invoice. The amount is in dollars. */
export type InvoiceSubscriptionOrder = Omit<SubscriptionOrder, 'recipient' | 'description' | 'remittance_advice'> & {
  recipient: string
  description: string
}

/**
 * Creates a subscription for a recurring invoice.
 *
 * @throws ApiError as `checkLaterInvoices`, and invalid_request, subscription_limit_reached
 */
export async function subscribeInvoice(
  deps: TxDeps,
  caller: Caller,
  order: InvoiceSubscriptionOrder,
): Promise<ShownSubscription> {
  await lockCaller(deps, caller)
  const { name, recipient, description, account = null } = order
  return addSubscription(deps, caller, order, {
    type: 'INVOICE',
    amountCents: requireCents(order.amount, 'amount'),
    name,
    recipient,
    fundingId: account,
    ...(await checkLaterInvoices(deps, caller, { recipient, account })),
    description,
    details: { recipient },
  })
}

type Repeated = Pick<
  SubscriptionRow,
  | 'type'
  | 'amountCents'
  | 'name'
  | 'recipient'
  | 'fundingId'
  | 'payerId'
  | 'recipientPlatformId'
  | 'description'
  | 'details'
>

async function addSubscription(
  deps: TxDeps,
  caller: Caller,
  {
    interval,
    duration = null,
    start_date: wantedStart,
  }: Pick<SubscriptionOrder, 'interval' | 'duration' | 'start_date'>,
  repeated: Repeated,
): Promise<ShownSubscription> {
  const count = await countActiveSubscriptions(deps.sql, caller)
  if (count >= MAX_ACTIVE_SUBSCRIPTIONS) throw new ApiError('subscription_limit_reached')
  const now = deps.clock.now()
  const today = businessDate(now, deps.settings.timeZone)
  const startDate = wantedStart ?? today
  if (startDate < today) throw fieldError('invalid_request', 'start_date', 'must not be in the past')
  if (startDate > formatDate(addDays(now, MAX_DAYS_AHEAD))) {
    throw fieldError('invalid_request', 'start_date', 'must be within the next fifty years')
  }
  const schedule = { startDate, interval, duration }
  const isLate = misses(schedule, now)
  const first = isLate ? nextRun(schedule, 1) : { run: 1, at: runAt(schedule, 1) }
  if (!first) throw fieldError('invalid_request', 'start_date', 'must be later: the time of the only run has passed')
  const row: SubscriptionRow = {
    platformId: caller.platformId,
    userId: caller.userId,
    id: newId(deps),
    ...repeated,
    senderPlatformId: null,
    state: 'ACTIVE',
    ...schedule,
    nextRun: first.run,
    nextAt: first.at,
    skipped: isLate ? [1] : [],
    createdBy: memberOf(caller),
    preparedBy: await requirePerson(deps, caller, 'prepare'),
    sendsDirectly: caller.permissions.has('send'),
    createdAt: now,
  }
  await insertSubscription(deps.sql, row)
  const missed = isLate ? { ...MISSED_FIRST_RUN, createdAt: now } : null
  if (missed) await insertRun(deps.sql, row, missed)
  await notifyPayerPlatform(deps, row, missed && { run: missed, invoice: null })
  await recordAudit(deps, caller, 'subscription_created', row.id)
  return { ...row, status: 'UNPAID', autopay: false }
}

const MISSED_FIRST_RUN = {
  number: 1,
  outcome: 'SKIPPED',
  paymentId: null,
  approvalId: null,
  invoiceId: null,
  errorCode: null,
} as const

/** Returns a subscription of the caller, or one whose invoices the caller gets. @throws ApiError subscription_not_found */
export async function getSubscription(
  deps: Pick<TxDeps, 'sql'>,
  caller: Caller,
  id: string,
): Promise<ShownSubscription> {
  const row = await findSubscription(deps.sql, { platformId: caller.platformId, id })
  if (!row || ![row.userId, row.payerId].includes(caller.userId)) throw new ApiError('subscription_not_found')
  return row
}

/** The maximum number of past runs, and of future runs, that are shown. */
const RUNS_SHOWN = 100
const RUNS_AHEAD = 12

/** The past and the future runs of a subscription. */
export type SubscriptionRuns = {
  row: ShownSubscription
  /** The user to whom the subscription belongs. */
  sender: string
  /** The text to which the payer agrees by turning autopay on. Null for the sender. */
  autopayText: string | null
  /** The past runs, newest first. */
  runs: RunRow[]
  ahead: ReturnType<typeof runsAhead>
}

/** Returns the runs of a subscription. @throws ApiError subscription_not_found */
export async function getRuns(deps: Deps, caller: Caller, id: string): Promise<SubscriptionRuns> {
  const row = await getSubscription(deps, caller, id)
  const sender = await findSenderName(deps.sql, row)
  const agreed = row.payerId === caller.userId ? autopayText({ ...row, payeeName: sender }) : null
  const runs = await listRuns(deps.sql, row, RUNS_SHOWN)
  return { row, sender, autopayText: agreed, runs, ahead: runsAhead(row, RUNS_AHEAD) }
}

/** Lists the subscriptions of a user. */
export const getSubscriptions = (
  deps: Deps,
  filter: SubscriptionFilter,
  paging: Paging,
): Promise<Page<ShownSubscription>> => listSubscriptions(deps.sql, filter, paging)

/**
 * Sets the runs that are skipped. Past runs do not change. If a person without the permission to send resumes a run, the later payments are
 * prepared for approval.
 *
 * @throws ApiError subscription_not_found, not_the_sender, subscription_not_active, invalid_request
 */
export async function chooseSkipped(
  deps: TxDeps,
  caller: Caller,
  { id, skipped: wanted }: { id: string; skipped: readonly number[] },
): Promise<void> {
  await lockCaller(deps, caller)
  const row = await requireOwn(deps, caller, id)
  const before = row.skipped.filter((run) => run < row.nextRun)
  const late = wanted.find((run) => run < row.nextRun && !before.includes(run))
  if (late !== undefined) throw fieldError('invalid_request', 'skipped', `cannot include run ${late}: it has happened`)
  const beyond = wanted.find((run) => row.duration !== null && run > row.duration)
  if (beyond !== undefined)
    throw fieldError('invalid_request', 'skipped', `cannot include run ${beyond}: the last one is ${row.duration}`)
  const skipped = [...new Set([...before, ...wanted])].sort((a, b) => a - b)
  const resumes = row.skipped.some((run) => !skipped.includes(run))
  const sendsDirectly = row.sendsDirectly && (!resumes || caller.permissions.has('send'))
  const { from } = subscriptionTransitions.run
  const isChanged = await updateSkipped(deps.sql, row, { skipped, sendsDirectly, from })
  if (!isChanged) throw new ApiError('subscription_not_active')
  await notifyPayerPlatform(deps, { ...row, skipped }, null)
  await recordAudit(deps, caller, 'subscription_changed', `${id} skips ${skipped.join(', ') || 'nothing'}`)
}

/**
 * Skips one run, or resumes a skipped one. Other runs are not affected, even if two people do this at the same time.
 *
 * @throws ApiError as `chooseSkipped`
 */
export async function skipRun(
  deps: TxDeps,
  caller: Caller,
  { id, run, isSkipped }: { id: string; run: number; isSkipped: boolean },
): Promise<void> {
  await lockCaller(deps, caller)
  const { skipped, nextRun } = await requireOwn(deps, caller, id)
  if (run < nextRun) throw fieldError('invalid_request', 'skipped', `cannot be changed for run ${run}: it has happened`)
  const others = skipped.filter((other) => other !== run)
  await chooseSkipped(deps, caller, { id, skipped: isSkipped ? [...others, run] : others })
}

/** Returns a subscription that the caller may change. @throws ApiError subscription_not_found, not_the_sender */
async function requireOwn(deps: TxDeps, caller: Caller, id: string): Promise<ShownSubscription> {
  const row = await getSubscription(deps, caller, id)
  if (row.userId !== caller.userId) throw new ApiError('not_the_sender')
  return row
}

/**
 * Ends a subscription. Payments that it created are not affected. @throws ApiError subscription_not_found, not_the_sender,
 * subscription_not_active
 */
export async function cancelSubscription(deps: TxDeps, caller: Caller, id: string): Promise<void> {
  await lockCaller(deps, caller)
  const row = await requireOwn(deps, caller, id)
  if (!(await cancelOne(deps, row))) throw new ApiError('subscription_not_active')
  await recordAudit(deps, caller, 'subscription_canceled', id)
}

async function cancelOne(deps: TxDeps, { platformId, id }: SubscriptionKey): Promise<boolean> {
  const isCanceled = await updateCanceled(deps.sql, { platformId, id }, subscriptionTransitions.cancel)
  if (!isCanceled) return false
  await recordStatusEvent(deps, { platformId, type: 'SUBSCRIPTION', id, status: 'CANCELED' })
  await notifyPayerPlatform(deps, (await findSubscription(deps.sql, { platformId, id })) as SubscriptionRow, null)
  return true
}

/** Ends the subscriptions of a user that is being deleted. */
export async function cancelSubscriptionsOfUser(deps: TxDeps, user: UserKey): Promise<void> {
  for (const key of await listActiveSubscriptions(deps.sql, user)) await cancelOne(deps, key)
}
