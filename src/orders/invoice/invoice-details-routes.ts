import { Type } from 'typebox'
import { get, type Route } from '../../foundation/http/route.ts'
import { closed, idParams, named, nullable, oneOf } from '../../foundation/http/schema.ts'
import { formatDateTime } from '../../foundation/lib/clock.ts'
import { getInvoiceDetails, type InvoiceDetails } from './invoice-details-actions.ts'
import { shownItems } from './invoice-items-rules.ts'
import { itemsFields } from './invoice-schema.ts'
import { INVOICE_EVENTS, type InvoiceEntry } from './invoice-timeline-rules.ts'

const Details = named('InvoiceDetails', {
  due_date: nullable(Type.String({ description: 'YYYY-MM-DD' })),
  is_overdue: Type.Boolean({
    description: 'Whether the invoice is UNPAID after its due date, in the time zone of the service',
  }),
  terms: nullable(Type.String()),
  ...itemsFields,
  has_link: Type.Boolean({
    description:
      'Whether the caller can copy a link to the page of the invoice. Only the sender can, if the recipient has no account',
  }),
  entries: Type.Array(
    closed({
      event: oneOf(INVOICE_EVENTS),
      time: Type.String({ description: 'The time on the clock of the platform' }),
      check_id: nullable(Type.String({ description: 'The ID of the payment, if the caller can read it' })),
    }),
    { description: 'The events of the invoice, oldest first. Only the sender sees `mail` and `remind`.' },
  ),
})

export const invoiceDetailsRoutes: Route[] = [
  get(
    '/v3/invoice/:id/details',
    {
      access: 'user',
      permission: 'read',
      tag: 'Invoices',
      operationId: 'getInvoiceDetails',
      summary: 'Retrieve the terms and the timeline of an invoice',
      description:
        'Returns the due date, the terms and the lines of an invoice, with the total of each line, and what happened to the invoice: sent, emailed, payment begun, paid, payment failed, voided. Its sender and its recipient can call it.',
      errors: ['invoice_not_found'],
      params: idParams,
      answer: Details,
    },
    async (deps, { caller, params }) => detailsAnswer(await getInvoiceDetails(deps, caller, params.id)),
  ),
]

const detailsAnswer = ({ invoice, isOverdue, hasLink, entries }: InvoiceDetails) => ({
  due_date: invoice.dueDate,
  is_overdue: isOverdue,
  terms: invoice.terms,
  ...shownItems(invoice.items),
  has_link: hasLink,
  entries: entries.map(entryAnswer),
})

const entryAnswer = ({ event, at, paymentId }: InvoiceEntry) => ({
  event,
  time: formatDateTime(at),
  check_id: paymentId,
})
