import { Type } from 'typebox'
import { closed, ONE_LINE, textLike, wholeNumber } from './connections-schema-part-rules.ts'

/** The default values of optional keys. */
export const processorDefaults = { answerSeconds: 20, caseAfterMinutes: 60, returnDays: 60 }

const secretFile = (description: string) =>
  textLike(ONE_LINE, { description, errorMessage: 'must be the path of a file' })

/** The schema of the transport of processors. */
export const httpsTransport = closed({
  type: Type.Literal('https'),
  url: textLike('^(https://[^\\s?#]|http://(localhost|127\\.0\\.0\\.1)(?![^:/]))[^\\s?#]{0,2000}$', {
    description: 'Base of all addresses of the processor, such as https://adapter.example.com/remit.',
    errorMessage: 'must be an https URL without query and fragment',
  }),
  answer_seconds: Type.Optional(
    wholeNumber(1, 120, {
      description: 'How long Remit waits for the answer to one call.',
      default: processorDefaults.answerSeconds,
    }),
  ),
})

const terms = {
  amount_per_order: Type.Optional(
    wholeNumber(1, 9_999_999_999, {
      description: 'Highest amount of one order. A payment above it fails. In whole dollars. Default: no limit.',
    }),
  ),
  amount_per_day: Type.Optional(
    wholeNumber(1, 9_999_999_999, {
      description:
        'Highest sum of all orders of a day. Other payments wait for the next day. In whole dollars. Default: no limit.',
    }),
  ),
  case_after_minutes: Type.Optional(
    wholeNumber(1, 43_200, {
      description: 'How long the state of an order may be unknown before it is an exception.',
      default: processorDefaults.caseAfterMinutes,
    }),
  ),
  return_days: Type.Optional(
    wholeNumber(1, 400, {
      description:
        'Days after its payment in which an order can be returned. Remit queries the order during this time.',
      default: processorDefaults.returnDays,
    }),
  ),
}

export const adapter = closed(
  {
    key_file: secretFile('File with the key that every call carries: Authorization: Bearer KEY.'),
    event_key_file: secretFile('File with the key that signs the events of the adapter.'),
    ...terms,
  },
  { description: 'A processor that speaks the adapter protocol (docs/adapter.md).' },
)

export const paypal = closed(
  {
    client_id_file: secretFile('File with the client ID of your app at PayPal.'),
    client_secret_file: secretFile('File with the secret of your app at PayPal.'),
    webhook_id: Type.Optional(
      textLike('^[A-Za-z0-9]{1,50}$', {
        description: 'ID of the webhook at PayPal that calls this service. Default: Remit only polls PayPal.',
        errorMessage: 'must be the ID of a webhook at PayPal',
      }),
    ),
    ...terms,
  },
  { description: 'PayPal Payouts, for PAYPAL and VENMO (docs/paypal.md).' },
)
