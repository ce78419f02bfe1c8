import { Type } from 'typebox'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { inlinePdf } from '../../foundation/http/content-disposition.ts'
import { list } from '../../foundation/http/list/list.ts'
import { dayFilters } from '../../foundation/http/list/list-query.ts'
import { del, get, post, put, type Route } from '../../foundation/http/route.ts'
import {
  amount,
  closed,
  id,
  idParams,
  named,
  nothing,
  oneOf,
  postalAddress,
  text,
} from '../../foundation/http/schema.ts'
import {
  ATTACHMENT_BODY_LIMIT_BYTES,
  commonFields,
  DigitalPayment,
  digitalOrderErrors,
  InvoicePayment,
  Payment,
  PhysicalPayment,
  paperOrderErrors,
  remittanceTableSchema,
} from '../../payments/payment/accept/order-schema.ts'
import { MultiPayment } from '../../payments/payment/multi/multi-schema.ts'
import {
  answeredNumber,
  commonAnswer,
  paymentSorts,
  pdfName,
  remittanceLines,
  remittanceTable,
} from '../../payments/payment/payment-rules.ts'
import {
  decodeApprovalAttachment,
  editApproval,
  getApproval,
  getApprovalAttachment,
  getApprovals,
  prepareApproval,
  type ShownApproval,
  voidApproval,
} from './approval-actions.ts'
import {
  approveApproval,
  findReleasedAccount,
  type InvoicePayments,
  type MovedInvoice,
  rejectApproval,
  releaseApproval,
} from './approval-release-actions.ts'
import { Rejection, SeenVersion, seenVersion } from './approval-schema.ts'
import { APPROVAL_STATUSES } from './approval-status.ts'

const tag = 'Approvals'

const fields = {
  ...commonFields,
  number: {
    ...commonFields.number,
    description: 'The number of the payment. Before the release, the number that it would get now',
  },
  status: oneOf(APPROVAL_STATUSES),
}

const Approval = named('Approval', { ...fields, remittance_advice: remittanceTableSchema })

const ListedApproval = named('ListedApproval', { ...fields, direction: oneOf(['OUTGOING']), sender: Type.String() })

const prepareRoute = (
  url: string,
  {
    body,
    ...documented
  }: Pick<Route['spec'], 'operationId' | 'summary' | 'description' | 'errors'> & {
    body: typeof DigitalPayment | typeof PhysicalPayment | typeof MultiPayment
  },
): Route =>
  post(
    url,
    {
      access: 'user',
      permission: 'prepare',
      tag,
      ...documented,
      body: body as typeof DigitalPayment,
      status: 201,
      answer: Approval,
      bodyLimitBytes: ATTACHMENT_BODY_LIMIT_BYTES,
      before: async (deps, { caller, body: order }) => decodeApprovalAttachment(deps, caller, order),
    },
    async (deps, { caller, body: order }, attachment) =>
      approvalAnswer(await prepareApproval(deps, caller, { order, attachment })),
  )

type GivenInvoice = { id: string; amount: number; account?: string | null }

/** The functions of invoices that approvals call. */
type InvoiceCalls = {
  moveFoundInvoice: (deps: Deps, caller: Caller, given: GivenInvoice) => Promise<(() => Promise<MovedInvoice>) | null>
  prepareInvoicePayment: (
    deps: TxDeps,
    caller: Caller,
    given: GivenInvoice & { moved: MovedInvoice | null },
  ) => Promise<ShownApproval>
  invoices: InvoicePayments
}

export const approvalRoutes = (own: InvoiceCalls): Route[] => [
  ...prepareRoutes,
  prepareInvoiceRoute(own),
  releaseRoute(own),
  ...decisionRoutes,
  ...shownRoutes,
]

const prepareErrors = [
  'invalid_deposit_option',
  'invalid_attachment',
  'paper_unavailable',
  'approval_limit_reached',
  'rate_limited',
  'overloaded',
] as const

const prepareRoutes: Route[] = [
  prepareRoute('/v3/approval/digital', {
    operationId: 'prepareDigitalPayment',
    summary: 'Prepare a digital payment',
    description:
      'Prepares a payment that somebody releases later. Nothing is reserved: funds, limits and the recipient are checked at the release.',
    errors: prepareErrors,
    body: DigitalPayment,
  }),

  prepareRoute('/v3/approval/physical', {
    operationId: 'preparePhysicalCheck',
    summary: 'Prepare a paper check',
    description:
      'Prepares a mailed check that somebody releases later. Nothing is reserved: funds and limits are checked at the release.',
    errors: [
      'invalid_attachment',
      'paper_unavailable',
      'unprintable_text',
      'approval_limit_reached',
      'rate_limited',
      'overloaded',
    ],
    body: PhysicalPayment,
  }),

  prepareRoute('/v3/approval/multi', {
    operationId: 'prepareMultiPayment',
    summary: 'Prepare a payment to several recipients',
    description:
      'Prepares a payment to two to five users of your platform that somebody releases later. Nothing is reserved: funds, limits and the recipients are checked at the release.',
    errors: prepareErrors,
    body: MultiPayment,
  }),
]

const prepareInvoiceRoute = ({ moveFoundInvoice, prepareInvoicePayment }: InvoiceCalls): Route =>
  post(
    '/v3/approval/invoice',
    {
      access: 'user',
      permission: 'prepare',
      tag,
      operationId: 'prepareInvoicePayment',
      summary: 'Prepare the payment of an invoice',
      description:
        'Prepares the payment of a received invoice that somebody releases later. Nothing is reserved: funds, limits and the invoice are checked at the release, which fails if the invoice was paid or voided, or is paid into another account by then. An invoice that was sent to your email address from another platform can only be paid from your accounts here afterwards, and no longer with the link in its email.',
      errors: ['invoice_not_found', 'invoice_not_payable', 'invalid_deposit_option', 'approval_limit_reached'],
      body: InvoicePayment,
      status: 201,
      answer: Approval,
      before: async (deps, { caller, body }) => moveFoundInvoice(deps, caller, body),
    },
    async (deps, { caller, body }, moved) =>
      approvalAnswer(await prepareInvoicePayment(deps, caller, { ...body, moved })),
  )

const releaseRoute = ({ invoices }: InvoiceCalls): Route =>
  post(
    '/v3/approval/release',
    {
      access: 'user',
      permission: 'release',
      needsStepUp: true,
      tag,
      operationId: 'releaseApproval',
      summary: 'Release a prepared payment',
      description:
        'Makes the payment, with all checks of a payment, and returns it. If the approval policy or dual control asks for approvals, the release counts as one, and nobody who prepared or edited the payment can give it. An API key counts as the person who created it.',
      errors: [
        'approval_not_found',
        'approval_changed',
        'approval_not_open',
        'second_person_needed',
        'approval_payee_changed',
        'invoice_not_payable',
        ...new Set([...digitalOrderErrors, ...paperOrderErrors]),
      ],
      body: closed({ id, version: seenVersion }),
      answer: Payment,
      before: async (deps, { caller, body }) => findReleasedAccount(deps, caller, { id: body.id, invoices }),
    },
    async (deps, { caller, body }, destination) => releaseApproval(deps, caller, { ...body, invoices, destination }),
  )

const decisionRoutes: Route[] = [
  post(
    '/v3/approval/:id/approve',
    {
      access: 'user',
      permission: 'release',
      needsStepUp: true,
      tag,
      operationId: 'approveApproval',
      summary: 'Approve a prepared payment',
      description:
        'Records your approval of a payment that needs two people. Another person releases it. Nobody who prepared or edited the payment can approve it, and an edit takes all approvals back, as does a change of the payee’s accounts.',
      errors: ['approval_not_found', 'approval_changed', 'approval_not_open', 'second_person_needed'],
      params: idParams,
      body: SeenVersion,
      status: 201,
      answer: nothing,
    },
    async (deps, { caller, params, body }) => approveApproval(deps, caller, { id: params.id, version: body.version }),
  ),

  post(
    '/v3/approval/:id/reject',
    {
      access: 'user',
      permission: 'release',
      tag,
      operationId: 'rejectApproval',
      summary: 'Reject a prepared payment',
      description: 'Ends a prepared payment for good. The person who prepared it gets the reason by mail.',
      errors: ['approval_not_found', 'approval_not_open'],
      params: idParams,
      body: Rejection,
      status: 201,
      answer: nothing,
    },
    async (deps, { caller, params, body }) =>
      rejectApproval(deps, caller, { id: params.id, reason: body.reason.trim() }),
  ),
]

const shownRoutes: Route[] = [
  list(
    '/v3/approval',
    {
      access: 'user',
      permission: 'read',
      tag,
      operationId: 'listApprovals',
      summary: 'List prepared payments',
      description:
        'Lists the payments that were prepared for release, newest first. `q` searches names, recipients, descriptions and numbers.',
    },
    {
      sorts: paymentSorts,
      filters: {
        direction: Type.Optional(oneOf(['INCOMING', 'OUTGOING'])),
        status: Type.Optional(oneOf(APPROVAL_STATUSES)),
        ...dayFilters,
      },
      items: { checks: ListedApproval },
      read: (deps, { filter, paging }) => getApprovals(deps, filter, paging),
      show: (row) => ({ ...commonOf(row), direction: 'OUTGOING', sender: row.sender }),
    },
  ),

  get(
    '/v3/approval/:id',
    {
      access: 'user',
      permission: 'read',
      tag,
      operationId: 'getApproval',
      summary: 'Retrieve a prepared payment',
      description:
        'Returns one of the user’s prepared payments. The ETag header has its version, which changes with each edit and with the accounts of its payee.',
      errors: ['approval_not_found'],
      params: idParams,
      answer: Approval,
    },
    async (deps, { caller, params, reply }) => {
      const { approval, version } = await getApproval(deps, caller, params.id)
      reply.header('etag', `"${version}"`)
      return approvalAnswer(approval)
    },
  ),

  put(
    '/v3/approval/:id',
    {
      access: 'user',
      permission: 'prepare',
      tag,
      operationId: 'updateApproval',
      summary: 'Edit a prepared payment',
      description:
        'Changes a prepared payment before its release. Omitted fields stay as they are. The edit removes all approvals, and the editor can neither approve nor release the payment. The name and the recipients of a payment to several cannot be changed.',
      errors: [
        'approval_not_found',
        'approval_changed',
        'approval_not_open',
        'invalid_deposit_option',
        'paper_unavailable',
        'unprintable_text',
      ],
      params: idParams,
      body: closed({
        account: DigitalPayment.properties.account,
        amount: Type.Optional(amount),
        description: DigitalPayment.properties.description,
        name: Type.Optional(DigitalPayment.properties.name),
        number: DigitalPayment.properties.number,
        recipient: Type.Optional(
          Type.Union([text(1, 254), DigitalPayment.properties.recipient.anyOf[1], postalAddress], {
            description:
              'an email address, a phone number, a user_id of the platform, or {id, account}; of a paper check, a postal address',
          }),
        ),
        version: seenVersion,
      }),
      answer: nothing,
    },
    async (deps, { caller, params, body: { version, ...changes } }) =>
      editApproval(deps, caller, { id: params.id, version, changes }),
  ),

  del(
    '/v3/approval/:id',
    {
      access: 'user',
      permission: 'prepare',
      tag,
      operationId: 'voidApproval',
      summary: 'Void a prepared payment',
      description: 'Voids a prepared payment before its release.',
      errors: ['approval_not_found', 'approval_not_open'],
      params: idParams,
      answer: nothing,
    },
    async (deps, { caller, params }) => voidApproval(deps, caller, params.id),
  ),

  get(
    '/v3/approval/:id/attachment',
    {
      access: 'user',
      permission: 'read',
      tag,
      operationId: 'downloadApprovalAttachment',
      summary: 'Download the attachment of a prepared payment',
      description: 'Returns the attached file as a PDF.',
      errors: ['approval_not_found', 'attachment_not_found'],
      params: idParams,
      answerType: 'application/pdf',
    },
    async (deps, { caller, params, reply }) => {
      const { filename, pdf } = await getApprovalAttachment(deps, caller, params.id)
      return inlinePdf(reply, pdfName(filename), pdf)
    },
  ),
]

const commonOf = (row: ShownApproval) =>
  commonAnswer(row, answeredNumber({ number: row.shownNumber, numberIsText: row.numberIsText }))

const approvalAnswer = (row: ShownApproval) => ({
  ...commonOf(row),
  remittance_advice: remittanceTable(remittanceLines(row.details.remittance_advice)),
})
