import { Type } from 'typebox'
import { centsToDollars } from '../../../foundation/core/money.ts'
import { get, type Route } from '../../../foundation/http/route.ts'
import { closed, idParams, named, nullable, oneOf } from '../../../foundation/http/schema.ts'
import { formatDateTime } from '../../../foundation/lib/clock.ts'
import type { PaymentTransfer } from '../../../money/ledger/ledger-actions.ts'
import { getTimeline } from './timeline-actions.ts'
import { TIMELINE_KINDS, type TimelineEntry } from './timeline-rules.ts'

const Timeline = named('Timeline', {
  entries: Type.Array(
    closed({
      position: Type.Integer({ description: 'The position of the event, from 1' }),
      kind: oneOf(TIMELINE_KINDS, {
        description: 'payment: the status changed. debit, credit, refund: money moved. mail: the payee got an email.',
      }),
      event: Type.String({ description: 'For example create, deposit, send, settle, return, pay' }),
      status: nullable(Type.String({ description: 'The status of the payment or of the movement after the event' })),
      time: Type.String({ description: 'The time on the clock of the platform' }),
      real_time: nullable(Type.String({ description: 'The time in the real world; null if unknown' })),
      amount: nullable(Type.Number({ description: 'The amount of the movement in dollars; null for other events' })),
      rail: nullable(Type.String()),
      return_code: nullable(Type.String()),
      actor: nullable(
        closed({
          kind: oneOf(['api_key', 'person', 'application', 'recipient'], {
            description: 'recipient: the payee, using the link in an email',
          }),
          id: nullable(Type.String({ description: 'The ID of the API key, person or application' })),
          name: nullable(Type.String()),
        }),
      ),
      link: nullable(Type.String({ description: 'The path of the webhook event' })),
    }),
  ),
  ledger: Type.Array(
    closed({
      id: Type.String(),
      debit: Type.String({ description: 'The ledger account that is debited' }),
      credit: Type.String({ description: 'The ledger account that is credited' }),
      amount: Type.Number({ description: 'Dollars' }),
      status: oneOf(['PENDING', 'POSTED', 'VOIDED']),
      reason: Type.String(),
      time: Type.String(),
    }),
  ),
})

export const timelineRoutes: Route[] = [
  get(
    '/v3/payment/:id/timeline',
    {
      access: 'user',
      permission: 'read',
      tag: 'Payments',
      operationId: 'getPaymentTimeline',
      summary: 'Retrieve the timeline of a payment',
      description:
        'Returns everything that happened to a payment, in order: changes of its status, movements of its money, and mails, each with its actor. `actor` is null for the service itself. The sender and the owner of its platform also see the ledger entries. Only the owner sees names and webhook events. A recipient sees only the changes of the status.',
      errors: ['payment_not_found'],
      params: idParams,
      answer: Timeline,
    },
    async (deps, { caller, params }) => {
      const { entries, ledger, names } = await getTimeline(deps, caller, params.id)
      return { entries: entries.map((entry) => entryAnswer(entry, names)), ledger: ledger.map(ledgerAnswer) }
    },
  ),
]

const entryAnswer = (entry: TimelineEntry, names: Record<string, string>) => ({
  position: entry.position,
  kind: entry.kind,
  event: entry.event,
  status: entry.status,
  time: formatDateTime(entry.createdAt),
  real_time: entry.realAt && formatDateTime(entry.realAt),
  amount: entry.cents === null ? null : centsToDollars(entry.cents),
  rail: entry.rail,
  return_code: entry.returnCode,
  actor: entry.actor && { kind: entry.actor, id: entry.actorId, name: names[entry.actorId ?? ''] ?? null },
  link: entry.eventId && `/v3/webhook/event/${entry.eventId}`,
})

const ledgerAnswer = ({ id, debit, credit, cents, status, reason, createdAt }: PaymentTransfer) => ({
  id,
  debit,
  credit,
  amount: centsToDollars(cents),
  status,
  reason,
  time: formatDateTime(createdAt),
})
