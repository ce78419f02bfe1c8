import { type Static, Type } from 'typebox'
import { type ErrorCode, fieldError } from '../../../foundation/core/errors.ts'
import {
  accountNumber,
  amount,
  calendarDate,
  closed,
  id,
  named,
  nullable,
  oneOf,
  postalAddress,
  routingNumber,
  text,
  visible,
} from '../../../foundation/http/schema.ts'
import { DEPOSIT_OPTIONS } from '../../../money/rail/rail-rules.ts'
import { isPostalAddress, MAIL_TYPES } from '../payment-rules.ts'
import { PAYMENT_STATUSES } from '../payment-status.ts'

const MIB = 1024 * 1024
export const ATTACHMENT_BODY_LIMIT_BYTES = 10 * MIB

/** Fields of every order. */
export const orderFields = {
  amount,
  name: text(2, 180, { ...visible, title: 'PartyName' }),
  account: Type.Optional(nullable(id)),
  description: Type.Optional(nullable(text(0, 1_024))),
  comment: Type.Optional(nullable(text(0, 1_024))),
  number: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: 100_000_000 }), text(1, 32), Type.Null()], {
      title: 'CheckNumber',
      description: 'a check number: 1 to 100000000, or a text of 1 to 32 characters',
    }),
  ),
  attachment: Type.Optional(
    Type.Union(
      [
        Type.String({ minLength: 1 }),
        named('AttachedFile', {
          filename: Type.Optional(nullable(text(1, 180))),
          content: Type.String({ minLength: 1 }),
        }),
        Type.Null(),
      ],
      { title: 'Attachment', description: 'a file in base64, or {filename, content}' },
    ),
  ),
}

export const remittanceAdvice = Type.Array(
  named('RemittanceLine', {
    id: text(1, 64),
    date: calendarDate,
    amount: Type.Optional(nullable(amount)),
    description: Type.Optional(nullable(text(0, 180))),
  }),
  { minItems: 1, maxItems: 50, title: 'RemittanceLines' },
)

const adviceOrText = Type.Optional(
  Type.Union([text(0, 3_990), remittanceAdvice, Type.Null()], {
    title: 'RemittanceAdvice',
    description: 'a text of at most 3990 characters, or 1 to 50 lines {id, date, amount, description}',
  }),
)

const recipientAccount = named('RecipientAccount', { id: text(2, 80), account: id })

export const depositFields = {
  deposit_options: Type.Optional(
    nullable(Type.Array(oneOf(DEPOSIT_OPTIONS, { title: 'DepositOption' }), { minItems: 1, uniqueItems: true })),
  ),
  pin: Type.Optional(
    nullable(named('Pin', { description: Type.Optional(nullable(text(0, 180))), value: text(1, 64) })),
  ),
}

export const mailFields = { mail_type: Type.Optional(nullable(oneOf(MAIL_TYPES, { title: 'MailType' }))) }

export const refusedOptions = {
  'x-refused': {
    ZELLE: 'cannot be ZELLE: Zelle has no interface for services like this one',
  },
}

const refusedInDigital = {
  'x-refused': {
    ...refusedOptions['x-refused'],
    mail_type: 'is for POST /v3/check/physical, which mails a check',
  },
}

export const DigitalPayment = named(
  'DigitalPaymentRequest',
  {
    ...orderFields,
    ...depositFields,
    recipient: Type.Union([text(1, 254), recipientAccount], {
      description: 'an email address, a phone number, a user_id of the platform, or {id, account}',
      'x-elsewhere': { line_1: 'is a postal address, to which POST /v3/check/physical mails a check' },
    }),
    remittance_advice: Type.Optional(nullable(remittanceAdvice)),
  },
  refusedInDigital,
)

export const PhysicalPayment = named('PhysicalCheckRequest', {
  ...orderFields,
  ...mailFields,
  recipient: {
    ...postalAddress,
    description:
      'a postal address {line_1, city, state, zip}. POST /v3/check/digital takes an email address, phone number or user_id',
  },
  remittance_advice: adviceOrText,
})

export const DirectPayment = closed({
  ...orderFields,
  recipient: text(1, 80, visible),
  account_number: accountNumber,
  routing_number: routingNumber,
  account_type: oneOf(['CHECKING', 'SAVINGS', 'BUSINESS']),
  deposit_options: Type.Optional(
    nullable(Type.Array(oneOf(['BANK', 'RTP']), { minItems: 1, uniqueItems: true, description: 'BANK or RTP' })),
  ),
  remittance_advice: Type.Optional(nullable(remittanceAdvice)),
})

export const PreviewedPayment = closed(
  {
    ...orderFields,
    ...depositFields,
    ...mailFields,
    description: Type.Optional(nullable(text(0, 4_000))),
    recipient: Type.Optional(
      Type.Union([text(1, 254), recipientAccount, postalAddress, Type.Null()], {
        description: 'an email address, a phone number, a user_id of the platform, {id, account}, or a postal address',
      }),
    ),
    remittance_advice: adviceOrText,
  },
  refusedOptions,
)

/** The request that pays a received invoice. */
export const InvoicePayment = named('InvoicePaymentRequest', { id, amount, account: Type.Optional(nullable(id)) })

/** The tracking steps of a check. */
export const Tracking = named('Tracking', {
  tracking: Type.Array(named('TrackingStep', { action_ts: Type.String(), location: Type.String() })),
})

export const commonFields = {
  id: Type.String(),
  number: Type.Union([Type.Integer(), Type.String()], {
    description: 'The number from the request, or the next number of the user’s own counter',
  }),
  amount: Type.Number({ description: 'Dollars' }),
  date: Type.String(),
  status: oneOf(PAYMENT_STATUSES, { title: 'PaymentStatus' }),
  name: Type.String(),
  recipient: Type.String(),
  description: nullable(Type.String()),
  comment: nullable(Type.String()),
  image_uri: nullable(Type.String()),
}

export const remittanceTableSchema = Type.Array(Type.Array(Type.String()), {
  title: 'RemittanceTable',
  description:
    'One row for each line item: id, date, amount with two decimals, description. A cell without a value is empty.',
})

export const Payment = named('Payment', { ...commonFields, remittance_advice: remittanceTableSchema })

/** The errors that every kind of order can get. */
export const commonOrderErrors = [
  'user_not_active',
  'user_not_verified',
  'approval_required',
  'bank_not_found',
  'bank_not_verified',
  'no_verified_bank',
  'bank_blocked',
  'insufficient_funds',
  'debt_open',
  'signature_needed',
  'payment_limit_reached',
  'check_number_reserved',
  'day_limit_reached',
  'month_limit_reached',
  'invalid_attachment',
  'rate_limited',
  'overloaded',
] as const satisfies ErrorCode[]

export const digitalOrderErrors = [
  ...commonOrderErrors,
  'recipient_not_found',
  'invalid_recipient',
  'own_recipient',
  'recipient_not_active',
  'invalid_deposit_option',
  'paper_unavailable',
] as const satisfies ErrorCode[]

export const directOrderErrors = [
  ...commonOrderErrors,
  'invalid_deposit_option',
  'invalid_recipient',
  'own_recipient',
] as const satisfies ErrorCode[]

export const paperOrderErrors = [
  ...commonOrderErrors,
  'paper_unavailable',
  'unprintable_text',
] as const satisfies ErrorCode[]

/** Refuses fields in a preview that the previewed kind of order does not have. @throws ApiError invalid_request */
export function refuseForeignFields(order: Static<typeof PreviewedPayment>): void {
  if (order.recipient == null) return
  const isMailed = isPostalAddress(order.recipient)
  const foreign = Object.keys(isMailed ? depositFields : mailFields).find((field) => field in order)
  if (foreign) throw fieldError('invalid_request', foreign, 'is not a field of this request')
  if (!isMailed && typeof order.remittance_advice === 'string') {
    throw fieldError('invalid_request', 'remittance_advice', 'must be an array or null')
  }
}
