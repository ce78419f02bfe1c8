import type { Actor } from '../../foundation/audit/audit-actions.ts'
import { recordAudit } from '../../foundation/audit/audit-actions.ts'
import { ApiError, fieldError } from '../../foundation/core/errors.ts'
import { centsToDollars } from '../../foundation/core/money.ts'
import { type Permission, permissionsOf } from '../../foundation/core/permission-rules.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import type { Page } from '../../foundation/db/list-page.ts'
import type { Paging } from '../../foundation/db/paging.ts'
import { type Caller, memberOf } from '../../foundation/http/caller.ts'
import { addDays } from '../../foundation/lib/clock.ts'
import { newId } from '../../foundation/lib/ids.ts'
import type { OrderInTransaction } from '../../payments/payment/accept/accept-actions.ts'
import type { Acceptance } from '../../payments/payment/accept/accept-store.ts'
import { decodeAttachment } from '../../payments/payment/accept/attachment-actions.ts'
import {
  countApprovalsNeeded,
  type Order,
  payeesOf,
  prepareOrder,
  type Sender,
  sourceOf,
} from '../../payments/payment/accept/prepare-actions.ts'
import {
  countNeededForMulti,
  findRecipientUsers,
  type MultiOrder,
  orderForMulti,
  type RecipientOrder,
} from '../../payments/payment/multi/multi-actions.ts'
import { isPostalAddress } from '../../payments/payment/payment-rules.ts'
import type { Attachment } from '../../payments/payment/payment-store.ts'
import type { OrderSource } from '../../payments/payment/payment-types.ts'
import { lockCaller } from '../../people/user/user-lock-actions.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import { notifyApprovers } from './approval-mail-actions.ts'
import {
  APPROVAL_DAYS,
  type ApprovalKind,
  type InvoicedPayee,
  MAX_OPEN_APPROVALS,
  MAX_OPEN_BATCHES,
  type Seen,
} from './approval-rules.ts'
import { approvalTransitions } from './approval-status.ts'
import {
  type ApprovalFilter,
  type ApprovalKey,
  type ApprovalRow,
  countApprovalsOfUser,
  deleteVotes,
  endApproval,
  findApproval,
  findApprovalAttachment,
  findApprovalVersion,
  findRole,
  findShownNumber,
  hasApprovalOfInvoice,
  insertApproval,
  type ListedApproval,
  listApprovals,
  listOpenApprovals,
  updateApproval,
} from './approval-store.ts'

/** An approval with the check number of its payment. Before the release, this is the number that the payment would get now. */
export type ShownApproval = ApprovalRow & { shownNumber: string }

/**
 * Prepares a payment that somebody releases later. Nothing is reserved. Limits, funds and the recipient are checked at the release.
 *
 * @throws ApiError invalid_request, invalid_deposit_option, paper_unavailable, unprintable_text
 */
export const prepareApproval = (
  deps: TxDeps,
  caller: Caller,
  { order, attachment }: { order: Order | MultiOrder; attachment: Attachment | null },
): Promise<ShownApproval> => addApproval(deps, caller, { ...wholeOrder(order), attachment })

/** Decodes the attachment of an order, or returns null if it has none. @throws ApiError invalid_request, invalid_attachment */
export function decodeApprovalAttachment(deps: Deps, caller: Caller, order: Order | MultiOrder) {
  const { attachment } = order
  if (attachment == null) return null
  return () => {
    wholeOrder(order) // reports problems of several recipients before other problems
    return decodeAttachment(deps, caller, attachment)
  }
}

const wholeOrder = (order: Order | MultiOrder) =>
  'recipients' in order ? { ...orderForMulti(order), recipients: order.recipients } : order

/** The order of an approval. A payment to several recipients has `recipients`, and the payment of an invoice has `invoiced`. */
type PreparedOrder = OrderInTransaction & { recipients?: readonly RecipientOrder[]; invoiced?: InvoicedPayee }

/** Prepares a payment. The attachment must already be decoded. @throws the errors of `prepareApproval`, and ApiError invoice_not_payable */
export async function addApproval(deps: TxDeps, caller: Caller, order: PreparedOrder): Promise<ShownApproval> {
  await lockCaller(deps, caller)
  const { invoiceId } = order
  if (invoiceId && (await isInvoiceWaiting(deps, { platformId: caller.platformId, id: invoiceId }))) {
    throw new ApiError('invoice_not_payable', {
      message: 'A payment of this invoice waits for approval. Release it, or withdraw it first.',
    })
  }
  const row = await prepareApprovalFor(deps, {
    user: caller,
    order,
    preparedBy: await requirePerson(deps, caller, 'prepare'),
    source: sourceOf(caller),
  })
  await recordAudit(deps, caller, 'approval_prepared', row.id)
  return withNumber(deps, row)
}

/** Returns whether an open approval would pay an invoice. */
export const isInvoiceWaiting = (deps: Pick<TxDeps, 'sql'>, invoice: ApprovalKey): Promise<boolean> =>
  hasApprovalOfInvoice(deps.sql, invoice)

/** Limits the open approvals, because each page reads all of them. @throws ApiError approval_limit_reached, batch_limit_reached */
export async function requireRoom(deps: TxDeps, user: UserKey, what: Approvable): Promise<void> {
  const { all, batches } = await countApprovalsOfUser(deps.sql, user)
  if (all >= MAX_OPEN_APPROVALS) throw new ApiError('approval_limit_reached')
  if (what === 'batch' && batches >= MAX_OPEN_BATCHES) throw new ApiError('batch_limit_reached')
}

/**
 * Prepares a payment for a locked user, without an audit entry. The person `preparedBy` may not release the payment.
 *
 * @throws ApiError approval_limit_reached, and the errors of `prepareApproval`
 */
export async function prepareApprovalFor(
  deps: TxDeps,
  { user, order, preparedBy, source }: { user: UserKey; order: PreparedOrder; preparedBy: string; source: OrderSource },
): Promise<ApprovalRow> {
  await requireRoom(deps, user, 'payment')
  const now = deps.clock.now()
  const row: ApprovalRow = {
    platformId: user.platformId,
    userId: user.userId,
    id: newId(deps),
    status: 'UNPAID',
    ...(await orderColumns(deps, user, order)),
    preparedBy,
    source,
    editors: [],
    createdAt: now,
    updatedAt: now,
  }
  await insertApproval(deps.sql, { ...row, expiresAt: addDays(now, APPROVAL_DAYS) }, order.attachment)
  await notifyApprovers(deps, row)
  return row
}

/**
 * Returns the person who acts. An API key counts as the member who created it, and a key without a creator as its user (see
 * `isSecondPerson`). Refuses a member who was removed while the request waited for the lock of the user.
 *
 * @throws ApiError permission_denied
 */
export async function requirePerson(deps: TxDeps, caller: Caller, permission: Permission): Promise<string> {
  const loginId = memberOf(caller)
  if (loginId === null) return caller.userId
  const role = await findRole(deps.sql, { platformId: caller.platformId, loginId })
  if (role === null || !permissionsOf(role, deps.settings.name).has(permission)) throw new ApiError('permission_denied')
  return loginId
}

/** Checks an order as far as that is possible without locks. Returns its columns. */
async function orderColumns(deps: TxDeps, user: UserKey, order: PreparedOrder) {
  const { platformId, userId } = user
  const { attachment: _, recipients, invoiced, ...rest } = order
  const sender = { platformId, userId, grantId: null }
  const prepared: Acceptance = await prepareOrder(deps, { sender, order: rest, claim: null })
  const { recipient, deposit_options, remittance_advice, mail_type } = order
  const payee = (await payeesOf(deps, [prepared]))[0]?.payee
  return {
    payeePlatformId: payee?.platformId ?? null,
    payeeId: payee?.userId ?? null,
    invoiceId: order.invoiceId ?? null,
    kind: order.invoiceId ? ('INVOICE' as const) : prepared.kind,
    amountCents: prepared.amountCents,
    name: prepared.name,
    recipient: prepared.recipient,
    fundingId: prepared.fundingId,
    description: prepared.description,
    comment: prepared.comment,
    number: prepared.number,
    numberIsText: prepared.numberIsText,
    details: {
      // The recipient is empty. A payment cannot be made to an empty recipient, so only code that knows about invoices can release it.
      recipient: invoiced ? '' : recipient,
      ...(invoiced && { invoice: invoiced }),
      ...(recipients && {
        recipients: recipients.map(({ pin: _pin, ...one }) => one),
        payees: await findRecipientUsers(deps, platformId, recipients),
      }),
      version: newId(deps),
      ...(deposit_options && { deposit_options }),
      ...(remittance_advice && { remittance_advice }),
      ...(mail_type && { mail_type }),
    },
    pinDescription: prepared.pin?.description ?? null,
    pinSealed: recipients ? sealPins(deps, recipients) : (prepared.pin?.valueSealed ?? null),
  }
}

/** Counts the people who must approve the payment of an order. */
export async function countNeeded(
  deps: Deps | TxDeps,
  sender: Sender,
  order: Omit<PreparedOrder, 'attachment'>,
): Promise<number> {
  const { recipients, ...rest } = order
  const prepared = await prepareOrder(deps, { sender, order: rest, claim: null })
  const needed = await countApprovalsNeeded(deps, [prepared])
  return recipients ? Math.max(needed, await countNeededForMulti(deps, prepared, recipients)) : needed
}

function sealPins({ keyRing }: Pick<TxDeps, 'keyRing'>, recipients: readonly RecipientOrder[]): Buffer | null {
  const pins = recipients.map(({ pin }) => pin ?? null)
  return pins.some((pin) => pin !== null) ? keyRing.seal(JSON.stringify(pins), 'payment pin') : null
}

/** Returns the order of an approval, without its attachment. */
export function orderOf({ keyRing }: Pick<TxDeps, 'keyRing'>, row: ApprovalRow): Omit<PreparedOrder, 'attachment'> {
  const { pinDescription, pinSealed, number, numberIsText } = row
  const { recipients, invoice, payees: _payees, version: _version, ...details } = row.details
  const pin = pinSealed && keyRing.openText(pinSealed, 'payment pin')
  const isOnOtherPlatform = row.kind === 'INVOICE' && row.payeePlatformId !== row.platformId
  return {
    ...details,
    ...(invoice && { recipient: invoice.recipient, invoiced: invoice }),
    ...(row.invoiceId && { invoiceId: row.invoiceId }),
    ...(isOnOtherPlatform && {
      payeeElsewhere: { platformId: row.payeePlatformId as string, userId: row.payeeId as string },
    }),
    amount: centsToDollars(row.amountCents),
    name: row.name,
    account: row.fundingId,
    description: row.description,
    comment: row.comment,
    number: number === null || numberIsText ? number : Number(number),
    ...(recipients
      ? { isForSeveral: true, recipients: withPins(recipients, pin) }
      : { pin: pin === null ? null : { ...(pinDescription !== null && { description: pinDescription }), value: pin } }),
  }
}

function withPins(recipients: readonly Omit<RecipientOrder, 'pin'>[], sealed: string | null): RecipientOrder[] {
  const pins: RecipientOrder['pin'][] = sealed === null ? [] : JSON.parse(sealed)
  return recipients.map((one, index) => ({ ...one, pin: pins[index] ?? null }))
}

const withNumber = async (deps: Pick<TxDeps, 'sql'>, row: ApprovalRow): Promise<ShownApproval> => ({
  ...row,
  shownNumber: await findShownNumber(deps.sql, row),
})

/** The two kinds of approvals. Each has its own API calls. */
export type Approvable = 'payment' | 'batch'

const NOT_FOUND = { payment: 'approval_not_found', batch: 'batch_not_found' } as const

/** Finds an approval. @throws ApiError approval_not_found, batch_not_found */
export async function requireApproval(
  deps: Pick<TxDeps, 'sql'>,
  caller: Caller,
  id: string,
  what: Approvable = 'payment',
): Promise<ApprovalRow> {
  const row = await findApproval(deps.sql, { platformId: caller.platformId, id })
  const isFound = row?.userId === caller.userId && (row.kind === 'BATCH') === (what === 'batch')
  if (!isFound) throw new ApiError(NOT_FOUND[what])
  return row
}

const CHANGED = { payment: 'approval_changed', batch: 'batch_changed' } as const

/** Finds an approval that has not changed since the caller saw it. @throws ApiError as `requireApproval`, approval_changed, batch_changed */
export async function requireSeen(
  deps: Pick<TxDeps, 'sql'>,
  caller: Caller,
  { id, version }: Seen,
  what: Approvable = 'payment',
): Promise<ApprovalRow> {
  const row = await requireApproval(deps, caller, id, what)
  // If the approval has ended, the caller gets the error about its status instead.
  if (version == null || row.status !== 'UNPAID') return row
  if (version !== (await findApprovalVersion(deps.sql, row))) throw new ApiError(CHANGED[what])
  return row
}

/** Returns an approval. @throws ApiError approval_not_found */
export async function getApproval(
  deps: Deps,
  caller: Caller,
  id: string,
): Promise<{ approval: ShownApproval; version: string }> {
  const row = await requireApproval(deps, caller, id)
  return { approval: await withNumber(deps, row), version: await findApprovalVersion(deps.sql, row) }
}

/** Returns the attachment as a PDF. @throws ApiError approval_not_found, attachment_not_found */
export async function getApprovalAttachment(deps: Deps, caller: Caller, id: string): Promise<Attachment> {
  const attachment = await findApprovalAttachment(deps.sql, await requireApproval(deps, caller, id))
  if (!attachment) throw new ApiError('attachment_not_found')
  return attachment
}

/** Lists the approvals of a user. */
export const getApprovals = (deps: Deps, filter: ApprovalFilter, paging: Paging): Promise<Page<ListedApproval>> =>
  listApprovals(deps.sql, filter, paging)

/** Changes of an open approval. `null` removes a value, and an omitted value stays as it is. */
export type ApprovalChanges = Partial<
  Pick<Order, 'account' | 'amount' | 'description' | 'name' | 'number' | 'recipient'>
>

/**
 * Changes an open approval. Under dual control, a person who edited it cannot release it.
 *
 * @throws ApiError approval_not_found, approval_changed, approval_not_open, and the errors of `prepareApproval` that need no locks
 */
export async function editApproval(
  deps: TxDeps,
  caller: Caller,
  { id, version, changes }: Seen & { changes: ApprovalChanges },
): Promise<void> {
  await lockCaller(deps, caller)
  const row = await requireSeen(deps, caller, { id, version })
  refuseFixedChanges(row.kind, changes)
  const order = { ...orderOf(deps, row), ...changes, attachment: null }
  if (isPostalAddress(order.recipient) !== (row.kind === 'PHYSICAL')) {
    const problem = row.kind === 'PHYSICAL' ? 'must be a postal address' : 'cannot be a postal address'
    throw fieldError('invalid_request', 'recipient', problem)
  }
  const { pinDescription: _description, pinSealed: _sealed, ...changed } = await orderColumns(deps, caller, order)
  const editor = await requirePerson(deps, caller, 'prepare')
  const edited = { ...row, ...changed, source: sourceOf(caller), editors: [...new Set([...row.editors, editor])] }
  const isEdited = await updateApproval(deps.sql, edited, { ...approvalTransitions.edit, now: deps.clock.now() })
  if (!isEdited) throw new ApiError('approval_not_open')
  await deleteVotes(deps.sql, row, null)
  await recordAudit(deps, caller, 'approval_edited', id)
}

/**
 * The fields of each kind that cannot be changed. A payment to several recipients stores their names with the recipients. An invoice
 * determines everything except the account that pays.
 */
const fixedFields: Partial<Record<ApprovalKind, { fields: readonly (keyof ApprovalChanges)[]; problem: string }>> = {
  MULTI: { fields: ['name', 'recipient'], problem: 'cannot be changed for several recipients' },
  INVOICE: {
    fields: ['amount', 'description', 'name', 'number', 'recipient'],
    problem: 'cannot be changed for the payment of an invoice',
  },
}

/** Refuses changes of fixed fields. @throws ApiError invalid_request */
function refuseFixedChanges(kind: ApprovalKind, changes: ApprovalChanges): void {
  const fixed = fixedFields[kind]
  const field = fixed?.fields.find((each) => changes[each] !== undefined)
  if (fixed && field) throw fieldError('invalid_request', field, fixed.problem)
}

/** Voids an open approval. @throws ApiError approval_not_found, batch_not_found, approval_not_open */
export async function voidApproval(
  deps: TxDeps,
  caller: Caller,
  id: string,
  what: Approvable = 'payment',
): Promise<void> {
  await lockCaller(deps, caller)
  const row = await requireApproval(deps, caller, id, what)
  const by = await requirePerson(deps, caller, 'prepare')
  if (!(await voidOne(deps, row, { actor: caller, by }))) throw new ApiError('approval_not_open')
}

async function voidOne(
  deps: TxDeps,
  key: ApprovalKey,
  { actor, by }: { actor: Actor; by: string | null },
): Promise<boolean> {
  const change = { ...approvalTransitions.void, outcome: 'VOIDED', endedBy: by, now: deps.clock.now() } as const
  const isVoided = await endApproval(deps.sql, key, change)
  if (isVoided) await recordAudit(deps, actor, 'approval_voided', key.id)
  return isVoided
}

/** Voids the open approvals of a user that is being deleted. */
export async function voidApprovalsOfUser(deps: TxDeps, user: UserKey): Promise<void> {
  const service = { ...user, credential: { kind: 'service' }, origin: null } as const
  for (const key of await listOpenApprovals(deps.sql, user, null))
    await voidOne(deps, key, { actor: service, by: null })
}

/** Voids the open approvals that a former member of the caller's platform prepared or edited last. */
export async function voidApprovalsOfMember(deps: TxDeps, caller: Caller, loginId: string): Promise<void> {
  const owner = { platformId: caller.platformId, userId: caller.platformId }
  const by = memberOf(caller) ?? caller.userId
  for (const key of await listOpenApprovals(deps.sql, owner, loginId)) await voidOne(deps, key, { actor: caller, by })
}
