import { recordAudit } from '../../foundation/audit/audit-actions.ts'
import { ApiError } from '../../foundation/core/errors.ts'
import { permissionsOf } from '../../foundation/core/permission-rules.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { type Accepted, acceptPayment } from '../../payments/payment/accept/accept-actions.ts'
import type { Acceptance } from '../../payments/payment/accept/accept-store.ts'
import { type Sender, senderOf, sourceOf } from '../../payments/payment/accept/prepare-actions.ts'
import { addRecipients, findRecipientUsers, type Payees } from '../../payments/payment/multi/multi-actions.ts'
import type { Destination } from '../../payments/payment/payment-change-actions.ts'
import { lockCaller, lockUser } from '../../people/user/user-lock-actions.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import {
  type Approvable,
  countNeeded,
  orderOf,
  requireApproval,
  requirePerson,
  requireSeen,
} from './approval-actions.ts'
import { notifyPreparer } from './approval-mail-actions.ts'
import type { Seen } from './approval-rules.ts'
import { approvalTransitions } from './approval-status.ts'
import {
  type ApprovalKey,
  type ApprovalRow,
  deleteVotes,
  endApproval,
  findApproval,
  findApprovalAttachment,
  findRole,
  insertVote,
  listOwners,
  listVoters,
  listVotes,
  updatePaymentOfApproval,
} from './approval-store.ts'

/** An invoice that was sent by mail and was moved into the account that found it. `content`: the columns of the recipient's row. */
export type MovedInvoice = { id: string; content: object }

/** The functions that pay the invoice of an approval (`invoice/invoice-approval-actions.ts`). */
export type InvoicePayments = {
  /** Finds and checks the account that receives the payment for an invoice from another platform, on that platform. */
  findDestination: (deps: Deps, row: ApprovalRow) => Promise<Destination>
  /** Pays the invoice. `destination` is null for an invoice of this platform. */
  pay: (deps: TxDeps, given: { row: ApprovalRow; sender: Sender; destination: Destination | null }) => Promise<Accepted>
}

type Releasing = Seen & { invoices: InvoicePayments; destination: Destination | null }

/**
 * Checks the account that receives the payment for an approved invoice from another platform, on that platform, before the release. Returns
 * null if the approval has none.
 *
 * @throws ApiError invoice_not_payable
 */
export async function findReleasedAccount(
  deps: Deps,
  caller: Caller,
  { id, invoices }: { id: string; invoices: InvoicePayments },
): Promise<(() => Promise<Destination>) | null> {
  const row = await findApproval(deps.sql, { platformId: caller.platformId, id })
  if (row?.userId !== caller.userId || row.kind !== 'INVOICE' || row.status !== 'UNPAID') return null
  return row.payeePlatformId === row.platformId ? null : () => invoices.findDestination(deps, row)
}

/**
 * Creates the payment of an approval, with all checks of a payment, in the same transaction. The release counts as the approval by its
 * person, and `accept_payments_v1` checks the number of approvals.
 *
 * @param given.destination see `findReleasedAccount`
 * @returns the payment as `POST /v3/check/digital` returns it
 * @throws ApiError approval_not_found, approval_changed, approval_not_open, second_person_needed, approval_payee_changed,
 * invoice_not_payable, and as `acceptPayment`
 */
export async function releaseApproval(deps: TxDeps, caller: Caller, given: Releasing): Promise<object> {
  const { invoices, destination, ...seen } = given
  await lockCaller(deps, caller)
  const row = await requireSeen(deps, caller, seen)
  const { id } = row
  const order = orderOf(deps, row)
  const { sender, releasedBy } = await startRelease(deps, caller, {
    row,
    needed: (sender) => countNeeded(deps, sender, order),
  })
  const payment = await (row.kind === 'INVOICE'
    ? invoices.pay(deps, { row, sender, destination })
    : payOrder(deps, { row, sender, order }))
  if (!(await updatePaymentOfApproval(deps.sql, row, payment.id))) throw new ApiError('approval_payee_changed')
  await recordAudit(deps, caller, 'approval_released', `${id} as payment ${payment.id}`)
  await notifyPreparer(deps, row, { outcome: 'RELEASED', by: releasedBy })
  return JSON.parse(payment.text)
}

async function payOrder(
  deps: TxDeps,
  { row, sender, order: given }: { row: ApprovalRow; sender: Sender; order: ReturnType<typeof orderOf> },
): Promise<Accepted> {
  const { recipients, ...order } = given
  const attachment = await findApprovalAttachment(deps.sql, row)
  const approved = { sender, order: { ...order, attachment, approvalId: row.id } }
  if (!recipients) return acceptPayment({ how: 'inTransaction', deps }, approved)
  const payees = await findRecipientUsers(deps, row.platformId, recipients)
  requireSamePayees(row, payees)
  const also = (tx: TxDeps, payment: Acceptance) => addRecipients(tx, { payment, recipients, payees })
  return acceptPayment({ how: 'inTransaction', deps, also }, approved)
}

/** Requires that the payees have not changed. @throws ApiError approval_payee_changed */
function requireSamePayees({ details: { payees } }: ApprovalRow, now: Payees): void {
  const isSame = (user: UserKey | null, before: UserKey | null) =>
    user?.platformId === before?.platformId && user?.userId === before?.userId
  if (payees?.every((before, index) => isSame(now[index] ?? null, before)) ?? true) return
  throw new ApiError('approval_payee_changed', {
    message:
      'A recipient of this payment is another user now than when it was prepared. Withdraw it and prepare it again.',
  })
}

/**
 * Ends an approval as RELEASED. The release counts as the approval by its person. The caller holds the lock of the user and then creates
 * the payments in the same transaction. `needed` counts the approvals that the payments need.
 *
 * @throws ApiError approval_not_open, second_person_needed
 */
export async function startRelease(
  deps: TxDeps,
  caller: Caller,
  { row, needed }: { row: ApprovalRow; needed: (sender: Sender) => Promise<number> },
): Promise<{ sender: Sender; releasedBy: string }> {
  const releasedBy = await requirePerson(deps, caller, 'release')
  const end = { outcome: 'RELEASED', endedBy: releasedBy, now: deps.clock.now() } as const
  const isOpen = await endApproval(deps.sql, row, { ...approvalTransitions.release, ...end })
  if (!isOpen) throw new ApiError('approval_not_open')
  await dropVoidVotes(deps, row)
  const sender = senderAtRelease(row, caller)
  if (!(await isSecondPerson(deps, row, releasedBy)) && (await needed(sender)) > 0) {
    throw new ApiError('second_person_needed')
  }
  if (await countsAsApprover(deps, row, releasedBy)) await insertVote(deps.sql, row, releasedBy, deps.clock.now())
  return { sender, releasedBy }
}

/**
 * Records the first approval of a payment or batch that needs two. The second approval is its release.
 *
 * @throws ApiError approval_not_found, batch_not_found, approval_changed, batch_changed, approval_not_open, second_person_needed
 */
export async function approveApproval(
  deps: TxDeps,
  caller: Caller,
  seen: Seen,
  what: Approvable = 'payment',
): Promise<void> {
  await lockCaller(deps, caller)
  const row = await requireSeen(deps, caller, seen, what)
  const person = await requirePerson(deps, caller, 'release')
  if (row.status !== 'UNPAID') throw new ApiError('approval_not_open')
  if (!(await countsAsApprover(deps, row, person))) throw new ApiError('second_person_needed')
  await insertVote(deps.sql, row, person, deps.clock.now())
  await recordAudit(deps, caller, 'approval_approved', seen.id)
}

/** Rejects an approval, which cannot be opened again. @throws ApiError approval_not_found, batch_not_found, approval_not_open */
export async function rejectApproval(
  deps: TxDeps,
  caller: Caller,
  { id, reason, what = 'payment' }: { id: string; reason: string; what?: Approvable },
): Promise<void> {
  await lockCaller(deps, caller)
  const row = await requireApproval(deps, caller, id, what)
  const by = await requirePerson(deps, caller, 'release')
  const end = { outcome: 'REJECTED', endedBy: by, reason, now: deps.clock.now() } as const
  if (!(await endApproval(deps.sql, row, { ...approvalTransitions.reject, ...end }))) {
    throw new ApiError('approval_not_open')
  }
  await recordAudit(deps, caller, 'approval_rejected', `${id}: ${reason}`)
  await notifyPreparer(deps, row, { outcome: 'REJECTED', by, reason })
}

/** Ends a prepared payment that was not released within 30 days. */
export async function expireApproval(deps: TxDeps, key: ApprovalKey): Promise<void> {
  const row = await findApproval(deps.sql, key)
  if (!row) return
  await lockUser(deps, row)
  const end = { outcome: 'EXPIRED', endedBy: null, now: deps.clock.now() } as const
  if (!(await endApproval(deps.sql, row, { ...approvalTransitions.expire, ...end }))) return
  const { platformId, userId } = row
  const service = { platformId, userId, credential: { kind: 'service' }, origin: null } as const
  await recordAudit(deps, service, 'approval_expired', row.id)
  await notifyPreparer(deps, row, { outcome: 'EXPIRED', by: null })
}

/**
 * Returns the sender for the approval policy. A payment can be prepared by a program and released on the page, or the other way around. The
 * stricter source counts.
 */
export const senderAtRelease = ({ source }: ApprovalRow, caller: Caller): Sender => ({
  ...senderOf(caller),
  source: source ?? 'API',
  releasedFrom: sourceOf(caller),
})

/** Deletes approvals that no longer count: those of people who may no longer release, and those from before a payee changed. */
export async function dropVoidVotes(deps: TxDeps, row: ApprovalRow): Promise<void> {
  const isVoid: string[] = []
  for (const { person, isOutdated } of await listVotes(deps.sql, row)) {
    if (isOutdated) isVoid.push(person)
    if (isOutdated || person === row.userId) continue // a key that no member created
    const role = await findRole(deps.sql, { platformId: row.platformId, loginId: person })
    if (role === null || !permissionsOf(role, deps.settings.name).has('release')) isVoid.push(person)
  }
  if (isVoid.length > 0) await deleteVotes(deps.sql, row, isVoid)
}

/** Returns whether an approval by this person counts. The preparer's approval does not, and a person with several keys counts once. */
export async function countsAsApprover(deps: TxDeps, row: ApprovalRow, person: string): Promise<boolean> {
  if (!(await isSecondPerson(deps, row, person))) return false
  const voters = (await listVoters(deps.sql, row)).filter((voter) => voter !== person)
  const key = row.platformId
  if (![...voters, person].includes(key)) return true
  const owners = await listOwners(deps.sql, row.platformId)
  return person === key ? !voters.some((voter) => owners.includes(voter)) : !owners.includes(person)
}

/**
 * Returns whether a person differs from those who prepared and edited the payment. A key of the owner that no member created could be used
 * by any owner. Therefore, such a key is no second person to an owner, and the first owner is no second person to the key.
 */
async function isSecondPerson(deps: TxDeps, row: ApprovalRow, releasedBy: string): Promise<boolean> {
  const others = [row.preparedBy, ...row.editors]
  if (others.includes(releasedBy)) return false
  const key = row.platformId // stands for the owner's keys that no member created
  if (![...others, releasedBy].includes(key)) return true
  const owners = await listOwners(deps.sql, row.platformId)
  return releasedBy === key ? !owners.some((owner) => others.includes(owner)) : releasedBy !== owners[0]
}
