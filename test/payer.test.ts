import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { debtCommand } from '../src/operation/cli/debt-commands.ts'
import { userCommand } from '../src/operation/cli/user-commands.ts'
import { sweep } from '../src/operation/scheduler/sweep-table.ts'
import { mailInvoices } from '../src/orders/payer/payer-worker.ts'
import { matchRecipients } from '../src/payments/recipient/recipient-match-worker.ts'
import type { Answer, Api } from './support/api.ts'
import { type Browser, openBrowserAt, type Page } from './support/browser.ts'
import { openDashboard } from './support/dashboard.ts'
import { holdingLock, lockRow } from './support/locks.ts'
import { mailedCode, newEmail, signUp } from './support/login.ts'
import { assertLedger, newWallet } from './support/money.ts'
import { triggerStatus } from './support/payments.ts'
import { startReceiver } from './support/receiver.ts'
import { mailsTo } from './support/recipients.ts'
import { addBank, addVerifiedBank, newAccountNumber, PASSWORD, startTestService } from './support/service.ts'
import { isAuthentic, readWebhookKey, setWebhook } from './support/webhooks.ts'

// Invoices to people who are not users: the mail, its link, the account, the authorization and the debit (specification.md 5.11).

const service = await startTestService({ after })
const { clock, deps, baseUrl, deliverWebhooks, doDueWork, newUser, ownerSql } = service
const DAY = 24 * 3_600

function expect<A extends Answer | Page>(answer: A, status: number, code?: string): A {
  assert.deepEqual([answer.status, answer.body?.code], [status, code], JSON.stringify(answer.body))
  return answer
}

const sender = await newUser()
await addBank(sender)

/** The page of a link, through its requests, each from its own address. */
function openInvoice(token: string, address?: string) {
  const browser = openBrowserAt(service, address)
  return (path: string, body: object = {}) => browser.post(`/web/v1/invoice/${path}`, { token, ...body })
}

type InvoicePage = ReturnType<typeof openInvoice>

async function mailedInvoice(email: string): Promise<InvoicePage> {
  await mailInvoices(deps, baseUrl)
  const [mail] = await mailsTo(service, email)
  const [, token] = /\/invoice\/([A-Za-z0-9]{40})$/m.exec(mail?.text ?? '') ?? []
  assert.ok(token, `there is a link in the mail to ${email}`)
  service.secrets.add(token)
  return openInvoice(token)
}

async function invoiceOutside(more: object = {}, by: Api = sender) {
  const email = newEmail()
  const order = { amount: 40, name: 'Ada Outside', recipient: email, description: 'Painting', ...more }
  const { id } = expect(await by.post('/v3/invoice', order), 201).body
  return { id: id as string, email, page: await mailedInvoice(email) }
}

const account = (more: object = {}) => ({
  name: 'Ada Outside',
  routing: '021000021',
  account: newAccountNumber(),
  type: 'CHECKING',
  ...more,
})
const stateOf = async (id: string) => (await sender.get(`/v3/invoice/${id}`)).body.status
const paymentOf = async (id: string): Promise<string> => (await sender.get(`/v3/invoice/${id}`)).body.check_id

/** The amounts of the micro-deposits, as on the payer's bank statement. The sandbox sends 0.07 and 0.15. */
const RIGHT = { amount_1: 0.15, amount_2: 0.07 }

async function verified(page: InvoicePage) {
  expect(await page('account', account()), 200)
  return expect(await page('verify', RIGHT), 200).body
}

async function pay(page: InvoicePage) {
  const { authorization } = await verified(page)
  return page('pay', { authorization })
}

const authorizationsOf = (id: string) =>
  deps.sql<{ text: string; address: string; paymentId: string; givenAt: Date }[]>`
    select text, address, payment_id, given_at from debit_authorizations where invoice_id = ${id}
  `

suite('an invoice to a payer without an account', () => {
  test('is mailed with a link to a page that shows it and its PDF', async () => {
    const { id, email, page } = await invoiceOutside()
    const [mail] = await mailsTo(service, email)
    assert.equal(mail?.subject, `You have an invoice for $40.00 from "Name of ${sender.userId}"`)
    const { body, headers } = expect(await page('read'), 200)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.deepEqual(body, {
      sender: `Name of ${sender.userId}`,
      logo: null,
      number: body.number,
      date: body.date,
      day: body.day,
      name: 'Ada Outside',
      amount: 40,
      description: 'Painting',
      status: 'UNPAID',
      bank: null,
      authorization: null,
      in_account: false,
      can_sign_in: true,
      is_view_only: false,
      due_date: null,
      is_overdue: false,
      terms: null,
      items: [],
      subtotal: null,
      tax: null,
    })
    const pdf = expect(await page('pdf'), 200)
    assert.equal(pdf.headers.get('content-type'), 'application/pdf')
    expect(await openInvoice('x'.repeat(40))('read'), 404, 'link_not_found')
    assert.equal(await mailInvoices(deps, baseUrl), 0, 'it is mailed once')
    assert.equal((await sender.get(`/v3/invoice/${id}`)).body.direction, 'OUTGOING')
  })

  test('cannot be paid into a wallet, and is sent to a phone number without mail', async () => {
    const wallet = await newWallet(sender, 0)
    const order = { amount: 40, name: 'Ada', recipient: newEmail(), description: 'Painting', account: wallet }
    const { body } = expect(await sender.post('/v3/invoice', order), 400, 'invalid_request')
    assert.deepEqual(Object.keys(body.errors), ['account'])
    const phone = { amount: 40, name: 'Ada', recipient: '+14155552671', description: 'Painting' }
    expect(await sender.post('/v3/invoice', phone), 201)
    assert.equal(await mailInvoices(deps, baseUrl), 0)
  })

  test('is paid from an account that two micro-deposits confirmed, with the authorization stored and mailed', async () => {
    const { id, email, page } = await invoiceOutside()
    const given = account()
    const pending = expect(await page('account', given), 200).body
    assert.deepEqual(pending.bank, { name: 'Ada Outside', account: given.account.slice(-4), status: 'PENDING' })
    assert.equal(pending.authorization, null)
    expect(await page('pay', { authorization: 'I agree' }), 400, 'invoice_not_payable')
    const wrong = expect(await page('verify', { amount_1: 0.5, amount_2: 0.6 }), 200).body
    assert.deepEqual([wrong.bank.status, wrong.tries_left], ['PENDING', 2])
    const { bank, authorization, tries_left } = expect(await page('verify', RIGHT), 200).body
    assert.deepEqual([bank.status, tries_left], ['VERIFIED', null])
    for (const part of ['Ada Outside', '$40.00', given.account.slice(-4)]) assert.ok(authorization.includes(part), part)
    expect(await page('pay', { authorization: 'I agree to something else' }), 400, 'invalid_request')
    assert.equal(expect(await page('pay', { authorization }), 200).body.status, 'IN_PROCESS')
    const [kept] = await authorizationsOf(id)
    assert.deepEqual([kept?.text, kept?.paymentId], [authorization, await paymentOf(id)])
    assert.ok(kept?.address)
    const [copy] = await mailsTo(service, email)
    assert.ok(copy?.text.includes(authorization), copy?.text)
    for (let day = 0; day < 6; day++) {
      clock.advance(DAY)
      await doDueWork()
    }
    assert.equal(await stateOf(id), 'PAID')
    assert.equal(expect(await page('read'), 200).body.status, 'PAID')
    const { users } = (await service.owner.get('/v3/user/list')).body
    assert.ok(!users.some(({ name }: { name: string }) => name === 'Ada Outside'), 'the payer is no user')
    await assertLedger(service)
  })

  test('is an incoming payment of the platform, once, and does not count as sent', async () => {
    const { api: owner } = await service.newOwner()
    await addVerifiedBank(owner)
    const { page, id } = await invoiceOutside({}, owner)
    expect(await pay(page), 200)
    const { check_id: payment } = (await owner.get(`/v3/invoice/${id}`)).body
    clock.advance(1)
    type Row = { id: string; direction: string; sender: string }
    const list = async (query: string) =>
      ((await owner.get(`/v3/payment${query}`)).body.payments as Row[]).map((row) => [
        row.id,
        row.direction,
        row.sender,
      ])
    const row = [payment, 'INCOMING', 'Ada Outside']
    for (const query of ['', '?direction=INCOMING', `?user=${(await owner.get('/v3/user')).body.user.id}`]) {
      assert.deepEqual(await list(query), [row], query)
    }
    assert.deepEqual(await list('?direction=OUTGOING'), [])
    assert.equal((await owner.get(`/v3/payment/${payment}`)).body.direction, 'INCOMING')
    const { sent, waiting, failed } = (await owner.get('/v3/stats/summary')).body
    assert.deepEqual([sent.count, waiting.count, failed.count], [0, 0, 0])
  })

  test('gives the owner of the platform no access to its payer, whose id is in the audit trail', async () => {
    const { api: owner, id: platformId } = await service.newOwner()
    await addBank(owner)
    expect(await pay((await invoiceOutside({}, owner)).page), 200)
    const { audit } = (await owner.get('/v3/audit')).body
    const guest = audit.find(({ action }: { action: string }) => action === 'bank_verified').user_id
    assert.match(guest, /^[0-9a-f]{32}$/)
    expect(await owner.post(`/v3/user/${guest}/api_key`, {}), 404, 'user_not_found')
    expect(await owner.get(`/v3/user/${guest}`), 404, 'user_not_found')
    expect(await owner.del(`/v3/user/${guest}`), 404, 'user_not_found')
    expect(await owner.put(`/v3/user/${guest}/limit`, { day: 1 }), 404, 'user_not_found')
    for (const list of ['limit', 'bank', 'payment']) {
      expect(await owner.get(`/v3/${list}?user=${guest}`), 404, 'user_not_found')
    }
    assert.match(await userCommand({ owner: platformId, user: guest }, ['show'])(deps), /VERIFIED/)
  })

  test('is paid from an account that its institution confirmed', async () => {
    const { id, page } = await invoiceOutside()
    const { institutions } = expect(await page('institutions'), 200).body
    const [{ id: institution_id }] = institutions
    const values = { username: 'user_code', password: 'pass_good' }
    const { mfa } = expect(await page('sign-in', { institution_id, values }), 200).body
    const signedIn = await page('sign-in', { mfa_id: mfa.id, values: { code: '123123' } })
    const [{ routing, account: number }] = expect(signedIn, 200).body.accounts
    const given = account({ routing, account: number })
    const { bank, authorization } = expect(await page('account', given), 200).body
    assert.equal(bank.status, 'VERIFIED')
    expect(await page('pay', { authorization }), 200)
    assert.equal(await stateOf(id), 'IN_PROCESS')
    expect(await page('sign-in', { institution_id, values }), 400, 'invoice_not_payable')
    const refused = await (await invoiceOutside()).page('sign-in', {
      institution_id,
      values: { username: 'user_good', password: 'no' },
    })
    expect(refused, 400, 'institution_login_refused')
  })

  test('needs no stored signature, whatever its amount, because the debit is authorized on the page', async (t) => {
    const limits = { paymentCents: 1_000_000, dayCents: 1_000_000, monthCents: 3_000_000 }
    const own = await startTestService(t, { settings: { limits, signatureAboveCents: 200_000 } })
    const [user, email] = [await own.newUser(), newEmail()]
    await addBank(user)
    const invoice = { amount: 2_500, name: 'Ada Outside', recipient: email, description: 'Painting' }
    const { id } = expect(await user.post('/v3/invoice', invoice), 201).body
    await mailInvoices(own.deps, own.baseUrl)
    const token = /\/invoice\/([A-Za-z0-9]{40})$/m.exec((await mailsTo(own, email))[0]?.text ?? '')?.[1] ?? ''
    own.secrets.add(token)
    const page: InvoicePage = (path, body = {}) =>
      openBrowserAt(own).post(`/web/v1/invoice/${path}`, { token, ...body })
    expect(await pay(page), 200)
    const authorizations = await own.deps.sql`select 1 from debit_authorizations where invoice_id = ${id}`
    assert.equal(authorizations.length, 1)
    const other = await own.newUser()
    const order = { amount: 2_500, name: 'Ada', recipient: other.userId }
    await addVerifiedBank(user)
    expect(await user.post('/v3/check/digital', order), 400, 'signature_needed')
  })

  test('loses its account after three wrong pairs, and after five accounts accepts no other', async () => {
    const { page } = await invoiceOutside()
    expect(await page('account', account()), 200)
    const tries = []
    for (let count = 0; count < 3; count++) tries.push((await page('verify', { amount_1: 0.5, amount_2: 0.6 })).body)
    assert.deepEqual(
      tries.map(({ tries_left, bank }) => [tries_left, bank.status]),
      [
        [2, 'PENDING'],
        [1, 'PENDING'],
        [0, 'DEPOSIT_ONLY'],
      ],
    )
    expect(await page('verify', RIGHT), 400, 'bank_not_pending')
    for (let count = 1; count < 5; count++) expect(await page('account', account()), 200)
    expect(await page('account', account()), 429, 'too_many_tries')
  })

  test('is unpaid again when its debit is returned, and the payer gets a mail', async () => {
    const { id, email, page } = await invoiceOutside()
    expect(await pay(page), 200)
    await triggerStatus(sender, await paymentOf(id), 'FAILED')
    assert.equal(await stateOf(id), 'UNPAID')
    const again = await mailedInvoice(email)
    const [mail] = await mailsTo(service, email)
    assert.ok(mail?.subject.includes('did not go through'), mail?.subject)
    const { authorization } = expect(await again('read'), 200).body
    expect(await again('pay', { authorization }), 200)
    assert.equal((await authorizationsOf(id)).length, 2)
    await assertLedger(service)
  })

  test('is paid once from two tabs, and of a concurrent payment and void one succeeds', async () => {
    const { id, page } = await invoiceOutside()
    const { authorization } = await verified(page)
    const both = await Promise.all([page('pay', { authorization }), page('pay', { authorization })])
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 400])
    assert.equal((await authorizationsOf(id)).length, 1)
    const other = await invoiceOutside()
    const agreed = (await verified(other.page)).authorization
    const [paid, voided] = await Promise.all([
      other.page('pay', { authorization: agreed }),
      sender.del(`/v3/invoice/${other.id}`),
    ])
    assert.deepEqual([paid.status, voided.status].sort(), [200, 400])
    assert.equal(await stateOf(other.id), paid.status === 200 ? 'IN_PROCESS' : 'VOID')
    assert.equal((await authorizationsOf(other.id)).length, paid.status === 200 ? 1 : 0)
    await assertLedger(service)
  })

  test('is mailed three reminders while it is unpaid, by the clock of the platform', async () => {
    const { id, email, page } = await invoiceOutside()
    const paid = await invoiceOutside()
    expect(await pay(paid.page), 200)
    for (let week = 0; week < 8; week++) {
      clock.advance(7 * DAY)
      await doDueWork()
      await mailInvoices(deps, baseUrl)
    }
    const mails = await mailsTo(service, email)
    assert.deepEqual(
      mails.map(({ subject }) => subject.startsWith('Reminder')),
      [true, true, true, false],
    )
    assert.equal((await mailsTo(service, paid.email)).filter(({ subject }) => subject.startsWith('Reminder')).length, 0)
    expect(await page('read'), 200)
    expect(await sender.del(`/v3/invoice/${id}`), 200)
    assert.equal(expect(await page('read'), 200).body.status, 'VOID')
    expect(await page('account', account()), 400, 'invoice_not_payable')
  })

  test('is mailed again at its sender’s request, three times a day', async () => {
    const { id, email, page } = await invoiceOutside()
    for (let count = 0; count < 3; count++) {
      expect(await sender.post(`/v3/invoice/notify/${id}`), 204)
      await mailInvoices(deps, baseUrl)
    }
    assert.equal((await mailsTo(service, email)).length, 4)
    expect(await sender.post(`/v3/invoice/notify/${id}`), 400, 'notify_limit_reached')
    expect(await (await newUser()).post(`/v3/invoice/notify/${id}`), 404, 'invoice_not_found')
    expect(await pay(page), 200)
    expect(await sender.post(`/v3/invoice/notify/${id}`), 400, 'not_notifiable')
  })

  test('has a link that is valid for a year', async () => {
    const { id, page } = await invoiceOutside()
    await deps.sql`update invoice_links set expires_at = ${deps.realClock.now()} where invoice_id = ${id}`
    expect(await page('read'), 404, 'link_not_found')
    await deps.sql`update invoice_links set expires_at = '2000-01-01' where invoice_id = ${id}`
    assert.equal(await sweep(deps, 'sweep recipient links'), 1)
  })
})

const match = async () => {
  while ((await matchRecipients(deps)) > 0);
  await service.applyOutbox()
}

suite('an invoice to an address', () => {
  const received = async (browser: Browser) => (await browser.get('/v3/invoice?direction=INCOMING')).body.invoices

  test('is found by a person who signs up with it, and paid on its page', async () => {
    const { id, email } = await invoiceOutside({ number: 'A-77' })
    const browser = await signUp(service, email)
    await match()
    const [listed] = await received(browser)
    assert.deepEqual(
      [listed.id, listed.number, listed.status, listed.direction, listed.check_id],
      [id, 'A-77', 'UNPAID', 'INCOMING', null],
    )
    assert.deepEqual((await browser.get(`/v3/invoice/${id}`)).body, listed)
    const { sender: name, has_page } = (await browser.get(`/web/v1/invoice/sender/${id}`)).body
    assert.deepEqual([name, has_page], [`Name of ${sender.userId}`, true])
    assert.equal((await browser.get(`/v3/invoice/${id}/attachment`)).headers.get('content-type'), 'application/pdf')
    const direct = await browser.post('/v3/invoice/payment', { id, amount: 40 })
    expect(direct, 400, 'invoice_not_payable')
    expect(await browser.post(`/v3/invoice/notify/${id}`), 403, 'not_the_sender')
    const { token } = expect(await browser.post(`/web/v1/invoice/open/${id}`), 200).body
    service.secrets.add(token)
    expect(await pay(openInvoice(token)), 200)
    await service.applyOutbox()
    assert.deepEqual(
      (await received(browser)).map(({ status }: { status: string }) => status),
      ['IN_PROCESS'],
    )
    await triggerStatus(sender, await paymentOf(id), 'FAILED')
    await service.applyOutbox()
    assert.equal((await browser.get(`/v3/invoice/${id}`)).body.status, 'UNPAID')
    const later = await sender.post('/v3/invoice', { amount: 5, name: 'Ada', recipient: email, description: 'Brush' })
    await mailInvoices(deps, baseUrl)
    await match()
    assert.deepEqual(
      (await received(browser)).map(({ id }: { id: string }) => id),
      [later.body.id, id],
    )
    assert.equal((await browser.get('/v3/invoice?direction=OUTGOING')).body.total, 0)
  })

  test('is prepared in the account that found it, and its link no longer accepts payments', async () => {
    const { id, email, page } = await invoiceOutside()
    const { authorization } = await verified(page)
    const browser = await signUp(service, email)
    await match()
    const prepare = (given: object = {}) => browser.post('/v3/approval/invoice', { id, amount: 40, ...given })
    expect(await prepare({ amount: 39.99 }), 400, 'invalid_request')
    expect(
      await (await signUp(service, newEmail())).post('/v3/approval/invoice', { id, amount: 40 }),
      404,
      'invoice_not_found',
    )
    const [before] = await deps.sql`select recipient_platform_id from invoices where id = ${id}`
    assert.equal(before?.recipientPlatformId, null)

    const prepared = expect(await prepare(), 201).body
    assert.deepEqual([prepared.amount, prepared.status], [40, 'UNPAID'])
    expect(await prepare(), 400, 'invoice_not_payable')
    expect(await page('pay', { authorization }), 400, 'invoice_not_payable')
    expect(await page('account', account()), 400, 'invoice_not_payable')
    const shown = expect(await page('read'), 200).body
    assert.deepEqual([shown.in_account, shown.bank], [true, null])
    await service.applyOutbox()
    const [listed, ...others] = await received(browser)
    assert.deepEqual([listed.id, listed.status, others], [id, 'UNPAID', []])
    const { has_page, waits } = (await browser.get(`/web/v1/invoice/sender/${id}`)).body
    assert.deepEqual([has_page, waits], [false, true])
    expect(await browser.post(`/web/v1/invoice/open/${id}`), 400, 'invoice_not_payable')

    await addVerifiedBank(browser)
    const paid = expect(await browser.post('/v3/approval/release', { id: prepared.id }), 200).body
    assert.equal(paid.status, 'IN_PROCESS')
    await service.applyOutbox()
    assert.equal(await stateOf(id), 'IN_PROCESS')
    assert.deepEqual(
      (await received(browser)).map((each: { check_id: string }) => each.check_id),
      [paid.id],
    )
    await assertLedger(service)
  })

  test('is not prepared and voided at the same time', async () => {
    const { id, email } = await invoiceOutside()
    const browser = await signUp(service, email)
    await match()
    const answers = await holdingLock(
      ownerSql,
      (tx) => lockRow(tx, 'invoices', id),
      async (arrive) => [
        await arrive(() => browser.post('/v3/approval/invoice', { id, amount: 40 })),
        await arrive(() => sender.del(`/v3/invoice/${id}`)),
      ],
    )
    const [prepared, voided] = await Promise.all(answers.map(({ result }) => result))
    assert.ok(prepared && voided)
    expect(prepared, 201)
    expect(voided, 400, 'invoice_not_payable')
    expect(await sender.del(`/v3/invoice/${id}`), 200)
    await service.applyOutbox()
    assert.equal((await browser.get(`/v3/invoice/${id}`)).body.status, 'VOID')
    expect(await browser.post('/v3/approval/release', { id: prepared.body.id }), 400, 'invoice_not_payable')
  })

  test('is either paid by its link or prepared in the account that found it, even if a worker crashes in between', async () => {
    for (const isLinkFirst of [true, false]) {
      const { id, email, page } = await invoiceOutside()
      const { authorization } = await verified(page)
      const browser = await signUp(service, email)
      await match()
      const prepare = () => browser.post('/v3/approval/invoice', { id, amount: 40 })
      const byLink = () => page('pay', { authorization })
      const answers = await Promise.all(isLinkFirst ? [byLink(), prepare()] : [prepare(), byLink()])
      const outcomes = answers.map(({ status }) => (status === 400 ? 'refused' : 'done')).sort()
      assert.deepEqual(outcomes, ['done', 'refused'], JSON.stringify(answers.map(({ body }) => body)))
      await service.applyOutbox()
      const { total } = (await browser.get('/v3/approval')).body
      assert.deepEqual(
        [await stateOf(id), total],
        answers.some(({ status, body }) => status === 201 && body.id) ? ['UNPAID', 1] : ['IN_PROCESS', 0],
      )
    }
    // The move has committed, and the process crashes before the approval is written.
    const { id, email } = await invoiceOutside()
    const browser = await signUp(service, email)
    await match()
    expect(await browser.post('/v3/approval/invoice', { id, amount: 40 }), 201)
    await ownerSql`delete from approvals where invoice_id = ${id}`
    await ownerSql`delete from invoices where id = ${id} and sender_platform_id is not null`
    await service.applyOutbox()
    expect(await browser.post('/v3/approval/invoice', { id, amount: 40 }), 201)
  })

  test('belongs to no one before the address is verified, and another account cannot open it', async () => {
    const { id, email } = await invoiceOutside()
    const begun = { email, password: PASSWORD, name: 'Stranger' }
    assert.equal((await openBrowserAt(service).post('/web/v1/sign-up', begun)).status, 201)
    await match()
    const [before] = await deps.sql`select recipient_platform_id from invoices where id = ${id}`
    assert.equal(before?.recipientPlatformId, null)
    const other = await signUp(service, newEmail())
    await signUp(service, email)
    await match()
    assert.deepEqual(await received(other), [])
    for (const path of [`/v3/invoice/${id}`, `/web/v1/invoice/sender/${id}`, `/v3/invoice/${id}/attachment`])
      expect(await other.get(path), 404, 'invoice_not_found')
    expect(await other.post(`/web/v1/invoice/open/${id}`), 404, 'invoice_not_found')
  })
})

const dashboard = await openDashboard({ after }, service)

suite('an invoice whose debit comes back after the payout', () => {
  test('stays PAID: its payer owes the money, and is not asked to pay again', async () => {
    const { id, email, page } = await invoiceOutside({ amount: 40.64 })
    expect(await pay(page), 200)
    for (let day = 0; day < 75; day++) {
      clock.advance(24 * 3_600)
      await doDueWork()
      while ((await mailInvoices(deps, baseUrl)) > 0);
    }
    const paymentId = await paymentOf(id)
    assert.equal((await sender.get(`/v3/check/${paymentId}`)).body.status, 'FAILED')
    assert.equal(await stateOf(id), 'PAID')
    const mails = await mailsTo(service, email)
    assert.ok(!mails.some(({ text }) => text.includes('unpaid again') || text.includes('Reminder')))
    expect(await page('pay', { authorization: 'x' }), 400, 'invoice_not_payable')
    const debts = await debtCommand({}, ['list'])(deps)
    assert.match(debts, /Ada Outside \(payer without an account\) +\w+ +\$40\.64/)
  })
})

suite('the page of an invoice', () => {
  test('lets a payer without an account pay in a browser, and the sender’s webhook reports it', async (t) => {
    const { page, button, assertGoodPage, complaints } = dashboard
    const receiver = await startReceiver(t)
    const payee = await newUser()
    await addBank(payee)
    await setWebhook(payee, receiver.url)
    const { id, email } = await invoiceOutside({ description: 'Painting of the fence' }, payee)
    const [mail] = await mailsTo(service, email)
    const [, path] = /(\/invoice\/[A-Za-z0-9]{40})$/m.exec(mail?.text ?? '') ?? []
    await page.goto(path as string)
    await page.getByText('Painting of the fence').waitFor()
    await page.getByRole('heading', { name: 'Sign in to your bank' }).waitFor()
    await assertGoodPage('payer-sign-in')
    await button('Enter account numbers instead').click()
    await button('Continue').click()
    await page.getByText('Enter the routing number.').waitFor()
    await assertGoodPage('payer-account')
    const given = newAccountNumber()
    await page.getByLabel('Routing number').fill('021000021')
    await page.getByLabel('Account number', { exact: true }).fill(given)
    await page.getByLabel('Confirm account number').fill(given)
    await button('Continue').click()
    await page.getByRole('heading', { name: 'Confirm your account' }).waitFor()
    await page.goto(path as string) // with the same link, days later
    await page.getByLabel('First amount').fill('0.50')
    await page.getByLabel('Second amount').fill('0.60')
    await button('Confirm account').click()
    await page.getByText('You have 2 tries left.').waitFor()
    await assertGoodPage('payer-confirm')
    await page.getByLabel('First amount').fill('0.15')
    await page.getByLabel('Second amount').fill('0.07')
    await button('Confirm account').click()
    await page.getByRole('heading', { name: 'Authorize the payment' }).waitFor()
    await button('Pay $40.00').click()
    await page.getByText('Agree to the authorization to pay.').waitFor()
    await page.getByLabel('I agree to this authorization').check()
    await assertGoodPage('payer-authorize')
    await button('Pay $40.00').click()
    await page.getByRole('heading', { name: 'Your payment is on its way' }).waitFor()
    await assertGoodPage('payer-on-its-way')
    assert.deepEqual(
      complaints.filter((complaint) => !/status of 400/.test(complaint)),
      [],
    )
    await deliverWebhooks()
    for (let day = 0; day < 6; day++) {
      clock.advance(DAY)
      await doDueWork()
    }
    await deliverWebhooks()
    const key = await readWebhookKey(payee)
    const about = receiver.received.filter(({ body }) => body.includes(id))
    assert.deepEqual(
      about.map(({ body }) => JSON.parse(body)),
      [
        { id, status: 'IN_PROCESS', type: 'INVOICE' },
        { id, status: 'PAID', type: 'INVOICE' },
      ],
    )
    for (const one of about) assert.ok(isAuthentic(one, key))
    await page.reload()
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    await assertGoodPage('payer-paid')
    await page.getByRole('link', { name: 'sign up' }).click() // and finds it
    await page.getByLabel('Name').fill('Ada Outside')
    await page.getByLabel('Email').fill(email)
    await page.locator('input[type=password]').fill(PASSWORD)
    await button('Sign up').click()
    await page.getByRole('heading', { name: 'Confirm your email' }).waitFor()
    await page.getByLabel('Code').fill(await mailedCode(openBrowserAt(service), email))
    await button('Confirm').click()
    await page.getByRole('heading', { name: 'Invoices', exact: true }).waitFor()
    await match()
    await page.reload()
    await page.getByRole('link', { name: 'Painting' }).click()
    await page.getByRole('heading', { name: 'Invoice for $40.00' }).waitFor()
    await page.getByText('The invoice is paid.').waitFor()
    await page.getByText(`Name of ${payee.userId}`).waitFor()
    await assertGoodPage('received-invoice-paid')
  })

  test('accepts an account that a sign-in at its bank confirmed', async () => {
    const { page, button, assertGoodPage } = dashboard
    const { email } = await invoiceOutside()
    const [mail] = await mailsTo(service, email)
    await page.goto(/(\/invoice\/[A-Za-z0-9]{40})$/m.exec(mail?.text ?? '')?.[1] as string)
    await page.getByLabel('Username').fill('user_question')
    await page.locator('input[type=password]').fill('pass_good')
    await button('Sign in').click()
    await page.getByLabel('Your favorite color').fill('blue')
    await button('Sign in').click()
    await page.getByLabel('Account', { exact: true }).selectOption('Simulated Savings •••• 3302')
    assert.equal(await page.getByLabel('Account type').inputValue(), 'SAVINGS')
    await assertGoodPage('payer-choose')
    await button('Use this account').click()
    await page.getByRole('heading', { name: 'Authorize the payment' }).waitFor()
  })
})
