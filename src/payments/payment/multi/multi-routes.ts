import { idempotencyClaim, type OneAtATime } from '../../../foundation/http/idempotency/idempotency.ts'
import { post, type Route } from '../../../foundation/http/route.ts'
import { idParams, nothing } from '../../../foundation/http/schema.ts'
import { sendJson } from '../../../foundation/http/send-json.ts'
import { ATTACHMENT_BODY_LIMIT_BYTES, Payment } from '../accept/order-schema.ts'
import { endorsePayment, prepareEndorsement } from './endorsement-actions.ts'
import { acceptMultiPayment } from './multi-actions.ts'
import { Endorsement, MultiPayment, multiErrors } from './multi-schema.ts'

const tag = 'Payments'

export const multiRoutes = (own: { oneAtATime: OneAtATime; isOverloaded: () => boolean }): Route[] => [
  post(
    '/v3/check/multi',
    {
      access: 'user',
      permission: 'send',
      needsStepUp: true,
      transaction: 'byHandler',
      tag,
      operationId: 'sendMultiPayment',
      summary: 'Send a payment to several recipients',
      description:
        'Sends a payment to two to five recipients: users of your platform, owners of other platforms by their email address, and people without an account, who get an email with a link. Each of them sees it. One of them deposits it after all others have endorsed it. A recipient with `endorse_only` can endorse it and not deposit it.',
      errors: multiErrors,
      body: MultiPayment,
      status: 201,
      answer: Payment,
      bodyLimitBytes: ATTACHMENT_BODY_LIMIT_BYTES,
      isOverloaded: own.isOverloaded,
    },
    async (deps, { caller, body: order, request, reply }) => {
      const claim = idempotencyClaim(deps, request, caller)
      const { text, isReplayed } = await own.oneAtATime(claim, () => acceptMultiPayment(deps, { caller, order, claim }))
      if (isReplayed) reply.header('idempotent-replayed', 'true')
      sendJson(reply, { status: 201, text })
    },
  ),

  post(
    '/v3/check/endorse/:id',
    {
      access: 'user',
      permission: 'send',
      tag,
      operationId: 'endorsePayment',
      summary: 'Endorse a payment',
      description:
        'Endorses a payment to several recipients, so that another one of them can deposit it. The name and the signature are shown on the back of the check.',
      errors: [
        'payment_not_found',
        'not_the_recipient',
        'user_not_active',
        'not_endorsable',
        'invalid_signature_image',
        'overloaded',
        'rate_limited',
      ],
      params: idParams,
      body: Endorsement,
      status: 201,
      answer: nothing,
      before: async (deps, { caller, params, body: { name, signature = null } }) =>
        prepareEndorsement(deps, caller, { paymentId: params.id, name, signature }),
    },
    async (deps, { caller, params, body: { name } }, prepared) => {
      if (prepared?.isEndorsed) return
      await endorsePayment(deps, caller, { paymentId: params.id, name, image: prepared?.image ?? null })
    },
  ),
]
