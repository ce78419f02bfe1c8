import type { Static, TSchema } from 'typebox'
import { idempotencyClaim, type OneAtATime } from '../../../foundation/http/idempotency/idempotency.ts'
import { post, type Route } from '../../../foundation/http/route.ts'
import { sendJson } from '../../../foundation/http/send-json.ts'
import { type AcceptDeps, acceptPayment } from './accept-actions.ts'
import {
  ATTACHMENT_BODY_LIMIT_BYTES,
  DigitalPayment,
  DirectPayment,
  digitalOrderErrors,
  directOrderErrors,
  Payment,
  PhysicalPayment,
  paperOrderErrors,
} from './order-schema.ts'
import { type Order, senderOf } from './prepare-actions.ts'

const tag = 'Payments'

type Own = { acceptDeps: AcceptDeps; oneAtATime: OneAtATime }

export const acceptRoutes = (own: Own): Route[] => [
  orderRoute(own, '/v3/check/digital', {
    operationId: 'sendDigitalPayment',
    summary: 'Send a digital payment',
    description:
      'Sends a payment to an email address, a phone number, or a user of your platform. It stays UNPAID until the recipient chooses where to deposit it. If the recipient is `{id, account}`, it is deposited immediately. If you omit `account`, the payment is drawn on the default bank, which must be VERIFIED.',
    errors: digitalOrderErrors,
    body: DigitalPayment,
  }),

  orderRoute(own, '/v3/check/physical', {
    operationId: 'sendPhysicalCheck',
    summary: 'Mail a paper check',
    description:
      'Sends a paper check to a postal address. The amount is first debited from the bank or wallet. The check is then MAILED, and becomes PAID when it is cashed.',
    errors: paperOrderErrors,
    body: PhysicalPayment,
  }),

  orderRoute(own, '/v3/check/direct', {
    operationId: 'sendDirectPayment',
    summary: 'Send a payment directly to a bank account',
    description:
      'Sends a payment to a bank account that you know. It is deposited immediately: by ACH, or by RTP if a wallet funds the payment and `deposit_options` names only RTP. `recipient` is only shown; the recipient gets no email.',
    errors: directOrderErrors,
    body: DirectPayment,
    orderOf: directOrder,
  }),
]

const directOrder = ({
  account_number: account,
  routing_number: routing,
  account_type: type,
  ...order
}: Static<typeof DirectPayment>): Order => ({
  ...order,
  deposit_options: order.deposit_options ?? ['BANK'],
  payeeAccount: { field: 'account_number', kind: 'bank', routing, account, type },
})

type Documented = Pick<Route['spec'], 'operationId' | 'summary' | 'description' | 'errors'>

const orderRoute = <Body extends TSchema>(
  own: Own,
  url: string,
  {
    body,
    orderOf = (given) => given as Order,
    ...documented
  }: Documented & { body: Body; orderOf?: (given: Static<Body>) => Order },
): Route =>
  post(
    url,
    {
      access: 'user',
      permission: 'send',
      needsStepUp: true,
      transaction: 'byHandler',
      tag,
      ...documented,
      body,
      status: 201,
      answer: Payment,
      bodyLimitBytes: ATTACHMENT_BODY_LIMIT_BYTES,
      isOverloaded: () => own.acceptDeps.acceptTogether.isFull?.() ?? false,
    },
    async (deps, { caller, body: given, request, reply }) => {
      const order = orderOf(given)
      const claim = idempotencyClaim(deps, request, caller)
      const { text, isReplayed } = await own.oneAtATime(claim, () =>
        acceptPayment(
          { how: 'withOthers', deps: { ...own.acceptDeps, clock: deps.clock } },
          { sender: senderOf(caller), order, claim },
        ),
      )
      if (isReplayed) reply.header('idempotent-replayed', 'true')
      sendJson(reply, { status: 201, text })
    },
  )
