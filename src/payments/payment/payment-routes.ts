import { Type } from 'typebox'
import { inlinePdf } from '../../foundation/http/content-disposition.ts'
import { list } from '../../foundation/http/list/list.ts'
import { dayFilters } from '../../foundation/http/list/list-query.ts'
import { del, get, post, type Route } from '../../foundation/http/route.ts'
import { accountBody, closed, idParams, named, nothing, nullable, oneOf } from '../../foundation/http/schema.ts'
import { RAILS } from '../../money/rail/rail-rules.ts'
import { RETURN_CODES } from '../../money/rail/return-code-rules.ts'
import { commonFields, Payment } from './accept/order-schema.ts'
import { depositPayment, prepareDepositFromOtherPlatform, voidPayment } from './deposit/deposit-actions.ts'
import type { ListedPayment as ListedPaymentRow } from './list/payment-list-store.ts'
import {
  createPageReader,
  createPaymentReader,
  getAttachment,
  getDeposit,
  getPayment,
  getPayments,
  getReturnCode,
} from './payment-actions.ts'
import { answeredNumber, commonAnswer, paymentSorts, pdfName, remittanceTable } from './payment-rules.ts'
import { PAYMENT_STATUSES } from './payment-status.ts'
import type { PaymentRow } from './payment-types.ts'

const tag = 'Payments'

const ListedPayment = named('ListedPayment', {
  ...commonFields,
  direction: oneOf(['INCOMING', 'OUTGOING']),
  sender: Type.String(),
})

const filters = {
  direction: Type.Optional(oneOf(['INCOMING', 'OUTGOING'])),
  status: Type.Optional(oneOf(PAYMENT_STATUSES)),
  ...dayFilters,
}

export const paymentRoutes = ({ readPayment = createPaymentReader(), readPage = createPageReader() } = {}): Route[] => [
  list(
    '/v3/check',
    {
      access: 'user',
      permission: 'read',
      tag,
      operationId: 'listPayments',
      summary: 'List payments',
      description:
        'Lists the payments that the user sent and received, newest first. `q` searches names, descriptions and numbers. An access token lists only the payments that its grant created.',
    },
    {
      sorts: paymentSorts,
      filters,
      items: { checks: ListedPayment },
      read: (deps, { caller: { credential }, filter, paging }) => {
        const grantId = credential.kind === 'token' ? credential.id : undefined
        return getPayments(deps, { filter: { ...filter, grantId }, paging }, readPage)
      },
      show: (payment) => listedAnswer(payment),
    },
  ),

  get(
    '/v3/check/:id',
    {
      access: 'user',
      permission: 'read',
      tag,
      operationId: 'getPayment',
      summary: 'Retrieve a payment',
      description: 'Returns a payment to its sender, its recipient, and the owner of their platform.',
      errors: ['payment_not_found'],
      params: idParams,
      answer: Payment,
    },
    async (deps, { caller, params }) => paymentAnswer(await getPayment(deps, caller, params.id, readPayment)),
  ),
]

export const paymentActionRoutes: Route[] = [
  del(
    '/v3/check/:id',
    {
      access: 'user',
      permission: 'send',
      tag,
      operationId: 'voidPayment',
      summary: 'Void a payment',
      description:
        'Cancels a payment before its money has moved, or stops a paper check that has not been cashed. In production, the bank is asked to call back an order that has left over RTP or by wire, and a processor to cancel one over INSTANT, INTERAC, PAYPAL or VENMO. PayPal Payouts cancels only payments that nobody has claimed. The payment stays IN_PROCESS until the answer, then it is VOID or goes on. The cancellation is requested only once. Only the sender and the owner of its platform can void a payment.',
      errors: ['payment_not_found', 'not_the_sender', 'not_voidable'],
      params: idParams,
      answer: nothing,
    },
    async (deps, { caller, params }) => voidPayment(deps, caller, params.id),
  ),

  post(
    '/v3/check/deposit/:id',
    {
      access: 'user',
      permission: 'send',
      needsStepUp: true,
      tag,
      operationId: 'depositPayment',
      summary: 'Deposit a payment',
      description:
        'Deposits a received payment into one of your accounts. Use the recipient’s API key. A deposit into a wallet of this service is PAID immediately; any other deposit is IN_PROCESS first. You can deposit a FAILED payment again.',
      errors: [
        'payment_not_found',
        'not_the_recipient',
        'endorse_only',
        'endorsements_missing',
        'user_not_active',
        'bank_not_found',
        'bank_blocked',
        'invalid_deposit_option',
        'not_depositable',
        'user_not_verified',
        'payment_limit_reached',
        'day_limit_reached',
        'month_limit_reached',
      ],
      params: idParams,
      body: accountBody,
      status: 201,
      answer: Payment,
      before: async (deps, { caller, params, body }) =>
        prepareDepositFromOtherPlatform(deps, caller, { paymentId: params.id, accountId: body.account }),
    },
    async (deps, { caller, params, body }, deposited) =>
      paymentAnswer(
        deposited ?? (await depositPayment(deps, caller, { paymentId: params.id, accountId: body.account })),
      ),
  ),

  get(
    '/v3/check/:id/deposit',
    {
      access: 'user',
      permission: 'read',
      tag,
      operationId: 'getDeposit',
      summary: 'Retrieve the deposit of a payment',
      description: 'Returns the rail that pays the payment and the expected day. Both are null before the deposit.',
      errors: ['payment_not_found'],
      params: idParams,
      answer: closed({
        check_type: nullable(oneOf(RAILS, { description: 'null before the deposit' })),
        eta: nullable(Type.String({ description: 'YYYY-MM-DD; null before the deposit' })),
      }),
    },
    async (deps, { caller, params }) => {
      const { rail, eta } = await getDeposit(deps, caller, params.id)
      return { check_type: rail, eta }
    },
  ),

  get(
    '/v3/check/:id/fail',
    {
      access: 'user',
      permission: 'read',
      tag,
      operationId: 'getPaymentFailure',
      summary: 'Retrieve the reason of a failed payment',
      description:
        'Returns the return code of a FAILED payment, otherwise null. `GET /v3/return_code/{code}` explains it.',
      errors: ['payment_not_found'],
      params: idParams,
      answer: closed({ code: nullable(oneOf(RETURN_CODES, { description: 'null unless the payment is FAILED' })) }),
    },
    async (deps, { caller, params }) => ({ code: await getReturnCode(deps, caller, params.id) }),
  ),

  get(
    '/v3/check/:id/attachment',
    {
      access: 'user',
      permission: 'read',
      tag,
      operationId: 'downloadAttachment',
      summary: 'Download the attachment',
      description: 'Returns the file that the sender attached, as a PDF.',
      errors: ['payment_not_found', 'attachment_not_found'],
      params: idParams,
      answerType: 'application/pdf',
    },
    async (deps, { caller, params, reply }) => {
      const { filename, pdf } = await getAttachment(deps, caller, params.id)
      return inlinePdf(reply, pdfName(filename), pdf)
    },
  ),
]

const listedAnswer = (payment: ListedPaymentRow) => ({
  ...commonAnswer(payment, answeredNumber(payment)),
  direction: payment.direction,
  sender: payment.sender,
})

const paymentAnswer = (payment: PaymentRow) => ({
  ...commonAnswer(payment, answeredNumber(payment)),
  remittance_advice: remittanceTable(payment.remittanceAdvice),
})
