import { Type } from 'typebox'
import { closed, named, nullable, text, visible } from '../../../foundation/http/schema.ts'
import {
  depositFields,
  digitalOrderErrors,
  orderFields,
  refusedOptions,
  remittanceAdvice,
} from '../accept/order-schema.ts'

const { name, ...others } = orderFields
const { pin, ...options } = depositFields

export const MultiPayment = named(
  'MultiPaymentRequest',
  {
    ...others,
    ...options,
    recipients: Type.Array(
      named('MultiPaymentRecipient', {
        name,
        recipient: text(1, 254, { description: 'the user_id of a user of the platform, or an email address' }),
        pin,
        endorse_only: Type.Optional(nullable(Type.Boolean())),
      }),
      { minItems: 2, maxItems: 5 },
    ),
    remittance_advice: Type.Optional(nullable(remittanceAdvice)),
  },
  refusedOptions,
)

export const multiErrors = digitalOrderErrors.filter((code) => code !== 'recipient_not_found')

export const Endorsement = closed({
  name: text(2, 255, visible),
  signature: Type.Optional(
    nullable(Type.String({ minLength: 1, description: 'a PNG or JPEG image in base64, or null' })),
  ),
})
