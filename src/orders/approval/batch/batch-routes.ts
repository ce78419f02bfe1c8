import { Type } from 'typebox'
import { centsToDollars } from '../../../foundation/core/money.ts'
import { savedFile } from '../../../foundation/http/content-disposition.ts'
import { list } from '../../../foundation/http/list/list.ts'
import { del, get, post, put, type Route } from '../../../foundation/http/route.ts'
import {
  closed,
  id,
  idParams,
  named,
  nothing,
  nullable,
  oneOf,
  text,
  visible,
} from '../../../foundation/http/schema.ts'
import { itemValidator } from '../../../foundation/http/validation.ts'
import { formatDateTime } from '../../../foundation/lib/clock.ts'
import { BULK_BODY_LIMIT_BYTES, BulkPayments, BulkRow, bulkErrors } from '../../../payments/payment/bulk/bulk-schema.ts'
import { MAIL_TYPES } from '../../../payments/payment/payment-rules.ts'
import { PAYMENT_STATUSES } from '../../../payments/payment/payment-status.ts'
import { voidApproval } from '../approval-actions.ts'
import { rejectApproval } from '../approval-release-actions.ts'
import { Rejection, SeenVersion } from '../approval-schema.ts'
import { APPROVAL_OUTCOMES, APPROVAL_STATUSES } from '../approval-status.ts'
import {
  approveBatch,
  createBatch,
  getBatch,
  getBatches,
  getBatchRows,
  releaseBatch,
  replaceBatch,
  type ShownBatch,
} from './batch-actions.ts'
import { type Duplicate, previewFile } from './batch-check-actions.ts'
import { DUPLICATE_DAYS, templateFile } from './batch-rules.ts'
import type { BatchView, ShownRow } from './batch-store.ts'

const tag = 'Batches'

const validate = itemValidator(BulkRow)

const Saved = named('BatchRequest', { name: text(1, 80, visible), ...BulkPayments.properties })

const fields = {
  id: Type.String(),
  name: Type.String(),
  status: oneOf(APPROVAL_STATUSES),
  outcome: nullable(oneOf(APPROVAL_OUTCOMES, { description: 'The outcome; null while the batch is open' })),
  reason: nullable(Type.String({ description: 'The reason for the rejection; null for other outcomes' })),
  amount: Type.Number({ description: 'The total in dollars' }),
  count: Type.Integer({ description: 'The number of payments' }),
  version: Type.String({ description: 'Changes each time the rows are replaced or an account of a payee changes' }),
  account: nullable(
    Type.String({ description: 'The bank or wallet that pays; null for the default bank at the time of the release' }),
  ),
  mail_type: nullable(oneOf(MAIL_TYPES)),
  prepared_by: Type.String(),
  edited_by: Type.Array(Type.String()),
  ended_by: nullable(Type.String({ description: 'The person who released, rejected or voided the batch' })),
  date: Type.String(),
  updated: Type.String(),
  expires: nullable(Type.String({ description: 'When the batch expires; null once it is no longer open' })),
}

const Batch = named('Batch', {
  ...fields,
  approvals: nullable(
    named(
      'BatchApprovals',
      {
        needed: Type.Integer({ description: 'The number of people who must approve the batch' }),
        reasons: Type.Array(Type.String()),
        approved_by: Type.Array(Type.String()),
        next: oneOf(['release', 'approve', 'none'], { description: 'The action that you can take now' }),
      },
      { description: 'The approvals that the batch still needs and already has' },
    ),
  ),
  payments: Type.Array(
    named('BatchPayments', { status: oneOf(PAYMENT_STATUSES), count: Type.Integer(), amount: Type.Number() }),
    {
      description: 'The number and total of the payments in each status. Empty before the release',
    },
  ),
})

const Row = named('BatchRow', {
  line: Type.Integer({ description: 'The position of the row, from 1' }),
  name: Type.String(),
  amount: Type.Number(),
  recipient: Type.String(),
  account: nullable(Type.String({ description: 'The last four digits' })),
  description: nullable(Type.String()),
  number: nullable(Type.Union([Type.Integer(), Type.String()])),
  payment: nullable(closed({ id: Type.String(), status: oneOf(PAYMENT_STATUSES) })),
})

const PreviewRow = named('BatchPreviewRow', {
  line: Type.Integer({ description: 'The position of the row; in a CSV file, the line number' }),
  errors: Type.Array(closed({ field: Type.String(), problem: Type.String() })),
  duplicate: nullable(
    closed(
      {
        kind: oneOf(['row', 'payment', 'approval', 'batch']),
        id: nullable(Type.String()),
        line: nullable(Type.Integer({ description: 'The line of the other row, for the kind `row`' })),
        date: nullable(Type.String()),
      },
      { description: 'Another row, payment, approval or batch that pays the same amount to the same payee' },
    ),
  ),
})

const saveErrors = [...bulkErrors, 'batch_limit_reached', 'approval_limit_reached'] as const
const openErrors = ['batch_not_found', 'approval_not_open'] as const

export const batchRoutes: Route[] = [
  post(
    '/v3/batch/preview',
    {
      access: 'user',
      permission: 'prepare',
      transaction: 'none', // nothing is created
      tag,
      operationId: 'previewBatch',
      summary: 'Preview a batch',
      description: `Checks the rows of a file and creates nothing. Returns the problems of each row, and a likely duplicate: an earlier row, an open approval or batch, or a payment of the last ${DUPLICATE_DAYS} days that pays the same amount to the same payee. Limits and funds are checked at the release. \`batch\`: the open batch that the file would replace.`,
      errors: bulkErrors,
      body: closed({ ...BulkPayments.properties, batch: Type.Optional(nullable(id)) }),
      answer: closed({
        rows: Type.Array(PreviewRow),
        amount: Type.Number({ description: 'The total of the rows without problems' }),
      }),
      bodyLimitBytes: BULK_BODY_LIMIT_BYTES,
    },
    async (deps, { caller, body }) => {
      const { rows, cents } = await previewFile(deps, caller, { ...body, batch: body.batch ?? null, validate })
      return {
        rows: rows.map(({ line, problems, duplicate }) => ({
          line,
          errors: problems,
          duplicate: duplicate && duplicateAnswer(duplicate),
        })),
        amount: centsToDollars(cents),
      }
    },
  ),

  get(
    '/v3/batch/template',
    {
      access: 'user',
      permission: 'read',
      tag,
      operationId: 'downloadBatchTemplate',
      summary: 'Download a template for a batch',
      description: 'Returns a CSV file with the columns of a batch and an example for each way to pay.',
      answerType: 'text/csv',
    },
    async (_deps, { reply }) => {
      reply.type('text/csv; charset=utf-8').header('content-disposition', savedFile('batch.csv'))
      return templateFile()
    },
  ),

  post(
    '/v3/batch',
    {
      access: 'user',
      permission: 'prepare',
      tag,
      operationId: 'createBatch',
      summary: 'Create a batch',
      description:
        'Saves up to 1,500 payments that somebody releases together later. `file` has the rows as `POST /v3/check/csv` takes them. If any row has a problem, nothing is saved, and `errors` names every bad row. Nothing is reserved: limits and funds are checked at the release.',
      errors: saveErrors,
      body: Saved,
      status: 201,
      answer: Batch,
      bodyLimitBytes: BULK_BODY_LIMIT_BYTES,
    },
    async (deps, { caller, body }) => batchAnswer(await createBatch(deps, caller, { ...body, validate })),
  ),

  list(
    '/v3/batch',
    {
      access: 'user',
      permission: 'read',
      tag,
      operationId: 'listBatches',
      summary: 'List batches',
      description: 'Lists the user’s batches, newest first.',
    },
    {
      sorts: { DATE: 'timestamptz' },
      filters: { status: Type.Optional(oneOf(APPROVAL_STATUSES)) },
      items: { batches: named('BatchSummary', fields) },
      read: (deps, { caller, filter, paging }) => getBatches(deps, caller, { status: filter.status, paging }),
      show: (batch) => viewAnswer(batch),
    },
  ),

  get(
    '/v3/batch/:id',
    {
      access: 'user',
      permission: 'read',
      tag,
      operationId: 'getBatch',
      summary: 'Retrieve a batch',
      description: 'Returns one of the user’s batches with the approvals that it needs and the totals of its payments.',
      errors: ['batch_not_found'],
      params: idParams,
      answer: Batch,
    },
    async (deps, { caller, params }) => batchAnswer(await getBatch(deps, caller, params.id)),
  ),

  get(
    '/v3/batch/:id/row',
    {
      access: 'user',
      permission: 'read',
      tag,
      operationId: 'listBatchRows',
      summary: 'List the rows of a batch',
      description: 'Returns all rows of a batch, in the order of its file, with their payments after the release.',
      errors: ['batch_not_found'],
      params: idParams,
      answer: closed({ rows: Type.Array(Row) }),
    },
    async (deps, { caller, params }) => ({ rows: (await getBatchRows(deps, caller, params.id)).map(rowAnswer) }),
  ),

  put(
    '/v3/batch/:id',
    {
      access: 'user',
      permission: 'prepare',
      tag,
      operationId: 'replaceBatch',
      summary: 'Replace a batch',
      description:
        'Replaces all rows of an open batch. This removes all approvals, and the person who replaces them can neither approve nor release the batch.',
      errors: ['batch_not_found', 'approval_not_open', ...bulkErrors],
      params: idParams,
      body: Saved,
      answer: Batch,
      bodyLimitBytes: BULK_BODY_LIMIT_BYTES,
    },
    async (deps, { caller, params, body }) =>
      batchAnswer(await replaceBatch(deps, caller, { ...body, id: params.id, validate })),
  ),

  del(
    '/v3/batch/:id',
    {
      access: 'user',
      permission: 'prepare',
      tag,
      operationId: 'deleteBatch',
      summary: 'Delete a batch',
      description: 'Voids an open batch. None of its payments is sent.',
      errors: openErrors,
      params: idParams,
      answer: nothing,
    },
    async (deps, { caller, params }) => voidApproval(deps, caller, params.id, 'batch'),
  ),

  post(
    '/v3/batch/:id/release',
    {
      access: 'user',
      permission: 'release',
      needsStepUp: true,
      tag,
      operationId: 'releaseBatch',
      summary: 'Release a batch',
      description:
        'Sends all payments of a batch, with all checks of a payment, or none of them. The approval policy applies to each payment and to their total: if it asks for approvals, the release counts as one, and nobody who prepared or replaced the batch can give it. An API key counts as the person who created it.',
      errors: [...openErrors, 'batch_changed', 'second_person_needed', 'approval_payee_changed', ...bulkErrors],
      params: idParams,
      body: SeenVersion,
      status: 201,
      answer: Batch,
    },
    async (deps, { caller, params, body }) =>
      batchAnswer(await releaseBatch(deps, caller, { id: params.id, version: body.version })),
  ),

  post(
    '/v3/batch/:id/approve',
    {
      access: 'user',
      permission: 'release',
      needsStepUp: true,
      tag,
      operationId: 'approveBatch',
      summary: 'Approve a batch',
      description:
        'Records your approval of a batch that needs two people. Another person releases it. Nobody who prepared or replaced the batch can approve it.',
      errors: [...openErrors, 'batch_changed', 'second_person_needed'],
      params: idParams,
      body: SeenVersion,
      status: 201,
      answer: nothing,
    },
    async (deps, { caller, params, body }) => approveBatch(deps, caller, { id: params.id, version: body.version }),
  ),

  post(
    '/v3/batch/:id/reject',
    {
      access: 'user',
      permission: 'release',
      tag,
      operationId: 'rejectBatch',
      summary: 'Reject a batch',
      description: 'Ends a batch for good. The person who prepared it gets the reason by mail.',
      errors: openErrors,
      params: idParams,
      body: Rejection,
      status: 201,
      answer: nothing,
    },
    async (deps, { caller, params, body }) =>
      rejectApproval(deps, caller, { id: params.id, reason: body.reason.trim(), what: 'batch' }),
  ),
]

const viewAnswer = (batch: BatchView) => ({
  id: batch.id,
  name: batch.name,
  status: batch.status,
  outcome: batch.outcome,
  reason: batch.reason,
  amount: centsToDollars(batch.amountCents),
  count: batch.rows,
  version: batch.version,
  account: batch.fundingId,
  mail_type: batch.mailType,
  prepared_by: batch.preparedBy,
  edited_by: batch.editedBy,
  ended_by: batch.endedBy,
  date: formatDateTime(batch.createdAt),
  updated: formatDateTime(batch.updatedAt),
  expires: batch.expiresAt && formatDateTime(batch.expiresAt),
})

const batchAnswer = ({ waiting, totals, ...batch }: ShownBatch) => ({
  ...viewAnswer(batch),
  approvals: waiting && {
    needed: waiting.needed,
    reasons: waiting.reasons,
    approved_by: waiting.approvedBy,
    next: waiting.next,
  },
  payments: totals.map(({ status, count, cents }) => ({ status, count, amount: centsToDollars(cents) })),
})

const rowAnswer = (row: ShownRow) => ({
  line: row.position,
  name: row.name,
  amount: centsToDollars(row.amountCents),
  recipient: row.recipient,
  account: row.accountLast4,
  description: row.details.description ?? null,
  number: row.details.number ?? null,
  payment: row.paymentId && row.paymentStatus && { id: row.paymentId, status: row.paymentStatus },
})

const duplicateAnswer = (duplicate: Duplicate) =>
  duplicate.kind === 'row'
    ? { kind: duplicate.kind, id: null, line: duplicate.line, date: null }
    : { kind: duplicate.kind, id: duplicate.id, line: null, date: formatDateTime(duplicate.createdAt) }
