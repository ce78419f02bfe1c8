import { Type } from 'typebox'
import { ApiError } from '../../foundation/core/errors.ts'
import { centsToDollars } from '../../foundation/core/money.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { get, type Route } from '../../foundation/http/route.ts'
import { closed, idParams, nullable } from '../../foundation/http/schema.ts'
import { formatDateTime } from '../../foundation/lib/clock.ts'
import { drawReport, getClosedMonths, getReport } from './month-actions.ts'
import { type MonthReport, reportCsv, reportName } from './month-rules.ts'

const ClosedMonth = closed({
  id: Type.String(),
  bank_account: Type.String(),
  month: Type.String({ description: 'YYYY-MM' }),
  opening: Type.Number({ description: 'The opening balance, in dollars' }),
  closing: Type.Number({ description: 'The closing balance, in dollars' }),
  lines: Type.Integer(),
  closed_at: Type.String({ description: 'UTC' }),
  closed_by: Type.String(),
  reopened_at: nullable(Type.String({ description: 'UTC, or null' })),
  reopened_by: nullable(Type.String()),
  reopened_why: nullable(Type.String()),
})

const page = { access: 'session', permission: 'operate', tag: 'Operator' } as const
const url = '/web/v1/operator/statements/months'

export const monthRoutes: Route[] = [
  get(
    url,
    { ...page, summary: 'List closed months', answer: closed({ months: Type.Array(ClosedMonth) }) },
    async (deps) => ({
      months: (await getClosedMonths(deps)).months.map((one) => ({
        id: one.id,
        bank_account: `${one.connectionId}:${one.accountId}`,
        month: one.firstDay.slice(0, 7),
        opening: centsToDollars(one.openingCents),
        closing: centsToDollars(one.closingCents),
        lines: one.lineCount,
        closed_at: formatDateTime(one.closedAt),
        closed_by: one.closedBy,
        reopened_at: one.reopenedAt && formatDateTime(one.reopenedAt),
        reopened_by: one.reopenedBy,
        reopened_why: one.reopenedWhy,
      })),
    }),
  ),
  get(
    `${url}/:id/pdf`,
    {
      ...page,
      summary: 'Get the report of a closed month as a PDF',
      errors: ['month_not_found', 'overloaded'],
      params: idParams,
      answerType: 'application/pdf',
    },
    async (deps, { params, reply }) => {
      const report = await requireReport(deps, params.id)
      const file = await drawReport(deps, report)
      return reply
        .header('content-disposition', `attachment; filename="${reportName(report)}.pdf"`)
        .type('application/pdf')
        .send(file)
    },
  ),
  get(
    `${url}/:id/csv`,
    {
      ...page,
      summary: 'Get the report of a closed month as CSV',
      errors: ['month_not_found'],
      params: idParams,
      answerType: 'text/csv',
    },
    async (deps, { params, reply }) => {
      const report = await requireReport(deps, params.id)
      return reply
        .header('content-disposition', `attachment; filename="${reportName(report)}.csv"`)
        .type('text/csv; charset=utf-8')
        .send(reportCsv(report))
    },
  ),
]

/** Returns the report of a closing. @throws ApiError month_not_found */
async function requireReport(deps: Deps, id: string): Promise<MonthReport> {
  const report = await getReport(deps, id)
  if (!report) throw new ApiError('month_not_found')
  return report
}
