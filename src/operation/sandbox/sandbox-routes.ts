import { type Static, Type } from 'typebox'
import { put, type Route } from '../../foundation/http/route.ts'
import { closed, idParams, oneOf } from '../../foundation/http/schema.ts'
import { SANDBOX_RETURN_CODES } from '../../money/rail/return-code-rules.ts'
import { PAYMENT_STATUSES } from '../../payments/payment/payment-status.ts'
import { USER_STATUSES } from '../../people/user/user-status.ts'
import { triggerPayment, triggerPaymentOfOtherPlatform, triggerUser } from './sandbox-actions.ts'

const tag = 'Sandbox'

const PaymentTrigger = closed({
  status: oneOf(PAYMENT_STATUSES),
  options: Type.Optional(closed({ return_code: Type.Optional(oneOf(SANDBOX_RETURN_CODES)) })),
})

const triggerOf = (paymentId: string, { status, options }: Static<typeof PaymentTrigger>) => ({
  paymentId,
  status,
  returnCode: options?.return_code,
})

/** Routes that exist only where tests can cause outcomes. */
export const sandboxRoutes: Route[] = [
  put(
    '/v3/check/webhook/:id',
    {
      access: 'user',
      permission: 'simulate',
      tag,
      operationId: 'triggerPaymentStatus',
      summary: 'Trigger a payment status',
      description:
        'Moves a payment to a status immediately, with all its transfers and webhooks. FAILED takes the return code from `options`. The default is R01.',
      errors: ['payment_not_found', 'not_the_sender', 'status_not_reachable'],
      params: idParams,
      body: PaymentTrigger,
      status: 204,
      before: async (deps, { caller, params, body }) =>
        triggerPaymentOfOtherPlatform(deps, caller, triggerOf(params.id, body)),
    },
    async (deps, { caller, params, body }, triggered) =>
      triggered ?? triggerPayment(deps, caller, triggerOf(params.id, body)),
  ),

  put(
    '/v3/user/webhook',
    {
      access: 'user',
      permission: 'simulate',
      tag,
      operationId: 'triggerUserStatus',
      summary: 'Trigger a user status',
      description: 'Moves the user to any status, so that you can test your integration.',
      errors: ['user_not_found', 'status_not_reachable'],
      body: closed({ status: oneOf(USER_STATUSES) }),
      status: 204,
    },
    async (deps, { caller, body }) => triggerUser(deps, caller, body.status),
  ),
]
