import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { EVERY_PERMISSION } from '../src/foundation/core/permission-rules.ts'
import type { Sql } from '../src/foundation/db/connect.ts'
import type { Deps, TxDeps } from '../src/foundation/db/deps.ts'
import type { Caller } from '../src/foundation/http/caller.ts'
import { runCheck, wrongInvoiceRows } from '../src/money/ledger/verify-store.ts'
import { doDueWork } from '../src/operation/scheduler/due-work.ts'
import { applyOutbox } from '../src/operation/scheduler/outbox-work.ts'
import { followUserStatus } from '../src/operation/scheduler/user-status-work.ts'
import { findReleasedAccount, releaseApproval } from '../src/orders/approval/approval-release-actions.ts'
import { voidAtOtherPlatform, voidInvoice } from '../src/orders/invoice/invoice-actions.ts'
import { invoicePayments } from '../src/orders/invoice/invoice-approval-actions.ts'
import { findPayeeAccount, payInvoice } from '../src/orders/invoice/invoice-payment-actions.ts'
import { mailInvoices } from '../src/orders/payer/payer-worker.ts'
import type { Destination } from '../src/payments/payment/payment-change-actions.ts'
import type { Api } from './support/api.ts'
import { crashing, isCrash } from './support/crash.ts'
import { assertLedger, balanceOf, newWallet } from './support/money.ts'
import { refuseSecondPlatform } from './support/one-platform.ts'
import { triggerStatus } from './support/payments.ts'
import { mailsTo } from './support/recipients.ts'
import { runAction } from './support/run-action.ts'
import { addBank, addVerifiedBank, startTestService } from './support/service.ts'

// Invoices between two platforms (specification.md 5.11). No transaction of these tests may write rows of two platforms.

const service = await startTestService({ after })
const { deps, ownerSql } = service
await refuseSecondPlatform(ownerSql)
const sender = await service.newUser()
await addBank(sender)
const { api: payee, id: payeePlatform, email } = await service.newOwner()
const [from, from2] = [await newWallet(sender, 0), await newWallet(payee, 1_000)]
const payeeBank = await addVerifiedBank(payee)
const PDF = Buffer.from('%PDF-1.4\n%%EOF').toString('base64')
const senderPlatform = (
  await deps.sql<{ platformId: string }[]>`select platform_id from users where id = ${sender.id}`
)[0]?.platformId as string
const statusOf = async (api: Api, id: string) => (await api.get(`/v3/check/${id}`)).body.status

/** Returns the statuses in the events of a platform, in their order. */
async function eventsOn(platformId: string, id: string): Promise<string[]> {
  const rows = await deps.sql<{ body: string }[]>`
    select body from events where platform_id = ${platformId} and subject_id = ${id} order by created_at, id
  `
  return rows.map(({ body }) => JSON.parse(body).status)
}

const messagesLeft = async (): Promise<number> =>
  (await deps.sql<{ count: number }[]>`select count(*) from outbox`)[0]?.count ?? 0

suite('an invoice to another platform', () => {
  const order = { amount: 25, name: 'Payee Inc.', recipient: email, description: 'Painting' }
  const invoice = async (more: object = {}): Promise<string> => {
    const answer = await sender.post('/v3/invoice', { ...order, ...more })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.id
  }
  const read = async (by: Api, id: string) => (await by.get(`/v3/invoice/${id}`)).body
  const listed = async (by: Api, id: string) =>
    (await by.get('/v3/invoice?per_page=250')).body.invoices.find((one: { id: string }) => one.id === id)
  const pay = (id: string, account: string | null = from2) =>
    payee.post('/v3/invoice/payment', { id, amount: 25, account })

  test('is in the list of its recipient, who pays it from wallet to wallet', async () => {
    const id = await invoice({ account: from, attachment: PDF })
    assert.equal((await payee.get(`/v3/invoice/${id}`)).status, 404, 'it is still in the outbox')
    await service.applyOutbox()
    const { direction, ...shown } = await listed(payee, id)
    assert.equal(direction, 'INCOMING')
    assert.deepEqual({ ...shown, direction: 'OUTGOING' }, await listed(sender, id))
    assert.match((await payee.get(`/v3/invoice/${id}/attachment`)).text, /^%PDF-/)
    const balance = (await sender.get(`/v3/account/wallet/${from}`)).body.balance
    const paid = await pay(id)
    assert.deepEqual([paid.status, paid.body.status], [201, 'PAID'], paid.text)
    await assertLedger(service)
    const { status, check_id } = await read(sender, id)
    assert.deepEqual([status, check_id], ['PAID', null], 'the payment is still in the outbox')
    await service.applyOutbox()
    assert.equal((await sender.get(`/v3/account/wallet/${from}`)).body.balance, balance + 25)
    assert.equal((await read(sender, id)).check_id, paid.body.id)
    for (const by of [sender, payee]) {
      const { status, check_id } = await listed(by, id)
      assert.deepEqual([status, check_id], ['PAID', paid.body.id])
      assert.equal(await statusOf(by, check_id), 'PAID')
    }
    for (const platform of [senderPlatform, payeePlatform]) assert.deepEqual(await eventsOn(platform, id), ['PAID'])
    assert.equal((await pay(id)).body.code, 'invoice_not_payable')
    await assertLedger(service)
  })

  test('is paid from a bank into a bank, and is unpaid again when the payment fails', async () => {
    const id = await invoice({ amount: 1.62, account: await addBank(sender) })
    await service.applyOutbox()
    const paid = await payee.post('/v3/invoice/payment', { id, amount: 1.62, account: payeeBank })
    assert.deepEqual([paid.status, paid.body.status], [201, 'IN_PROCESS'], paid.text)
    for (let day = 0; day < 12 && (await statusOf(payee, paid.body.id)) !== 'FAILED'; day++) {
      service.clock.advance(24 * 3600)
      await service.doDueWork()
    }
    await service.applyOutbox()
    for (const by of [sender, payee]) {
      const { status, check_id } = await listed(by, id)
      assert.deepEqual([status, check_id], ['UNPAID', null])
    }
    assert.deepEqual(await eventsOn(senderPlatform, id), ['IN_PROCESS', 'PAID', 'UNPAID'])
    await assertLedger(service)
  })

  test('is voided by its sender, even before it reaches its recipient, and then cannot be paid', async () => {
    for (const isThere of [true, false]) {
      const id = await invoice()
      if (isThere) await service.applyOutbox()
      assert.equal((await payee.del(`/v3/invoice/${id}`)).body.code, isThere ? 'not_the_sender' : 'invoice_not_found')
      assert.equal((await sender.del(`/v3/invoice/${id}`)).status, 200)
      assert.equal((await read(sender, id)).status, 'VOID', 'before the message')
      assert.equal((await sender.del(`/v3/invoice/${id}`)).body.code, 'invoice_not_payable')
      assert.equal((await pay(id)).body.code, 'invoice_not_payable')
      await service.applyOutbox()
      for (const by of [sender, payee]) assert.equal((await listed(by, id)).status, 'VOID')
      assert.deepEqual(await eventsOn(senderPlatform, id), ['VOID'])
      const rows = await deps.sql`select 1 from audit_entries where action = 'invoice_voided' and subject = ${id}`
      assert.equal(rows.length, 1)
    }
  })

  test('is prepared by one member and released by another, into the account at the time of its preparation', async () => {
    const prepare = (id: string) => payee.post('/v3/approval/invoice', { id, amount: 25, account: from2 })
    const release = (id: string) => payee.post('/v3/approval/release', { id })
    const changed = await invoice()
    const id = await invoice({ account: from })
    const voided = await invoice({ account: from })
    await service.applyOutbox()
    const waiting = (await prepare(changed)).body.id
    const { defaultBank } = (
      await deps.sql`select id as default_bank from banks where user_id = ${sender.id} and is_default`
    )[0] as {
      defaultBank: string
    }
    await sender.put(`/v3/bank/${await addBank(sender)}`, { default: true })
    assert.equal((await release(waiting)).body.code, 'approval_payee_changed')
    await sender.put(`/v3/bank/${defaultBank}`, { default: true })
    const paid = await release(waiting)
    assert.deepEqual([paid.status, paid.body.status], [200, 'IN_PROCESS'], paid.text)

    const prepared = (await prepare(id)).body.id
    const inWallet = await release(prepared)
    assert.deepEqual([inWallet.status, inWallet.body.status], [200, 'PAID'], inWallet.text)
    assert.equal((await release(prepared)).body.code, 'approval_not_open')
    const late = (await prepare(voided)).body.id
    assert.equal((await sender.del(`/v3/invoice/${voided}`)).status, 200)
    assert.equal((await release(late)).body.code, 'invoice_not_payable')
    assert.equal((await payee.get(`/v3/approval/${late}`)).body.status, 'UNPAID', 'its transaction is rolled back')
    await service.applyOutbox()
    for (const by of [sender, payee]) {
      const { status, check_id } = await listed(by, id)
      assert.deepEqual([status, check_id], ['PAID', inWallet.body.id])
    }
    await assertLedger(service)
  })

  test('is void when its sender is deleted', async () => {
    const gone = await service.newUser()
    await addBank(gone)
    const { id } = (await gone.post('/v3/invoice', order)).body
    await service.applyOutbox()
    assert.equal((await service.owner.del(`/v3/user/${gone.id}`)).status, 200)
    assert.equal((await pay(id)).body.code, 'invoice_not_payable')
    await service.applyOutbox()
    assert.equal((await listed(payee, id)).status, 'VOID')
    assert.deepEqual(await eventsOn(senderPlatform, id), ['VOID'])
  })

  test('is void when its payout is returned after its sender was deleted', async () => {
    const gone = await service.newUser()
    await addBank(gone)
    const { id } = (await gone.post('/v3/invoice', order)).body
    await service.applyOutbox()
    const paid = await pay(id)
    assert.equal(paid.status, 201, paid.text)
    const { check_id: paymentId } = await listed(payee, id)
    await triggerStatus(payee, paymentId, 'PAID')
    await service.applyOutbox()
    assert.equal((await service.owner.del(`/v3/user/${gone.id}`)).status, 200)
    while ((await followUserStatus(deps)) > 0);
    await triggerStatus(payee, paymentId, 'FAILED')
    await service.applyOutbox()
    while ((await followUserStatus(deps)) > 0);
    await service.applyOutbox()
    assert.equal((await listed(payee, id)).status, 'VOID')
    assert.equal((await pay(id)).body.code, 'invoice_not_payable')
    assert.deepEqual((await eventsOn(senderPlatform, id)).slice(-2), ['UNPAID', 'VOID'])
  })

  test('is one of many whose sender is deleted: the other platform is notified of each once', async () => {
    const [user, { email: recipient }] = [await service.newUser(), await service.newOwner()]
    await addBank(user)
    const many = { ...order, recipient }
    for (let count = 0; count < 110; count++) assert.equal((await user.post('/v3/invoice', many)).status, 201)
    assert.equal((await service.owner.del(`/v3/user/${user.id}`)).status, 200)
    for (let pass = 0; pass < 3; pass++) await followUserStatus(deps)
    const [row] = await deps.sql<{ count: number }[]>`select count(*) from outbox where kind = 'invoice_voided'`
    assert.equal(row?.count, 110)
    await applyOutbox(deps)
    while ((await applyOutbox(deps)) > 0);
    await followUserStatus(deps)
    const left = await deps.sql`select id from invoices where sender_id = ${user.id} and status <> 'VOID'`
    assert.equal(left.length, 0)
    while ((await mailInvoices(deps, service.baseUrl)) > 0); // a pass of a later test has only its own work
  })

  test('is either paid or voided, and each payment is made once', async () => {
    const id = await invoice({ account: from })
    await service.applyOutbox()
    const answers = await Promise.all([pay(id), sender.del(`/v3/invoice/${id}`), pay(id)])
    assert.equal(answers.filter(({ status }) => status < 300).length, 1, answers.map(({ text }) => text).join())
    await service.applyOutbox()
    assert.equal((await listed(sender, id)).status, answers[1]?.status === 200 ? 'VOID' : 'PAID')
    assert.equal((await listed(payee, id)).status, (await listed(sender, id)).status)
    await assertLedger(service)
  })

  suite('for a crash of a process after any statement,', () => {
    const caller = (platformId: string, userId: string): Caller => ({
      platformId,
      userId,
      isOwner: platformId === userId,
      permissions: EVERY_PERMISSION,
      credential: { kind: 'api_key', id: '0'.repeat(32) },
      origin: { address: '127.0.0.1', userAgent: null },
    })
    const asPayee = caller(payeePlatform, payeePlatform)
    const asSender = caller(senderPlatform, sender.id)

    /** Repeats an action in processes that crash after an increasing number of statements, until one succeeds. */
    async function dieInEach<Prepared>(
      action: (tx: TxDeps, prepared: Prepared | null) => Promise<unknown>,
      before: (deps: Deps) => Promise<(() => Promise<Prepared>) | null>,
      checkRest: () => Promise<void>,
    ): Promise<void> {
      for (let statements = 0; ; statements++) {
        const error = await runAction(crashing(deps, { afterStatements: statements }), action, before).then(
          () => null,
          (error: unknown) => error,
        )
        if (error === null) return assert.ok(statements > 4, String(statements))
        assert.ok(isCrash(error), String(error))
        await applyInPieces()
        await checkRest()
      }
    }

    /** Workers that crash also apply messages. */
    async function applyInPieces(): Promise<void> {
      for (let statements = 0; (await messagesLeft()) > 0; statements++) {
        await applyOutbox(crashing(deps, { afterStatements: statements }))
        await applyOutbox(crashing(deps, 'before_commit'))
      }
    }

    const paymentsOf = async () => (await payee.get('/v3/check?direction=OUTGOING')).body.total
    const unpaid = async (id: string, count: number) => {
      const { status, check_id } = await read(payee, id)
      assert.deepEqual([status, check_id, await paymentsOf()], ['UNPAID', null, count])
    }

    test('its payment is made once, with both sides PAID, or not at all', async () => {
      for (const isPrepared of [false, true]) {
        const id = await invoice({ account: from })
        await applyInPieces()
        const [count, balance] = [await paymentsOf(), await balanceOf(payee, from2)]
        if (isPrepared) {
          const { body } = await payee.post('/v3/approval/invoice', { id, amount: 25, account: from2 })
          const releasing = { id: body.id, invoices: invoicePayments }
          await dieInEach(
            (tx, destination: Destination | null) => releaseApproval(tx, asPayee, { ...releasing, destination }),
            (own) => findReleasedAccount(own, asPayee, releasing),
            async () => {
              await unpaid(id, count)
              assert.equal((await payee.get(`/v3/approval/${body.id}`)).body.status, 'UNPAID')
            },
          )
        } else {
          const paying = { id, amount: 25, account: from2 }
          await dieInEach(
            (tx, destination: Destination | null) => payInvoice(tx, asPayee, { ...paying, destination }),
            (own) => findPayeeAccount(own, asPayee, paying),
            () => unpaid(id, count),
          )
        }
        await applyInPieces()
        for (const by of [sender, payee]) assert.equal((await listed(by, id)).status, 'PAID')
        assert.deepEqual([await paymentsOf(), await balanceOf(payee, from2)], [count + 1, balance - 25])
        assert.deepEqual(await eventsOn(senderPlatform, id), ['PAID'])
      }
      await assertLedger(service)
    })

    test('its void happens once, or not at all', async () => {
      const id = await invoice()
      await applyInPieces()
      const count = await paymentsOf()
      await dieInEach(
        async (tx, voided: object | null) => voided ?? voidInvoice(tx, asSender, id),
        (own) => voidAtOtherPlatform(own, asSender, id),
        () => unpaid(id, count),
      )
      await applyInPieces()
      for (const by of [sender, payee]) assert.equal((await listed(by, id)).status, 'VOID')
      assert.deepEqual(await eventsOn(senderPlatform, id), ['VOID'])
    })

    test('a run of a subscription sends it once', async () => {
      const { body } = await sender.post('/v3/subscription/invoice', { ...order, interval: 'WEEKLY', duration: 1 })
      const before = (await payee.get('/v3/invoice')).body.total
      service.clock.advance(24 * 3_600)
      for (let statements = 0; statements < 24; statements += 2) {
        await doDueWork(crashing(deps, { afterStatements: statements })).catch(() => 0)
      }
      await service.doDueWork()
      await applyInPieces()
      assert.equal((await payee.get('/v3/invoice')).body.total, before + 1)
      const { runs } = (await sender.get(`/v3/subscription/${body.id}/run`)).body
      assert.deepEqual(
        runs.map(({ outcome }: { outcome: string }) => outcome),
        ['INVOICED'],
      )
    })
  })

  test('that repeats is sent on each of its days, and its status is that of the latest invoice', async () => {
    const { body } = await sender.post('/v3/subscription/invoice', { ...order, interval: 'WEEKLY', duration: 2 })
    const { id } = body
    assert.ok(id, JSON.stringify(body))
    const find = async () => (await sender.get(`/v3/subscription/${id}`)).body
    service.clock.advance(24 * 3_600)
    await service.doDueWork()
    const [first] = (await payee.get('/v3/invoice')).body.invoices
    assert.deepEqual([first.status, first.amount, (await find()).status], ['UNPAID', 25, 'UNPAID'])
    service.clock.advance(7 * 24 * 3_600)
    await service.doDueWork()
    assert.equal((await find()).status, 'OVERDUE')
    for (const invoice of (await payee.get('/v3/invoice?per_page=10')).body.invoices.slice(0, 2)) {
      assert.equal((await pay(invoice.id)).status, 201)
    }
    await service.applyOutbox()
    const shown = await find()
    assert.equal(shown.status, 'IN_PROCESS')
    const { body: copy } = await payee.get(`/v3/subscription/${id}`)
    assert.deepEqual(copy, { ...shown, account: null })
    const listedCopies = (await payee.get('/v3/subscription?direction=INCOMING')).body.subscriptions
    assert.deepEqual(
      listedCopies.find((one: { id: string }) => one.id === id),
      copy,
    )
    const runsOf = async (by: Api) => (await by.get(`/v3/subscription/${id}/run`)).body
    const { autopay_text: text, ...received } = await runsOf(payee)
    assert.match(text, /^I authorize this service to pay \$25\.00 to /)
    assert.deepEqual({ ...received, direction: 'OUTGOING', autopay_text: null }, await runsOf(sender))
    await assertLedger(service)
  })

  suite('under autopay', () => {
    const subscribe = async (more: object = {}): Promise<string> => {
      const given = { ...order, interval: 'WEEKLY', duration: 2, ...more }
      const answer = await sender.post('/v3/subscription/invoice', given)
      assert.equal(answer.status, 201, answer.text)
      await service.applyOutbox()
      return answer.body.id
    }
    const path = (id: string) => `/v3/subscription/${id}`
    const passWeek = async () => {
      service.clock.advance(7 * 24 * 3_600)
      await service.doDueWork()
      await service.applyOutbox()
    }
    const invoicesOf = async (id: string, by: Api) => {
      const { runs } = (await by.get(`${path(id)}/run`)).body
      const ids = runs.flatMap(({ invoice: one }: { invoice: string | null }) => one ?? [])
      return Promise.all(ids.map((one: string) => read(by, one)))
    }
    const statuses = async (id: string, by: Api) => (await invoicesOf(id, by)).map(({ status }) => status)

    test('is paid automatically until this is revoked or the subscription ends', async () => {
      const id = await subscribe({ duration: 4 })
      assert.equal((await sender.put(path(id), { autopay: true })).body.code, 'not_the_recipient')
      assert.equal((await payee.put(path(id), { skipped: [2] })).body.code, 'not_the_sender')
      assert.equal((await payee.del(path(id))).body.code, 'not_the_sender')
      assert.equal((await payee.put(path(id), { autopay: true })).status, 200)
      await service.applyOutbox()
      for (const by of [sender, payee]) assert.equal((await by.get(path(id))).body.autopay, true)
      const mails = await mailsTo(service, email)
      assert.ok(mails.some(({ text }) => text?.includes('I authorize this service to pay $25.00 to Name of')))
      await payee.put(`/v3/bank/${payeeBank}`, { default: true })
      await passWeek()
      for (const by of [sender, payee]) assert.deepEqual(await statuses(id, by), ['IN_PROCESS'])
      const [{ check_id: paymentId }] = await invoicesOf(id, payee)
      assert.equal((await payee.get(`/v3/check/${paymentId}`)).body.amount, 25)

      assert.equal((await sender.put(path(id), { skipped: [2] })).status, 200)
      await passWeek()
      assert.deepEqual((await payee.get(path(id))).body.skipped, [2])
      assert.equal((await payee.put(path(id), { autopay: false })).status, 200)
      await passWeek()
      assert.deepEqual((await statuses(id, payee)).slice(0, 1), ['UNPAID'])
      assert.equal((await sender.get(path(id))).body.autopay, false)
      assert.equal((await sender.del(path(id))).status, 200)
      await service.applyOutbox()
      assert.equal((await payee.get(path(id))).body.status, 'CANCELED')
      assert.equal((await payee.put(path(id), { autopay: true })).body.code, 'subscription_not_active')
      await assertLedger(service)
    })

    test('is not paid if a rule prevents it, and the payer gets mail', async () => {
      const other = await service.newUser()
      const bank = await addBank(other)
      const given = { ...order, account: bank, interval: 'WEEKLY' }
      const { id } = (await other.post('/v3/subscription/invoice', given)).body
      await service.applyOutbox()
      assert.equal((await payee.put(path(id), { autopay: true })).status, 200)
      await other.put(`/v3/bank/${await addBank(other)}`, { default: true })
      assert.equal((await other.del(`/v3/bank/${bank}`)).status, 200)
      await passWeek()
      const runs = (await payee.get(`${path(id)}/run`)).body.runs
      assert.deepEqual(
        runs.map(({ outcome }: { outcome: string }) => outcome),
        ['FAILED'],
      )
      assert.equal((await payee.get(path(id))).body.status, 'FAILED')
    })

    test('waits for a release if the payer’s payments need one', async () => {
      const { api: careful, email: recipient } = await service.newOwner()
      await addVerifiedBank(careful)
      const id = await subscribe({ recipient })
      assert.equal((await careful.put(path(id), { autopay: true })).status, 200)
      assert.equal((await careful.put('/v3/user', { payment: { dual_control: true } })).status, 200)
      await passWeek()
      assert.deepEqual(await statuses(id, careful), ['UNPAID'])
      const { checks } = (await careful.get('/v3/approval')).body
      assert.deepEqual(
        checks.map(({ status, amount }: { status: string; amount: number }) => [status, amount]),
        [['UNPAID', 25]],
      )
    })

    test('is shown from the next run on to a recipient that opened a platform after the subscription began', async () => {
      const id = await subscribe({ recipient: 'later@example.net', account: await addBank(sender) })
      await ownerSql`update subscriptions set recipient = ${email} where id = ${id}`
      assert.equal((await payee.get(path(id))).status, 404)
      await passWeek()
      assert.deepEqual(await statuses(id, payee), ['UNPAID'])
      assert.equal((await payee.put(path(id), { autopay: true })).status, 200)
      await passWeek()
      assert.deepEqual(await statuses(id, payee), ['IN_PROCESS', 'UNPAID'])
    })

    test('is paid once, even if a worker crashes after any statement', async () => {
      const id = await subscribe({ duration: 1 })
      assert.equal((await payee.put(path(id), { autopay: true })).status, 200)
      await service.applyOutbox()
      const count = async () => (await payee.get('/v3/check?direction=OUTGOING')).body.total
      const before = await count()
      service.clock.advance(7 * 24 * 3_600)
      await doDueWork(deps)
      for (let statements = 0; (await messagesLeft()) > 0; statements += 2) {
        await applyOutbox(crashing(deps, { afterStatements: statements }))
        assert.ok((await count()) <= before + 1)
      }
      await service.applyOutbox()
      for (const by of [sender, payee]) assert.deepEqual(await statuses(id, by), ['IN_PROCESS'])
      assert.equal(await count(), before + 1)
      await assertLedger(service)
    })
  })

  test('is applied once, even if its messages arrive repeatedly', async () => {
    const id = await invoice({ account: from })
    const keep = await ownerSql`select * from outbox where subject_id = ${id}`
    await service.applyOutbox()
    await pay(id)
    const changed = await ownerSql`select * from outbox where subject_id = ${id}`
    await service.applyOutbox()
    for (const { platformId, targetPlatformId, kind, subjectId, content, position } of [...keep, ...changed]) {
      await ownerSql`
        insert into outbox (platform_id, position, target_platform_id, kind, subject_id, content)
        overriding system value
        values (${platformId}, ${position}, ${targetPlatformId}, ${kind}, ${subjectId}, ${ownerSql.json(content)})
      `
    }
    assert.equal(keep.length + changed.length, 2)
    await service.applyOutbox()
    assert.equal(await messagesLeft(), 0)
    assert.equal((await listed(sender, id)).status, 'PAID')
    assert.deepEqual(await eventsOn(senderPlatform, id), ['PAID'])
  })

  test('has two equal rows, or verify-ledger finds it, unless a message about it is waiting', async () => {
    /** The statuses in both rows of the wrong invoices after a change, which is undone. */
    const wrongAfter = async (change: (sql: Sql) => Promise<unknown>): Promise<unknown[]> => {
      const undone = new Error('undone')
      const found: unknown[] = []
      const changing = ownerSql.begin(async (sql) => {
        await change(sql)
        const { offending } = await runCheck(sql, { table: 'invoices', violations: wrongInvoiceRows })
        found.push(...offending.map((row) => [row.id, row.senderStatus, row.payerStatus]))
        throw undone
      })
      await assert.rejects(changing, undone)
      return found
    }
    const loseMessages = (sql: Sql) => sql`delete from outbox where subject_id = ${id}`
    const id = await invoice({ account: from })
    await assertLedger(service)
    assert.deepEqual(await wrongAfter(loseMessages), [[id, 'UNPAID', null]])
    await service.applyOutbox()
    assert.equal((await pay(id)).body.status, 'PAID')
    await assertLedger(service)
    assert.deepEqual(await wrongAfter(loseMessages), [[id, 'UNPAID', 'PAID']])
    await service.applyOutbox()
    await assertLedger(service)
    const loseRow = (sql: Sql) => sql`delete from invoices where platform_id = ${senderPlatform} and id = ${id}`
    assert.deepEqual(await wrongAfter(loseRow), [[id, null, 'PAID']])
  })

  test('is mailed to its recipient with a link to its own page, and so are reminders', async () => {
    const id = await invoice()
    await service.applyOutbox()
    await mailInvoices(deps, service.baseUrl)
    const mails = await mailsTo(service, email)
    assert.ok(mails.some(({ text }) => text?.includes(`/invoices/${id}`)))
    assert.ok(!mails.some(({ text }) => text?.includes('/invoice/')), 'a link would let another person pay')
    assert.equal((await sender.post(`/v3/invoice/notify/${id}`)).status, 204)
  })
})
