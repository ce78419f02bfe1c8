import { Type } from 'typebox'
import { ApiError } from '../../foundation/core/errors.ts'
import { centsToDollars } from '../../foundation/core/money.ts'
import { inlinePdf } from '../../foundation/http/content-disposition.ts'
import { post, type Route } from '../../foundation/http/route.ts'
import { closed, id, idParams, noFields, nullable, oneOf, text, visible } from '../../foundation/http/schema.ts'
import { formatDateTime } from '../../foundation/lib/clock.ts'
import { BANK_STATUSES } from '../../money/bank/bank-status.ts'
import { FIELD_TYPES, type FormField } from '../../money/iav/institution-rules.ts'
import { INVOICE_STATUSES } from '../../payments/invoice-status/invoice-status.ts'
import { pdfName } from '../../payments/payment/payment-rules.ts'
import { bankFields, token, visitOf } from '../../payments/recipient/recipient-link-schema.ts'
import { shownItems } from '../invoice/invoice-items-rules.ts'
import { itemsFields } from '../invoice/invoice-schema.ts'
import {
  confirmAccount,
  getLinkedPdf,
  getPayerInstitutions,
  giveAccount,
  payLinked,
  signInToPay,
} from './payer-actions.ts'
import {
  createViewLink,
  type LinkedInvoice,
  mailPayLink,
  openReceivedInvoice,
  readLinkedInvoice,
} from './payer-link-actions.ts'
import { notifyPayer } from './payer-notice-actions.ts'

const tag = 'Invoice page'

const fields = {
  sender: Type.String(),
  logo: nullable(Type.String({ description: 'A data URL' })),
  number: Type.String(),
  date: Type.String(),
  day: Type.String({ description: 'The day of the business on which it was sent, YYYY-MM-DD' }),
  name: Type.String(),
  amount: Type.Number(),
  description: Type.String(),
  status: oneOf(INVOICE_STATUSES),
  bank: nullable(
    closed({
      name: nullable(Type.String()),
      account: Type.String({ description: 'The last four digits' }),
      status: oneOf(BANK_STATUSES),
    }),
  ),
  authorization: nullable(Type.String({ description: 'The text to agree to; null while the invoice cannot be paid' })),
  in_account: Type.Boolean({
    description: 'Whether the recipient has an account in this service, where it pays the invoice',
  }),
  can_sign_in: Type.Boolean({ description: 'Whether an account can be verified by signing in at its institution' }),
  is_view_only: Type.Boolean({ description: 'Whether the link only shows the invoice, because its sender created it' }),
  due_date: nullable(Type.String({ description: 'YYYY-MM-DD' })),
  is_overdue: Type.Boolean(),
  terms: nullable(Type.String()),
  ...itemsFields,
}

const Linked = closed(fields)

const formFields = Type.Array(
  closed({
    name: Type.String(),
    type: oneOf(FIELD_TYPES),
    description: nullable(Type.String()),
    options: Type.Array(Type.String()),
  }),
)

const values = Type.Record(Type.String({ maxLength: 64 }), text(1, 256), { maxProperties: 20 })

/** Returns the routes of the payer's page, for people without an account. */
export const payerRoutes = ({ baseUrl }: { baseUrl: () => string }): Route[] => [
  notifyRoute,
  openRoute,
  linkRoute(baseUrl),
  ...viewRoutes,

  post(
    '/web/v1/invoice/read',
    { access: 'anyone', tag, summary: 'Retrieve the invoice of a link', body: closed({ token }), answer: Linked },
    async (deps, { body, request }) => linkedAnswer(await readLinkedInvoice(deps, visitOf(body, request))),
  ),

  post(
    '/web/v1/invoice/account',
    {
      access: 'anyone',
      tag,
      summary: 'Give the account to pay an invoice from',
      body: closed({ token, name: text(2, 180, visible), ...bankFields }),
      answer: Linked,
    },
    async (deps, { body: { token, ...given }, request }) =>
      linkedAnswer(await giveAccount(deps, visitOf({ token }, request), given)),
  ),

  ...institutionRoutes,

  post(
    '/web/v1/invoice/verify',
    {
      access: 'anyone',
      tag,
      summary: 'Confirm the account by its micro-deposits',
      body: closed({ token, amount_1: Type.Number(), amount_2: Type.Number() }),
      answer: closed({ ...fields, tries_left: nullable(Type.Integer()) }),
    },
    async (deps, { body, request }) => {
      const amounts = { amount1: body.amount_1, amount2: body.amount_2 }
      const confirmed = await confirmAccount(deps, visitOf(body, request), amounts)
      if (confirmed instanceof ApiError) return confirmed
      return { ...linkedFields(confirmed.linked), tries_left: confirmed.triesLeft }
    },
  ),

  post(
    '/web/v1/invoice/pay',
    {
      access: 'anyone',
      tag,
      summary: 'Authorize the debit that pays an invoice',
      body: closed({ token, authorization: text(1, 2_000) }),
      answer: Linked,
    },
    async (deps, { body, request }) =>
      linkedAnswer(await payLinked(deps, { ...visitOf(body, request), baseUrl: baseUrl() }, body)),
  ),
]

/** The routes that are allowed for every link, including links that only show the invoice. */
const viewRoutes: Route[] = [
  post(
    '/web/v1/invoice/mail',
    {
      access: 'anyone',
      tag,
      summary: 'Email the recipient a link to pay the invoice of a link',
      body: closed({ token }),
      status: 204,
    },
    async (deps, { body, request }) => mailPayLink(deps, visitOf(body, request)),
  ),

  post(
    '/web/v1/invoice/pdf',
    {
      access: 'anyone',
      transaction: 'none',
      tag,
      summary: 'Download the invoice of a link',
      body: closed({ token }),
      answerType: 'application/pdf',
    },
    async (deps, { body, request, reply }) => {
      const { filename, pdf } = await getLinkedPdf(deps, visitOf(body, request))
      return inlinePdf(reply, pdfName(filename), pdf)
    },
  ),
]

const institutionRoutes: Route[] = [
  post(
    '/web/v1/invoice/institutions',
    {
      access: 'anyone',
      tag,
      summary: 'List institutions',
      errors: ['not_configured'],
      body: closed({ token }),
      answer: closed({
        institutions: Type.Array(closed({ id: Type.String(), name: Type.String(), form: formFields })),
      }),
    },
    async (deps, { body, request }) => {
      const found = await getPayerInstitutions(deps, visitOf(body, request))
      if (found instanceof ApiError) return found
      return { institutions: found.map(({ id, name, loginForm }) => ({ id, name, form: loginForm.map(formField) })) }
    },
  ),

  post(
    '/web/v1/invoice/sign-in',
    {
      access: 'anyone',
      transaction: 'none',
      tag,
      summary: 'Sign in at an institution',
      errors: [
        'not_configured',
        'institution_not_found',
        'challenge_not_found',
        'institution_login_refused',
        'institution_login_locked',
        'institution_unavailable',
      ],
      body: closed({ token, institution_id: Type.Optional(id), mfa_id: Type.Optional(id), values }),
      answer: closed({
        accounts: Type.Array(closed({ routing: Type.String(), account: Type.String(), name: Type.String() })),
        mfa: nullable(closed({ id: Type.String(), form: formFields })),
      }),
    },
    async (deps, { body, request }) => {
      const { values, institution_id: institutionId = '', mfa_id: challengeId } = body
      const signIn = challengeId === undefined ? { institutionId, values } : { challengeId, values }
      const { accounts, challenge } = await signInToPay(deps, visitOf(body, request), signIn)
      const mfa = challenge && { id: challenge.id, form: challenge.form.map(formField) }
      return { accounts: accounts.map(({ routing, account, name }) => ({ routing, account, name })), mfa }
    },
  ),
]

const formField = ({ name, type, description, options = [] }: FormField) => ({
  name,
  type,
  description,
  options: [...options],
})

const linkedAnswer = (linked: LinkedInvoice | ApiError) => (linked instanceof ApiError ? linked : linkedFields(linked))

const linkedFields = ({ invoice, sender, logo, bank, authorization, ...more }: LinkedInvoice) => ({
  sender,
  logo,
  number: invoice.number,
  date: formatDateTime(invoice.createdAt),
  day: more.day,
  name: invoice.name,
  amount: centsToDollars(invoice.amountCents),
  description: invoice.description,
  status: invoice.status,
  bank: bank && { name: bank.name, account: bank.accountLast4, status: bank.status },
  authorization,
  in_account: invoice.recipientPlatformId !== null,
  can_sign_in: more.canSignIn,
  is_view_only: more.isViewOnly,
  due_date: invoice.dueDate,
  is_overdue: more.isOverdue,
  terms: invoice.terms,
  ...shownItems(invoice.items),
})

const notifyRoute: Route = post(
  '/v3/invoice/notify/:id',
  {
    access: 'user',
    permission: 'prepare',
    tag: 'Invoices',
    operationId: 'notifyInvoiceRecipient',
    summary: 'Email the recipient of an invoice again',
    description:
      'Emails a new link to a recipient outside who has not paid yet. Earlier links still work. A sender can ask for three such emails in 24 hours for each invoice.',
    errors: ['invoice_not_found', 'not_the_sender', 'not_notifiable', 'notify_limit_reached'],
    params: idParams,
    body: noFields,
    status: 204,
  },
  async (deps, { caller, params }) => notifyPayer(deps, caller, params.id),
)

/**
 * Opens a received invoice. The record of its Idempotency-Key is on the caller's platform, so it commits in another transaction than the
 * work.
 */
const openRoute: Route = post(
  '/web/v1/invoice/open/:id',
  {
    access: 'session',
    permission: 'send',
    transaction: 'none',
    tag,
    summary: 'Open the page of an invoice from another platform',
    errors: ['invoice_not_found', 'invoice_not_payable'],
    params: idParams,
    answer: closed({ token: Type.String() }),
  },
  async (deps, { caller, params }) => ({ token: await openReceivedInvoice(deps, caller, params.id) }),
)

const linkRoute = (baseUrl: () => string): Route =>
  post(
    '/web/v1/invoice/link/:id',
    {
      access: 'session',
      permission: 'prepare',
      tag,
      summary: 'Create a link that shows an invoice to a person without an account',
      description:
        'The link shows the invoice to anybody who has it, and accepts no payment. Its page can email the recipient a link to pay.',
      errors: ['invoice_not_found', 'not_the_sender', 'invoice_without_link'],
      params: idParams,
      answer: closed({ url: Type.String() }),
    },
    async (deps, { caller, params }) => ({
      url: `${baseUrl()}/invoice/${await createViewLink(deps, caller, params.id)}`,
    }),
  )
