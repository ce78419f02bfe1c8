import { idempotencyClaim, type OneAtATime } from '../../http/idempotency/idempotency.ts'
import { post, type Route } from '../../http/route.ts'
import { sendJson } from '../../http/send-json.ts'
import { type AcceptDeps, acceptPayment } from './accept-actions.ts'
import {
  ATTACHMENT_BODY_LIMIT_BYTES,
  DigitalPayment,
  digitalOrderErrors,
  Payment,
  PhysicalPayment,
  paperOrderErrors,
} from './order-schema.ts'

const tag = 'Payments'

type Own = { acceptDeps: AcceptDeps; oneAtATime: OneAtATime }

export const acceptRoutes = (own: Own): Route[] => [
  orderRoute(own, '/v3/check/digital', {
    summary: 'Send a digital payment',
    description:
      'Sends a payment to an email address, a phone number, or a user of your platform. It stays UNPAID until the recipient chooses where to deposit it. If the recipient is `{id, account}`, it is deposited immediately. If you omit `account`, the payment is drawn on the default bank, which must be VERIFIED.',
    errors: digitalOrderErrors,
    body: DigitalPayment,
  }),

  orderRoute(own, '/v3/check/physical', {
    summary: 'Mail a paper check',
    description:
      'Sends a paper check to a postal address. The amount is first debited from the bank or wallet. The check is then MAILED, and becomes PAID when it is cashed.',
    errors: paperOrderErrors,
    body: PhysicalPayment,
  }),
]

const orderRoute = (
  own: Own,
  url: string,
  {
    body,
    ...documented
  }: Pick<Route['spec'], 'summary' | 'description' | 'errors'> & {
    body: typeof DigitalPayment | typeof PhysicalPayment
  },
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
      body: body as typeof DigitalPayment,
      status: 201,
      answer: Payment,
      bodyLimitBytes: ATTACHMENT_BODY_LIMIT_BYTES,
      isOverloaded: () => own.acceptDeps.acceptTogether.isFull?.() ?? false,
    },
    async (deps, { caller, body: order, request, reply }) => {
      const claim = idempotencyClaim(deps, request, caller)
      const { text, isReplayed } = await own.oneAtATime(claim, () =>
        acceptPayment({ ...own.acceptDeps, clock: deps.clock }, { caller, order, claim }),
      )
      if (isReplayed) reply.header('idempotent-replayed', 'true')
      sendJson(reply, { status: 201, text })
    },
  )
