import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import type { Pool, Sql } from '../src/foundation/db/connect.ts'
import { createFailures } from '../src/foundation/db/step-failures.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { isClean, verifyLedger } from '../src/money/ledger/verify-actions.ts'
import { runCheck, wrongTransits } from '../src/money/ledger/verify-store.ts'
import { applyOutbox } from '../src/operation/scheduler/outbox-work.ts'
import { followUserStatus } from '../src/operation/scheduler/user-status-work.ts'
import { matchRecipients } from '../src/payments/recipient/recipient-match-worker.ts'
import { inviteRecipients } from '../src/payments/recipient/recipient-worker.ts'
import { decideUser } from '../src/people/user/operator-actions.ts'
import { eraseUser } from '../src/people/user/user-store.ts'
import type { Api } from './support/api.ts'
import { type Browser, openBrowser } from './support/browser.ts'
import { refusingRecords } from './support/crash.ts'
import { mailedCode, newEmail, signUp } from './support/login.ts'
import { assertLedger, balanceOf as balanceOfApi, newWallet } from './support/money.ts'
import { newAccountHolder } from './support/oauth.ts'
import { refuseSecondPlatform } from './support/one-platform.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { startReceiver } from './support/receiver.ts'
import { mailedToken, newBank, payNewRecipient } from './support/recipients.ts'
import { addBank, addVerifiedBank, PASSWORD, startTestService } from './support/service.ts'
import { setWebhook } from './support/webhooks.ts'

// Payments between two platforms. No transaction of these tests may write rows of two platforms.

const service = await startTestService({ after })
const { deps, ownerSql } = service
await refuseSecondPlatform(ownerSql)
const sender = await service.newUser()
await addVerifiedBank(sender)
const from = await newWallet(sender, 10_000)
const { api: payee, id: payeePlatform, email } = await service.newOwner()
const [toBank, toWallet] = [await addBank(payee), await newWallet(payee, 0)]

const deposit = (id: string, account: string, options = {}) =>
  payee.post(`/v3/check/deposit/${id}`, { account }, options)
const statusOf = async (api: Api, id: string) => (await api.get(`/v3/check/${id}`)).body.status
const balanceOf = async (wallet: string) => (await payee.get(`/v3/account/wallet/${wallet}`)).body.balance

/** Returns the status in the recipient's list, which is read from the copy. */
const listedStatus = async (id: string) =>
  (await payee.get('/v3/check?per_page=100')).body.checks.find((check: { id: string }) => check.id === id)?.status

/** The statuses in the events of a platform, in the order of their deliveries. */
async function eventsOn(platformId: string, id: string): Promise<string[]> {
  const rows = await deps.sql<{ body: string }[]>`
    select body from events where platform_id = ${platformId} and subject_id = ${id} order by id
  `
  return rows.map(({ body }) => JSON.parse(body).status)
}

const messagesLeft = async (sql: Pool): Promise<number> =>
  (await sql<{ count: number }[]>`select count(*) from outbox`)[0]?.count ?? 0

test('a transaction that writes rows of two platforms fails here', async () => {
  const rename = (sql: Sql, id: string) =>
    sql`update users set name = 'Renamed' where platform_id = ${id} and id = ${id}`
  const { id: other } = await service.newOwner()
  const both = deps.sql.begin(async (sql) => {
    await rename(sql, payeePlatform)
    await rename(sql, other)
  })
  await assert.rejects(both, /rows of two platforms/)
})

test('the recipient sees a payment, deposits it into a bank, and follows it until it is paid', async (t) => {
  const receiver = await startReceiver(t)
  await setWebhook(payee, receiver.url)
  const { id } = await sendPayment(sender, { recipient: email })
  assert.equal(await listedStatus(id), undefined, 'it is still in the outbox')
  await service.applyOutbox()
  assert.equal(await listedStatus(id), 'UNPAID')
  assert.equal((await deposit(id, toBank)).body.status, 'IN_PROCESS')
  await service.deliverWebhooks()
  assert.equal(await listedStatus(id), 'IN_PROCESS')
  service.clock.advance(9 * 24 * 3600)
  await service.doDueWork()
  await service.deliverWebhooks()
  assert.equal(await listedStatus(id), 'PAID')
  assert.deepEqual(
    receiver.events().map(({ status }) => status),
    ['IN_PROCESS', 'PAID'],
  )
  const { audit } = (await payee.get('/v3/audit')).body
  assert.equal(audit.filter(({ action }: { action: string }) => action === 'payment_deposited').length, 1)
  await setWebhook(payee, null)
  await assertLedger(service)
})

test('money for a wallet is in transit until the message is applied, and the ledger balances', async () => {
  const before = await balanceOf(toWallet)
  const { id } = await sendPayment(sender, { amount: 12, account: from, recipient: email })
  await service.applyOutbox()
  assert.equal((await deposit(id, toWallet)).body.status, 'PAID')
  assert.equal(await balanceOf(toWallet), before)
  await assertLedger(service)
  await service.applyOutbox()
  assert.equal(await balanceOf(toWallet), before + 12)
  assert.equal(await listedStatus(id), 'PAID')
  await assertLedger(service)
})

for (const [what, change] of Object.entries({
  'a lost message': (id: string) => (sql: Sql) => sql`delete from outbox where subject_id = ${id}`,
  'a message that arrived twice': (id: string) => (sql: Sql) =>
    sql`
    insert into transfers
    select platform_id, gen_random_uuid(), debit, credit, cents, status, reason, payment_id, leg_id, created_at, ended_at
    from transfers
    where payment_id = ${id} and debit = 'clearing:PLATFORM'
  `,
})) {
  test(`verify-ledger finds ${what}`, async () => {
    const { id } = await sendPayment(sender, { account: from, recipient: email })
    await service.applyOutbox()
    await deposit(id, toWallet)
    if (what !== 'a lost message') await service.applyOutbox()
    const undone = new Error('undone')
    await assert.rejects(
      ownerSql.begin(async (sql) => {
        await change(id)(sql)
        const { offending } = await runCheck(sql, { table: 'outbox', violations: wrongTransits })
        assert.equal(offending.length, 1, JSON.stringify(offending))
        throw undone
      }),
      undone,
    )
    await service.applyOutbox()
    await assertLedger(service)
  })
}

test('a deposit whose process crashed before it recorded the answer is repeated, and the payment is deposited once', async () => {
  const { id } = await sendPayment(sender, { amount: 12, account: from, recipient: email })
  await service.applyOutbox()
  const before = await balanceOf(toWallet)
  const deposits = (key: string, account = toWallet) => deposit(id, account, { idempotencyKey: key })
  const crashed = await refusingRecords(ownerSql, () => deposits('once'), { onPlatform: payeePlatform })
  assert.equal(crashed.status, 500)
  const repeated = await deposits('once')
  assert.deepEqual([repeated.status, repeated.body.id, repeated.body.status], [201, id, 'PAID'])
  assert.equal((await deposits('once')).text, repeated.text)
  assert.equal((await deposits('once', toBank)).body.code, 'idempotency_key_reused')
  assert.equal((await deposits('another')).body.code, 'not_depositable')
  await service.applyOutbox()
  assert.equal(await balanceOf(toWallet), before + 12)
  await assertLedger(service)
})

test('the sender voids a payment, and the recipient sees it', async () => {
  const { id } = await sendPayment(sender, { recipient: email })
  await service.applyOutbox()
  assert.equal((await payee.del(`/v3/check/${id}`)).body.code, 'not_the_sender')
  assert.equal((await sender.del(`/v3/check/${id}`)).status, 200)
  assert.equal(await statusOf(payee, id), 'VOID')
  await service.applyOutbox()
  assert.equal(await listedStatus(id), 'VOID')
  assert.equal((await deposit(id, toBank)).body.code, 'not_depositable')
})

test('a payment that is returned after the payout is FAILED on both platforms, and can be deposited again', async () => {
  const { id } = await sendPayment(sender, { amount: 1.62, recipient: email })
  await service.applyOutbox()
  assert.equal((await deposit(id, toBank)).status, 201)
  for (let day = 0; day < 12 && (await statusOf(sender, id)) !== 'FAILED'; day++) {
    service.clock.advance(24 * 3600)
    await service.doDueWork()
  }
  assert.deepEqual([await statusOf(sender, id), await listedStatus(id)], ['FAILED', 'FAILED'])
  assert.deepEqual(await eventsOn(payeePlatform, id), ['IN_PROCESS', 'PAID', 'FAILED'])
  assert.equal((await deposit(id, toBank)).status, 201)
  await service.applyOutbox()
  assert.equal(await listedStatus(id), 'IN_PROCESS')
  await assertLedger(service)
})

test('the recipient prints the check of a payment from another platform', async () => {
  const { id } = await sendPayment(sender, { recipient: email })
  await service.applyOutbox()
  assert.equal((await payee.post(`/v3/check/print/${id}`)).status, 200)
  await service.applyOutbox()
  assert.equal(await listedStatus(id), 'PRINTED')
})

test('a deposit is repeated by its Idempotency-Key', async () => {
  const { id } = await sendPayment(sender, { account: from, recipient: email })
  await service.applyOutbox()
  const before = await balanceOf(toWallet)
  const answers = await Promise.all([1, 2, 3].map(() => deposit(id, toWallet, { idempotencyKey: `deposit ${id}` })))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  await service.applyOutbox()
  assert.equal(await balanceOf(toWallet), before + 10)
})

test('money for a wallet whose holder was deleted waits for the operator', async () => {
  const gone = await service.newOwner()
  const wallet = await newWallet(gone.api, 0)
  const { id } = await sendPayment(sender, { account: from, recipient: gone.email })
  await service.applyOutbox()
  assert.equal((await gone.api.post(`/v3/check/deposit/${id}`, { account: wallet })).status, 201)
  const holder = { platformId: gone.id, userId: gone.id }
  await inTransaction(deps, (tx) => eraseUser(tx.sql, holder, service.clock.now()))
  await service.applyOutbox()
  const exceptions = await deps.sql`select kind, cents from exceptions where payment_id = ${id}`
  assert.deepEqual([...exceptions], [{ kind: 'holder_gone', cents: 1_000 }])
  await assertLedger(service)
})

test('a return that reports a nonexistent account blocks it on its platform', async () => {
  const account = await addBank(payee, '9999999903')
  const { id } = await sendPayment(sender, { recipient: email })
  await service.applyOutbox()
  assert.equal((await deposit(id, account)).status, 201)
  for (let day = 0; day < 9; day++) {
    service.clock.advance(24 * 3600)
    await service.doDueWork()
  }
  const refused = await payee.post('/v3/bank/release', { account })
  assert.deepEqual([refused.status, refused.body.code], [400, 'bank_blocked'])
  const blocks = await deps.sql`select platform_id from account_blocks where holder_id = ${payeePlatform}`
  assert.deepEqual([...blocks], [{ platformId: payeePlatform }])
})

test('a notification of change corrects the account on its platform', async () => {
  const account = await addBank(payee, '9999999940')
  const { id } = await sendPayment(sender, { recipient: email })
  await service.applyOutbox()
  assert.equal((await deposit(id, account)).status, 201)
  for (let day = 0; day < 9; day++) {
    service.clock.advance(24 * 3600)
    await service.doDueWork()
  }
  const { banks } = (await payee.get('/v3/bank')).body
  assert.match(JSON.stringify(banks.find((bank: { id: string }) => bank.id === account)), /9941/)
})

test('legs to a suspended owner wait, and continue when the suspension ends', async () => {
  const { id } = await sendPayment(sender, { recipient: email })
  await service.applyOutbox()
  assert.equal((await deposit(id, toBank)).status, 201)
  const holder = { platformId: payeePlatform, userId: payeePlatform }
  await inTransaction(deps, (tx) => decideUser(tx, holder, 'suspend'))
  const passDays = async () => {
    for (let day = 0; day < 9; day++) {
      service.clock.advance(24 * 3600)
      await service.doDueWork()
      while ((await followUserStatus(deps)) > 0);
    }
  }
  await passDays()
  assert.equal(await statusOf(sender, id), 'IN_PROCESS')
  await inTransaction(deps, (tx) => decideUser(tx, holder, 'verify'))
  await passDays()
  assert.deepEqual([await statusOf(sender, id), await listedStatus(id)], ['PAID', 'PAID'])
  await assertLedger(service)
})

/** A worker that crashes at the nth statement or after the nth commit. */
function crashingAt(sql: Pool, at: number): { sql: Pool; hasCrashed(): boolean } {
  let count = 0
  const step = () => {
    if (++count === at) throw new Error('crash')
  }
  const wrap = <S extends object>(one: S): S =>
    new Proxy(one, {
      apply: (target, self, args) => {
        if (Array.isArray(args[0]) && 'raw' in args[0]) step()
        return Reflect.apply(target as never, self, args)
      },
      get: (target, key) => {
        const value = Reflect.get(target, key)
        if (key !== 'begin') return value
        return async (work: (tx: Sql) => Promise<unknown>) => {
          const result = await (target as Pool).begin((tx) => work(wrap(tx)))
          step()
          return result
        }
      },
    })
  return { sql: wrap(sql), hasCrashed: () => count >= at }
}

test('a worker crashes between any two steps, and another one continues: each effect happens once, in order', async () => {
  let balance = await balanceOf(toWallet)
  for (let at = 1; ; at++) {
    const [toBeVoided, toBePaid] = [
      await sendPayment(sender, { recipient: email }),
      await sendPayment(sender, { account: from, recipient: email }),
    ]
    await service.applyOutbox()
    assert.equal((await deposit(toBeVoided.id, toBank)).status, 201)
    assert.equal((await sender.del(`/v3/check/${toBeVoided.id}`)).status, 200)
    assert.equal((await deposit(toBePaid.id, toWallet)).status, 201)
    const crashing = crashingAt(deps.sql, at)
    await applyOutbox({ ...deps, sql: crashing.sql, failures: createFailures() }).catch((error) =>
      assert.match(error.message, /^crash$/),
    )
    await assertLedger(service)
    while ((await applyOutbox({ ...deps, failures: createFailures() })) > 0);
    assert.equal(await messagesLeft(deps.sql), 0)
    assert.deepEqual([await listedStatus(toBeVoided.id), await listedStatus(toBePaid.id)], ['VOID', 'PAID'])
    assert.deepEqual(await eventsOn(payeePlatform, toBeVoided.id), ['IN_PROCESS', 'VOID'])
    assert.deepEqual(await eventsOn(payeePlatform, toBePaid.id), ['PAID'])
    balance += 10
    assert.equal(await balanceOf(toWallet), balance)
    if (!crashing.hasCrashed()) break
    assert.ok(at < 200)
  }
  assert.ok(isClean(await verifyLedger(deps)))
})

test('concurrent workers that apply the same messages apply each once', async () => {
  const balance = await balanceOf(toWallet)
  const sent = await Promise.all(
    Array.from({ length: 5 }, () => sendPayment(sender, { account: from, recipient: email })),
  )
  await service.applyOutbox()
  for (const { id } of sent) assert.equal((await deposit(id, toWallet)).status, 201)
  await Promise.all([1, 2, 3].map(() => applyOutbox({ ...deps, failures: createFailures() })))
  await service.applyOutbox()
  assert.equal(await balanceOf(toWallet), balance + 50)
  for (const { id } of sent) assert.deepEqual(await eventsOn(payeePlatform, id), ['PAID'])
  await assertLedger(service)
})

suite('a payment of a link', () => {
  const claim = (browser: Browser, token: string, more: object = {}) =>
    browser.post('/web/v1/pay/claim', { token, ...more })

  test('is added to an account on another platform, is deposited there, and then cannot be deposited by the link', async () => {
    const { browser, api, email: own } = await newAccountHolder(service)
    const wallet = await newWallet(api, 0)
    const { id, page } = await payNewRecipient(service, sender, { account: from, amount: 25 })
    assert.deepEqual((await claim(openBrowser(service), page.token)).status, 401)
    assert.deepEqual((await claim(browser, page.token)).body, { payment: id })
    assert.deepEqual((await claim(browser, page.token)).body, { payment: id }, 'a second claim changes nothing')
    await service.applyOutbox()
    assert.equal((await api.get(`/v3/check/${id}`)).body.status, 'UNPAID')
    const shown = (await page.read()).body
    assert.deepEqual([shown.claimed, shown.options], [true, []])
    for (const answer of [await page.deposit('bank', newBank()), await page.print()]) {
      assert.deepEqual([answer.status, answer.body.code], [400, 'not_depositable'])
    }
    assert.equal((await api.post(`/v3/check/deposit/${id}`, { account: wallet })).status, 201)
    await service.applyOutbox()
    assert.equal(await balanceOfApi(api, wallet), 25)
    assert.equal((await page.read()).body.status, 'PAID')
    const { audit } = (await api.get('/v3/audit?q=payment_claimed')).body
    assert.deepEqual(
      audit.map(({ subject }: { subject: string }) => subject),
      [`${id} by link`],
    )
    assert.ok(own)
    await assertLedger(service)
  })

  test('belongs to the first of them: another account, the link and a void can no longer use it', async () => {
    const [first, second] = [await newAccountHolder(service), await newAccountHolder(service)]
    const claimed = await payNewRecipient(service, sender)
    const answers = await Promise.all([first, second].map(({ browser }) => claim(browser, claimed.page.token)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
    const deposited = await payNewRecipient(service, sender)
    assert.equal((await deposited.page.deposit('bank', newBank())).status, 200)
    const voided = await payNewRecipient(service, sender)
    await sender.del(`/v3/check/${voided.id}`)
    for (const { page } of [deposited, voided]) {
      assert.equal((await claim(first.browser, page.token)).body.code, 'not_claimable')
    }
    const raced = await payNewRecipient(service, sender)
    const [byLink, byAccount] = await Promise.all([
      raced.page.deposit('bank', newBank()),
      claim(first.browser, raced.page.token),
    ])
    assert.deepEqual([byLink.status, byAccount.status].sort(), [200, 400])
    await service.applyOutbox()
    await assertLedger(service)
  })

  test('needs its PIN and a link that exists, and no sender adds its own payment', async () => {
    const { browser } = await newAccountHolder(service)
    const { page } = await payNewRecipient(service, sender, { pin: { description: 'Dog', value: 'Lord Byron' } })
    assert.equal((await claim(browser, page.token)).body.errors?.pin?.length, 1)
    assert.equal((await claim(browser, page.token, { pin: 'Lassie' })).body.code, 'wrong_pin')
    assert.equal((await claim(browser, page.token, { pin: 'Lord Byron' })).status, 200)
    assert.equal((await claim(browser, 'x'.repeat(40))).body.code, 'link_not_found')
    const boss = await newAccountHolder(service)
    await addVerifiedBank(boss.api)
    const own = await payNewRecipient(service, boss.api)
    assert.equal((await claim(boss.browser, own.page.token)).body.code, 'own_recipient')
    const employee = await service.newUser(undefined, boss.api)
    await addVerifiedBank(employee)
    const inside = await payNewRecipient(service, employee)
    assert.equal((await claim(boss.browser, inside.page.token)).status, 200)
    assert.equal((await boss.api.get('/v3/check?direction=INCOMING')).body.total, 1)
  })
})

suite('a payment to an address', () => {
  const match = async (given = deps) => {
    while ((await matchRecipients(given)) > 0);
    await service.applyOutbox()
  }
  type Listed = { id: string; status: string }
  const incomingOf = async (browser: Browser): Promise<Listed[]> =>
    (await browser.get('/v3/check?direction=INCOMING&sort=%2BDATE')).body.checks.map(({ id, status }: Listed) => ({
      id,
      status,
    }))
  const payAgain = async (email: string, order: object = {}) => {
    const { id } = await sendPayment(sender, { recipient: email, ...order })
    while ((await inviteRecipients(deps, service.baseUrl)) > 0);
    return id as string
  }

  const changeEmail = async (browser: Browser, email: string) => {
    const { verification } = (await browser.post('/web/v1/email', { email, password: PASSWORD })).body
    const code = await mailedCode(browser, email)
    const { status, text } = await browser.post('/web/v1/email/confirm', { verification, code })
    assert.equal(status, 201, text)
  }

  test('is found by a person who signs up with the address, together with payments that were paid through a link', async () => {
    const { id: paid, email, page } = await payNewRecipient(service, sender, { account: from, amount: 25 })
    assert.equal((await page.deposit('bank', newBank())).status, 200)
    const open = await payAgain(email, { account: from, amount: 12 })
    const voided = await payAgain(email)
    await sender.del(`/v3/check/${voided}`)
    await match()
    const browser = await signUp(service, email)
    await match()
    assert.deepEqual(await incomingOf(browser), [
      { id: paid, status: 'IN_PROCESS' },
      { id: open, status: 'UNPAID' },
      { id: voided, status: 'VOID' },
    ])
    const bank = (await browser.post('/v3/bank', newBank())).body.id
    assert.equal((await browser.post(`/v3/check/deposit/${open}`, { account: bank })).status, 201)
    for (let day = 0; day < 6; day++) {
      service.clock.advance(24 * 3_600)
      await service.doDueWork()
    }
    await service.applyOutbox()
    assert.deepEqual(
      (await incomingOf(browser)).map(({ status }) => status),
      ['PAID', 'PAID', 'VOID'],
    )
    assert.ok((await browser.get(`/v3/payment/${paid}/timeline`)).body.entries.length > 2)
    const { audit } = (await browser.get('/v3/audit?q=payment_claimed')).body
    assert.equal(audit.length, 3)
    assert.equal(await match(), undefined)
    await assertLedger(service)
  })

  test('that is returned is deposited into another account of a person who signed up after using the link', async () => {
    const { id, email, page } = await payNewRecipient(service, sender, { account: from, amount: 30 })
    assert.equal((await page.deposit('bank', newBank())).status, 200)
    await triggerStatus(sender, id, 'PAID')
    const browser = await signUp(service, email)
    await match()
    assert.deepEqual(await incomingOf(browser), [{ id, status: 'PAID' }])
    await triggerStatus(sender, id, 'FAILED')
    await service.applyOutbox()
    const bank = (await browser.post('/v3/bank', newBank())).body.id
    const again = await browser.post(`/v3/check/deposit/${id}`, { account: bank })
    assert.equal(again.status, 201, again.text)
    await triggerStatus(sender, id, 'PAID')
    await service.applyOutbox()
    assert.deepEqual(await incomingOf(browser), [{ id, status: 'PAID' }])
    await assertLedger(service)
  })

  test('belongs to no one before the address is verified, and moves to no later owner of the address', async () => {
    const { id, email } = await payNewRecipient(service, sender)
    const stranger = openBrowser(service)
    await stranger.post('/web/v1/sign-up', { email, password: PASSWORD, name: 'Stranger' })
    await match()
    const [before] = await deps.sql`select recipient_id from payments where id = ${id}`
    assert.equal(before?.recipientId, null)
    const browser = await signUp(service, email)
    await match()
    assert.equal((await incomingOf(browser)).length, 1)
    await changeEmail(browser, newEmail())
    const later = await signUp(service, email)
    await match()
    assert.deepEqual([(await incomingOf(browser)).length, await incomingOf(later)], [1, []])
  })

  test('is found after the email is changed to it, and a PIN keeps it for its link', async () => {
    const { id, email } = await payNewRecipient(service, sender)
    const secret = await payAgain(email, { pin: { description: 'Dog', value: 'Laika' } })
    const token = await mailedToken(service, email)
    const browser = await signUp(service, newEmail())
    await match()
    assert.deepEqual(await incomingOf(browser), [])
    await changeEmail(browser, email)
    await match()
    assert.deepEqual(await incomingOf(browser), [{ id, status: 'UNPAID' }])
    assert.equal((await browser.post('/web/v1/pay/claim', { token, pin: 'Laika' })).status, 200)
    await match()
    assert.deepEqual((await incomingOf(browser)).map(({ id: own }) => own).sort(), [id, secret].sort())
  })

  test('is assigned to one account once, even with several concurrent workers', async () => {
    const { email } = await payNewRecipient(service, sender)
    await payAgain(email)
    const browser = await signUp(service, email)
    await Promise.all([1, 2, 3].map(() => match({ ...deps, failures: createFailures() })))
    await match()
    assert.equal((await incomingOf(browser)).length, 2)
    assert.equal((await browser.get('/v3/audit?q=payment_claimed')).body.audit.length, 2)
    assert.equal((await deps.sql`select subject_id from recipient_addresses where due > 0`).length, 0)
  })
})
