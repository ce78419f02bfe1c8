import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { STATEMENT_NAMES } from '../src/foundation/core/connections.ts'
import { getBankCases } from '../src/foundation/exception/bank-case-actions.ts'
import { matchBankStatements, readBankStatements } from '../src/money/reconciliation/statement-worker.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { reconcileCommand } from '../src/operation/cli/statement/reconcile-command.ts'
import { legHandlers } from '../src/operation/scheduler/leg-handlers.ts'
import { readStatementChecks } from '../src/payments/check/paid/statement-check-worker.ts'
import { putInbound } from './support/ach.ts'
import { DAY } from './support/file-service.ts'
import { ACCOUNT, startPaidService } from './support/paid-lists.ts'
import { bai2Lines, type SampleLine } from './support/statement-files.ts'

// Checks that a bank statement books as paid, in addition to the bank's lists of paid checks.

const service = await startPaidService({ after })
const { deps, clock, folder, user, issue, passDays, receive, statusOf } = service
service.connection.statements = { format: null, names: STATEMENT_NAMES, csv: null, rules: [] }
const ids = await issue([10, 20, 30, 40, 50, 61, 72, 83, 94])
const [
  first = '',
  second = '',
  third = '',
  stopped = '',
  fifth = '',
  matched = '',
  divided = '',
  late = '',
  tooLate = '',
] = ids
await passDays(1)

let openingCents = 0
let count = 0

const paid = (serial: number, cents: number): SampleLine => ({
  ...{ cents: -cents, code: '475', reference: String(serial), text: 'CHECK PAID' },
})

/** Writes the bank's statement of the next day with paid checks. @returns the statuses and reasons of the lines */
async function book(...lines: SampleLine[]): Promise<[string, string | null][]> {
  clock.advance(DAY)
  const day = clock.now().toISOString().slice(0, 10)
  await putInbound(folder, `statement-${++count}`, bai2Lines({ account: ACCOUNT, openingCents, lines, day }).join('\n'))
  openingCents += lines.reduce((sum, { cents }) => sum + cents, 0)
  await readBankStatements(deps)
  await matchBankStatements(deps, { legHandlers })
  await readStatementChecks(deps, legHandlers)
  await service.assertLedger()
  const rows = await deps.sql<{ status: string; reason: string | null }[]>`
    select l.status, l.reason from statement_lines l join bank_statements s on s.id = l.statement_id
    where s.day = ${day}::date order by l.position
  `
  return rows.map(({ status, reason }) => [status, reason])
}

const today = () => clock.now().toISOString().slice(0, 10)
const listOf = (serial: number, amount: string, on: string) =>
  `account,number,amount,date\n${ACCOUNT},${serial},${amount},${on}\n`

const cases = async () => (await getBankCases(deps)).map(({ kind, isBankWide, note }) => ({ kind, isBankWide, note }))

async function closeCases(): Promise<void> {
  for (const { id } of await getBankCases(deps)) await exceptionCommand({ note: 'asked the bank' }, ['close', id])(deps)
}

const exceptionKinds = async () =>
  (await deps.sql<{ kind: string }[]>`select kind from exceptions where closed_at is null`).map(({ kind }) => kind)

test('a check that a statement books is paid, and a later list with another date does not count again', async () => {
  assert.deepEqual(await book(paid(1001, 1_000)), [['MATCHED', null]])
  assert.equal(await statusOf(first), 'PAID')
  const before = new Date(clock.now().getTime() - DAY * 1000).toISOString().slice(0, 10)
  await receive('paid-1.csv', listOf(1001, '10.00', before))
  assert.deepEqual([await cases(), await exceptionKinds()], [[], []])
  await receive('paid-2.csv', listOf(1001, '10.00', today()))
  assert.match((await cases())[0]?.note ?? '', /was paid/, 'two lists with two days count as two payments')
  await closeCases()
})

test('a check in a list is paid once if the statement has it on another day', async () => {
  await receive('paid-3.csv', listOf(1002, '20.00', today()))
  assert.equal(await statusOf(second), 'PAID')
  assert.deepEqual(await book(paid(1002, 2_000)), [['MATCHED', null]])
  assert.deepEqual([await cases(), await exceptionKinds()], [[], []])
})

test('another amount becomes one case, which holds the payment until the operator applies it', async () => {
  const [line] = await book(paid(1003, 3_001))
  assert.equal(line?.[0], 'SUSPENSE')
  assert.match(line?.[1] ?? '', /its amount is \$30\.01, and that of the movement that it names is \$30\.00/)
  const [one, ...others] = await getBankCases(deps)
  assert.deepEqual([one?.kind, one?.isBankWide, others], ['check_amount_differs', false, []])
  assert.match(one?.note ?? '', /of a bank statement was not used: .*\$30\.01: check 1003/)
  assert.equal(await statusOf(third), 'MAILED')
  const answer = await exceptionCommand({ note: 'the bank confirms it' }, ['apply', one?.id ?? ''])(deps)
  assert.match(answer, /was paid on .* with its amount, \$30\.00/)
  assert.equal(await statusOf(third), 'PAID')
})

test('a stopped check that was paid is reported once, by a statement and by a list', async () => {
  assert.equal((await user.del(`/v3/check/${stopped}`)).status, 200)
  await passDays(3)
  assert.deepEqual(await book(paid(1004, 4_000)), [['MATCHED', null]])
  await receive('paid-4.csv', listOf(1004, '40.00', today()))
  assert.deepEqual([await cases(), await exceptionKinds()], [[], ['stopped_check_paid']])
})

test('an unknown number becomes a case that holds the bank, and other checks of the statement are paid', async () => {
  assert.deepEqual(await book(paid(9999, 700), paid(1005, 5_000)), [
    ['SUSPENSE', null],
    ['MATCHED', null],
  ])
  assert.equal(await statusOf(fifth), 'PAID')
  const [one, ...others] = await cases()
  assert.deepEqual([one?.kind, one?.isBankWide, others], ['entry_unread', true, []])
  assert.match(one?.note ?? '', /no check of this number was drawn on this account/)
  await closeCases()
})

test('a check on two statements is paid once, and the second line becomes a case', async () => {
  const [line] = await book(paid(1005, 5_000))
  assert.equal(line?.[0], 'SUSPENSE')
  const [one, ...others] = await cases()
  assert.deepEqual([one?.kind, others], ['line_contradicts', []])
  assert.match(one?.note ?? '', /has booked already/)
  await closeCases()
})

/** The bank books a check without its number. @returns the id of the waiting line, and that of the check's leg */
async function bookWithoutNumber(paymentId: string, cents: number): Promise<[string, string]> {
  const [line] = await book({ cents: -cents, code: '475', reference: '', text: 'CHECK PAID' })
  assert.equal(line?.[0], 'SUSPENSE')
  const [row] = await deps.sql<{ line: string; leg: string }[]>`
    select l.id as line, g.id as leg from statement_lines l, legs g
    where l.status = 'SUSPENSE' and l.cents = ${-cents} and g.subject_id = ${paymentId} and g.rail = 'MAIL'
  `
  return [row?.line ?? '', row?.leg ?? '']
}

test('a check that the operator matches with a line is paid at once, also as a part of the line', async () => {
  const [line, leg] = await bookWithoutNumber(matched, 6_100)
  await reconcileCommand({ leg: [leg] }, ['match', line])(deps)
  assert.equal(await statusOf(matched), 'PAID')
  assert.equal((await user.del(`/v3/check/${matched}`)).status, 400)
  await receive('paid-matched.csv', listOf(1006, '61.00', today()))
  const [other, otherLeg] = await bookWithoutNumber(divided, 7_201)
  await reconcileCommand({ part: [`${otherLeg}=-72.00`, 'bank_errors=-0.01'] }, ['split', other])(deps)
  assert.equal(await statusOf(divided), 'PAID')
  await service.assertLedger()
  assert.deepEqual(await cases(), [])
  await reconcileCommand({}, ['undo', line])(deps)
  assert.equal(await statusOf(matched), 'PAID', 'a paid check stays paid')
  await reconcileCommand({ leg: [leg] }, ['match', line])(deps)
  assert.deepEqual(await cases(), [])
})

test('a check that is being stopped is paid by the operator’s decision, and a stopped one becomes an exception', async () => {
  const before = await exceptionKinds()
  const refundCount = async (id: string) => {
    const rows =
      await deps.sql`select from transfers where payment_id = ${id} and reason = 'give_back' and status = 'POSTED'`
    return rows.length
  }
  const added: string[] = []
  for (const [id, cents, days] of [
    [late, 8_300, 0],
    [tooLate, 9_400, 4],
  ] as const) {
    assert.equal((await user.del(`/v3/check/${id}`)).status, 200)
    await passDays(days)
    const [line, leg] = await bookWithoutNumber(id, cents)
    await reconcileCommand({ leg: [leg] }, ['match', line])(deps)
    await passDays(4)
    await service.assertLedger()
    added.push(`${await refundCount(id)} ${(await exceptionKinds()).slice(before.length).join(' ')}`)
  }
  assert.deepEqual(await cases(), [])
  const expected = ['0 stopped_check_paid', '1 stopped_check_paid stopped_check_paid']
  assert.deepEqual(added, expected, 'only the second sender got the money back, before the line came')
})

test('the checks of an account that was removed from connections.json are read when it is added again', async () => {
  await deps.sql`update bank_statements set checks_read_at = null`
  const unreadCount = async () => {
    const rows = await deps.sql`select from bank_statements where checks_read_at is null`
    return rows.length
  }
  const before = await unreadCount()
  const { accounts } = service.connection
  service.connection.accounts = []
  await readStatementChecks(deps, legHandlers)
  assert.equal(await unreadCount(), before)
  service.connection.accounts = accounts
  await readStatementChecks(deps, legHandlers)
  assert.equal(await unreadCount(), 0)
})
