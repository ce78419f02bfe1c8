import { Type } from 'typebox'
import { centsToDollars } from '../../foundation/core/money.ts'
import { get, type Route } from '../../foundation/http/route.ts'
import { closed, nullable, text } from '../../foundation/http/schema.ts'
import { formatDateTime } from '../../foundation/lib/clock.ts'
import { getAccounts, getDays } from './bank-day-actions.ts'
import type { BankDay } from './bank-day-rules.ts'
import {
  type AdvisedLine,
  getDecidedLines,
  getWaitingLines,
  type LineView,
  searchLines,
} from './decision/line-view-actions.ts'
import type { Proposal } from './decision/proposal-rules.ts'

// The routes of the page Bank statements. Operators see the payments of all platforms.

const dollars = (description: string) => Type.Number({ description: `${description}, in dollars` })
const bankAccount = Type.String({ pattern: '^[a-z0-9-]{1,64}:[\\w-]{1,64}$', description: 'CONNECTION:ACCOUNT' })
const month = Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$', description: 'a month, as YYYY-MM' })

const Day = closed({
  day: Type.String(),
  opening: dollars('The opening balance'),
  credits: dollars('The credits'),
  debits: dollars('The debits, positive'),
  closing: dollars('The closing balance'),
  ledger: dollars('The balance of the account in the ledger after this day'),
  difference: dollars('The amount that no line and no earlier statement explains'),
  lines: Type.Integer(),
  waiting: Type.Integer({ description: 'Lines that wait for a decision' }),
  matched: Type.Boolean({ description: 'Whether all of its lines were matched or wait for a decision' }),
})

const Part = closed({
  name: text(1, 40, { description: 'The id of a leg, or the name of an account of the operator' }),
  amount: dollars('Signed as the line'),
})

const lineFields = {
  id: Type.String(),
  bank_account: Type.String(),
  day: Type.String(),
  amount: dollars('Credits are positive'),
  kind: Type.String(),
  code: Type.String(),
  name: nullable(Type.String()),
  text: Type.String({ description: 'Long numbers are masked' }),
  references: Type.Array(Type.String()),
}

const WaitingLine = closed({
  ...lineFields,
  finding: Type.String({ description: 'The probable meaning of the line' }),
  proposals: Type.Array(
    closed({
      why: Type.String(),
      legs: Type.Array(Type.String(), { description: 'Match the line with these legs' }),
      parts: Type.Array(Part, { description: 'Divide the line into these parts' }),
      payment: nullable(Type.String()),
    }),
  ),
})

const DecidedLine = closed({
  ...lineFields,
  status: Type.String(),
  action: Type.String(),
  detail: Type.String(),
  why: nullable(Type.String()),
  decided_at: Type.String({ description: 'UTC' }),
  decided_by: Type.String(),
})

/** The maximum number of lines in one answer. */
const MAX_LINES = 100

const page = {
  access: 'session',
  permission: 'operate',
  tag: 'Operator',
} as const

export const statementRoutes: Route[] = [
  get(
    '/web/v1/operator/statements',
    {
      ...page,
      summary: 'List the accounts with bank statements',
      answer: closed({
        accounts: Type.Array(
          closed({
            bank_account: Type.String(),
            first_day: Type.String(),
            last: Day,
            waiting: Type.Integer({ description: 'Lines that wait for a decision' }),
            closed_to: nullable(Type.String({ description: 'The last day of the latest closed month' })),
          }),
        ),
      }),
    },
    async (deps) => ({
      accounts: (await getAccounts(deps)).map(
        ({ connectionId, accountId, firstDay, last, waitingCount, lastClosedDay }) => ({
          bank_account: `${connectionId}:${accountId}`,
          first_day: firstDay,
          last: dayAnswer(last),
          waiting: waitingCount,
          closed_to: lastClosedDay,
        }),
      ),
    }),
  ),

  get(
    '/web/v1/operator/statements/days',
    {
      ...page,
      summary: 'List the days of an account in a month',
      query: closed({ bank_account: bankAccount, month }),
      answer: closed({ days: Type.Array(Day) }),
    },
    async (deps, { query }) => {
      const [connectionId = '', accountId = ''] = query.bank_account.split(':')
      const range = { connectionId, accountId, from: `${query.month}-01`, to: lastDayOf(query.month) }
      return { days: (await getDays(deps, range)).map(dayAnswer) }
    },
  ),

  get(
    '/web/v1/operator/statements/lines',
    {
      ...page,
      summary: 'List lines of bank statements that wait for a decision',
      query: closed({ q: Type.Optional(text(1, 100)) }),
      answer: closed({ lines: Type.Array(WaitingLine), total: Type.Integer() }),
    },
    async (deps, { query }) => {
      const { lines: all } = await getWaitingLines(deps)
      const found = query.q === undefined ? all : searchLines(all, query.q)
      return { lines: found.slice(0, MAX_LINES).map(waitingAnswer), total: found.length }
    },
  ),

  get(
    '/web/v1/operator/statements/decisions',
    {
      ...page,
      summary: 'List the latest decisions about lines of bank statements',
      query: closed({ q: Type.Optional(text(1, 100)) }),
      answer: closed({ lines: Type.Array(DecidedLine) }),
    },
    async (deps, { query }) => {
      const all = await getDecidedLines(deps)
      const found = query.q === undefined ? all : searchLines(all, query.q)
      return {
        lines: found.slice(0, MAX_LINES).map(({ decision, ...line }) => {
          const { action, detail, why, decidedAt, decidedBy } = decision
          const decided = { action, detail, why, decided_at: formatDateTime(decidedAt), decided_by: decidedBy }
          return { ...lineAnswer(line), status: line.status, ...decided }
        }),
      }
    },
  ),
]

function lastDayOf(yearAndMonth: string): string {
  const [year = 0, number = 0] = yearAndMonth.split('-').map(Number)
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}

const dayAnswer = (one: BankDay) => ({
  day: one.day,
  opening: centsToDollars(one.openingCents),
  credits: centsToDollars(one.creditCents),
  debits: centsToDollars(one.debitCents),
  closing: centsToDollars(one.closingCents),
  ledger: centsToDollars(one.ledgerCents),
  difference: centsToDollars(one.differenceCents),
  lines: one.lineCount,
  waiting: one.waitingCount,
  matched: one.isMatched,
})

const lineAnswer = ({ id: lineId, connectionId, accountId, bookedOn, day, cents, kind, code, ...line }: LineView) => ({
  id: lineId,
  bank_account: `${connectionId}:${accountId}`,
  day: bookedOn ?? day,
  amount: centsToDollars(cents),
  kind,
  code,
  name: line.name,
  text: line.text,
  references: line.references,
})

const waitingAnswer = ({ finding, proposals, ...line }: AdvisedLine) => ({
  ...lineAnswer(line),
  finding,
  proposals: proposals.map(proposalAnswer),
})

const proposalAnswer = ({ why, legIds, parts, paymentId }: Proposal) => ({
  why,
  legs: [...legIds],
  parts: parts.map(({ name, cents }) => ({ name, amount: centsToDollars(cents) })),
  payment: paymentId,
})
