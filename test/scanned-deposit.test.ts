import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import type { EnvironmentSettings } from '../src/foundation/core/environment.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { getExceptions } from '../src/foundation/exception/exception-actions.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { followUserStatus } from '../src/operation/scheduler/user-status-work.ts'
import { mailInvoices } from '../src/orders/payer/payer-worker.ts'
import { readMail } from '../src/payments/mailbox/mailbox-worker.ts'
import { reportWaitingMoney } from '../src/payments/payment/leg/closed-user-actions.ts'
import { decideUser } from '../src/people/user/operator-actions.ts'
import type { UserKey } from '../src/people/user/user-store.ts'
import { bankFile, putInbound } from './support/ach.ts'
import { openBrowserAt } from './support/browser.ts'
import { mailboxAddress, startFileService } from './support/file-service.ts'
import { newEmail } from './support/login.ts'
import { newWallet } from './support/money.ts'
import { mailsTo } from './support/recipients.ts'
import { addBank, newAccountNumber, startTestService, type TestService, type TestUser } from './support/service.ts'

// A scanned check debits a drawer who is not a user here, because a user deposits it.

async function startWithMailbox(t: TestContext, settings: Partial<EnvironmentSettings> = {}) {
  const service = await startFileService(t, { settings: { mailboxAddress, ...settings } })
  const user = await service.newUser()
  const bank = await addBank(user)
  const { id, address } = (await user.post('/v3/mailbox', {})).body
  let letters = 0
  const scan = async (amount: number, { account = newAccountNumber(), number = String(++letters) } = {}) => {
    const name = `mail-${++letters}`
    const check = { routing: '021000021', account, number, amount, name: 'Dora Drawer' }
    const letter = { id: name, mailbox: address.line_2.slice(4), sender: 'Ann Payer', checks: [check] }
    await putInbound(service.folder, `${name}.pdf`, Buffer.from('%PDF-1.4 a scan'))
    await putInbound(service.folder, `${name}.json`, JSON.stringify(letter))
    while ((await readMail(service.deps)) > 0);
    return (await user.get(`/v3/mailbox/${id}/mail`)).body.mail[0].checks[0].id as string
  }
  const deposit = async (check: string, account = bank) => {
    const { status, body } = await user.post(`/v3/check/deposit/${check}`, { account })
    return status === 201 ? body.status : body.code
  }
  return { ...service, user, bank, scan, deposit }
}

suite('the debit for a scanned check', () => {
  test('is an ARC entry with the number of the check, and without addenda', async (t) => {
    const service = await startWithMailbox(t)
    const check = await service.scan(64.25, { number: '0001042' })
    assert.equal(await service.deposit(check), 'IN_PROCESS')
    await service.openWindow()
    const [entry] = (await service.sent()).filter(({ cents }) => cents === 6_425)
    assert.ok(entry)
    const { sec, code, id, name, addenda } = entry
    assert.deepEqual([sec, code, id, name, addenda], ['ARC', '27', '1042', 'Dora Drawer', null])
  })

  test('is at most $25,000', async (t) => {
    const service = await startWithMailbox(t)
    assert.equal(await service.deposit(await service.scan(25_000.01)), 'not_depositable')
    assert.equal(await service.deposit(await service.scan(25_000)), 'IN_PROCESS')
  })

  test('is paid out after the number of days that the operator set', async (t) => {
    const service = await startWithMailbox(t, { checkHoldBankingDays: 7 })
    await service.deposit(await service.scan(64.25))
    const payouts = async () =>
      (await service.sent()).filter(({ code, cents }) => code === '22' && cents === 6_425).length
    // It settles on Tuesday, March 3, and is trusted on Thursday, March 12.
    for (let window = 0; window < 16; window++) await service.openWindow()
    assert.equal(service.clock.now().toISOString().slice(0, 10), '2026-03-12')
    assert.equal(await payouts(), 0)
    for (let window = 0; window < 3; window++) await service.openWindow()
    assert.equal(await payouts(), 1)
  })
})

suite('a scanned check', () => {
  const limits = { paymentCents: 200_000, dayCents: 300_000, monthCents: 450_000 }

  test('is deposited by a verified user only', async (t) => {
    const service = await startWithMailbox(t, { mustBeVerified: true })
    const check = await service.scan(10)
    await service.deps.sql`update users set status = 'UNVERIFIED' where id = ${service.user.id}`
    assert.equal(await service.deposit(check), 'user_not_verified')
    await service.deps.sql`update users set status = 'VERIFIED' where id = ${service.user.id}`
    assert.equal(await service.deposit(check), 'IN_PROCESS')
  })

  test('counts toward the limits of its user, for any drawer', async (t) => {
    const service = await startWithMailbox(t, { limits })
    assert.equal(await service.deposit(await service.scan(2_000.01)), 'payment_limit_reached')
    assert.equal(await service.deposit(await service.scan(2_000)), 'IN_PROCESS')
    assert.equal(await service.deposit(await service.scan(1_000.01)), 'day_limit_reached')
    assert.equal(await service.deposit(await service.scan(1_000)), 'IN_PROCESS')
    service.clock.advance(24 * 3_600)
    assert.equal(await service.deposit(await service.scan(1_500.01)), 'month_limit_reached')
    assert.equal(await service.deposit(await service.scan(1_500)), 'IN_PROCESS')
  })

  test('counts toward the limits of a day of the business, also after midnight in UTC', async (t) => {
    const service = await startWithMailbox(t, { limits })
    assert.equal(service.deps.settings.timeZone, 'America/Los_Angeles')
    const { clock } = service
    const evening = new Date(`${clock.now().toISOString().slice(0, 10)}T23:30:00Z`) // 15:30 in Los Angeles
    clock.advance((evening.getTime() - clock.now().getTime()) / 1000)
    assert.equal(await service.deposit(await service.scan(2_000)), 'IN_PROCESS')
    assert.equal(await service.deposit(await service.scan(1_000)), 'IN_PROCESS')
    clock.advance(3_600)
    assert.equal(await service.deposit(await service.scan(1_500)), 'day_limit_reached')
    clock.advance(8 * 3_600) // 00:30 on the next day in Los Angeles
    assert.equal(await service.deposit(await service.scan(1_500)), 'IN_PROCESS')
  })

  test('counts until its debit is returned, also if its payout was returned', async (t) => {
    const service = await startWithMailbox(t, { limits: { ...limits, dayCents: 200_000, monthCents: 200_000 } })
    const { user } = service
    const check = await service.scan(2_000)
    assert.equal(await service.deposit(check), 'IN_PROCESS')
    const entryOf = async (own: string) =>
      (await service.sent()).find(({ code, cents }) => code === own && cents === 200_000)
    for (let window = 0; window < 25 && !(await entryOf('22')); window++) await service.openWindow()
    const comeBack = async (code: string, own: '22' | '27') => {
      const trace = (await entryOf(own))?.trace as string
      const direction = own === '22' ? 'credit' : 'debit'
      await service.receive(`${code}.ach`, bankFile([{ code, trace, direction, cents: 200_000 }]))
    }
    await comeBack('R23', '22')
    assert.equal((await user.get(`/v3/check/${check}`)).body.status, 'FAILED')
    const second = await service.scan(1_998)
    assert.equal(await service.deposit(second), 'month_limit_reached')
    assert.equal(await service.deposit(check, await addBank(user)), 'IN_PROCESS')
    await comeBack('R05', '27')
    assert.equal(await service.deposit(second), 'IN_PROCESS')
  })

  test('counts toward the limits and blocks of the debited account under each of its numbers', async (t) => {
    const service = await startWithMailbox(t, { limits: { ...limits, dayCents: 200_000 } })
    const [former, present] = [newAccountNumber(), newAccountNumber()]
    const debitOf = async (amount: number, account: string) => {
      assert.equal(await service.deposit(await service.scan(amount, { account })), 'IN_PROCESS')
      await service.openWindow()
      const debit = (await service.sent()).find(({ cents }) => cents === Math.round(amount * 100))
      assert.ok(debit)
      return { trace: debit.trace, direction: 'debit', rdfi: debit.routing.slice(0, 8) } as const
    }
    const first = await debitOf(64.25, former)
    await service.receive('change.ach', bankFile([{ ...first, code: 'C01', cents: 0, corrected: present }]))
    const second = await debitOf(1_900, former)
    for (const account of [former, present]) {
      assert.equal(await service.deposit(await service.scan(50, { account })), 'day_limit_reached')
    }
    await service.receive('return.ach', bankFile([{ ...second, code: 'R10', cents: 190_000 }]))
    for (const account of [former, present]) {
      const check = await service.scan(10, { account })
      assert.equal(await service.deposit(check), 'IN_PROCESS')
      await service.openWindow()
      assert.equal((await service.user.get(`/v3/check/${check}/fail`)).body.code, 'R10')
    }
  })

  test('counts toward the limits of the debited account, for any depositor', async (t) => {
    const service = await startWithMailbox(t, { limits: { ...limits, dayCents: 200_000 } })
    const account = newAccountNumber()
    assert.equal(await service.deposit(await service.scan(1_900, { account })), 'IN_PROCESS')
    const other = await service.newUser()
    const { id, address } = (await other.post('/v3/mailbox', {})).body
    const check = { routing: '021000021', account: `0${account}`, number: '77', amount: 1_900, name: 'Dora' }
    await putInbound(service.folder, 'mail-o.pdf', Buffer.from('%PDF-1.4 a scan'))
    const letter = { id: 'o', mailbox: address.line_2.slice(4), sender: 'Ann', checks: [check] }
    await putInbound(service.folder, 'mail-o.json', JSON.stringify(letter))
    while ((await readMail(service.deps)) > 0);
    const scanned = (await other.get(`/v3/mailbox/${id}/mail`)).body.mail[0].checks[0].id
    const { body } = await other.post(`/v3/check/deposit/${scanned}`, { account: await addBank(other) })
    assert.equal(body.code, 'day_limit_reached')
  })
})

suite('money of a closed user', () => {
  const close = async ({ deps }: TestService, { id }: TestUser) => {
    const [user] = await deps.sql<UserKey[]>`select platform_id, id as user_id from users where id = ${id}`
    await inTransaction(deps, (tx) => decideUser(tx, user as UserKey, 'close'))
    while ((await followUserStatus(deps)) > 0);
  }
  const cases = async ({ deps }: TestService) =>
    (await getExceptions(deps, {})).map(({ kind, paymentId, cents }) => [kind, paymentId, cents])

  for (const order of ['before', 'after'] as const) {
    test(`becomes an exception if the payout of its scanned check was returned ${order} it was closed`, async (t) => {
      const service = await startWithMailbox(t)
      const check = await service.scan(63.23)
      await service.deposit(check)
      const credit = async () => (await service.sent()).find(({ code, cents }) => code === '22' && cents === 6_323)
      for (let window = 0; window < 20 && !(await credit()); window++) await service.openWindow()
      const trace = (await credit())?.trace
      assert.ok(trace)
      const giveBack = () =>
        service.receive('back.ach', bankFile([{ code: 'R23', trace, direction: 'credit', cents: 6_323 }]))
      if (order === 'before') await giveBack()
      const open = await cases(service)
      await close(service, service.user)
      if (order === 'after') await giveBack()
      await service.passDays(10)
      assert.deepEqual(
        (await cases(service)).filter(([kind]) => kind === 'user_closed'),
        [['user_closed', check, 6_323]],
      )
      assert.ok(!open.some(([kind]) => kind === 'user_closed'))
      const { id = '' } = (await getExceptions(service.deps, {})).find(({ kind }) => kind === 'user_closed') ?? {}
      await exceptionCommand({ bank: service.bank }, ['resend', id])(service.deps)
      for (let window = 0; window < 2; window++) await service.openWindow()
      const entries = (await service.sent()).filter(({ cents }) => cents === 6_323)
      assert.deepEqual(
        entries.map(({ sec, code, description }) => [sec, code, description]),
        [
          ['ARC', '27', 'PAYMENT'],
          ['PPD', '22', 'PAYMENT'],
          ['PPD', '22', 'REFUND'],
        ],
      )
      assert.equal(entries[2]?.account, entries[1]?.account)
      await service.assertLedger()
    })
  }

  test('becomes one exception for each scanned check whose money is here, also after checks whose money is gone', async (t) => {
    const service = await startWithMailbox(t)
    const { user } = service
    const banks = [await addBank(user), await addBank(user)] as const
    const entriesOf = async (own: string, cents: number) =>
      (await service.sent()).filter(({ code, cents: its }) => code === own && its === cents)
    const comeBack = async (own: '22' | '27', code: string, cents: number) => {
      const { trace = '' } = (await entriesOf(own, cents)).at(-1) ?? {}
      const direction = own === '22' ? 'credit' : 'debit'
      await service.receive(`${code}-${trace}.ach`, bankFile([{ code, trace, direction, cents }]))
    }
    const checks = await Promise.all([61.23, 62.23, 63.23].map((amount) => service.scan(amount)))
    for (const [nth, account] of banks.entries()) {
      for (const check of nth === 0 ? checks : checks.slice(2)) await service.deposit(check, account)
      for (let n = 0; n < 25 && (await entriesOf('22', 6_323)).length <= nth; n++) await service.openWindow()
      await comeBack('22', 'R23', 6_323)
    }
    for (const cents of [6_123, 6_223]) {
      await comeBack('22', 'R23', cents)
      await comeBack('27', 'R10', cents)
    }
    const [key] = await service.deps.sql<UserKey[]>`select platform_id, id as user_id from users where id = ${user.id}`
    await inTransaction(service.deps, (tx) => decideUser(tx, key as UserKey, 'close'))
    const report = () => inTransaction(service.deps, (tx) => reportWaitingMoney(tx, key as UserKey, 1))
    assert.deepEqual([await report(), await report()], [1, 0])
    assert.deepEqual(
      (await cases(service)).filter(([kind]) => kind === 'user_closed'),
      [['user_closed', checks[2], 6_323]],
    )
  })

  test('becomes an exception if one of its wallets contains money', async (t) => {
    const service = await startTestService(t)
    const [user, other] = [await service.newUser(), await service.newUser()]
    await newWallet(user, 12.34)
    await newWallet(other, 50)
    await close(service, user)
    assert.deepEqual(await cases(service), [['user_closed', null, 1_234]])
  })
})

test('invoices to payers without an account debit one account up to the limits for it', async (t) => {
  const limits = { paymentCents: 200_000, dayCents: 200_000, monthCents: 300_000 }
  const service = await startTestService(t, { settings: { limits } })
  const user = await service.newUser()
  await addBank(user)
  const [account, email] = [newAccountNumber(), newEmail()]
  const pay = async (nth: number): Promise<string> => {
    await user.post('/v3/invoice', { amount: 1_900, name: 'Ada Outside', recipient: email, description: `No ${nth}` })
    while ((await mailInvoices(service.deps, service.baseUrl)) > 0);
    const token = /\/invoice\/([A-Za-z0-9]{40})$/m.exec((await mailsTo(service, email))[0]?.text ?? '')?.[1] ?? ''
    service.secrets.add(token)
    const page = (path: string, body: object) =>
      openBrowserAt(service).post(`/web/v1/invoice/${path}`, { token, ...body })
    await page('account', { name: 'Ada Outside', routing: '021000021', account, type: 'CHECKING' })
    const { authorization } = (await page('verify', { amount_1: 0.15, amount_2: 0.07 })).body
    const { status, body } = await page('pay', { authorization })
    return status === 200 || status === 201 ? 'paid' : body.code
  }
  assert.deepEqual([await pay(1), await pay(2)], ['paid', 'day_limit_reached'])
  service.clock.advance(24 * 3_600)
  assert.equal(await pay(3), 'month_limit_reached')
})
