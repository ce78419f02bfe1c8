import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { EVERY_PERMISSION } from '../src/foundation/core/permission-rules.ts'
import type { Sql } from '../src/foundation/db/connect.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import type { Caller } from '../src/foundation/http/caller.ts'
import { releaseApproval } from '../src/orders/approval/approval-release-actions.ts'
import { invoicePayments } from '../src/orders/invoice/invoice-approval-actions.ts'
import type { Answer, Api } from './support/api.ts'
import type { Browser } from './support/browser.ts'
import { crashing, isCrash } from './support/crash.ts'
import { JPEG } from './support/images.ts'
import { holdingLock, lockRow } from './support/locks.ts'
import { assertLedger, balanceOf, newWallet } from './support/money.ts'
import { newAccountHolder, obtainTokens, registerApplication } from './support/oauth.ts'
import { allRows, copyRows } from './support/rows.ts'
import { addVerifiedBank, newAccountNumber, startTestService } from './support/service.ts'
import { type Member, newMember } from './support/team.ts'

// Payments that are prepared by one person and released by another (specification.md 5.8).

const service = await startTestService({ after })
const { deps, newUser, ownerSql } = service
const URL = '/v3/approval'
const RELEASE = `${URL}/release`
const ADDRESS = { line_1: '1 Main St', city: 'Springfield', state: 'IL', zip: '62701', country: 'US' }
const order = (more: object = {}) => ({ amount: 10, name: 'Recipient', recipient: 'recipient@example.com', ...more })

type Client = Pick<Browser | Api, 'get' | 'post' | 'put' | 'del'>

function expect(answer: Answer, status: number, code?: string): Answer {
  assert.deepEqual([answer.status, answer.body?.code], [status, code], answer.text)
  return answer
}

const prepare = async (by: Client, more: object = {}): Promise<string> =>
  expect(await by.post(`${URL}/digital`, order(more)), 201).body.id

const release = (by: Client, id: string) => by.post(RELEASE, { id })
const statusOf = async (by: Client, id: string) => (await by.get(`${URL}/${id}`)).body.status
const paymentsOf = async (api: Client) => (await api.get('/v3/check')).body.total

/** A user with a bank, outside dual control. */
async function newSender() {
  const user = await newUser()
  await addVerifiedBank(user)
  return user
}

/** A platform under dual control with its members. `owner` signed up; `admin`, `preparer` and `approver` were added. */
async function newTeam() {
  const holder = await newAccountHolder(service)
  const [admin, preparer, approver] = [
    await newMember(service, holder.id, 'admin'),
    await newMember(service, holder.id, 'preparer'),
    await newMember(service, holder.id, 'approver'),
  ]
  expect(await holder.browser.put('/v3/user', { payment: { dual_control: true } }), 200)
  return {
    ...holder,
    owner: holder.browser,
    admin: admin.browser,
    preparer: preparer.browser,
    approver: approver.browser,
    members: { admin, preparer, approver },
  }
}

const team = await newTeam()

suite('a prepared payment', () => {
  test('has the fields of a payment, reserves nothing, and becomes a payment when it is released', async () => {
    const user = await newSender()
    const wallet = await newWallet(user, 100)
    const number = (await user.get('/v3/user')).body.user.check_number
    const advice = [{ id: 'INV-7', date: '2026-01-31', amount: 10, description: 'Paint' }]
    const more = { account: wallet, description: 'For June', comment: 'Thanks', remittance_advice: advice }
    const { body } = expect(await user.post(`${URL}/digital`, order(more)), 201)
    const { id, date } = body
    assert.deepEqual(body, {
      id,
      number,
      amount: 10,
      date,
      status: 'UNPAID',
      name: 'Recipient',
      recipient: 'recipient@example.com',
      description: 'For June',
      comment: 'Thanks',
      image_uri: null,
      remittance_advice: [['INV-7', '2026-01-31', '10.00', 'Paint']],
    })
    assert.deepEqual((await user.get(`${URL}/${id}`)).body, body)
    const { remittance_advice: _, ...listed } = body
    const sender = `Name of ${user.userId}`
    const list = { checks: [{ ...listed, direction: 'OUTGOING', sender }], page: 1, pages: 1, total: 1 }
    assert.deepEqual((await user.get(URL)).body, list)
    assert.equal(await paymentsOf(user), 0)
    assert.equal(await balanceOf(user, wallet), 100)
    assert.equal((await user.get('/v3/user')).body.user.check_number, number)

    const payment = expect(await release(user, id), 200).body
    assert.deepEqual(payment, { ...body, id: payment.id, date: payment.date })
    assert.notEqual(payment.id, id)
    assert.deepEqual((await user.get(`/v3/check/${payment.id}`)).body, payment)
    assert.equal(await balanceOf(user, wallet), 90)
    assert.deepEqual((await user.get(`${URL}/${id}`)).body, { ...body, status: 'APPROVED' })
    await assertLedger(service)
  })

  test('to an account is deposited at its release, and a mailed one goes to the printer', async () => {
    const [user, payee] = [await newSender(), await newUser()]
    const [from, to] = [await newWallet(user, 50), await newWallet(payee, 0)]
    const id = await prepare(user, { account: from, recipient: { id: payee.userId, account: to } })
    assert.equal(expect(await release(user, id), 200).body.status, 'PAID')
    assert.equal(await balanceOf(payee, to), 10)
    const mailed = expect(
      await user.post(`${URL}/physical`, order({ recipient: ADDRESS, mail_type: 'OVERNIGHT' })),
      201,
    )
    assert.equal(mailed.body.recipient, '1 Main St, Springfield, IL 62701, US')
    assert.equal(expect(await release(user, mailed.body.id), 200).body.status, 'IN_PROCESS')
    const [row] = await deps.sql`select mail_type from payments where sender_id = ${user.id} and kind = 'PHYSICAL'`
    assert.equal(row?.mailType, 'OVERNIGHT')
  })

  test('to several recipients is created at its release with all of them and their PINs', async () => {
    const [user, one, other] = [await newSender(), await newUser(), await newUser()]
    const wallet = await newWallet(user, 50)
    const recipients = [
      { name: 'Ann', recipient: one.userId, pin: { description: 'Your word', value: '6273849' } },
      { name: 'Bob', recipient: other.userId, endorse_only: true },
    ]
    const body = { amount: 10, account: wallet, recipients }
    const prepared = expect(await user.post(`${URL}/multi`, body), 201).body
    assert.deepEqual([prepared.name, prepared.recipient], ['Ann and Bob', `${one.userId}, ${other.userId}`])
    for (const changes of [{ name: 'Ann' }, { recipient: one.userId }]) {
      const refused = expect(await user.put(`${URL}/${prepared.id}`, changes), 400, 'invalid_request')
      assert.deepEqual(Object.keys(refused.body.errors), Object.keys(changes))
    }
    expect(await user.put(`${URL}/${prepared.id}`, { amount: 11 }), 200)
    const payment = expect(await release(user, prepared.id), 200).body
    assert.deepEqual(payment, { ...prepared, amount: 11, id: payment.id, date: payment.date })
    const rows = await deps.sql<{ userId: string; endorseOnly: boolean; pinSealed: Buffer | null }[]>`
      select user_id, endorse_only, pin_sealed from payment_recipients where payment_id = ${payment.id} order by position
    `
    assert.deepEqual(
      rows.map(({ userId, endorseOnly }) => [userId, endorseOnly]),
      [
        [one.id, false],
        [other.id, true],
      ],
    )
    const [pin] = rows.map(({ pinSealed }) => pinSealed)
    assert.equal(deps.keyRing.openText(pin as Buffer, 'payment pin'), '6273849')
    expect(await other.post(`/v3/check/endorse/${payment.id}`, { name: 'Bob' }), 201)
    const to = await newWallet(one, 0)
    assert.equal(expect(await one.post(`/v3/check/deposit/${payment.id}`, { account: to }), 201).body.status, 'PAID')

    const unknown = { ...body, recipients: [recipients[0], { name: 'Eve', recipient: 'nobody-by-that-name' }] }
    const wrong = expect(await user.post(`${URL}/multi`, unknown), 201).body.id
    expect(await release(user, wrong), 400, 'invalid_recipient')
    assert.equal(await statusOf(user, wrong), 'UNPAID')
    const alone = { ...body, recipients: recipients.map((each) => ({ ...each, endorse_only: true })) }
    expect(await user.post(`${URL}/multi`, alone), 400, 'invalid_request')
    await assertLedger(service)
  })

  test('keeps its PIN, its number and its attachment', async () => {
    const user = await newSender()
    for (const [attachment, name] of [
      [Buffer.from('%PDF-1.4\n%%EOF').toString('base64'), 'attachment.pdf'],
      [{ filename: 'photo.jpg', content: JPEG.toString('base64') }, 'photo.pdf'],
    ] as const) {
      const more = { number: 'A-17', pin: { description: 'Your invoice', value: '7391846' }, attachment }
      const id = await prepare(user, more)
      const prepared = await user.get(`${URL}/${id}/attachment`)
      assert.ok(prepared.headers.get('content-disposition')?.startsWith(`inline; filename="${name}"`))
      const payment = expect(await release(user, id), 200).body
      assert.equal(payment.number, 'A-17')
      const kept = await user.get(`/v3/check/${payment.id}/attachment`)
      assert.deepEqual([kept.status, kept.text], [200, prepared.text])
      const [row] = await deps.sql<{ pinSealed: Buffer; pinDescription: string }[]>`
        select pin_sealed, pin_description from payments where id = ${payment.id}
      `
      assert.equal(row?.pinDescription, 'Your invoice')
      assert.equal(deps.keyRing.openText(row?.pinSealed as Buffer, 'payment pin'), '7391846')
    }
    const bare = await prepare(user)
    expect(await user.get(`${URL}/${bare}/attachment`), 404, 'attachment_not_found')
  })

  test('can be edited until it is released, and the last edit is released', async () => {
    const user = await newSender()
    const wallet = await newWallet(user, 100)
    const id = await prepare(user, { description: 'Old' })
    const changes = {
      account: wallet,
      amount: 25.5,
      description: null,
      name: 'Other',
      number: 77,
      recipient: 'other@example.com',
    }
    assert.equal(expect(await user.put(`${URL}/${id}`, changes), 200).text, '{}')
    const edited = (await user.get(`${URL}/${id}`)).body
    const { account: _, ...shown } = changes
    for (const [field, value] of Object.entries(shown)) assert.equal(edited[field], value, field)
    expect(await user.put(`${URL}/${id}`, { name: 'Third' }), 200)
    const payment = expect(await release(user, id), 200).body
    assert.deepEqual(payment, { ...edited, name: 'Third', id: payment.id, date: payment.date })
    assert.equal(await balanceOf(user, wallet), 74.5)
  })

  test('loses its attachment when it is voided, and a user can have 1,000 open ones', async () => {
    const user = await newSender()
    const id = await prepare(user, { attachment: Buffer.from('%PDF-1.4\n%%EOF').toString('base64') })
    expect(await user.del(`${URL}/${id}`), 200)
    expect(await user.get(`${URL}/${id}/attachment`), 404, 'attachment_not_found')
    const open = await prepare(user)
    await copyRows(ownerSql, 'approvals', { id: open, count: 999 })
    expect(await user.post(`${URL}/digital`, order()), 400, 'approval_limit_reached')
    expect(await user.del(`${URL}/${open}`), 200)
    await prepare(user)
  })

  test('is not prepared by a subscription of a user with 1,000 open ones: the run fails', async () => {
    const user = await newSender()
    expect(await user.put('/v3/user', { payment: { dual_control: true } }), 200)
    const subscription = { amount: 10, name: 'Landlord', recipient: 'landlord@example.com', interval: 'WEEKLY' }
    const { id } = expect(await user.post('/v3/subscription/check', subscription), 201).body
    await copyRows(ownerSql, 'approvals', { id: await prepare(user), count: 999 })
    service.clock.advance(2 * 24 * 3_600)
    await service.doDueWork()
    const runs = await service.deps.sql`select outcome, error_code from subscription_runs where subscription_id = ${id}`
    assert.deepEqual(
      runs.map(({ outcome, errorCode }) => [outcome, errorCode]),
      [['FAILED', 'approval_limit_reached']],
    )
  })

  test('is VOID after DELETE, and a void or released one cannot be changed', async () => {
    const user = await newSender()
    const [voided, released] = [await prepare(user), await prepare(user)]
    assert.equal(expect(await user.del(`${URL}/${voided}`), 200).text, '{}')
    expect(await release(user, released), 200)
    for (const [id, status] of [
      [voided, 'VOID'],
      [released, 'APPROVED'],
    ] as const) {
      const rows = await allRows(deps.sql)
      expect(await release(user, id), 400, 'approval_not_open')
      expect(await user.put(`${URL}/${id}`, { amount: 1 }), 400, 'approval_not_open')
      expect(await user.del(`${URL}/${id}`), 400, 'approval_not_open')
      assert.deepEqual(await allRows(deps.sql), rows)
      assert.equal(await statusOf(user, id), status)
    }
    const listed = async (query: string) =>
      (await user.get(`${URL}?${query}`)).body.checks.map(({ id }: { id: string }) => id)
    assert.deepEqual(await listed('status=VOID'), [voided])
    assert.deepEqual(await listed('sort=%2BDATE'), [voided, released])
    assert.deepEqual(await listed('direction=INCOMING'), [])
    assert.deepEqual(await listed('q=nobody'), [])
  })

  test('is checked when it is released, and stays open when it is refused', async () => {
    const user = await newSender()
    const wallet = await newWallet(user, 5)
    const id = await prepare(user, { account: wallet })
    expect(await release(user, id), 400, 'insufficient_funds')
    assert.equal(await statusOf(user, id), 'UNPAID')
    await user.post(`/v3/sandbox/wallet/${wallet}/fund`, { amount: 5 })
    expect(await release(user, id), 200)
    const stranger = await prepare(user, { recipient: 'nobody-by-that-name' })
    expect(await release(user, stranger), 400, 'invalid_recipient')
    const foreign = await prepare(user, { account: await newWallet(await newUser()) })
    expect(await release(user, foreign), 404, 'bank_not_found')
    assert.equal(await paymentsOf(user), 1)
  })

  test('that is invalid is refused with the field, and nothing is stored', async () => {
    const user = await newSender()
    const [id, mailed] = [
      await prepare(user),
      (await user.post(`${URL}/physical`, order({ recipient: ADDRESS }))).body.id as string,
    ]
    const rows = await allRows(deps.sql)
    for (const [method, path, body, code, field] of [
      ['post', '/digital', order({ amount: 1.001 }), 'invalid_request', 'amount'],
      ['post', '/digital', order({ deposit_options: ['CARD'] }), 'invalid_deposit_option', 'deposit_options'],
      ['post', '/digital', order({ attachment: 'AAAA' }), 'invalid_attachment', 'attachment'],
      ['post', '/digital', order({ unknown: 1 }), 'invalid_request', 'unknown'],
      ['post', '/physical', order(), 'invalid_request', 'recipient'],
      ['post', '/release', {}, 'invalid_request', 'id'],
      ['put', `/${id}`, { amount: 0 }, 'invalid_request', 'amount'],
      ['put', `/${id}`, { recipient: ADDRESS }, 'invalid_request', 'recipient'],
      ['put', `/${mailed}`, { recipient: 'recipient@example.com' }, 'invalid_request', 'recipient'],
      ['put', `/${id}`, { comment: 'No' }, 'invalid_request', 'comment'],
    ] as const) {
      const answer = expect(await user[method](`${URL}${path}`, body), 400, code)
      assert.deepEqual(Object.keys(answer.body.errors), [field], answer.text)
    }
    assert.deepEqual(await allRows(deps.sql), rows)
  })

  test('is released once by a repeated request with an Idempotency-Key', async () => {
    const user = await newSender()
    const id = await prepare(user)
    const ask = () => user.post(RELEASE, { id }, { idempotencyKey: 'release' })
    const [first, again] = [await ask(), await ask()]
    assert.deepEqual([again.status, again.text], [200, first.text])
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    expect(
      await user.post(RELEASE, { id: await prepare(user) }, { idempotencyKey: 'release' }),
      422,
      'idempotency_key_reused',
    )
    assert.equal(await paymentsOf(user), 1)
  })
})

test('an image and its Idempotency-Key commit together, so that a repeated request prepares one payment', async () => {
  const user = await newSender()
  const request = () =>
    user.post(`${URL}/digital`, order({ attachment: JPEG.toString('base64') }), { idempotencyKey: 'one image' })
  await ownerSql`
    create function fail_once() returns trigger language plpgsql as $$ begin raise exception 'crash'; end $$
  `
  await ownerSql`create trigger fail_once before insert or update on idempotency_records for each row execute function fail_once()`
  assert.equal((await request()).status, 500)
  await ownerSql`drop trigger fail_once on idempotency_records`
  const [first, again] = [expect(await request(), 201), expect(await request(), 201)]
  assert.equal(again.text, first.text)
  assert.equal((await user.get(URL)).body.total, 1)
})

suite('of several concurrent requests for a prepared payment, one succeeds', () => {
  /** Requests that wait for the lock of the user at the same time, in this order. */
  async function race(user: Awaited<ReturnType<typeof newSender>>, requests: (() => Promise<Answer>)[]) {
    const lock = (tx: Sql) => lockRow(tx, 'user_counters', user.id)
    const results = await holdingLock(ownerSql, lock, async (arrive) => {
      const arrived: Promise<Answer>[] = []
      for (const request of requests) arrived.push((await arrive(request)).result)
      return arrived.map((result) => ({ result })) // not awaited here: the lock is still held
    })
    return Promise.all(results.map(({ result }) => result))
  }

  const cases: [string, (user: Api, id: string) => Promise<Answer>][] = [
    ['a second release', (user, id) => release(user, id)],
    ['its deletion', (user, id) => user.del(`${URL}/${id}`)],
    ['an edit', (user, id) => user.put(`${URL}/${id}`, { amount: 20 })],
  ]

  for (const [name, other] of cases) {
    test(`a concurrent release and ${name}`, async () => {
      for (const isFirst of [true, false]) {
        const user = await newSender()
        const id = await prepare(user)
        const requests = [() => release(user, id), () => other(user, id)]
        const [released, raced] = isFirst
          ? await race(user, requests)
          : (await race(user, requests.reverse())).reverse()
        assert.ok(released && raced)
        const status = await statusOf(user, id)
        const amounts = (await user.get('/v3/check')).body.checks.map(({ amount }: { amount: number }) => amount)
        if (name === 'an edit' && raced.status === 200) {
          // The edit came first, and its amount was released.
          assert.deepEqual([released.status, status, amounts], [200, 'APPROVED', [20]])
          continue
        }
        const [winner, loser] = released.status === 200 ? [released, raced] : [raced, released]
        assert.equal(winner.status, 200, winner.text)
        expect(loser, 400, 'approval_not_open')
        assert.equal(status, winner === released || name === 'a second release' ? 'APPROVED' : 'VOID')
        assert.deepEqual(amounts, status === 'APPROVED' ? [10] : [])
      }
    })
  }

  test('a crash between any two statements of a release creates no payment and leaves the approval open', async () => {
    const user = await newSender()
    const wallet = await newWallet(user, 100)
    const id = await prepare(user, { account: wallet })
    const [row] = await deps.sql<{ platformId: string }[]>`select platform_id from users where id = ${user.id}`
    const caller: Caller = {
      platformId: row?.platformId as string,
      userId: user.id,
      isOwner: false,
      permissions: EVERY_PERMISSION,
      credential: { kind: 'api_key', id: '0'.repeat(32) },
      origin: { address: '127.0.0.1', userAgent: null },
    }
    let statements = 0
    for (; ; statements++) {
      const crash = await inTransaction(crashing(deps, { afterStatements: statements }), (tx) =>
        releaseApproval(tx, caller, { id, invoices: invoicePayments, destination: null }),
      ).then(
        () => null,
        (error) => error,
      )
      if (crash === null) break
      assert.ok(isCrash(crash), crash)
      assert.deepEqual([await statusOf(user, id), await paymentsOf(user)], ['UNPAID', 0])
    }
    assert.ok(statements > 4)
    assert.deepEqual([await statusOf(user, id), await paymentsOf(user)], ['APPROVED', 1])
    assert.equal(await balanceOf(user, wallet), 90)
  })
})

suite('under dual control', () => {
  test('nothing is sent directly: by a session, an API key, or an application', async () => {
    const rows = await allRows(deps.sql)
    const orders: [string, object][] = [
      ['/v3/check/digital', order()],
      ['/v3/check/digital', order({ attachment: JPEG.toString('base64') })],
      ['/v3/check/physical', order({ recipient: ADDRESS })],
      [
        '/v3/check/direct',
        order({ account_number: newAccountNumber(), routing_number: '021000021', account_type: 'CHECKING' }),
      ],
      ['/v3/check/multi', { amount: 10, recipients: ['a', 'b'].map((recipient) => ({ name: 'Payee', recipient })) }],
      [
        '/v3/check/csv',
        { file: [{ name: 'Recipient', amount: 10, address: { type: 'email', address: 'recipient@example.com' } }] },
      ],
    ]
    for (const by of [team.owner, team.admin, team.api]) {
      for (const [path, body] of orders) expect(await by.post(path, body), 403, 'approval_required')
    }
    assert.deepEqual(await allRows(deps.sql), rows)
    const application = await registerApplication(team.owner)
    const tokens = await obtainTokens(service, team.owner, application)
    const bearer = service.as(`Bearer ${tokens.access_token}`)
    expect(await bearer.post('/v3/check/digital', order()), 403, 'approval_required')
    assert.equal(await paymentsOf(team.api), 0)
    assert.equal((await team.preparer.post('/v3/check/preview', order())).status, 200)
  })

  test('a platform’s other users send as before', async () => {
    const user = await newUser(undefined, team.api)
    await addVerifiedBank(user)
    expect(await user.post('/v3/check/digital', order()), 201)
  })

  test('a member other than the preparer and the last editor releases', async () => {
    const { owner, admin, preparer, approver } = team
    const prepared = await prepare(preparer)
    expect(await release(preparer, prepared), 403, 'permission_denied')
    expect(await release(approver, prepared), 200)

    const own = await prepare(admin)
    expect(await release(admin, own), 403, 'second_person_needed')
    assert.equal(await statusOf(admin, own), 'UNPAID')
    expect(await owner.put(`${URL}/${own}`, { amount: 11 }), 200)
    expect(await release(owner, own), 403, 'second_person_needed')
    expect(await release(admin, own), 403, 'second_person_needed')
    assert.equal(expect(await release(approver, own), 200).body.amount, 11)
    expect(await approver.post(`${URL}/digital`, order()), 403, 'permission_denied')
  })

  test('an API key counts as its creator, and one without a creator counts as the first owner', async () => {
    const keyOf = async (by: Browser): Promise<Api> => {
      const { body } = expect(await by.post('/v3/user/api_key', {}), 201)
      return service.as(`${body.id}:${body.secret}`)
    }
    const ofAdmin = await keyOf(team.admin)
    const id = await prepare(ofAdmin)
    expect(await release(team.admin, id), 403, 'second_person_needed')
    expect(await release(await keyOf(team.admin), id), 403, 'second_person_needed')
    expect(await release(await keyOf(ofAdmin as unknown as Browser), id), 403, 'second_person_needed')
    expect(await release(await keyOf(team.owner), id), 200)

    const ofNobody = await prepare(team.api)
    expect(await release(team.api, ofNobody), 403, 'second_person_needed')
    expect(await release(team.owner, ofNobody), 403, 'second_person_needed')
    expect(await release(ofAdmin, ofNobody), 200)
    const ofOwner = await prepare(team.owner)
    expect(await release(team.api, ofOwner), 403, 'second_person_needed')
  })

  test('a key without a creator cannot release its own payments after the first owner has changed', async () => {
    const other = await newTeam()
    const second = await newMember(service, other.id, 'owner')
    const id = await prepare(other.api)
    const first = other.owner
    const { members } = (await second.browser.get('/web/v1/team')).body
    const { id: loginId } = members.find(({ email }: { email: string }) => email === other.email)
    expect(await second.browser.put(`/web/v1/team/${loginId}`, { role: 'approver' }), 200)
    expect(await release(other.api, id), 403, 'second_person_needed')
    expect(await release(second.browser, id), 403, 'second_person_needed')
    const sent = await release(first, id)
    assert.notEqual(sent.body.code, 'second_person_needed')
  })

  test('an editor cannot release it, even if another member edited it later', async () => {
    const { owner, admin, approver, members } = team
    const id = await prepare(members.preparer.browser)
    expect(await admin.put(`${URL}/${id}`, { recipient: 'other@example.com' }), 200)
    expect(await owner.put(`${URL}/${id}`, { description: 'Invoice 7' }), 200)
    expect(await release(admin, id), 403, 'second_person_needed')
    expect(await release(owner, id), 403, 'second_person_needed')
    expect(await release(approver, id), 200)
  })

  test('a payment whose recipient now belongs to another user is not paid until a member edits it again', async () => {
    const { admin, approver, api } = team
    const id = await prepare(admin, { recipient: 'vendor@acme.example' })
    expect(await api.post('/v3/user', { user_id: 'vendor@acme.example', name: 'Vendor' }), 201)
    const rows = await allRows(deps.sql)
    expect(await release(approver, id), 400, 'approval_payee_changed')
    assert.deepEqual(await allRows(deps.sql), rows)
    expect(await admin.put(`${URL}/${id}`, { recipient: 'vendor@acme.example' }), 200)
    expect(await release(approver, id), 200)
  })

  test('a member who is removed during a request can neither prepare nor release', async () => {
    const other = await newTeam()
    const id = await prepare(other.admin)
    const lockOwner = (tx: Sql) => lockRow(tx, 'user_counters', other.id)
    const requests: [Member, () => Promise<Answer>][] = [
      [other.members.preparer, () => other.preparer.post(`${URL}/digital`, order())],
      [other.members.approver, () => release(other.approver, id)],
    ]
    for (const [{ loginId }, request] of requests) {
      const waiting = await holdingLock(deps.sql, lockOwner, async (arrive) => {
        const late = await arrive(request)
        await deps.sql`delete from members where platform_id = ${other.id} and login_id = ${loginId}`
        return late
      })
      expect(await waiting.result, 403, 'permission_denied')
    }
    const { checks } = (await other.owner.get(URL)).body
    assert.deepEqual(
      checks.map((check: { id: string; status: string }) => [check.id, check.status]),
      [[id, 'UNPAID']],
    )
  })

  test('the keys of a platform user count as one person', async () => {
    const user = await newSender()
    expect(await user.put('/v3/user', { payment: { dual_control: true } }), 200)
    expect(await user.post('/v3/check/digital', order()), 403, 'approval_required')
    const { body: key } = await user.post('/v3/user/api_key', {})
    const id = await prepare(user)
    expect(await release(service.as(`${key.id}:${key.secret}`), id), 403, 'second_person_needed')
    expect(await user.put('/v3/user', { payment: { dual_control: false } }), 200)
    expect(await release(user, id), 200)
  })

  test('the approvals that a member prepared end with the membership', async () => {
    const { id: platformId, owner } = team
    const { browser, loginId } = await newMember(service, platformId, 'preparer')
    const [own, other] = [await prepare(browser), await prepare(team.preparer)]
    expect(await owner.del(`/web/v1/team/${loginId}`), 200)
    assert.deepEqual([await statusOf(owner, own), await statusOf(owner, other)], ['VOID', 'UNPAID'])
  })

  test('only an owner with a recent confirmation turns it on and off', async () => {
    const { browser: admin } = team.members.admin
    expect(await admin.put('/v3/user', { payment: { dual_control: false } }), 403, 'permission_denied')
    expect(await team.api.put('/v3/user', { payment: { dual_control: false } }), 403, 'permission_denied')
    expect(await team.api.put('/v3/user', { payment: { dual_control: true } }), 200) // changes nothing
    const off = { payment: { dual_control: false } }
    expect(await team.owner.put('/v3/user', off), 403, 'second_person_needed')
    const alone = await newAccountHolder(service)
    for (const dual_control of [true, false, true]) {
      expect(await alone.browser.put('/v3/user', { payment: { dual_control } }), 200)
      const sent = await alone.browser.post('/v3/check/digital', order())
      assert.equal(sent.body.code, dual_control ? 'approval_required' : undefined, sent.text)
    }
    const { audit } = (await alone.browser.get('/v3/audit?q=dual_control')).body
    assert.deepEqual(
      audit.map(({ action }: { action: string }) => action),
      ['dual_control_on', 'dual_control_off', 'dual_control_on'],
    )
  })

  test('the API key of an owner without other members turns it on and off without a confirmation', async () => {
    const alone = await newAccountHolder(service)
    const { body } = await alone.browser.post('/v3/user/api_key', {})
    for (const key of [alone.api, service.as(`${body.id}:${body.secret}`)]) {
      for (const dual_control of [true, false, true]) {
        expect(await key.put('/v3/user', { payment: { dual_control } }), 200)
        assert.equal((await key.get('/v3/approval/policy')).body.dual_control, dual_control)
      }
      const policy = expect(await key.put('/v3/approval/policy', { dual_control: false, rules: [] }), 200).body
      assert.deepEqual([policy.dual_control, policy.proposal], [false, null])
    }
  })

  test('a pending change ends when dual control is turned off', async () => {
    const { id: platformId, owner, members } = await newTeam()
    const rule = { min_amount: 100, new_payee: false, rail: null, source: null, approvals: 1 }
    const { proposal } = expect(await owner.put('/v3/approval/policy', { dual_control: true, rules: [rule] }), 200).body
    for (const { browser } of Object.values(members)) {
      expect(await browser.post('/web/v1/team/leave'), 201)
    }
    expect(await owner.put('/v3/user', { payment: { dual_control: false } }), 200)
    const approver = await newMember(service, platformId, 'approver')
    assert.equal((await owner.get('/v3/approval/policy')).body.proposal, null)
    const confirmed = await approver.browser.post('/v3/approval/policy/confirm', { id: proposal.id })
    expect(confirmed, 404, 'policy_change_not_found')
  })

  test('an owner cannot demote or remove all other members who release, to release an own payment alone', async () => {
    const other = await newTeam()
    const { owner, members } = other
    const roleOf = (by: Browser, { loginId }: Member, role: string) => by.put(`/web/v1/team/${loginId}`, { role })
    const id = await prepare(owner)
    expect(await roleOf(owner, members.admin, 'preparer'), 200)
    for (const role of ['viewer', 'preparer', 'developer']) {
      expect(await roleOf(owner, members.approver, role), 403, 'second_person_needed')
    }
    expect(await owner.del(`/web/v1/team/${members.approver.loginId}`), 403, 'second_person_needed')
    expect(await owner.put('/v3/user', { payment: { dual_control: false } }), 403, 'second_person_needed')
    expect(await owner.put('/v3/approval/policy', { dual_control: false, rules: [] }), 200) // waits for the approver
    const waiting = (await owner.get('/v3/approval/policy')).body
    assert.deepEqual([waiting.dual_control, waiting.proposal.is_own], [true, true])
    expect(await owner.post('/v3/approval/policy/confirm', { id: waiting.proposal.id }), 403, 'second_person_needed')
    expect(await release(owner, id), 403, 'second_person_needed')
    assert.equal(await paymentsOf(other.api), 0)
    expect(await roleOf(owner, members.approver, 'admin'), 200) // who still releases
    const next = await newMember(service, other.id, 'approver')
    expect(await owner.del(`/web/v1/team/${members.approver.loginId}`), 200)
    expect(await release(next.browser, id), 200)
    // Without dual control, an owner decides alone.
    expect(await next.browser.post('/v3/approval/policy/confirm', { id: waiting.proposal.id }), 201)
    expect(await roleOf(owner, next, 'viewer'), 200)
  })

  test('each step is in the audit trail, with the person', async () => {
    const { preparer, admin, approver, members } = team
    const [id, voided] = [await prepare(preparer), await prepare(preparer)]
    await admin.put(`${URL}/${id}`, { amount: 12 })
    const payment = expect(await release(approver, id), 200).body
    await admin.del(`${URL}/${voided}`)
    const rows = await deps.sql<{ action: string; loginId: string; subject: string }[]>`
      select action, login_id, subject from audit_entries where subject like ${`${id}%`} or subject = ${voided} order by id
    `
    assert.deepEqual(
      rows.map(({ action, loginId, subject }) => [action, loginId, subject]),
      [
        ['approval_prepared', members.preparer.loginId, id],
        ['approval_prepared', members.preparer.loginId, voided],
        ['approval_edited', members.admin.loginId, id],
        ['approval_released', members.approver.loginId, `${id} as payment ${payment.id}`],
        ['approval_voided', members.admin.loginId, voided],
      ],
    )
  })
})

test('another user cannot release the approval of a user, not even its owner', async () => {
  const [user, other] = [await newSender(), await newSender()]
  const id = await prepare(user)
  for (const by of [other, service.owner, team.api]) expect(await release(by, id), 404, 'approval_not_found')
  assert.equal(await statusOf(user, id), 'UNPAID')
})

test('the approvals of a deleted user are void', async () => {
  const user = await newSender()
  const id = await prepare(user)
  expect(await service.owner.del(`/v3/user/${user.id}`), 200)
  const [row] = await deps.sql`select status from approvals where id = ${id}`
  assert.equal(row?.status, 'VOID')
})
