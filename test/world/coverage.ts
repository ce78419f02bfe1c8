import { apiErrors } from '../../src/foundation/core/errors.ts'
import { bankCaseKinds } from '../../src/foundation/exception/bank-case-rules.ts'
import { exceptionKinds } from '../../src/foundation/exception/exception-rules.ts'
import { postingRules } from '../../src/money/ledger/posting-rules.ts'
import { legTransitions } from '../../src/money/rail/leg-status.ts'
import { commandTable } from '../../src/operation/cli/command-table.ts'
import { type PaymentEvent, paymentTransitions } from '../../src/payments/payment/payment-status.ts'
import type { World } from './world.ts'

/** The number of times that each row of a table of the program occurred, by the name of the table. */
export type Coverage = Record<string, Record<string, number>>

type Table = Record<string, { from: readonly string[]; to: string }>

/** One row for each status that an event may leave. */
const rowsOf = (table: Table): string[] =>
  Object.entries(table).flatMap(([event, { from }]) => from.map((status) => `${event} ${status}`))

export const zeros = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries(names.map((name) => [name, 0]))

/** The commands that decide about money, files and users. */
const COMMAND_GROUPS = ['bank', 'checkbooks', 'debt', 'exceptions', 'files', 'keys', 'reconcile', 'user']

const commands: readonly string[] = Object.values(commandTable)
  .flat()
  .flatMap((row) => ('commands' in row && COMMAND_GROUPS.includes(row.name) ? [row] : []))
  .flatMap(({ name, commands }) => commands.map((command) => `${name} ${command.name}`))

/** The errors of banks and payments, from the first to the last one of the table. */
const codes: readonly string[] = Object.keys(apiErrors)
const errorCodes = ['user_not_active', 'debt_open'].concat(
  codes.slice(codes.indexOf('bank_exists'), codes.indexOf('line_not_decided')),
)

const noCoverage = (): Coverage => ({
  payments: zeros(rowsOf(paymentTransitions)),
  legs: zeros(rowsOf(legTransitions)),
  postings: zeros(Object.keys(postingRules)),
  exceptions: zeros(Object.keys(exceptionKinds)),
  'bank cases': zeros(Object.keys(bankCaseKinds)),
  commands: zeros(commands),
  errors: zeros(errorCodes),
})

/** A hold keeps its original reason. Its status shows how it ended. */
const endOfHold: Record<string, readonly string[]> = {
  'accept PENDING': ['accept'],
  'accept POSTED': ['accept', 'deposit'],
  'accept VOIDED': ['accept', 'release'],
  'pull_sent PENDING': ['pull_sent'],
  'pull_sent POSTED': ['pull_sent', 'pull_settled'],
  'pull_sent VOIDED': ['pull_sent', 'pull_returned_unsettled'],
}

type HistoryRow = {
  paymentId: string
  legId: string | null
  kind: string
  event: string
  status: string
  isDeposited: boolean
}

/** Counts the events in the tables of a world. */
export async function coverageOf({ deps: { sql }, seen }: World): Promise<Coverage> {
  const coverage = noCoverage()
  addSeen(coverage, seen)
  const add = (table: string, row: string, count = 1) => {
    const counts = coverage[table] as Record<string, number>
    counts[row] = (counts[row] ?? 0) + count
  }
  const history = await sql<HistoryRow[]>`
    select h.payment_id, h.leg_id, h.kind, h.event, h.status, p.deposited_at is not null as is_deposited
    from payment_history h
    join payments p on p.platform_id = h.platform_id and p.id = h.payment_id
    where h.kind <> 'mail'
    order by h.payment_id, h.position
  `
  const before = new Map<string, string>()
  /** The deposit of a payment to a known account, or of a mailed check, is a part of its creation. */
  const addPaymentEvent = ({ paymentId, event, status, isDeposited }: HistoryRow): void => {
    const isLater =
      paymentTransitions[event as PaymentEvent].from.every((from) => from !== 'UNPAID') ||
      (event === 'void' && isDeposited)
    if (isLater && !before.has(paymentId)) {
      add('payments', `${event === 'mail' ? 'send' : 'deposit'} UNPAID`)
      before.set(paymentId, 'IN_PROCESS')
    }
    add('payments', `${event} ${before.get(paymentId) ?? 'UNPAID'}`)
    before.set(paymentId, status)
  }
  for (const row of history) {
    const { legId, kind, event, status } = row
    if (kind === 'payment') addPaymentEvent(row)
    else {
      add('legs', `${event} ${before.get(legId as string) ?? 'WAITING'}`)
      before.set(legId as string, status)
    }
  }
  const counted = await sql<{ table: string; row: string; count: number }[]>`
    select 'postings' as "table", concat_ws(' ', reason, case when reason in ('accept', 'pull_sent') then status end) as row, count(*)::integer as count
    from transfers
    group by row
    union all
    select 'exceptions', kind, count(*)::integer from exceptions group by kind
    union all
    select 'bank cases', kind, count(*)::integer from bank_cases group by kind
  `
  for (const { table, row, count } of counted) for (const name of endOfHold[row] ?? [row]) add(table, name, count)
  return coverage
}

/** Counts of the acts. A command ends with its name, and a refusal with its code. */
function addSeen(coverage: Coverage, seen: Record<string, number>): void {
  for (const [what, count] of Object.entries(seen)) {
    const [, command] = /^remit (.*)$/.exec(what) ?? []
    const code = /^(?:refused|.*\bnot .*:) ([a-z_]+)$/.exec(what)?.[1]
    const [table, row] = command ? ['commands', command] : ['errors', code]
    const counts = coverage[table as string] as Record<string, number>
    if (row && row in counts) counts[row] = (counts[row] as number) + count
  }
}

/** Adds the counts of several runs. */
export function sumOf(runs: readonly { coverage: Coverage }[]): Coverage {
  const sum: Coverage = {}
  for (const { coverage } of runs)
    for (const [table, rows] of Object.entries(coverage)) {
      const own = sum[table] ?? {}
      for (const [row, count] of Object.entries(rows)) own[row] = (own[row] ?? 0) + count
      sum[table] = own
    }
  return sum
}

/** Rows that cannot occur in the world, by reason. */
const outside: Readonly<Record<string, RegExp>> = {
  'no virtual cards, which only a sandbox has': /^card_\w+$/,
  'a folder, not a server, and no expected files': /^(file_not_sent|file_not_received|connection_silent|files send)$/,
  'no limits except that of a day':
    /^(above_bank_limit|payment_limit_reached|month_limit_reached|signature_needed|user_not_verified)$/,
  'one master key, and no second factor': /^keys (new|drop-codes)$/,
  'no account of the operator or of a payment disappears': /^leg_unsendable$/,
  'enough numbers for wallets': /^wallet_numbers_used_up$/,
  'users are closed, not deleted': /^(arrive_unclaimed|holder_gone)$/,
  'too many requests for one seed':
    /^(release|directory_account|subscription|approval|batch|mailbox|notify)_limit_reached$/,
  'requests with wrong ids or values, see bad-input.test.ts':
    /_not_found$|^(invalid_\w+|own_recipient|unprintable_text|wrong_pin)$/,
}

/** Formats the counts and the missing rows for people. Rows that cannot occur are listed with their reasons. */
export const reportOf = (coverage: Coverage): string =>
  Object.entries(coverage)
    .flatMap(([table, rows]) => {
      const reached = Object.entries(rows).filter(([, count]) => count > 0)
      const others = Map.groupBy(
        Object.keys(rows).filter((row) => !rows[row]),
        (row) => Object.keys(outside).find((reason) => outside[reason]?.test(row)) ?? 'not reached',
      )
      return [
        `${table}: ${reached.map(([row, count]) => `${row} ${count}`).join(', ')}`,
        ...[...others].map(([reason, names]) => `  ${reason}: ${names.join(', ')}`),
      ]
    })
    .join('\n')
