import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { closeBankCase, findOpenBankCase, getBankCases } from '../src/foundation/exception/bank-case-actions.ts'
import { getExceptions } from '../src/foundation/exception/exception-actions.ts'
import { StartProblem } from '../src/foundation/lib/start-problem.ts'
import { settleBankCase } from '../src/money/rail/leg-release-actions.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { legHandlers } from '../src/operation/scheduler/leg-handlers.ts'
import { applyPaidCase, type PaidValues, readPaidFileAgain } from '../src/payments/check/paid/paid-decision-actions.ts'
import { withConnection } from './support/ach.ts'
import { namedColumns } from './support/check-layouts.ts'
import { auditOf, legsOf } from './support/file-service.ts'
import { ACCOUNT, type PaidService, startPaidService } from './support/paid-lists.ts'

// The operator's decisions about lists of paid checks.

const list = (...lines: string[]) => ['account,number,amount,date', ...lines, ''].join('\r\n')

/** Checks 1001 ($10), 1002 ($20) and 1003 ($30) are outstanding. It is 2026-03-04. */
async function startWithChecks(t: TestContext) {
  const service = await startPaidService(t)
  const ids = (await service.issue([10, 20, 30])) as [string, string, string]
  await service.passDays(2)
  return { ...service, ids }
}

const openCases = async ({ deps }: Pick<PaidService, 'deps'>) =>
  (await getBankCases(deps)).map(({ kind, line, isBankWide }) => `${kind} ${line}${isBankWide ? ' bank' : ''}`)

/** Runs `remit exceptions apply` for the only open case, or that of a line. */
const apply = ({ deps }: Pick<PaidService, 'deps'>, values: PaidValues = {}, line?: number): Promise<string> =>
  inTransaction(deps, async (tx) => {
    const found = (await getBankCases(tx)).filter((one) => line === undefined || one.line === line)
    assert.equal(found.length, 1)
    const row = await findOpenBankCase(tx, found[0]?.id as string)
    assert.ok(row)
    const { done } = await applyPaidCase(tx, legHandlers, { row, content: row.content, values })
    await closeBankCase(tx, row, { resolution: done })
    return done
  })

const problemOf = (what: Promise<unknown>): Promise<string> =>
  what.then(
    () => assert.fail('it was applied'),
    (error) => {
      assert.ok(error instanceof StartProblem, error)
      return error.message
    },
  )

suite('a case of a list of paid checks', () => {
  test('an unreadable line is applied with the right values', async (t) => {
    const service = await startWithChecks(t)
    const [id] = service.ids
    await service.receive('paid-1.csv', list(`${ACCOUNT},1O01,10.00,2026-03-03`))
    assert.deepEqual(await openCases(service), ['entry_unread 2 bank'])
    assert.match(await problemOf(apply(service)), /--number must be the number of the check/)
    assert.match(await problemOf(apply(service, { number: '77' })), /No check 77 was drawn on this account/)
    assert.match(await problemOf(apply(service, { number: '1002' })), /Check 1002 has the amount \$20\.00/)
    assert.match(await problemOf(apply(service, { number: '1001', date: '2026-03-05' })), /--date must be the day/)
    assert.match(await problemOf(apply(service, { number: '1001', account: 'x' })), /--account must be the number/)
    assert.equal(await service.statusOf(id), 'MAILED', 'a refused decision changes nothing')
    assert.equal(await apply(service, { number: '1001' }), 'Check 1001 was paid on 2026-03-03.')
    assert.equal(await service.statusOf(id), 'PAID')
    assert.deepEqual(await openCases(service), [])
    await service.assertLedger()
  })

  test('of two operators who apply one line to two checks, one is refused, and the decision is audited', async (t) => {
    const service = await startWithChecks(t)
    await service.receive('paid-1.csv', list(`${ACCOUNT},1O01,1x.00,2026-03-03`))
    const [one] = await getBankCases(service.deps)
    const decide = (number: string, amount: string) =>
      exceptionCommand({ note: 'by phone', by: 'Ada', number, amount }, ['apply', one?.id ?? ''])(service.deps)
    const done = await Promise.allSettled([decide('1001', '10.00'), decide('1002', '20.00')])
    assert.deepEqual(done.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    const statuses = await Promise.all(service.ids.map(service.statusOf))
    assert.deepEqual(statuses.sort(), ['MAILED', 'MAILED', 'PAID'])
    const [audited = '', ...others] = await auditOf(service, 'exception_applied')
    assert.match(audited, /^operator entry_unread \w+: Ada: Check 100[12] was paid on 2026-03-03\. by phone$/)
    assert.deepEqual(others, [])
  })

  test('a line that was applied in the meantime is not applied twice', async (t) => {
    const service = await startWithChecks(t)
    await service.receive('paid-1.csv', list(`${ACCOUNT},1001,10.00,2026-02-30`))
    assert.deepEqual(await openCases(service), ['entry_unread 2'])
    await service.receive('paid-2.csv', list(`${ACCOUNT},1001,10.00,2026-03-03`))
    assert.equal(await service.statusOf(service.ids[0]), 'PAID')
    assert.match(
      await problemOf(apply(service, { date: '2026-03-03' })),
      /It cannot be recorded as paid: check 1001 .* was paid\. Close the exception with a note/,
    )
  })

  test('a check that was paid with another amount is PAID with its own', async (t) => {
    const service = await startWithChecks(t)
    const [id] = service.ids
    await service.receive('paid-1.csv', list(`${ACCOUNT},1001,12.00,2026-03-03`))
    assert.deepEqual(await openCases(service), ['check_amount_differs 2'])
    const [found] = await getBankCases(service.deps)
    assert.deepEqual([found?.paymentId, found?.cents], [id, 1_000])
    const [leg] = await service.deps.sql`select held_at, held_reason from legs where subject_id = ${id}`
    assert.ok(leg?.heldAt)
    assert.equal(
      await apply(service),
      'Check 1001 was paid on 2026-03-03 with its amount, $10.00. The bank says $12.00: settle the difference with the bank.',
    )
    assert.equal(await service.statusOf(id), 'PAID')
    await service.assertLedger()
  })

  test('a list whose totals do not match is applied as far as its lines can be read', async (t) => {
    const service = await startWithChecks(t)
    const content = list(`${ACCOUNT},1001,10.00,2026-03-03`, `${ACCOUNT},1002,2x.00,2026-03-03`, 'Total,3,60.00,')
    await service.receive('paid-1.csv', content)
    assert.deepEqual(await openCases(service), ['file_unread 0 bank'])
    assert.deepEqual(await Promise.all(service.ids.map(service.statusOf)), ['MAILED', 'MAILED', 'MAILED'])
    const [row] = await getBankCases(service.deps)
    assert.match(
      row?.note ?? '',
      /line 4: its totals do not add up\. 2 checks are listed above it\. 1 of its lines can be read/,
    )
    assert.equal(await apply(service), '1 of 2 lines were applied. 1 were not applied: see "remit exceptions list".')
    assert.deepEqual(await Promise.all(service.ids.map(service.statusOf)), ['PAID', 'MAILED', 'MAILED'])
    assert.deepEqual(await openCases(service), ['entry_unread 3 bank'])
    assert.equal(await apply(service, { amount: '20.00' }), 'Check 1002 was paid on 2026-03-03.')
    await service.receive('paid-2.csv', content)
    assert.deepEqual(await openCases(service), [], 'the same content is not used again')
  })

  test('a list with unknown columns is read again after they are named', async (t) => {
    const service = await startWithChecks(t)
    const content = `Kontonummer,Beleg,Betrag,Tag\r\n${ACCOUNT},1001,10.00,2026-03-03\r\n${ACCOUNT},77,1.00,2026-03-03\r\n`
    await service.receive('paid-1.csv', content)
    assert.deepEqual(await openCases(service), ['file_unread 0 bank'])
    assert.match(await problemOf(apply(service)), /No line of this list can be read: no line names the columns/)
    const decision = { by: 'Ada', why: 'the columns are named' }
    const again = (deps = service.deps, name = 'paid-1.csv') =>
      readPaidFileAgain(deps, legHandlers, { name, ...decision })
    assert.match(await problemOf(again()), /paid-1\.csv still cannot be used/)
    const layout = namedColumns({ account: 'Kontonummer', number: 'BELEG', amount: 'Betrag', date: 'Tag' })
    const named = withConnection(service.deps, (one) => ({ ...one, checks: one.checks && { ...one.checks, layout } }))
    assert.equal(await again(named), 'paid-1.csv was read again. 1 cases are closed. 1 lines are not applied.')
    assert.equal(await service.statusOf(service.ids[0]), 'PAID')
    assert.deepEqual(await openCases(service), ['entry_unread 3 bank'])
    assert.match(await problemOf(again(service.deps, 'paid-9.csv')), /No list of paid checks/)
    const audited = await auditOf(service, 'bank_file_read_again')
    assert.deepEqual(audited, ['operator paid-1.csv: Ada: the columns are named'])
    await service.assertLedger()
  })

  test('a list that is read again does not hold a check whose case is closed', async (t) => {
    const service = await startWithChecks(t)
    const [id] = service.ids
    await service.receive('paid-1.csv', list(`${ACCOUNT},1001,10.00,2026-02-30`, `${ACCOUNT},1O02,20.00,2026-03-03`))
    const one = (await getBankCases(service.deps)).find(({ paymentId }) => paymentId === id)
    await exceptionCommand({ note: 'the bank has not paid it' }, ['close', one?.id ?? ''])(service.deps)
    await readPaidFileAgain(service.deps, legHandlers, { name: 'paid-1.csv', by: 'Ada', why: 'the other line' })
    assert.deepEqual(await openCases(service), ['entry_unread 3 bank'])
    assert.deepEqual(await legsOf(service, id), [['payment_push', 'ACCEPTED', false]])
  })

  test('the lines in a case are sealed, and its note names no account', async (t) => {
    const service = await startWithChecks(t)
    await service.receive('paid-1.csv', list(`${ACCOUNT},77,10.00,2026-03-03`))
    const [row] = await getBankCases(service.deps)
    assert.ok(row && !row.note.includes(ACCOUNT) && row.note.includes('account ending in 6789'))
    const content = await inTransaction(service.deps, async (tx) => (await findOpenBankCase(tx, row.id))?.content)
    assert.deepEqual(content?.lines, [{ number: 2, text: `${ACCOUNT},77,10.00,2026-03-03` }])
  })
})

suite('a check may have been paid while it is being stopped, and the bank accepts the stop', () => {
  async function startContested(t: TestContext) {
    const service = await startWithChecks(t)
    const [id] = service.ids
    assert.equal((await service.user.del(`/v3/check/${id}`)).status, 200)
    await service.receive('paid-1.csv', list(`${ACCOUNT},1001,12.00,2026-03-03`))
    assert.deepEqual(await openCases(service), ['check_amount_differs 2'])
    await service.passDays(5)
    const status = async () => {
      const [leg] = await service.deps.sql<{ status: string }[]>`select status from legs where subject_id = ${id}`
      return leg?.status
    }
    assert.equal(await status(), 'STOPPING')
    const balance = async () => (await service.user.get(`/v3/account/wallet/${service.wallet}`)).body.balance
    return { ...service, status, balance }
  }

  test('the operator applies the payment: the money pays the check', async (t) => {
    const service = await startContested(t)
    await apply(service)
    await service.passDays(1)
    assert.deepEqual([await service.status(), await service.balance()], ['SETTLED', 100_000 - 60])
    await service.assertLedger()
  })

  test('the operator closes the case: the money goes back', async (t) => {
    const service = await startContested(t)
    const [row] = await getBankCases(service.deps)
    assert.ok(row)
    await inTransaction(service.deps, (tx) => settleBankCase(tx, legHandlers, { row, resolution: 'it was not paid' }))
    await service.passDays(1)
    assert.deepEqual([await service.status(), await service.balance()], ['CANCELLED', 100_000 - 50])
    await service.assertLedger()
  })
})

suite('a stopped check that was paid is reported with both dates, and the party that must return the money', () => {
  for (const [what, paidOn, note] of [
    [
      'before it was stopped',
      '2026-03-03',
      /on 2026-03-03\. It was stopped on 2026-03-04, and the bank accepted the stop on 2026-03-06\. The bank paid before it knew of the stop, .* Claim it from the sender/,
    ],
    [
      'before the bank accepted the stop',
      '2026-03-04',
      /The bank paid before it accepted the stop\. .* Claim it from the sender/,
    ],
    ['on the day on which the bank accepted the stop', '2026-03-06', /Ask the bank which came first/],
    [
      'after the bank had accepted the stop',
      '2026-03-07',
      /on 2026-03-07\. .* The bank paid although it had accepted the stop\. .* Claim it from the bank/,
    ],
  ] as const) {
    test(what, async (t) => {
      const service = await startWithChecks(t)
      const [id] = service.ids
      assert.equal((await service.user.del(`/v3/check/${id}`)).status, 200)
      await service.passDays(5)
      assert.equal((await service.user.get(`/v3/account/wallet/${service.wallet}`)).body.balance, 100_000 - 50)
      await service.receive('paid-1.csv', list(`${ACCOUNT},1001,10.00,${paidOn}`))
      const [exception, ...others] = await getExceptions(service.deps, {})
      assert.deepEqual([exception?.kind, exception?.paymentId, others.length], ['stopped_check_paid', id, 0])
      assert.match(exception?.note ?? '', note)
      assert.deepEqual(await openCases(service), [])
      assert.equal(await service.statusOf(id), 'VOID')
    })
  }
})
