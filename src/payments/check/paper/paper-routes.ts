import { Type } from 'typebox'
import type { ErrorCode } from '../../../foundation/core/errors.ts'
import { inlineFile, savedFile } from '../../../foundation/http/content-disposition.ts'
import { get, post, type Route } from '../../../foundation/http/route.ts'
import { closed, idParams, noFields } from '../../../foundation/http/schema.ts'
import { formatDateTime } from '../../../foundation/lib/clock.ts'
import {
  ATTACHMENT_BODY_LIMIT_BYTES,
  digitalOrderErrors,
  PreviewedPayment,
  refuseForeignFields,
  Tracking,
} from '../../payment/accept/order-schema.ts'
import { getTracking, printCheck } from './paper-actions.ts'
import { copyCheck } from './paper-copy-actions.ts'
import { previewCheck } from './paper-preview-actions.ts'

const tag = 'Payments'

const copyErrors = [
  'payment_not_found',
  'paper_unavailable',
  'unprintable_text',
  'overloaded',
  'rate_limited',
] as const satisfies ErrorCode[]

/** The routes that return copies of a check to everybody who may read the payment. */
const copyRoutes: Route[] = [
  get(
    '/v3/payment/:id/copy.pdf',
    {
      access: 'user',
      permission: 'read',
      tag,
      operationId: 'downloadCheckCopy',
      summary: 'Download a copy of the check',
      description:
        'Returns the check of a payment as a PDF that is marked NOT NEGOTIABLE. It shows only the last four digits of the account number, and changes nothing.',
      errors: copyErrors,
      params: idParams,
      answerType: 'application/pdf',
    },
    async (deps, { caller, params, reply }) => {
      const { number, bytes } = await copyCheck(deps, caller, { paymentId: params.id, as: 'check' })
      reply.type('application/pdf').header('content-disposition', savedFile(`check-${number}-copy.pdf`))
      reply.header('cache-control', 'no-store')
      return bytes
    },
  ),

  get(
    '/v3/payment/:id/image',
    {
      access: 'user',
      permission: 'read',
      tag,
      operationId: 'getCheckImage',
      summary: 'Retrieve a picture of the check',
      description: 'Returns the face of the check as a PNG that is marked NOT NEGOTIABLE.',
      errors: copyErrors,
      params: idParams,
      answerType: 'image/png',
    },
    async (deps, { caller, params, reply }) => {
      const { bytes } = await copyCheck(deps, caller, { paymentId: params.id, as: 'checkPicture' })
      reply.type('image/png').header('cache-control', 'no-store')
      return bytes
    },
  ),
]

export const paperRoutes: Route[] = [
  ...copyRoutes,

  post(
    '/v3/check/preview',
    {
      access: 'user',
      permission: 'prepare',
      transaction: 'none', // nothing is created
      tag,
      operationId: 'previewCheck',
      summary: 'Preview a check',
      description:
        'Returns an image of the check that the same request would create. Nothing is created or reserved. The recipient is optional.',
      errors: [...digitalOrderErrors, 'unprintable_text'],
      body: PreviewedPayment,
      answer: closed({
        image: Type.String({
          description: 'A PNG in base64. It shows only the last four digits of the account number.',
        }),
      }),
      bodyLimitBytes: ATTACHMENT_BODY_LIMIT_BYTES,
    },
    async (deps, { caller, body, reply }) => {
      refuseForeignFields(body)
      reply.header('cache-control', 'no-store')
      return { image: (await previewCheck(deps, { caller, order: body })).toString('base64') }
    },
  ),

  post(
    '/v3/check/print/:id',
    {
      access: 'user',
      permission: 'send',
      needsStepUp: true,
      // Printing can be repeated, so no answer is recorded. After the check is stopped, a recorded answer must not return it.
      transaction: 'none',
      tag,
      operationId: 'printCheck',
      summary: 'Print a check',
      description:
        'Returns the printable check as a PDF, for a payment that offers PRINT. The first call makes the payment PRINTED. Later calls return the same check until it is cashed or voided.',
      errors: [
        'payment_not_found',
        'not_the_recipient',
        'endorse_only',
        'endorsements_missing',
        'user_not_active',
        'not_printable',
        'invalid_deposit_option',
        'paper_unavailable',
        'unprintable_text',
        'check_not_ready',
        'overloaded',
        'rate_limited',
      ],
      params: idParams,
      body: noFields,
      answerType: 'application/pdf',
    },
    async (deps, { caller, params, reply }) => {
      const { number, pdf } = await printCheck(deps, caller, params.id)
      reply.type('application/pdf').header('content-disposition', inlineFile(`check-${number}.pdf`))
      reply.header('cache-control', 'no-store') // the check contains an account number
      return pdf
    },
  ),

  get(
    '/v3/check/:id/tracking',
    {
      access: 'user',
      permission: 'read',
      tag,
      operationId: 'trackCheck',
      summary: 'Track a paper check',
      description: 'Lists the tracking steps of a paper check, oldest first. The list is empty for other payments.',
      errors: ['payment_not_found'],
      params: idParams,
      answer: Tracking,
    },
    async (deps, { caller, params }) => ({
      tracking: (await getTracking(deps, caller, params.id)).map(({ at, location }) => ({
        action_ts: formatDateTime(at),
        location,
      })),
    }),
  ),
]
