import { type TProperties, type TSchema, Type } from 'typebox'
import { closed, nullable, oneOf } from '../../foundation/http/schema.ts'
import { BANK_STATUSES } from '../../money/bank/bank-status.ts'
import { RAILS } from '../../money/rail/rail-rules.ts'
import { CHECKBOOK_STATUSES } from '../../payments/checkbook/checkbook-status.ts'
import { INVOICE_STATUSES } from '../../payments/invoice-status/invoice-status.ts'
import { LETTER_STATUSES } from '../../payments/mailbox/mailbox-status.ts'
import { PAYMENT_STATUSES } from '../../payments/payment/payment-status.ts'
import { USER_STATUSES } from '../../people/user/user-status.ts'
import type { EventType } from '../../webhook/event/event-rules.ts'
import { eventObjectRoutes } from './event-objects.ts'

const objects = eventObjectRoutes({ baseUrl: () => '' })

const id = (what: string) => Type.String({ description: `The id of the ${what}` })

const webhook = (type: EventType, summary: string, properties: TProperties) => ({
  post: {
    operationId: `receive${titleOf(type)}`,
    tags: ['Webhooks'],
    summary,
    security: [],
    parameters: [
      header(
        'signature',
        'nonce=N,signature=HEX, where HEX is the HMAC-SHA-256 of the body followed by N, with the webhook key',
      ),
      header('webhook-id', 'The id of the event, which is the same for each attempt'),
      header('webhook-timestamp', 'When the webhook was sent, in seconds since 1970'),
      header(
        'webhook-signature',
        'The signature of Standard Webhooks. Its secret is whsec_ followed by the webhook key in base64',
      ),
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: closed({ ...properties, type: oneOf([type]), ...fullFields(type) }, { title: titleOf(type) }),
        },
      },
    },
    responses: {
      '2XX': {
        description: 'The webhook was received. Any other status, or no response within 10 seconds, causes a retry.',
      },
    },
  },
})

/** Returns the fields that only full bodies have. */
const fullFields = (type: EventType): TProperties => ({
  event: Type.Optional(
    Type.String({ description: 'Only in full bodies: the id of the event, as in the header webhook-id' }),
  ),
  date: Type.Optional(Type.String({ description: 'Only in full bodies: when the event happened' })),
  object: Type.Optional(
    nullable({
      ...(objects[type].spec.answer as TSchema),
      description:
        'Only in full bodies: the object as its `GET` returns it. Null if the owner of the platform cannot read it, or if it no longer exists',
    }),
  ),
})

/** Returns the title of a webhook body: `PREFUND_ACCOUNT` → `PrefundAccountWebhook`. */
function titleOf(type: EventType): string {
  const words = type.split('_').map((word) => word.charAt(0) + word.slice(1).toLowerCase())
  return `${words.join('')}Webhook`
}

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: Type.String(),
})

/** The webhook bodies by event type, for the `webhooks` section of the API reference. */
export const webhookDocument = {
  CHECK: webhook('CHECK', 'A payment has changed its status', {
    id: id('payment'),
    status: oneOf(PAYMENT_STATUSES.filter((status) => status !== 'UNPAID')),
    deposit_option: Type.Optional(oneOf(RAILS, { description: 'Omitted until a rail is chosen' })),
  }),
  INVOICE: webhook('INVOICE', 'An invoice has changed its status', {
    id: id('invoice'),
    status: oneOf(INVOICE_STATUSES),
  }),
  BANK: webhook('BANK', 'A bank has changed its status', { id: id('bank'), status: oneOf(BANK_STATUSES) }),
  USER: webhook('USER', 'A user has changed its status', { id: id('user'), status: oneOf(USER_STATUSES) }),
  CHECKBOOK: webhook('CHECKBOOK', 'A checkbook has changed its status', {
    id: id('checkbook'),
    status: oneOf(CHECKBOOK_STATUSES.filter((status) => status !== 'PENDING')),
  }),
  SUBSCRIPTION: webhook(
    'SUBSCRIPTION',
    'A run of a subscription was refused, an invoice of it is overdue, or it was canceled',
    {
      id: id('subscription'),
      status: oneOf(['FAILED', 'OVERDUE', 'CANCELED']),
    },
  ),
  MAIL: webhook('MAIL', 'A mailbox has received mail', {
    id: id('mail'),
    status: oneOf(LETTER_STATUSES),
    mailbox: id('mailbox'),
  }),
  PREFUND_ACCOUNT: webhook('PREFUND_ACCOUNT', 'The balance of a wallet has changed', {
    id: id('wallet'),
    balance: Type.Number({ description: 'Available balance in dollars. It excludes money held for payments.' }),
  }),
}
