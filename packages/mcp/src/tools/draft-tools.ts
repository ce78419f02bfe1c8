import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Approval, DigitalPaymentRequest } from '../../../sdk/src/index.ts'
import { ToolError } from '../result.ts'
import { type Context, defineTool, id, type Tool } from '../tool.ts'
import { findOperation } from './operation-tools.ts'

/** The operations that prepare an object for a person to release. No other operation is called with a body. */
const DRAFT_OPERATIONS = [
  'prepareDigitalPayment',
  'preparePhysicalCheck',
  'prepareMultiPayment',
  'prepareInvoicePayment',
] as const

const reference = z
  .string()
  .min(1)
  .max(100)
  .describe(
    'names this draft, for example the number of a bill. The same arguments give the same draft again within 24 hours',
  )

export const draftTools: readonly Tool[] = [
  defineTool({
    name: 'draft_payment',
    title: 'Prepare a payment',
    description:
      'Prepares a digital payment. It sends nothing: a person checks and releases it in Remit. Ask the person before you call this, with the name, the recipient and the amount.',
    kind: 'draft',
    input: {
      name: z.string().min(1).describe('the name of the payee'),
      recipient: z.string().min(1).describe('an email address, a phone number, or a user_id of the platform'),
      amount: z.number().positive().describe('dollars'),
      description: z.string().optional(),
      account: id.optional().describe('the bank or wallet that pays (default: the default bank)'),
      reference,
    },
    run: async (context, { reference: name, ...order }) => {
      const body = order as DigitalPaymentRequest
      const idempotencyKey = keyOf('prepareDigitalPayment', { reference: name, body })
      return draftAnswer(context, await context.remit.approvals.prepareDigital(body, { idempotencyKey }))
    },
  }),

  defineTool({
    name: 'draft_operation',
    title: 'Prepare another kind of payment',
    description:
      'Prepares a mailed check, a payment to several recipients, or the payment of an invoice. describe_operation shows the body. It sends nothing: a person releases it in Remit.',
    kind: 'draft',
    input: {
      operation_id: z.enum(DRAFT_OPERATIONS),
      body: z.record(z.string(), z.unknown()),
      reference,
    },
    run: async (context, { operation_id, body, reference: name }) => {
      const { method, path } = await findOperation(context, operation_id)
      // The path comes from the service. Drafts are created only below /v3/approval.
      if (method !== 'POST' || !path.startsWith('/v3/approval/') || path.includes('{'))
        throw new ToolError(`${operation_id} of this service is not an operation for drafts.`)
      const idempotencyKey = keyOf(operation_id, { reference: name, body })
      return draftAnswer(context, await context.remit.request<Approval>('POST', path, { body }, { idempotencyKey }))
    },
  }),
]

const draftAnswer = ({ baseUrl }: Context, draft: Approval) => ({
  draft,
  what_to_do: `Nothing was sent. A person with the permission decides about it at ${baseUrl}/approvals.`,
})

/** Derives the idempotency key, so that a repeated call of the model creates no second draft. */
const keyOf = (operation: string, value: unknown): string =>
  `mcp-${createHash('sha256')
    .update(`${operation} ${canonical(value)}`)
    .digest('hex')}`

/** JSON with the members of objects in order. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, member) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
