import { Type } from 'typebox'
import { centsToDollars } from '../../foundation/core/money.ts'
import { list } from '../../foundation/http/list/list.ts'
import { get, type Route } from '../../foundation/http/route.ts'
import { closed, nullable, oneOf } from '../../foundation/http/schema.ts'
import { formatDateTime } from '../../foundation/lib/clock.ts'
import { plainText } from '../../foundation/lib/text/plain-text.ts'
import { INVOICE_STATUSES } from '../../payments/invoice-status/invoice-status.ts'
import { countInbox, getEnded, getInbox, type InboxItem } from './approval-inbox-actions.ts'
import type { EndedRow } from './approval-inbox-store.ts'
import { APPROVAL_KINDS } from './approval-rules.ts'
import { APPROVAL_OUTCOMES } from './approval-status.ts'

const tag = 'Approvals'

const fields = {
  id: Type.String(),
  kind: oneOf(APPROVAL_KINDS),
  amount: Type.Number(),
  name: Type.String(),
  recipient: Type.String(),
  description: nullable(Type.String()),
}

const Item = closed({
  ...fields,
  pays_into: nullable(
    Type.String({ description: 'The account of the payee that it names, in words; null if the payee chooses one' }),
  ),
  prepared_by: Type.String(),
  date: Type.String(),
  expires: Type.String(),
  needed: Type.Integer(),
  reasons: Type.Array(Type.String()),
  approved_by: Type.Array(Type.String()),
  next: oneOf(['release', 'approve', 'none']),
  invoice: nullable(
    closed({ id: Type.String(), status: oneOf(INVOICE_STATUSES) }, { description: 'The invoice that it pays' }),
  ),
  version: Type.String({ description: 'Changes with each edit and each time an account of a payee changes' }),
  is_payee_changed: Type.Boolean({ description: 'Whether a change of the payee’s accounts has invalidated approvals' }),
})

const Ended = closed({
  ...fields,
  outcome: oneOf(APPROVAL_OUTCOMES),
  reason: nullable(Type.String({ description: 'The reason for the rejection; null for other outcomes' })),
  prepared_by: Type.String(),
  ended_by: nullable(
    Type.String({
      description: 'The person who released, rejected or voided it; null if it expired or the user was deleted',
    }),
  ),
  ended: Type.String(),
  payment_id: nullable(Type.String({ description: 'The ID of the payment; for a batch, of its first payment' })),
})

/** The routes of the page Approvals. */
export const approvalInboxRoutes: Route[] = [
  get(
    '/web/v1/approvals',
    {
      access: 'session',
      permission: 'read',
      tag,
      summary: 'List payments that wait for approval',
      answer: closed({ approvals: Type.Array(Item) }),
    },
    async (deps, { caller }) => ({ approvals: (await getInbox(deps, caller)).map(itemAnswer) }),
  ),

  list(
    '/web/v1/approvals/ended',
    {
      access: 'session',
      permission: 'read',
      tag,
      summary: 'List ended approvals',
      description:
        'Lists the payments and batches that were released, rejected or voided, or that expired, most recent first.',
    },
    {
      sorts: { UPDATE: 'timestamptz' },
      defaultSort: '-UPDATE',
      items: { approvals: Ended },
      read: (deps, { caller, paging }) => getEnded(deps, caller, paging),
      show: (approval) => endedAnswer(approval),
    },
  ),

  get(
    '/web/v1/approvals/count',
    {
      access: 'session',
      permission: 'read',
      tag,
      summary: 'Count payments that wait for approval',
      answer: closed({ count: Type.Integer({ description: 'At most 100' }) }),
    },
    async (deps, { caller }) => ({ count: await countInbox(deps, caller) }),
  ),
]

/** Returns the common fields of an approval. Removes direction marks, because people approve what the page shows. */
const commonAnswer = ({ id, kind, amountCents, name, recipient, description }: EndedRow | InboxItem['row']) => ({
  id,
  kind,
  amount: centsToDollars(amountCents),
  name: plainText(name),
  recipient: plainText(recipient),
  description: description && plainText(description),
})

const endedAnswer = (row: EndedRow) => ({
  ...commonAnswer(row),
  outcome: row.outcome,
  reason: row.reason,
  prepared_by: row.preparedBy,
  ended_by: row.endedBy,
  ended: formatDateTime(row.endedAt),
  payment_id: row.paymentId,
})

const itemAnswer = ({ row, paysInto, preparedBy, needed, reasons, approvedBy, isPayeeChanged, next }: InboxItem) => ({
  ...commonAnswer(row),
  pays_into: paysInto,
  prepared_by: preparedBy,
  date: formatDateTime(row.createdAt),
  expires: formatDateTime(row.expiresAt),
  needed,
  reasons,
  approved_by: approvedBy,
  next,
  invoice: row.invoiceId && { id: row.invoiceId, status: row.invoiceStatus },
  version: row.version,
  is_payee_changed: isPayeeChanged,
})
