import { type Static, Type } from 'typebox'
import { inlineFile } from '../http/content-disposition.ts'
import { idempotencyClaim, type OneAtATime } from '../http/idempotency.ts'
import { linkNextPage, listQuery, pageNumbers, pageNumbersSchema, pagingOf } from '../http/list-query.ts'
import { del, get, post, postByItself, type Route } from '../http/route.ts'
import {
  amount,
  calendarDate,
  closed,
  id,
  idParams,
  nothing,
  nullable,
  oneOf,
  postalAddress,
  text,
  visible,
} from '../http/schema.ts'
import { sendJson } from '../http/send-json.ts'
import { formatDate } from '../lib/clock.ts'
import { type ErrorCode, fieldError } from '../lib/errors.ts'
import { DEPOSIT_OPTIONS, RAILS } from '../rail/rail-rules.ts'
import { RETURN_CODES } from '../rail/return-code-rules.ts'
import { type AcceptDeps, acceptPayment } from './accept-actions.ts'
import { depositPayment, voidPayment } from './deposit-actions.ts'
import { previewCheck } from './paper-preview-actions.ts'
import {
  createPageReader,
  createPaymentReader,
  getAttachment,
  getDeposit,
  getPayment,
  getPayments,
  getReturnCode,
} from './payment-actions.ts'
import {
  answeredNumber,
  commonAnswer,
  isPostalAddress,
  MAIL_TYPES,
  paymentSorts,
  remittanceTable,
} from './payment-rules.ts'
import { PAYMENT_STATUSES } from './payment-status.ts'
import type { ListedPayment, PaymentRow } from './payment-store.ts'

const tag = 'Payments'

const MIB = 1024 * 1024
const ATTACHMENT_BODY_LIMIT_BYTES = 10 * MIB

/** What every order has. */
const orderFields = {
  amount,
  name: text(2, 180, visible),
  account: Type.Optional(nullable(id)),
  description: Type.Optional(nullable(text(0, 1_024))),
  comment: Type.Optional(nullable(text(0, 1_024))),
  number: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: 100_000_000 }), text(1, 32), Type.Null()], {
      description: 'a check number: 1 to 100000000, or a text of 1 to 32 characters',
    }),
  ),
  attachment: Type.Optional(
    Type.Union(
      [
        Type.String({ minLength: 1 }),
        closed({ filename: Type.Optional(text(1, 180)), content: Type.String({ minLength: 1 }) }),
        Type.Null(),
      ],
      { description: 'a file in base64, or {filename, content}' },
    ),
  ),
}

const remittanceAdvice = Type.Array(
  closed({
    id: text(1, 64),
    date: calendarDate,
    amount: Type.Optional(amount),
    description: Type.Optional(text(0, 180)),
  }),
  { minItems: 1, maxItems: 50 },
)

const adviceOrText = Type.Optional(
  Type.Union([text(0, 3_990), remittanceAdvice, Type.Null()], {
    description: 'a text of at most 3990 characters, or 1 to 50 lines {id, date, amount, description}',
  }),
)

const recipientAccount = closed({ id: text(2, 80), account: id })

const depositFields = {
  deposit_options: Type.Optional(nullable(Type.Array(oneOf(DEPOSIT_OPTIONS), { minItems: 1, uniqueItems: true }))),
  pin: Type.Optional(nullable(closed({ description: Type.Optional(text(0, 180)), value: text(1, 64) }))),
}

const mailFields = { mail_type: Type.Optional(nullable(oneOf(MAIL_TYPES))) }

const refusedOptions = {
  'x-refused': {
    ZELLE: 'cannot be ZELLE: Zelle has no interface for services like this one',
    VCC: 'cannot be VCC: there are no virtual cards yet',
  },
}

const DigitalPayment = closed(
  {
    ...orderFields,
    ...depositFields,
    recipient: Type.Union([text(1, 254), recipientAccount], {
      description: 'an email address, a phone number, a user_id of the platform, or {id, account}',
    }),
    remittance_advice: Type.Optional(nullable(remittanceAdvice)),
  },
  refusedOptions,
)

const PhysicalPayment = closed({
  ...orderFields,
  ...mailFields,
  recipient: postalAddress,
  remittance_advice: adviceOrText,
})

const PreviewedPayment = closed(
  {
    ...orderFields,
    ...depositFields,
    ...mailFields,
    description: Type.Optional(nullable(text(0, 4_000))),
    recipient: Type.Optional(
      Type.Union([text(1, 254), recipientAccount, postalAddress], {
        description: 'an email address, a phone number, a user_id of the platform, {id, account}, or a postal address',
      }),
    ),
    remittance_advice: adviceOrText,
  },
  refusedOptions,
)

const commonFields = {
  id: Type.String(),
  number: Type.Union([Type.Integer(), Type.String()], {
    description: 'The caller’s number as it came, or the next of the user’s own counter',
  }),
  amount: Type.Number({ description: 'Dollars' }),
  date: Type.String(),
  status: oneOf(PAYMENT_STATUSES),
  name: Type.String(),
  recipient: Type.String(),
  description: nullable(Type.String()),
  comment: nullable(Type.String()),
  image_uri: nullable(Type.String()),
}

const Payment = closed({
  ...commonFields,
  remittance_advice: Type.Array(Type.Array(Type.String()), {
    description: 'A row for each line: id, date, amount with two decimals, description; an unset cell is empty',
  }),
})

const Payments = closed({
  checks: Type.Array(closed({ ...commonFields, direction: oneOf(['INCOMING', 'OUTGOING']), sender: Type.String() })),
  ...pageNumbersSchema,
})

const filters = {
  direction: Type.Optional(oneOf(['INCOMING', 'OUTGOING'])),
  status: Type.Optional(oneOf(PAYMENT_STATUSES)),
  start_date: Type.Optional(calendarDate),
  end_date: Type.Optional(calendarDate),
}

type Own = { acceptDeps: AcceptDeps; oneAtATime: OneAtATime }

/** Why an order is refused, whatever its kind. */
const commonOrderErrors = [
  'user_not_active',
  'user_not_verified',
  'bank_not_found',
  'bank_not_verified',
  'no_verified_bank',
  'bank_blocked',
  'insufficient_funds',
  'debt_open',
  'signature_needed',
  'payment_limit_reached',
  'day_limit_reached',
  'month_limit_reached',
  'invalid_attachment',
  'rate_limited',
  'overloaded',
] as const satisfies ErrorCode[]

const digitalOrderErrors = [
  ...commonOrderErrors,
  'recipient_not_found',
  'invalid_recipient',
  'own_recipient',
  'recipient_not_active',
  'invalid_deposit_option',
  'paper_unavailable',
] as const satisfies ErrorCode[]

const paperOrderErrors = [...commonOrderErrors, 'paper_unavailable', 'unprintable_text'] as const satisfies ErrorCode[]

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
  postByItself(
    url,
    {
      access: 'user',
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
      return sendJson(reply, { status: 201, text })
    },
  )

export const paymentRoutes = (
  own: Own,
  { readPayment = createPaymentReader(), readPage = createPageReader() } = {},
): Route[] => [
  orderRoute(own, '/v3/check/digital', {
    summary: 'Send a digital payment',
    description:
      'Sends a payment to an email address, a phone number, or a user of your platform. It is UNPAID until the recipient chooses where the money goes. With `{id, account}` as recipient it is deposited at once. Without `account` it is drawn on the default bank, which must be VERIFIED.',
    errors: digitalOrderErrors,
    body: DigitalPayment,
  }),

  orderRoute(own, '/v3/check/physical', {
    summary: 'Mail a paper check',
    description:
      'Sends a paper check to a postal address. The money is taken from the bank or wallet first; then the check is MAILED, and it is PAID when it is cashed.',
    errors: paperOrderErrors,
    body: PhysicalPayment,
  }),

  postByItself(
    '/v3/check/preview',
    {
      access: 'user',
      tag,
      summary: 'Preview a check',
      description:
        'Returns a picture of the check that the same request would make. Nothing is created and nothing is reserved. The recipient can be left out.',
      errors: [...digitalOrderErrors, 'unprintable_text'],
      body: PreviewedPayment,
      answer: closed({
        image: Type.String({ description: 'PNG in base64; of the account number the last four digits' }),
      }),
      bodyLimitBytes: ATTACHMENT_BODY_LIMIT_BYTES,
      ignoresIdempotencyKey: true, // it makes nothing
    },
    async (deps, { caller, body, reply }) => {
      refuseForeignFields(body)
      reply.header('cache-control', 'no-store')
      return { image: (await previewCheck(deps, { caller, order: body })).toString('base64') }
    },
  ),

  get(
    '/v3/check',
    {
      access: 'user',
      tag,
      summary: 'List payments',
      description:
        'Lists the payments that the user sent and received, newest first. `q` searches names, descriptions and numbers. A token lists only the payments that its grant made.',
      query: listQuery(Object.keys(paymentSorts), filters),
      answer: Payments,
    },
    async (deps, { caller, query, request, reply }) => {
      const paging = pagingOf(query, '-DATE', paymentSorts)
      const filter = {
        platformId: caller.platformId,
        userId: caller.userId,
        direction: query.direction,
        status: query.status,
        startDate: query.start_date,
        endDate: query.end_date,
        q: query.q,
        grantId: caller.credential.kind === 'token' ? caller.credential.id : undefined,
      }
      const { rows, next, total } = await getPayments(deps, { filter, paging }, readPage)
      linkNextPage(deps, { request, reply }, paging, next)
      return { checks: rows.map(listedAnswer), ...(total !== null && pageNumbers(paging, total)) }
    },
  ),

  get(
    '/v3/check/:id',
    {
      access: 'user',
      tag,
      summary: 'Read a payment',
      description: 'Returns a payment to its sender, its recipient, and the owner of their platform.',
      errors: ['payment_not_found'],
      params: idParams,
      answer: Payment,
    },
    async (deps, { caller, params }) => paymentAnswer(await getPayment(deps, caller, params.id, readPayment)),
  ),

  del(
    '/v3/check/:id',
    {
      access: 'user',
      tag,
      summary: 'Void a payment',
      description:
        'Cancels a payment whose money has not left, or stops a paper check that has not been cashed. Only the sender can do this.',
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
      tag,
      summary: 'Deposit a payment',
      description:
        'Deposits a received payment into one of your accounts, with the recipient’s key. Into a wallet of this service it is PAID at once; into any other account it is IN_PROCESS first. A payment that FAILED can be deposited again.',
      errors: [
        'payment_not_found',
        'not_the_recipient',
        'user_not_active',
        'bank_not_found',
        'bank_blocked',
        'invalid_deposit_option',
        'not_depositable',
      ],
      params: idParams,
      body: closed({ account: id }),
      status: 201,
      answer: Payment,
    },
    async (deps, { caller, params, body }) =>
      paymentAnswer(await depositPayment(deps, caller, { paymentId: params.id, accountId: body.account })),
  ),

  get(
    '/v3/check/:id/deposit',
    {
      access: 'user',
      tag,
      summary: 'Read the deposit of a payment',
      description:
        'Returns the rail over which a payment is paid and the day on which it is expected. Both are null before the deposit.',
      errors: ['payment_not_found'],
      params: idParams,
      answer: closed({
        check_type: nullable(oneOf(RAILS, { description: 'null before the deposit' })),
        eta: nullable(Type.String({ description: 'YYYY-MM-DD; null before the deposit' })),
      }),
    },
    async (deps, { caller, params }) => {
      const deposit = await getDeposit(deps, caller, params.id)
      return { check_type: deposit?.rail ?? null, eta: deposit && formatDate(deposit.eta) }
    },
  ),

  get(
    '/v3/check/:id/fail',
    {
      access: 'user',
      tag,
      summary: 'Read why a payment failed',
      description:
        'Returns the return code of a payment that is FAILED, else null. `GET /v3/return_code/{code}` explains it.',
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
      tag,
      summary: 'Download the attachment',
      description: 'Returns the file that the sender attached, as a PDF.',
      errors: ['payment_not_found', 'attachment_not_found'],
      params: idParams,
      answerType: 'application/pdf',
    },
    async (deps, { caller, params, reply }) => {
      const { filename, pdf } = await getAttachment(deps, caller, params.id)
      reply.type('application/pdf').header('content-disposition', inlineFile(pdfName(filename ?? 'attachment.pdf')))
      return pdf
    },
  ),
]

const pdfName = (filename: string): string => filename.replace(/(\.(pdf|png|jpe?g))?$/i, '.pdf')

/** A preview takes what the order that it stands for takes. @throws ApiError invalid_request */
function refuseForeignFields(order: Static<typeof PreviewedPayment>): void {
  if (order.recipient === undefined) return
  const isMailed = isPostalAddress(order.recipient)
  const foreign = Object.keys(isMailed ? depositFields : mailFields).find((field) => field in order)
  if (foreign) throw fieldError('invalid_request', foreign, 'is not a field of this request')
  if (!isMailed && typeof order.remittance_advice === 'string') {
    throw fieldError('invalid_request', 'remittance_advice', 'must be array or null')
  }
}

const listedAnswer = (payment: ListedPayment) => ({
  ...commonAnswer(payment, answeredNumber(payment)),
  direction: payment.direction,
  sender: payment.sender,
})

const paymentAnswer = (payment: PaymentRow) => ({
  ...commonAnswer(payment, answeredNumber(payment)),
  remittance_advice: remittanceTable(payment.remittanceAdvice),
})
