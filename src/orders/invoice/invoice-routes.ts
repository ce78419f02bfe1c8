import { Type } from 'typebox'
import { centsToDollars } from '../../foundation/core/money.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { inlinePdf } from '../../foundation/http/content-disposition.ts'
import { list } from '../../foundation/http/list/list.ts'
import { dayFilters } from '../../foundation/http/list/list-query.ts'
import { del, get, post, type Route } from '../../foundation/http/route.ts'
import { closed, id, idParams, named, nothing, nullable, oneOf, text, visible } from '../../foundation/http/schema.ts'
import { businessDate, formatDateTime } from '../../foundation/lib/clock.ts'
import { INVOICE_STATUSES } from '../../payments/invoice-status/invoice-status.ts'
import {
  ATTACHMENT_BODY_LIMIT_BYTES,
  commonOrderErrors,
  InvoicePayment,
  orderFields,
} from '../../payments/payment/accept/order-schema.ts'
import { paymentSorts, pdfName } from '../../payments/payment/payment-rules.ts'
import { PAYMENT_STATUSES } from '../../payments/payment/payment-status.ts'
import {
  createInvoice,
  decodeInvoiceAttachment,
  getInvoice,
  getInvoiceSender,
  getInvoices,
  voidAtOtherPlatform,
  voidInvoice,
} from './invoice-actions.ts'
import { getInvoiceAttachment } from './invoice-attachment-actions.ts'
import { findPayeeAccount, payInvoice } from './invoice-payment-actions.ts'
import { termsFields } from './invoice-schema.ts'
import type { InvoiceOfList } from './invoice-store.ts'
import { isOverdue } from './invoice-terms-rules.ts'

const tag = 'Invoices'

const fields = {
  id: Type.String(),
  amount: Type.Number({ description: 'Dollars' }),
  date: Type.String(),
  name: Type.String(),
  number: Type.String({ description: 'The number from the request, or the next number of the user’s own counter' }),
  recipient: Type.String(),
  description: Type.String(),
  status: oneOf(INVOICE_STATUSES),
}

const summaryFields = {
  ...fields,
  direction: oneOf(['INCOMING', 'OUTGOING']),
  check_id: nullable(Type.String({ description: 'The payment; null while the invoice is UNPAID or VOID' })),
  attachment_uri: nullable(Type.String({ description: 'The address of the attachment; null if there is none' })),
}

const Invoice = named('Invoice', summaryFields)

const DueInvoice = closed({
  ...summaryFields,
  due_date: nullable(Type.String({ description: 'YYYY-MM-DD' })),
  is_overdue: Type.Boolean(),
})

export const invoiceRoutes = (own: { baseUrl: () => string }): Route[] => [
  ...actionRoutes,
  ...listRoutes(own),
  pageListRoute(own),
  senderRoute,
]

const actionRoutes: Route[] = [
  post(
    '/v3/invoice',
    {
      access: 'user',
      permission: 'prepare',
      tag,
      operationId: 'sendInvoice',
      summary: 'Send an invoice',
      description:
        'Asks a user of your platform, or anyone with an email, for a payment. It is paid into `account`, which is a bank or wallet of yours, or into your default bank. A recipient outside gets a mail with a link, reminders while the invoice is unpaid, and pays from a bank account. `due_date` is the last day to pay, today or later in the time zone of the service. `terms` is a text for the payer. With `items`, `amount` must be their total.',
      errors: [
        'user_not_active',
        'invalid_recipient',
        'own_recipient',
        'recipient_not_active',
        'bank_not_found',
        'invalid_attachment',
        'rate_limited',
        'overloaded',
      ],
      body: closed({
        amount: orderFields.amount,
        name: orderFields.name,
        recipient: text(1, 80, visible),
        description: text(1, 255, visible),
        account: Type.Optional(nullable(id)),
        number: Type.Optional(nullable(text(1, 32))),
        attachment: orderFields.attachment,
        ...termsFields,
      }),
      status: 201,
      answer: named('SentInvoice', fields),
      bodyLimitBytes: ATTACHMENT_BODY_LIMIT_BYTES,
      before: async (deps, { caller, body }) => decodeInvoiceAttachment(deps, caller, body.attachment),
    },
    async (deps, { caller, body: { attachment: _, ...order } }, attachment) =>
      commonAnswer(await createInvoice(deps, caller, { order, attachment })),
  ),

  post(
    '/v3/invoice/payment',
    {
      access: 'user',
      permission: 'send',
      needsStepUp: true,
      tag,
      operationId: 'payInvoice',
      summary: 'Pay an invoice',
      description:
        'Pays a received invoice from `account`, or from the default bank, which must be VERIFIED. The payment is deposited immediately: IN_PROCESS, or PAID from wallet to wallet. If it later fails, is voided or is refunded, the invoice is UNPAID again.',
      errors: ['invoice_not_found', 'invoice_not_payable', 'invalid_deposit_option', ...commonOrderErrors],
      body: InvoicePayment,
      status: 201,
      answer: closed({
        id: Type.String({ description: 'The payment' }),
        amount: fields.amount,
        date: Type.String(),
        name: Type.String(),
        status: oneOf(PAYMENT_STATUSES),
      }),
      before: async (deps, { caller, body }) => findPayeeAccount(deps, caller, body),
    },
    async (deps, { caller, body }, destination) => payInvoice(deps, caller, { ...body, destination }),
  ),

  get(
    '/v3/invoice/:id/attachment',
    {
      access: 'user',
      permission: 'read',
      tag,
      operationId: 'downloadInvoice',
      summary: 'Download an invoice',
      description: 'Returns the file that the sender attached, as a PDF, or a PDF of the invoice.',
      errors: ['invoice_not_found', 'rate_limited', 'overloaded'],
      params: idParams,
      answerType: 'application/pdf',
    },
    async (deps, { caller, params, reply }) => {
      const { filename, pdf } = await getInvoiceAttachment(deps, caller, params.id)
      return inlinePdf(reply, pdfName(filename), pdf)
    },
  ),

  del(
    '/v3/invoice/:id',
    {
      access: 'user',
      permission: 'prepare',
      tag,
      operationId: 'voidInvoice',
      summary: 'Void an invoice',
      description: 'Voids an UNPAID invoice. Only its sender can void it.',
      errors: ['invoice_not_found', 'not_the_sender', 'invoice_not_payable'],
      params: idParams,
      answer: nothing,
      before: async (deps, { caller, params }) => voidAtOtherPlatform(deps, caller, params.id),
    },
    async (deps, { caller, params }, voided) => voided ?? voidInvoice(deps, caller, params.id),
  ),
]

const listRoutes = ({ baseUrl }: { baseUrl: () => string }): Route[] => [
  list(
    '/v3/invoice',
    {
      access: 'user',
      permission: 'read',
      tag,
      operationId: 'listInvoices',
      summary: 'List invoices',
      description:
        'Lists the invoices that the user sent and received, newest first. `q` searches names, recipients, descriptions and numbers.',
    },
    {
      sorts: paymentSorts,
      filters: {
        direction: Type.Optional(oneOf(['INCOMING', 'OUTGOING'])),
        status: Type.Optional(oneOf(INVOICE_STATUSES)),
        ...dayFilters,
      },
      items: { invoices: Invoice },
      read: (deps, { filter, paging }) => getInvoices(deps, filter, paging),
      show: (row) => invoiceAnswer(row, baseUrl()),
    },
  ),

  get(
    '/v3/invoice/:id',
    {
      access: 'user',
      permission: 'read',
      tag,
      operationId: 'getInvoice',
      summary: 'Retrieve an invoice',
      description: 'Returns an invoice to its sender and its recipient.',
      errors: ['invoice_not_found'],
      params: idParams,
      answer: Invoice,
    },
    async (deps, { caller, params }) => invoiceAnswer(await getInvoice(deps, caller, params.id), baseUrl()),
  ),
]

const commonAnswer = (row: Omit<InvoiceOfList, 'direction'>) => ({
  id: row.id,
  amount: centsToDollars(row.amountCents),
  date: formatDateTime(row.createdAt),
  name: row.name,
  number: row.number,
  recipient: row.recipient,
  description: row.description,
  status: row.status,
})

const invoiceAnswer = (row: InvoiceOfList, baseUrl: string) => ({
  ...commonAnswer(row),
  direction: row.direction,
  check_id: row.paymentId,
  attachment_uri: row.hasAttachment ? `${baseUrl}/v3/invoice/${row.id}/attachment` : null,
})

/** Lists invoices for the dashboard, with more fields than GET /v3/invoice. */
const pageListRoute = ({ baseUrl }: { baseUrl: () => string }): Route =>
  list(
    '/web/v1/invoices',
    {
      access: 'session',
      permission: 'read',
      tag,
      summary: 'List invoices with their due dates',
    },
    {
      sorts: paymentSorts,
      filters: {
        direction: Type.Optional(oneOf(['INCOMING', 'OUTGOING'])),
        status: Type.Optional(oneOf([...INVOICE_STATUSES, 'OVERDUE'])),
      },
      items: { invoices: DueInvoice },
      read: (deps, { filter: { status, ...filter }, paging }) => {
        const chosen = status === 'OVERDUE' ? { status: undefined, dueBefore: today(deps) } : { status }
        return getInvoices(deps, { ...filter, ...chosen }, paging)
      },
      show: (row, { deps }) => ({
        ...invoiceAnswer(row, baseUrl()),
        due_date: row.dueDate,
        is_overdue: isOverdue(row, today(deps)),
      }),
    },
  )

const today = ({ clock, settings }: Deps) => businessDate(clock.now(), settings.timeZone)

const senderRoute: Route = get(
  '/web/v1/invoice/sender/:id',
  {
    access: 'session',
    permission: 'read',
    tag,
    summary: 'Retrieve the sender of a received invoice',
    errors: ['invoice_not_found'],
    params: idParams,
    answer: closed({
      sender: Type.String(),
      has_page: Type.Boolean({
        description: 'Whether the invoice comes from another platform, where it is paid on the page of the link',
      }),
      waits: Type.Boolean({ description: 'Whether a payment of the invoice waits for approval' }),
    }),
  },
  async (deps, { caller, params }) => {
    const { sender, isFromOutside, isWaiting } = await getInvoiceSender(deps, caller, params.id)
    return { sender, has_page: isFromOutside, waits: isWaiting }
  },
)
