import { type Static, type TProperties, Type } from 'typebox'
import { ApiError } from '../../foundation/core/errors.ts'
import { centsToDollars } from '../../foundation/core/money.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { inlinePdf } from '../../foundation/http/content-disposition.ts'
import { get, post, type Route } from '../../foundation/http/route.ts'
import {
  amount,
  closed,
  idParams,
  named,
  noFields,
  nothing,
  nullable,
  oneOf,
  postalAddress,
  text,
  visible,
} from '../../foundation/http/schema.ts'
import { businessDate, formatDate, formatDateTime } from '../../foundation/lib/clock.ts'
import { destinationSpecs } from '../../money/destination/destination-kind-rules.ts'
import { DESTINATION_KINDS } from '../../money/destination/destination-rules.ts'
import { pdfName, remittanceTable } from '../payment/payment-rules.ts'
import { PAYMENT_STATUSES } from '../payment/payment-status.ts'
import { claimLinked } from './recipient-claim-actions.ts'
import {
  byMail,
  type Deposit,
  depositLinked,
  endorseLinked,
  intoBank,
  intoDestination,
  printLinked,
} from './recipient-deposit-actions.ts'
import { mailLinkAgain, notifyRecipient } from './recipient-invitation-actions.ts'
import { checkLinkedPin, getLinkedAttachment, getLinkedPayment, type LinkedPayment } from './recipient-link-actions.ts'
import { bankFields, token, visitOf } from './recipient-link-schema.ts'
import { PAGE_OPTIONS, type PageOption } from './recipient-rules.ts'

const tag = 'Recipient page'

const pin = text(1, 64)

const Linked = closed({
  sender: Type.String(),
  logo: nullable(Type.String({ description: 'A data URL' })),
  number: Type.String(),
  date: Type.String({ description: 'When the payment was sent' }),
  deposited: nullable(Type.String({ description: 'When the recipient chose where to deposit it' })),
  changed: Type.String({ description: 'When the payment reached this status' }),
  destination: nullable(Type.String({ description: 'The masked account that receives the payment' })),
  remittance_advice: Type.Array(Type.Array(Type.String())),
  name: Type.String(),
  amount: Type.Number(),
  description: nullable(Type.String()),
  comment: nullable(Type.String()),
  status: oneOf(PAYMENT_STATUSES),
  rail: nullable(Type.String()),
  expires: Type.String({ description: 'YYYY-MM-DD' }),
  expected: nullable(Type.String({ description: 'YYYY-MM-DD' })),
  has_attachment: Type.Boolean(),
  pin: nullable(closed({ description: nullable(Type.String()) })),
  options: Type.Array(oneOf(PAGE_OPTIONS)),
  claimed: Type.Boolean({ description: 'Whether the payment was added to an account' }),
  endorsement: nullable(
    closed({
      can_endorse: Type.Boolean(),
      is_endorsed: Type.Boolean(),
      can_deposit: Type.Boolean(),
      missing: Type.Array(Type.String()),
    }),
  ),
})

const verification = {
  access: 'user',
  permission: 'prepare',
  tag: 'Payments',
  summary: 'Email the code of the invitation again',
  description:
    'Emails the link of the invitation to the recipient again, like `/v3/check/notify/{id}`. `success` says whether it was requested: false if the recipient has no email or nothing to choose anymore, or after 4 emails in 24 hours. GET and POST do the same.',
  errors: ['payment_not_found', 'not_the_sender'],
  params: idParams,
  answer: named('Verification', { success: Type.Boolean() }),
} as const

const verificationRoutes = (baseUrl: () => string): Route[] => [
  post(
    '/v3/check/:id/verification',
    { ...verification, operationId: 'resendVerification', body: noFields },
    async (deps, { caller, params }) => ({
      success: await mailLinkAgain(deps, caller, { paymentId: params.id, baseUrl: baseUrl() }),
    }),
  ),

  // For clients that know this call as a GET. A session may not use it, because a page of another site could make a browser send the
  // request.
  get(
    '/v3/check/:id/verification',
    { ...verification, operationId: 'getVerification', transaction: 'withAnswer' },
    async (deps, { caller, params, request }) => {
      if (caller.credential.kind === 'session') throw new ApiError('foreign_origin')
      const given = { paymentId: params.id, baseUrl: baseUrl() }
      return { success: request.method === 'GET' && (await mailLinkAgain(deps, caller, given)) }
    },
  ),
]

export const recipientRoutes = ({ baseUrl }: { baseUrl: () => string }): Route[] => [
  post(
    '/v3/check/notify/:id',
    {
      access: 'user',
      permission: 'prepare',
      tag: 'Payments',
      operationId: 'notifyRecipient',
      summary: 'Email the recipient again',
      description:
        'Emails the link to the recipient again, for the sender or the owner of its platform. The new link replaces the previous one. Each payment allows at most 4 emails in 24 hours. A recipient with an account in this service finds the payment there and gets no email; the answer is the same.',
      errors: ['payment_not_found', 'not_the_sender', 'not_notifiable', 'notify_limit_reached'],
      params: idParams,
      body: noFields,
      status: 204,
    },
    async (deps, { caller, params }) => notifyRecipient(deps, caller, { paymentId: params.id, baseUrl: baseUrl() }),
  ),

  ...verificationRoutes(baseUrl),

  post(
    '/web/v1/pay/read',
    { access: 'anyone', tag, summary: 'Retrieve the payment of a link', body: closed({ token }), answer: Linked },
    async (deps, { body, request }) => linkedAnswer(deps, await getLinkedPayment(deps, visitOf(body, request))),
  ),

  post(
    '/web/v1/pay/pin',
    { access: 'anyone', tag, summary: 'Check the PIN', body: closed({ token, pin }), answer: nothing },
    async (deps, { body, request }) => checkLinkedPin(deps, visitOf(body, request)),
  ),

  attachmentRoute(),
  claimRoute(),
  endorseRoute(),

  depositRoute('BANK', bankFields, intoBank),
  ...DESTINATION_KINDS.map((kind) => {
    const { fields, kept } = destinationSpecs[kind]
    return depositRoute(kind.toUpperCase() as PageOption, fields, (given) => (deps, payment) => {
      const today = formatDate(deps.clock.now())
      return intoDestination(kind, kept(given, today))(deps, payment)
    })
  }),
  depositRoute('MAIL', postalAddress.properties, byMail),

  post(
    '/web/v1/pay/print',
    {
      access: 'anyone',
      transaction: 'none',
      tag,
      summary: 'Print the check of a link',
      body: closed({ token, pin: Type.Optional(pin), amount: Type.Optional(amount) }),
      answerType: 'application/pdf',
    },
    async (deps, { body, request, reply }) => {
      const { number, pdf } = await printLinked(deps, { ...visitOf(body, request), amount: body.amount })
      return inlinePdf(reply, `check-${number}.pdf`, pdf)
    },
  ),
]

/** Returns the route for attachments. It records no answer under an Idempotency-Key, because files are not recorded. */
const attachmentRoute = (): Route =>
  post(
    '/web/v1/pay/attachment',
    {
      access: 'anyone',
      transaction: 'none',
      tag,
      summary: 'Download the attachment of a link',
      errors: ['attachment_not_found'],
      body: closed({ token, pin: Type.Optional(pin) }),
      answerType: 'application/pdf',
    },
    async (deps, { body, request, reply }) => {
      const { filename, pdf } = await getLinkedAttachment(deps, visitOf(body, request))
      return inlinePdf(reply, pdfName(filename), pdf)
    },
  )

/**
 * Returns the route for claims. The record of its Idempotency-Key is on the caller's platform, so it commits in another transaction than
 * the work.
 */
const claimRoute = (): Route =>
  post(
    '/web/v1/pay/claim',
    {
      access: 'session',
      permission: 'accounts',
      transaction: 'none',
      tag,
      summary: 'Add the payment of a link to the account of the signed-in person',
      errors: ['not_claimable', 'own_recipient', 'payment_expired'],
      body: closed({ token, pin: Type.Optional(pin) }),
      answer: closed({ payment: Type.String({ description: 'The ID of the payment' }) }),
    },
    async (deps, { caller, body, request }) => ({
      payment: await claimLinked(deps, caller, visitOf(body, request)),
    }),
  )

/** Returns the route for endorsements. It runs outside of a transaction while the image waits in a queue. */
const endorseRoute = (): Route =>
  post(
    '/web/v1/pay/endorse',
    {
      access: 'anyone',
      transaction: 'none',
      tag,
      summary: 'Endorse the payment of a link',
      body: closed({
        token,
        pin: Type.Optional(pin),
        name: text(2, 255, visible),
        signature: Type.Optional(nullable(Type.String({ minLength: 1, description: 'a PNG or JPEG image in base64' }))),
      }),
      answer: Linked,
    },
    async (deps, { body, request }) => {
      const { name, signature = null } = body
      return linkedAnswer(deps, await endorseLinked(deps, visitOf(body, request), { name, signature }))
    },
  )

/** Returns one of the routes `/web/v1/pay/deposit/bank` and so on. Each option needs different fields. */
function depositRoute<Fields extends TProperties>(
  option: PageOption,
  fields: Fields,
  depositOf: (given: Static<ReturnType<typeof closed<Fields>>>) => Deposit,
): Route {
  const body = closed({ ...fields, token, pin: Type.Optional(pin) })
  return post(
    `/web/v1/pay/deposit/${option.toLowerCase()}`,
    { access: 'anyone', tag, summary: `Deposit by ${option}`, body, answer: Linked },
    async (deps, { body, request }) => {
      const { token, pin, ...given } = body as { token: string; pin?: string }
      const visit = { token, pin, address: request.ip }
      return linkedAnswer(deps, await depositLinked(deps, visit, { option, deposit: depositOf(given as never) }))
    },
  )
}

function linkedAnswer({ settings }: Pick<Deps, 'settings'>, linked: LinkedPayment | ApiError) {
  if (linked instanceof ApiError) return linked
  const { payment, sender, logo, destination, pin, expected, hasAttachment, options, endorsement, isClaimed } = linked
  return {
    sender,
    logo,
    number: payment.number,
    date: formatDateTime(payment.createdAt),
    deposited: payment.depositedAt && formatDateTime(payment.depositedAt),
    changed: formatDateTime(payment.updatedAt),
    destination,
    remittance_advice: remittanceTable(payment.remittanceAdvice),
    name: payment.name,
    amount: centsToDollars(payment.amountCents),
    description: payment.description,
    comment: payment.comment,
    status: payment.status,
    rail: payment.rail,
    expires: businessDate(payment.expiresAt, settings.timeZone),
    expected,
    has_attachment: hasAttachment,
    pin,
    options,
    claimed: isClaimed,
    endorsement: endorsement && {
      can_endorse: endorsement.canEndorse,
      is_endorsed: endorsement.isEndorsed,
      can_deposit: endorsement.canDeposit,
      missing: endorsement.missing,
    },
  }
}
