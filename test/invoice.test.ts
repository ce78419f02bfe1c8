import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import type { Sql } from '../src/foundation/db/connect.ts'
import { verifyLedger } from '../src/money/ledger/verify-actions.ts'
import { followUserStatus } from '../src/operation/scheduler/user-status-work.ts'
import type { Answer, Api } from './support/api.ts'
import { type Browser, signIn } from './support/browser.ts'
import { readPages } from './support/check-pdf.ts'
import { refusingRecords } from './support/crash.ts'
import { JPEG } from './support/images.ts'
import { holdingLock, lockRow } from './support/locks.ts'
import { assertLedger, balanceOf, newWallet } from './support/money.ts'
import { newAccountHolder } from './support/oauth.ts'
import { triggerStatus } from './support/payments.ts'
import { allRows } from './support/rows.ts'
import { addBank, addVerifiedBank, startTestService } from './support/service.ts'
import { newMember } from './support/team.ts'

// Requests for a payment (specification.md 5.11).

const service = await startTestService({ after })
const { deps, newUser, owner, ownerSql } = service
const URL = '/v3/invoice'
const PDF = Buffer.from('%PDF-1.4\n%%EOF').toString('base64')

type Client = Pick<Browser | Api, 'get' | 'post' | 'put' | 'del'>

function expect(answer: Answer, status: number, code?: string): Answer {
  assert.deepEqual([answer.status, answer.body?.code], [status, code], answer.text)
  return answer
}

/** A user who is paid into a bank, and one who pays from a verified bank. */
async function newPair() {
  const [sender, payer] = [await newUser(), await newUser()]
  return { sender, payer, senderBank: await addBank(sender), payerBank: await addVerifiedBank(payer) }
}

type Pair = Awaited<ReturnType<typeof newPair>>

const order = (payer: { userId: string }, more: object = {}) => ({
  amount: 40,
  name: 'Payer',
  recipient: payer.userId,
  description: 'Painting',
  ...more,
})

const invoice = async (
  { sender, payer }: { sender: Api; payer: { userId: string } },
  more: object = {},
): Promise<string> => expect(await sender.post(URL, order(payer, more)), 201).body.id

const pay = (by: Api, id: string, more: object = {}) => by.post(`${URL}/payment`, { id, amount: 40, ...more })
const read = async (by: Api, id: string) => expect(await by.get(`${URL}/${id}`), 200).body
const stateOf = async (by: Api, id: string) => {
  const { status, check_id } = await read(by, id)
  return [status, check_id]
}
const countOf = async (by: Api, path: string) => (await by.get(path)).body.total

/** The bodies of the webhooks about an invoice. */
const eventsOf = async (id: string) =>
  (await deps.sql<{ body: string }[]>`select body from events where subject_id = ${id} order by created_at, id`).map(
    ({ body }) => JSON.parse(body),
  )

suite('an invoice', () => {
  test('has its own numbers, and both sides see it', async () => {
    const pair = await newPair()
    const { sender, payer } = pair
    const { body } = expect(await sender.post(URL, order(payer)), 201)
    const { id, date } = body
    assert.deepEqual(body, {
      id,
      amount: 40,
      date,
      name: 'Payer',
      number: '1',
      recipient: payer.userId,
      description: 'Painting',
      status: 'UNPAID',
    })
    const shown = { ...body, check_id: null, attachment_uri: null }
    assert.deepEqual(await read(sender, id), { ...shown, direction: 'OUTGOING' })
    assert.deepEqual(await read(payer, id), { ...shown, direction: 'INCOMING' })
    assert.equal((await sender.get('/v3/user')).body.user.invoice_number, 2)
    assert.equal((await read(sender, await invoice(pair, { number: 'A-7' }))).number, 'A-7')
    expect(await sender.put('/v3/user', { user: { invoice_number: 100_000_000 } }), 200)
    const numbers = [await invoice(pair), await invoice(pair)]
    assert.deepEqual(await Promise.all(numbers.map(async (one) => (await read(sender, one)).number)), [
      '100000000',
      '1',
    ])
    assert.deepEqual(await eventsOf(id), [])
  })

  test('can be sent to the owner of the platform by its email address', async () => {
    const platform = await service.newOwner()
    const sender = await newUser(undefined, platform.api)
    await addBank(sender)
    const { body } = expect(await sender.post(URL, order({ userId: platform.email })), 201)
    assert.equal((await read(platform.api, body.id)).direction, 'INCOMING')
  })

  test('keeps its attachment as a PDF', async () => {
    const pair = await newPair()
    for (const attachment of [PDF, { filename: 'photo.jpg', content: JPEG.toString('base64') }]) {
      const id = await invoice(pair, { attachment })
      const { attachment_uri: uri } = await read(pair.payer, id)
      assert.ok(uri.endsWith(`${URL}/${id}/attachment`))
      const file = await pair.payer.get(`${URL}/${id}/attachment`)
      assert.deepEqual(
        [file.status, file.headers.get('content-type'), file.text.slice(0, 5)],
        [200, 'application/pdf', '%PDF-'],
      )
    }
  })

  test('with a picture and an Idempotency-Key is sent once, also if the answer could not be recorded', async () => {
    const { sender, payer } = await newPair()
    const send = () =>
      sender.post(URL, order(payer, { attachment: JPEG.toString('base64') }), { idempotencyKey: 'with a picture' })
    expect(await refusingRecords(ownerSql, send), 500, 'internal_error')
    const sent = expect(await send(), 201)
    assert.equal((await send()).text, sent.text)
    assert.deepEqual(
      (await sender.get(URL)).body.invoices.map(({ id }: { id: string }) => id),
      [sent.body.id],
    )
  })

  test('without an attachment is a PDF with all its data', async () => {
    const pair = await newPair()
    const id = await invoice(pair, { amount: 1_234.5, description: 'Painting of the façade' })
    const file = await fetch(`${service.baseUrl}${URL}/${id}/attachment`, {
      headers: { authorization: pair.payer.credential },
    })
    assert.equal(file.headers.get('content-disposition')?.split(';')[1], ' filename="invoice-1.pdf"')
    const pages = readPages(Buffer.from(await file.arrayBuffer()))
    const texts = pages.flatMap((page) => page.texts.map(({ text }) => text))
    const { sender, payer } = pair
    for (const text of ['Number 1', `Name of ${sender.userId}`, payer.userId, 'Painting of the façade', '$1,234.50']) {
      assert.ok(texts.includes(text), `${text} is not in ${texts.join(' | ')}`)
    }
    assert.equal(pages.length, 1)
  })

  test('is refused with the name of the field, and writes nothing', async () => {
    const { sender, payer } = await newPair()
    const bare = await newUser()
    const cases: [Api, object, number, string, string?][] = [
      [sender, { recipient: sender.userId }, 400, 'own_recipient', 'recipient'],
      [sender, { recipient: 'nobody-of-that-name' }, 400, 'invalid_recipient', 'recipient'],
      [sender, { account: bare.id }, 404, 'bank_not_found', 'account'],
      [bare, {}, 400, 'invalid_request', 'account'],
      [sender, { amount: 0 }, 400, 'invalid_request', 'amount'],
      [sender, { attachment: 'bm9wZQ==' }, 400, 'invalid_attachment'],
    ]
    for (const [by, more, status, code, field] of cases) {
      const { body } = expect(await by.post(URL, order(payer, more)), status, code)
      if (field) assert.deepEqual(Object.keys(body.errors), [field])
    }
    assert.equal(await countOf(sender, URL), 0)
    assert.equal((await sender.get('/v3/user')).body.user.invoice_number, 1)
  })

  test('to oneself is refused by user_id, phone and email in any notation', async () => {
    const [dialed, mail] = [await newUser('+14155552681'), await newUser('Me.Self@Example.com')]
    const { sender } = await newPair()
    const owner = await service.newOwner()
    for (const api of [dialed, mail, owner.api]) await addBank(api)
    await sender.put('/v3/user', { user: { phone: '(415) 555-2680' } })
    await deps.sql`update receiving_addresses set verified_at = null where platform_id = ${owner.id}`
    const monthly = { amount: 10, name: 'Me', description: 'Rent', interval: 'MONTHLY' }
    const rows = await allRows(deps.sql)
    for (const [by, recipients] of [
      [sender, ['+14155552680', '4155552680', ' (415) 555 2680']],
      [dialed, ['+14155552681', '415-555-2681']],
      [mail, ['Me.Self@Example.com', 'me.self@example.com', 'ME.SELF@EXAMPLE.COM']],
      [owner.api, [owner.email, owner.email.toUpperCase()]],
    ] as const) {
      for (const recipient of recipients) {
        for (const answer of [
          await by.post(URL, { amount: 10, name: 'Me', description: 'Rent', recipient }),
          await by.post('/v3/subscription/invoice', { ...monthly, recipient }),
        ]) {
          assert.deepEqual(Object.keys(expect(answer, 400, 'own_recipient').body.errors), ['recipient'])
        }
      }
    }
    assert.deepEqual(await allRows(deps.sql), rows)
  })

  test('can be voided only by its sender, while it is unpaid', async () => {
    const pair = await newPair()
    const [sender, payer, id] = [pair.sender, pair.payer, await invoice(pair)]
    expect(await (await newUser()).del(`${URL}/${id}`), 404, 'invoice_not_found')
    expect(await payer.del(`${URL}/${id}`), 403, 'not_the_sender')
    expect(await sender.del(`${URL}/${id}`), 200)
    assert.deepEqual(await stateOf(payer, id), ['VOID', null])
    expect(await sender.del(`${URL}/${id}`), 400, 'invoice_not_payable')
    expect(await pay(payer, id), 400, 'invoice_not_payable')
    assert.deepEqual(await eventsOf(id), [{ id, status: 'VOID', type: 'INVOICE' }])
  })

  test('is voided when its sender is deleted', async () => {
    const pair = await newPair()
    const id = await invoice(pair)
    expect(await owner.del(`/v3/user/${pair.sender.id}`), 200)
    assert.deepEqual(await stateOf(pair.payer, id), ['VOID', null])
    assert.equal((await pair.payer.get(`${URL}/${id}/attachment`)).status, 200)
  })

  test('is voided when its payout is returned after its sender was deleted', async () => {
    const { sender, payer } = await newPair()
    const id = await invoice({ sender, payer })
    const account = await newWallet(payer, 100)
    expect(await pay(payer, id, { account }), 201)
    const { check_id: paymentId } = await read(payer, id)
    await triggerStatus(payer, paymentId, 'PAID')
    expect(await owner.del(`/v3/user/${sender.id}`), 200)
    while ((await followUserStatus(deps)) > 0);
    await triggerStatus(payer, paymentId, 'FAILED')
    while ((await followUserStatus(deps)) > 0);
    assert.deepEqual(await stateOf(payer, id), ['VOID', null])
    expect(await pay(payer, id, { account }), 400, 'invoice_not_payable')
  })

  test('is one of many that are voided in the background when their sender is deleted', async () => {
    const pair = await newPair()
    const { platformId } =
      (await deps.sql<{ platformId: string }[]>`select platform_id from users where id = ${pair.payer.id}`)[0] ?? {}
    const id = await invoice(pair)
    await ownerSql`
      insert into invoices (
        platform_id, id, sender_id, recipient_id, recipient, status, number, amount_cents, name, description, created_at, updated_at
      )
      select
        platform_id, gen_random_uuid(), sender_id, recipient_id, recipient, status, number, amount_cents, name, description,
        created_at, updated_at
      from invoices, generate_series(1, 149)
      where platform_id = ${platformId as string} and id = ${id}
    `
    const left = async () => (await pair.payer.get(`${URL}?status=UNPAID`)).body.total
    assert.equal(await left(), 150)
    expect(await owner.del(`/v3/user/${pair.sender.id}`), 200)
    assert.equal(await left(), 50)
    await followUserStatus(deps)
    assert.equal(await left(), 0)
    assert.equal(await followUserStatus(deps), 0)
  })
})

suite('paying an invoice', () => {
  test('makes a payment from the bank of its recipient into the account of its sender', async () => {
    const pair = await newPair()
    const { sender, payer, senderBank } = pair
    const id = await invoice(pair)
    const { body } = expect(await pay(payer, id), 201)
    const { id: paymentId, date } = body
    const name = `Name of ${sender.userId}`
    assert.deepEqual(body, { id: paymentId, amount: 40, date, name, status: 'IN_PROCESS' })
    assert.deepEqual(await stateOf(sender, id), ['IN_PROCESS', paymentId])
    const payment = (await payer.get(`/v3/check/${paymentId}`)).body
    assert.deepEqual([payment.recipient, payment.description], [sender.userId, 'Painting'])
    const [row] = await deps.sql`select destination_id, status from payments where id = ${paymentId}`
    assert.deepEqual(row, { destinationId: senderBank, status: 'IN_PROCESS' })
    await triggerStatus(payer, paymentId, 'PAID')
    assert.deepEqual(await stateOf(payer, id), ['PAID', paymentId])
    assert.deepEqual(
      (await eventsOf(id)).map(({ status }) => status),
      ['IN_PROCESS', 'PAID'],
    )
    await assertLedger(service)
  })

  test('moves the money at once from wallet to wallet', async () => {
    const pair = await newPair()
    const { sender, payer } = pair
    const [from, to] = [await newWallet(payer, 100), await newWallet(sender, 0)]
    const id = await invoice(pair, { account: to })
    const refusal = expect(await pay(payer, id), 400, 'invalid_deposit_option')
    assert.deepEqual(refusal.body.errors, { account: ['must be a wallet, because this invoice is paid into one'] })
    const { body } = expect(await pay(payer, id, { account: from }), 201)
    assert.equal(body.status, 'PAID')
    assert.deepEqual(await stateOf(payer, id), ['PAID', body.id])
    assert.deepEqual([await balanceOf(payer, from), await balanceOf(sender, to)], [60, 40])
    assert.deepEqual(await eventsOf(id), [{ id, status: 'PAID', type: 'INVOICE' }])
    await assertLedger(service)
  })

  test('notifies the sender and the recipient by webhook', async () => {
    const pair = await newPair()
    for (const user of [pair.sender, pair.payer]) {
      expect(await user.put('/v3/user', { developer: { webhook_uri: `https://${user.userId}.example/hook` } }), 200)
    }
    const id = await invoice(pair)
    expect(await pay(pair.payer, id), 201)
    const receivers = await deps.sql<{ userId: string }[]>`
      select e.user_id
      from deliveries d
      join endpoints e on e.platform_id = d.platform_id and e.id = d.endpoint_id
      where d.subject_id = ${id}
    `
    assert.deepEqual(receivers.map(({ userId }) => userId).sort(), [pair.sender.id, pair.payer.id].sort())
  })

  test('is possible again after its payment ended, even after it was paid', async () => {
    const pair = await newPair()
    const { sender, payer } = pair
    const id = await invoice(pair)
    const ends: [string, (paymentId: string) => Promise<unknown>][] = [
      ['voided', async (paymentId) => expect(await payer.del(`/v3/check/${paymentId}`), 200)],
      ['failed', (paymentId) => triggerStatus(payer, paymentId, 'FAILED', { return_code: 'R03' })],
      [
        'failed after it was paid',
        async (paymentId) => {
          await triggerStatus(payer, paymentId, 'PAID')
          assert.deepEqual(await stateOf(sender, id), ['PAID', paymentId])
          await triggerStatus(payer, paymentId, 'FAILED', { return_code: 'R03' })
        },
      ],
      ['refunded', (paymentId) => triggerStatus(payer, paymentId, 'REFUNDED')],
    ]
    for (const [how, end] of ends) {
      const { body } = expect(await pay(payer, id), 201)
      await end(body.id)
      assert.deepEqual(await stateOf(sender, id), ['UNPAID', null], how)
      expect(await sender.post(`/v3/check/deposit/${body.id}`, { account: pair.senderBank }), 400, 'not_depositable')
      await assertLedger(service)
    }
    const { body: last } = expect(await pay(payer, id), 201)
    await service.clock.advance(20 * 24 * 3600)
    await service.doDueWork()
    assert.deepEqual(await stateOf(sender, id), ['PAID', last.id])
    await assertLedger(service)
  })

  test('returns the money of a failed payment to the payer at once, because it cannot be deposited again', async () => {
    const pair = await newPair()
    const [wallet, id] = [await newWallet(pair.payer, 100), await invoice(pair)]
    const { body } = expect(await pay(pair.payer, id, { account: wallet }), 201)
    assert.equal(body.status, 'IN_PROCESS')
    await triggerStatus(pair.payer, body.id, 'FAILED', { return_code: 'R03' })
    await service.doDueWork()
    assert.equal((await pair.payer.get(`/v3/check/${body.id}`)).body.status, 'REFUNDED')
    assert.equal(await balanceOf(pair.payer, wallet), 100)
    assert.deepEqual(await stateOf(pair.sender, id), ['UNPAID', null])
    await assertLedger(service)
  })

  test('needs the exact amount, its recipient, and an account that can pay', async () => {
    const pair = await newPair()
    const { sender, payer } = pair
    const id = await invoice(pair)
    const cases: [Api, object, number, string, string?][] = [
      [payer, { amount: 39.99 }, 400, 'invalid_request', 'amount'],
      [payer, { account: pair.senderBank }, 404, 'bank_not_found', 'account'],
      [payer, { account: await newWallet(payer, 1) }, 400, 'insufficient_funds', 'account'],
      [sender, {}, 400, 'invoice_not_payable'],
      [await newUser(), {}, 404, 'invoice_not_found'],
      [owner, {}, 404, 'invoice_not_found'],
    ]
    for (const [by, more, status, code, field] of cases) {
      const { body } = expect(await pay(by, id, more), status, code)
      if (field) assert.deepEqual(Object.keys(body.errors), [field])
    }
    assert.deepEqual(await stateOf(payer, id), ['UNPAID', null])
    expect(await payer.put('/v3/user', { payment: { dual_control: true } }), 200)
    expect(await pay(payer, id), 403, 'approval_required')
    assert.equal(await countOf(payer, '/v3/check'), 0)
  })

  test('is impossible while its sender cannot be paid', async () => {
    const pair = await newPair()
    const id = await invoice(pair)
    expect(await pair.sender.del(`/v3/bank/${pair.senderBank}`), 200)
    expect(await pay(pair.payer, id), 400, 'invoice_not_payable')
    const [wallet, suspended] = [await newWallet(pair.sender, 0), await newPair()]
    const other = await invoice(pair, { account: wallet })
    expect(await pair.sender.del(`/v3/account/wallet/${wallet}`), 200)
    expect(await pay(pair.payer, other, { account: await newWallet(pair.payer, 50) }), 400, 'invoice_not_payable')
    const third = await invoice(suspended)
    await deps.sql`update users set status = 'SUSPENDED' where id = ${suspended.sender.id}`
    expect(await pay(suspended.payer, third), 400, 'invoice_not_payable')
  })

  const races: [string, (pair: Pair & { wallet: string }, id: string) => Promise<Answer>][] = [
    ['a second payment from another account', ({ payer, wallet }, id) => pay(payer, id, { account: wallet })],
    ['its deletion by the sender', ({ sender }, id) => sender.del(`${URL}/${id}`)],
  ]
  for (const [name, other] of races) {
    for (const isFirst of [true, false]) {
      test(`and ${name} at the same time: one wins, ${isFirst ? 'the payment' : 'the other one'} arriving first`, async () => {
        const users = await newPair()
        const { sender, payer } = users
        const pair = { ...users, wallet: await newWallet(payer) }
        const id = await invoice(pair)
        const requests = [() => pay(payer, id), () => other(pair, id)]
        const lock = (tx: Sql) => lockRow(tx, 'invoices', id)
        const results = await holdingLock(ownerSql, lock, async (arrive) => {
          const arrived: Promise<Answer>[] = []
          for (const request of isFirst ? requests : requests.toReversed()) arrived.push((await arrive(request)).result)
          return arrived.map((result) => ({ result })) // not awaited here: the lock is still held
        })
        const answers = await Promise.all(results.map(({ result }) => result))
        assert.deepEqual(answers.map(({ status, body }) => (status < 300 ? 'done' : body.code)).sort(), [
          'done',
          'invoice_not_payable',
        ])
        const { status, check_id: paymentId } = await read(sender, id)
        assert.equal(await countOf(payer, '/v3/check'), status === 'VOID' ? 0 : 1)
        assert.equal((await eventsOf(id)).length, 1)
        assert.equal(paymentId === null, status === 'VOID')
        await assertLedger(service)
      })
    }
  }

  test('with an Idempotency-Key gives the same answer again', async () => {
    const pair = await newPair()
    const id = await invoice(pair)
    const again = () => pair.payer.post(`${URL}/payment`, { id, amount: 40 }, { idempotencyKey: 'once' })
    const first = expect(await again(), 201)
    assert.equal((await again()).text, first.text)
    assert.equal(await countOf(pair.payer, '/v3/check'), 1)
  })
})

test('verify-ledger finds an invoice without its payment, and a payment that its invoice does not name', async () => {
  const pair = await newPair()
  const id = await invoice(pair)
  const { id: paymentId } = expect(await pay(pair.payer, id), 201).body
  const found = async () =>
    (await verifyLedger(deps)).flatMap(({ check, finding }) => finding.offending.map((row) => [check, row.id]))
  const wrong = [['invoices have the payments that they name', id]]
  assert.deepEqual(await found(), [])
  for (const change of ['payment_id = id', "payment_id = null, status = 'UNPAID'", "status = 'PAID'"]) {
    await ownerSql.unsafe(`update invoices set ${change} where id = '${id}'`)
    assert.deepEqual(await found(), wrong, change)
    await ownerSql`update invoices set payment_id = ${paymentId}, status = 'IN_PROCESS' where id = ${id}`
  }
  assert.deepEqual(await found(), [])
})

suite('a prepared payment of an invoice', () => {
  const APPROVAL = '/v3/approval'
  const prepare = (by: Client, id: string, more: object = {}) =>
    by.post(`${APPROVAL}/invoice`, { id, amount: 40, ...more })
  const release = (by: Client, id: string) => by.post(`${APPROVAL}/release`, { id })
  const approvalOf = async (by: Client, id: string) => (await by.get(`${APPROVAL}/${id}`)).body.status

  /** An invoice to the owner of a platform under dual control. */
  async function newTeamPair() {
    const holder = await newAccountHolder(service)
    const [preparer, approver] = [
      (await newMember(service, holder.id, 'preparer')).browser,
      (await newMember(service, holder.id, 'approver')).browser,
    ]
    const sender = await newUser(undefined, holder.api)
    const senderBank = await addBank(sender)
    expect(await holder.browser.put('/v3/user', { payment: { dual_control: true } }), 200)
    const payer = { ...holder.api, userId: holder.email }
    return { ...holder, payer, owner: holder.browser, preparer, approver, sender, senderBank }
  }

  test('is made by its release: the invoice, the payment and the approval change together', async () => {
    const team = await newTeamPair()
    const { owner, preparer, approver, sender, senderBank } = team
    const id = await invoice(team)
    expect(await pay(team.api, id), 403, 'approval_required')
    expect(await owner.post(`${URL}/payment`, { id, amount: 40 }), 403, 'approval_required')
    expect(await preparer.post(`${URL}/payment`, { id, amount: 40 }), 403, 'permission_denied')
    const { body: prepared } = expect(await prepare(preparer, id), 201)
    assert.deepEqual(
      [prepared.status, prepared.amount, prepared.name, prepared.description],
      ['UNPAID', 40, `Name of ${sender.userId}`, 'Painting'],
    )
    assert.deepEqual(await stateOf(sender, id), ['UNPAID', null])
    const twice = expect(await prepare(owner, id), 400, 'invoice_not_payable')
    assert.match(twice.body.message, /waits for approval/)
    const [item] = (await approver.get('/web/v1/approvals')).body.approvals
    assert.deepEqual(
      [item.kind, item.invoice, item.needed, item.next, item.prepared_by],
      ['INVOICE', { id, status: 'UNPAID' }, 1, 'release', 'The preparer'],
    )
    expect(await release(preparer, prepared.id), 403, 'permission_denied')
    const { body: payment } = expect(await release(approver, prepared.id), 200)
    assert.deepEqual([payment.amount, payment.status], [40, 'IN_PROCESS'])
    assert.deepEqual(await stateOf(sender, id), ['IN_PROCESS', payment.id])
    const [row] = await deps.sql`
      select p.destination_id, p.prepared_by <> p.released_by as by_two, a.status
      from payments p
      join approvals a on a.platform_id = p.platform_id and a.payment_id = p.id
      where p.id = ${payment.id}
    `
    assert.deepEqual(row, { destinationId: senderBank, byTwo: true, status: 'APPROVED' })
    expect(await release(approver, prepared.id), 400, 'approval_not_open')
    expect(await prepare(preparer, id), 400, 'invoice_not_payable')
    await triggerStatus(team.api, payment.id, 'FAILED')
    assert.deepEqual(await stateOf(sender, id), ['UNPAID', null])
    expect(await prepare(preparer, id), 201)
    await assertLedger(service)
  })

  test('cannot be released by its preparer, nor by a key or another session of the preparer', async () => {
    const team = await newTeamPair()
    const id = await invoice(team)
    const { body: prepared } = expect(await prepare(team.owner, id), 201)
    const { body: key } = expect(await team.owner.post('/v3/user/api_key', {}), 201)
    const ofOwner = service.as(`${key.id}:${key.secret}`)
    const second = await signIn(service, team)
    for (const by of [team.owner, team.api, ofOwner, second]) {
      expect(await release(by, prepared.id), 403, 'second_person_needed')
      expect(await by.post(`${APPROVAL}/${prepared.id}/approve`), 403, 'second_person_needed')
    }
    assert.deepEqual(await stateOf(team.sender, id), ['UNPAID', null])
    expect(await release(team.approver, prepared.id), 200)
  })

  test('can only be edited in its account, and an edit counts', async () => {
    const team = await newTeamPair()
    const wallet = await newWallet(team.api, 100)
    const to = await newWallet(team.sender, 0)
    const id = await invoice(team, { account: to })
    const { body: refused } = expect(await prepare(team.preparer, id), 400, 'invalid_deposit_option')
    assert.deepEqual(Object.keys(refused.errors), ['account'])
    const { body: prepared } = expect(await prepare(team.preparer, id, { account: wallet }), 201)
    for (const changes of [{ amount: 41 }, { name: 'Other' }, { recipient: 'other@example.com' }, { number: 7 }]) {
      const { body } = expect(await team.preparer.put(`${APPROVAL}/${prepared.id}`, changes), 400, 'invalid_request')
      assert.deepEqual(Object.keys(body.errors), Object.keys(changes))
    }
    expect(await team.owner.put(`${APPROVAL}/${prepared.id}`, { account: wallet }), 200)
    expect(await release(team.owner, prepared.id), 403, 'second_person_needed')
    assert.equal(expect(await release(team.approver, prepared.id), 200).body.status, 'PAID')
    assert.deepEqual([await balanceOf(team.api, wallet), await balanceOf(team.sender, to)], [60, 40])
    await assertLedger(service)
  })

  test('is refused at the release if the sender is paid into another account by then', async () => {
    const pair = await newPair()
    const id = await invoice(pair)
    const { body: prepared } = expect(await prepare(pair.payer, id), 201)
    const second = await addBank(pair.sender)
    expect(await pair.sender.put(`/v3/bank/${second}`, { default: true }), 200)
    expect(await release(pair.payer, prepared.id), 400, 'approval_payee_changed')
    assert.deepEqual(
      [await stateOf(pair.sender, id), await approvalOf(pair.payer, prepared.id)],
      [['UNPAID', null], 'UNPAID'],
    )
    expect(await pair.payer.del(`${APPROVAL}/${prepared.id}`), 200)
    const { body: again } = expect(await prepare(pair.payer, id), 201)
    expect(await release(pair.payer, again.id), 200)
  })

  test('belongs to the recipient of the invoice, with the exact amount of the invoice', async () => {
    const pair = await newPair()
    const stranger = await newUser()
    const id = await invoice(pair)
    expect(await prepare(stranger, id), 404, 'invoice_not_found')
    expect(await prepare(owner, id), 404, 'invoice_not_found')
    expect(await prepare(pair.sender, id), 400, 'invoice_not_payable')
    expect(await prepare(pair.payer, id, { amount: 41 }), 400, 'invalid_request')
    const voided = await invoice(pair)
    expect(await pair.sender.del(`${URL}/${voided}`), 200)
    expect(await prepare(pair.payer, voided), 400, 'invoice_not_payable')
    assert.equal((await pair.payer.get(APPROVAL)).body.total, 0)
  })

  const races: [string, (pair: Pair, given: { id: string; approval: string }) => Promise<Answer>, string][] = [
    ['a direct payment', ({ payer }, { id }) => pay(payer, id), 'invoice_not_payable'],
    ['the deletion of the invoice', ({ sender }, { id }) => sender.del(`${URL}/${id}`), 'invoice_not_payable'],
    ['a second release', ({ payer }, { approval }) => release(payer, approval), 'approval_not_open'],
    ['its deletion', ({ payer }, { approval }) => payer.del(`${APPROVAL}/${approval}`), 'approval_not_open'],
  ]
  for (const [name, other, code] of races) {
    test(`its release and a concurrent ${name}: one succeeds`, async () => {
      for (const isFirst of [true, false]) {
        const pair = await newPair()
        const id = await invoice(pair)
        const { id: approval } = expect(await prepare(pair.payer, id), 201).body
        const requests = [() => release(pair.payer, approval), () => other(pair, { id, approval })]
        const lock = (tx: Sql) => lockRow(tx, 'invoices', id)
        const lockUser = (tx: Sql) => lockRow(tx, 'user_counters', pair.payer.id)
        const results = await holdingLock(ownerSql, code === 'approval_not_open' ? lockUser : lock, async (arrive) => {
          const arrived: Promise<Answer>[] = []
          for (const request of isFirst ? requests : requests.toReversed()) arrived.push((await arrive(request)).result)
          return arrived.map((result) => ({ result })) // not awaited here: the lock is still held
        })
        const answers = await Promise.all(results.map(({ result }) => result))
        assert.deepEqual(
          answers.map(({ status, body }) => (status < 300 ? 'done' : body.code)).sort(),
          [code, 'done'].sort(),
        )
        const { status, check_id: paymentId } = await read(pair.sender, id)
        const isPaid = status === 'IN_PROCESS'
        assert.equal(await countOf(pair.payer, '/v3/check'), isPaid ? 1 : 0)
        assert.deepEqual(
          [paymentId !== null, (await eventsOf(id)).length],
          [isPaid, name === 'its deletion' && !isPaid ? 0 : 1],
        )
        await assertLedger(service)
      }
    })
  }
})

suite('the list of invoices', () => {
  test('filters, sorts and pages both sides', async () => {
    const pair = await newPair()
    const { sender, payer } = pair
    await addBank(payer)
    const ids: string[] = []
    for (const [amount, description] of [
      [40, 'Beams'],
      [20, 'Arches'],
      [30, 'Columns'],
    ] as const) {
      ids.push(await invoice(pair, { amount, description }))
      service.clock.advance(1)
    }
    const back = await invoice({ sender: payer, payer: sender }, { description: 'Doors' })
    expect(await sender.del(`${URL}/${ids[1]}`), 200)
    const listed = async (by: Api, query: string) =>
      expect(await by.get(`${URL}?${query}`), 200).body.invoices.map((one: { description: string }) => one.description)
    assert.deepEqual(await listed(sender, ''), ['Doors', 'Columns', 'Arches', 'Beams'])
    assert.deepEqual(await listed(sender, 'direction=OUTGOING&sort=%2BAMOUNT'), ['Arches', 'Columns', 'Beams'])
    assert.deepEqual(await listed(payer, 'direction=INCOMING&sort=-DESCRIPTION'), ['Columns', 'Beams', 'Arches'])
    assert.deepEqual(await listed(payer, 'status=VOID'), ['Arches'])
    assert.deepEqual(await listed(payer, 'q=olumn'), ['Columns'])
    assert.deepEqual(await listed(payer, 'start_date=2099-01-01'), [])
    for (const sort of ['NUMBER', 'TYPE', 'STATUS', 'UPDATE'])
      assert.equal((await listed(sender, `sort=-${sort}`)).length, 4)
    const first = await sender.get(`${URL}?per_page=10&page=1`)
    assert.deepEqual([first.body.page, first.body.pages, first.body.total], [1, 1, 4])
    assert.equal((await read(sender, back)).direction, 'INCOMING')
    assert.deepEqual((await (await newUser()).get(URL)).body.invoices, [])
  })
})
