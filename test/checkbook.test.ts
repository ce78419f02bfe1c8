import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { rejectOutgoingFile, requireOutgoingFile } from '../src/connections/exchange/outgoing-file-actions.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { parseCsv } from '../src/foundation/lib/text/csv.ts'
import { checkbookCommand } from '../src/operation/cli/checkbook-commands.ts'
import { doDueCheckbook } from '../src/payments/checkbook/checkbook-actions.ts'
import { adoptCheckbookFile, printCheckbooks } from '../src/payments/checkbook/checkbook-print-actions.ts'
import { manifestOf } from '../src/payments/checkbook/checkbook-rules.ts'
import { drawBlankChecks } from '../src/payments/drawing/checkbook-drawing-actions.ts'
import { decideUser } from '../src/people/user/operator-actions.ts'
import { connection, exchange, upload } from './support/ach.ts'
import { micrText, readPages } from './support/check-pdf.ts'
import { startFileService } from './support/file-service.ts'
import { newAccountHolder, obtainTokens, registerApplication } from './support/oauth.ts'
import { sendPayment } from './support/payments.ts'
import { allRows } from './support/rows.ts'
import { addBank, addVerifiedBank, newAccountNumber, startTestService, type TestUser } from './support/service.ts'

// Books of blank checks, from the order to the mail.

const service = await startTestService({ after })
const { clock, deps, newUser, owner } = service
const URL = '/v3/checkbook'
const HOUR = 3_600
const DAY = 24 * HOUR
const RECIPIENT = { name: 'Ann Payer', line_1: '1 Main St', city: 'Springfield', state: 'IL', zip: '62701' }

const bodyOf = (account: string, more: object = {}) => ({
  account,
  number: 5001,
  mail_type: 'USPS_FIRST_CLASS',
  recipient: RECIPIENT,
  ...more,
})

async function newHolder(): Promise<{ user: TestUser; bankId: string }> {
  const user = await newUser()
  return { user, bankId: await addVerifiedBank(user) }
}

async function order(user: TestUser, account: string, more: object = {}) {
  const { body, status, text } = await user.post(URL, bodyOf(account, more))
  assert.equal(status, 201, text)
  return body
}

async function passSeconds(seconds: number): Promise<void> {
  clock.advance(seconds)
  await service.doDueWork()
}

async function passDays(days: number): Promise<void> {
  for (let day = 0; day < days; day++) await passSeconds(DAY)
}

const nextNumber = async (user: TestUser) => (await user.get('/v3/user')).body.user.check_number

const statusOf = async (user: TestUser, id: string) => (await user.get(`${URL}/${id}`)).body.status

const trackingOf = async (user: TestUser, id: string) =>
  (await user.get(`${URL}/${id}/tracking`)).body.tracking.map(({ location }: { location: string }) => location)

test('a checkbook is ordered, printed and mailed, and its webhooks and tracking report it', async () => {
  const { user, bankId } = await newHolder()
  await owner.post('/v3/webhook/endpoint', { url: 'https://hooks.example.com/', event_types: ['CHECKBOOK'] })
  const ordered = await user.post(URL, bodyOf(bankId))
  const { id, date } = ordered.body
  assert.deepEqual([ordered.status, ordered.body], [201, { id, date, status: 'PENDING' }])
  assert.deepEqual((await user.get(`${URL}/${id}`)).body, ordered.body)
  assert.deepEqual((await user.get(URL)).body, { checkbooks: [ordered.body], page: 1, pages: 1, total: 1 })
  await passSeconds(HOUR - 1)
  assert.deepEqual([await statusOf(user, id), await trackingOf(user, id)], ['PENDING', []])
  await passSeconds(1)
  assert.deepEqual([await statusOf(user, id), await trackingOf(user, id)], ['IN_PROCESS', ['Accepted by the printer']])
  await passDays(3)
  assert.equal(await statusOf(user, id), 'MAILED')
  assert.deepEqual(await trackingOf(user, id), ['Accepted by the printer', 'Handed to the post'])
  await passDays(20)
  assert.equal(await statusOf(user, id), 'MAILED')
  const events = await deps.sql<{ body: string }[]>`select body from events where subject_id = ${id} order by id`
  assert.deepEqual(
    events.map(({ body }) => JSON.parse(body)),
    ['IN_PROCESS', 'MAILED'].map((status) => ({ id, status, type: 'CHECKBOOK' })),
  )
})

test('a checkbook for the magic ZIP code is returned', async () => {
  const { user, bankId } = await newHolder()
  const { id } = await order(user, bankId, { recipient: { ...RECIPIENT, zip: '00000' } })
  await passDays(5)
  assert.equal(await statusOf(user, id), 'MAILED')
  await passDays(10)
  assert.equal(await statusOf(user, id), 'RETURNED')
  assert.deepEqual(await trackingOf(user, id), ['Accepted by the printer', 'Handed to the post', 'Returned'])
})

suite('the numbers of a checkbook', () => {
  test('are refused for another checkbook of the account, of any user, until the first is canceled', async () => {
    const [user, other] = [await newUser(), await newUser()]
    const account = newAccountNumber()
    const banks: string[] = []
    for (const holder of [user, other]) {
      const id = await addBank(holder, account)
      await holder.post('/v3/bank/release', { account: id })
      await holder.post('/v3/bank/verify', { account: id, amount_1: 0.07, amount_2: 0.15 })
      banks.push(id)
    }
    const [bankId, otherBankId] = banks as [string, string]
    const { id } = await order(user, bankId)
    for (const number of [4972, 5001, 5030]) {
      const refused = await other.post(URL, bodyOf(otherBankId, { number }))
      assert.deepEqual([refused.status, refused.body.code], [400, 'check_numbers_taken'], refused.text)
      assert.deepEqual(refused.body.errors, { number: ['overlaps with another checkbook. Use 5031 or higher'] })
    }
    for (const number of [4971, 5031]) await order(other, otherBankId, { number })
    await order(user, await addVerifiedBank(user))
    assert.equal((await user.del(`${URL}/${id}`)).status, 200)
    await order(other, otherBankId, { number: 5001 })
  })

  test('go to one of several concurrent orders', async () => {
    const { user, bankId } = await newHolder()
    const answers = await Promise.all([1, 2, 3].map(() => user.post(URL, bodyOf(bankId))))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400, 400])
  })

  test('are skipped when the payment counter reaches them, even within one group', async () => {
    const { user, bankId } = await newHolder()
    await order(user, bankId, { number: 3 })
    await order(user, bankId, { number: 33 })
    const numbers = await Promise.all([1, 2, 3, 4].map(async () => (await sendPayment(user)).number))
    assert.deepEqual(
      numbers.map(Number).sort((a, b) => a - b),
      [1, 2, 63, 64],
    )
    assert.equal(await nextNumber(user), 65)
  })

  test('are skipped when the counter is in the checkbook, or is set to a number in it', async () => {
    const { user, bankId } = await newHolder()
    await user.put('/v3/user', { user: { check_number: 5010 } })
    await order(user, bankId)
    assert.equal(await nextNumber(user), 5031)
    await user.put('/v3/user', { user: { check_number: 5001 } })
    assert.equal((await sendPayment(user)).number, 5031)
  })

  test('cannot be used for a payment of the user, with any bank, until the checkbook is canceled', async () => {
    const { user, bankId } = await newHolder()
    const { id } = await order(user, bankId)
    const twin = await order(user, await addVerifiedBank(user))
    const payment = (number: number | string) => ({
      amount: 10,
      name: 'Ann',
      recipient: 'ann@example.com',
      account: bankId,
      number,
    })
    for (const number of [5001, 5030, '0005010', ' 5010', '50 10']) {
      const refused = await user.post('/v3/check/digital', payment(number))
      assert.deepEqual([refused.status, refused.body.code], [400, 'check_number_reserved'], refused.text)
      assert.deepEqual(refused.body.errors, { number: ['belongs to one of your checkbooks. Use another one'] })
    }
    for (const number of [5000, 5031, 'A-5010'])
      assert.equal((await user.post('/v3/check/digital', payment(number))).status, 201)
    await user.del(`${URL}/${id}`)
    assert.equal((await user.post('/v3/check/digital', payment(5001))).body.code, 'check_number_reserved')
    await user.del(`${URL}/${twin.id}`)
    assert.equal((await user.post('/v3/check/digital', payment(5001))).status, 201)
  })

  test('can be the last possible numbers, and neither exceed them nor repeat the numbers of payments', async () => {
    const { user, bankId } = await newHolder()
    assert.equal((await sendPayment(user)).number, 1)
    const refused = await user.post(URL, bodyOf(bankId, { number: 99_999_972 }))
    assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_request'])
    await order(user, bankId, { number: 99_999_971 })
    assert.equal((await sendPayment(user)).number, 2)
    await user.put('/v3/user', { user: { check_number: 99_999_970 } })
    assert.equal((await sendPayment(user)).number, 99_999_970)
    assert.equal(await nextNumber(user), 1)
  })
})

suite('an order', () => {
  test('can be canceled while it is PENDING', async () => {
    const { user, bankId } = await newHolder()
    const { id } = await order(user, bankId)
    const canceled = await user.del(`${URL}/${id}`)
    assert.deepEqual([canceled.status, canceled.text], [200, '{}'])
    assert.deepEqual([await statusOf(user, id), await trackingOf(user, id)], ['CANCELED', ['Canceled']])
    await passDays(5)
    assert.equal(await statusOf(user, id), 'CANCELED')
    const { audit } = (await owner.get(`/v3/audit?q=${id}`)).body
    assert.deepEqual(audit.map(({ action }: { action: string }) => action).sort(), [
      'checkbook_canceled',
      'checkbook_ordered',
    ])
    const printed = await order(user, bankId, { number: 6001 })
    await passSeconds(HOUR)
    for (const book of [id, printed.id]) {
      const refused = await user.del(`${URL}/${book}`)
      assert.deepEqual([refused.status, refused.body.code], [400, 'checkbook_not_cancelable'])
    }
  })

  test('that is canceled while the printer takes it is either canceled or printed', async () => {
    const { user, bankId } = await newHolder()
    const [row] = await deps.sql<{ platformId: string }[]>`select platform_id from users where id = ${user.id}`
    for (let round = 0; round < 8; round++) {
      const { id } = await order(user, bankId, { number: 7001 + 30 * round })
      const due = { platformId: row?.platformId as string, userId: user.id, id, dueAt: clock.now() }
      const later = { ...deps, clock: { now: () => new Date(clock.now().getTime() + HOUR * 1000) } }
      const [canceled] = await Promise.all([
        user.del(`${URL}/${id}`),
        inTransaction(later, (tx) => doDueCheckbook(tx, due)),
      ])
      assert.equal(await statusOf(user, id), canceled.status === 200 ? 'CANCELED' : 'IN_PROCESS', canceled.text)
    }
  })

  test('waits while its user is suspended, and is canceled when its bank or its user is deleted', async () => {
    const { user, bankId } = await newHolder()
    const { id } = await order(user, bankId)
    const [row] = await deps.sql<{ platformId: string }[]>`select platform_id from users where id = ${user.id}`
    const key = { platformId: row?.platformId as string, userId: user.id }
    await inTransaction(deps, (tx) => decideUser(tx, key, 'suspend'))
    assert.equal((await user.post(URL, bodyOf(bankId, { number: 9001 }))).body.code, 'user_not_active')
    await passSeconds(3 * HOUR)
    assert.equal(await statusOf(user, id), 'PENDING')
    await inTransaction(deps, (tx) => decideUser(tx, key, 'verify'))
    await passSeconds(HOUR)
    assert.equal(await statusOf(user, id), 'IN_PROCESS')

    const withoutBank = await order(user, bankId, { number: 9001 })
    await user.del(`/v3/bank/${bankId}`)
    await passSeconds(HOUR)
    assert.equal(await statusOf(user, withoutBank.id), 'CANCELED')
    const last = await order(user, await addVerifiedBank(user))
    assert.equal((await owner.del(`/v3/user/${user.id}`)).status, 200)
    const [deleted] = await deps.sql`select status from checkbooks where id = ${last.id}`
    assert.equal(deleted?.status, 'CANCELED')
  })

  test('that is wrong is refused by field, and nothing is stored', async () => {
    const { user, bankId } = await newHolder()
    const unverified = await addBank(user)
    const foreign = (await newHolder()).bankId
    const rows = await allRows(deps.sql)
    for (const [change, code, field] of [
      [{ number: 0 }, 'invalid_request', 'number'],
      [{ number: 99_999_972 }, 'invalid_request', 'number'],
      [{ number: 1.5 }, 'invalid_request', 'number'],
      [{ mail_type: 'PIGEON' }, 'invalid_request', 'mail_type'],
      [{ mail_type: undefined }, 'invalid_request', 'mail_type'],
      [{ recipient: { ...RECIPIENT, name: undefined } }, 'invalid_request', 'recipient.name'],
      [{ recipient: { ...RECIPIENT, zip: '12345678901' } }, 'invalid_request', 'recipient.zip'],
      [{ account: 'bank' }, 'invalid_request', 'account'],
      [{ account: unverified }, 'bank_not_verified', 'account'],
      [{ account: foreign }, 'bank_not_found', 'account'],
    ] as const) {
      const { status, body, text } = await user.post(URL, bodyOf(bankId, change))
      assert.deepEqual([status, body.code], [code === 'bank_not_found' ? 404 : 400, code], text)
      assert.deepEqual(Object.keys(body.errors), [field])
    }
    assert.deepEqual(await allRows(deps.sql), rows)
    await order(user, bankId, { number: 99_999_971 })
    assert.equal((await sendPayment(user)).number, 1)
  })

  test('with the same Idempotency-Key is one order', async () => {
    const { user, bankId } = await newHolder()
    const send = () => user.post(URL, bodyOf(bankId), { idempotencyKey: 'book' })
    const first = await send()
    assert.deepEqual([(await send()).text, (await user.get(URL)).body.total], [first.text, 1])
  })
})

test('checkbooks need a credential, but not that of an application', async () => {
  const holder = await newAccountHolder(service)
  const application = await registerApplication(holder.browser)
  const { access_token } = await obtainTokens(service, holder.browser, application)
  const id = '0'.repeat(32)
  for (const [credential, code] of [
    ['', 'unauthorized'],
    [`Bearer ${access_token}`, 'insufficient_scope'],
  ] as const) {
    const api = service.as(credential)
    for (const answer of [
      await api.get(URL),
      await api.post(URL, bodyOf(id)),
      await api.get(`${URL}/${id}`),
      await api.get(`${URL}/${id}/tracking`),
      await api.del(`${URL}/${id}`),
    ]) {
      assert.equal(answer.body.code, code, answer.text)
    }
  }
})

test('blank checks are three to a page, each with its own number in the MICR line', async () => {
  const bank = { name: 'First Bank', routingNumber: '021000021', accountNumber: '12345678', fractionalRouting: null }
  const given = { drawer: { name: 'Ann Payer', address: ['1 Main St'] }, bank, mark: null, createdAt: new Date(0) }
  const pdf = await drawBlankChecks({ ...given, firstNumber: 5001, count: 7 })
  const pages = readPages(pdf)
  assert.deepEqual(
    pages.map((page) => micrText(page)),
    ['5001', '5004', '5007'].map((number) => `U00${number}UT021000021T12345678U`),
  )
  const numbers = pages.flatMap(({ texts }) => texts.map(({ text }) => text).filter((text) => /^\d{6}$/.test(text)))
  assert.deepEqual(
    numbers,
    [1, 2, 3, 4, 5, 6, 7].map((nth) => `00500${nth}`),
  )
  assert.deepEqual(await drawBlankChecks({ ...given, firstNumber: 5001, count: 7 }), pdf)
})

suite('in production', () => {
  async function startWithOrder(t: Parameters<typeof startFileService>[0]) {
    const files = await startFileService(t)
    const user = await files.newUser()
    const account = newAccountNumber()
    const bankId = await addBank(user, account)
    await user.post('/v3/bank/release', { account: bankId })
    await files.openWindow()
    await user.post('/v3/bank/verify', { account: bankId, amount_1: 0.07, amount_2: 0.15 })
    await files.deps.sql`update users set status = 'VERIFIED' where id = ${user.id}`
    const { id } = await order(user, bankId)
    const print = async () => {
      while ((await printCheckbooks(files.deps)) > 0);
      await exchange(files.deps)
      return (await files.list('outbound')).filter((name) => name.startsWith('checkbook-')).sort()
    }
    const transmit = async () => {
      await upload(files.folder, /^checkbook-/)
      await exchange(files.deps)
    }
    return { ...files, user, account, id, print, transmit }
  }

  test('a checkbook is in a PDF and a list for the printer after an hour, and MAILED when they are transmitted', async (t) => {
    const { clock, user, account, id, print, transmit, folder } = await startWithOrder(t)
    assert.deepEqual(await print(), [])
    clock.advance(HOUR)
    const [list, pdf] = (await print()) as [string, string]
    assert.match(`${list} ${pdf}`, /^checkbook-([0-9a-f]{32})\.csv checkbook-\1\.pdf$/)
    const { rows } = parseCsv(await readFile(join(folder, 'outbound', list), 'utf8'))
    const line = [
      id,
      '5001',
      '5030',
      'Ann Payer',
      '1 Main St',
      '',
      'Springfield',
      'IL',
      '62701',
      '',
      'USPS_FIRST_CLASS',
    ]
    assert.deepEqual(rows?.[1]?.fields, line)
    const pages = readPages(await readFile(join(folder, 'outbound', pdf)))
    assert.deepEqual([pages.length, micrText(pages[9] as (typeof pages)[0])], [10, `U005028UT021000021T${account}U`])
    assert.equal(await statusOf(user, id), 'IN_PROCESS')
    assert.deepEqual(await print(), [list, pdf])
    await transmit()
    assert.equal(await statusOf(user, id), 'MAILED')
  })

  test('a file that the printer rejects is printed again under another name', async (t) => {
    const { deps, clock, user, id, print, transmit } = await startWithOrder(t)
    clock.advance(HOUR)
    const [list] = (await print()) as [string]
    await transmit()
    assert.equal(await statusOf(user, id), 'MAILED')
    await inTransaction(deps, async (tx) => rejectOutgoingFile(tx, await requireOutgoingFile(tx, list)))
    await exchange(deps)
    assert.deepEqual([await statusOf(user, id), await trackingOf(user, id)], ['PENDING', []])
    clock.advance(HOUR)
    const again = await print()
    assert.equal(again.length, 2)
    assert.ok(!again.includes(list))
    await transmit()
    assert.equal(await statusOf(user, id), 'MAILED')
  })

  test('the operator records that the post returned a checkbook, and its numbers stay reserved', async (t) => {
    const { deps, clock, user, owner: holder, id, print, transmit } = await startWithOrder(t)
    assert.throws(() => checkbookCommand({}, ['return', id]), /needs --note TEXT/)
    const giveBack = (book: string) => checkbookCommand({ note: 'unknown there' }, ['return', book])(deps)
    await assert.rejects(giveBack('1'), /There is no checkbook with the id 1/)
    await assert.rejects(giveBack('0'.repeat(32)), /There is no checkbook/)
    await assert.rejects(giveBack(id), /This checkbook is PENDING\. Only a MAILED checkbook can be returned/)
    clock.advance(HOUR)
    await print()
    await transmit()
    assert.equal(await giveBack(id), 'The checkbook is RETURNED.')
    assert.deepEqual([await statusOf(user, id), (await trackingOf(user, id)).at(-1)], ['RETURNED', 'Returned'])
    await assert.rejects(giveBack(id), /This checkbook is RETURNED/)
    const { audit } = (await holder.get(`/v3/audit?q=${id}`)).body
    assert.ok(audit.some(({ action }: { action: string }) => action === 'checkbook_returned'))
    const named = { amount: 10, name: 'Ann', recipient: 'ann@example.com', number: 5001 }
    assert.equal((await user.post('/v3/check/digital', named)).body.code, 'check_number_reserved')
  })

  test('after a restore, a checkbook that the printer has is not printed again', async (t) => {
    const { deps, clock, user, id, print } = await startWithOrder(t)
    const line = {
      id,
      firstNumber: 5001,
      lastNumber: 5030,
      address: RECIPIENT,
      name: RECIPIENT.name,
      mailType: 'OVERNIGHT',
    }
    const given = { name: `checkbook-${'0'.repeat(32)}`, pdf: null, list: Buffer.from(manifestOf(line)) }
    await inTransaction(deps, (tx) =>
      adoptCheckbookFile(tx, { connection: connection({ folder: '/nowhere' }), ...given, isTransmitted: true }),
    )
    await exchange(deps)
    assert.equal(await statusOf(user, id), 'MAILED')
    clock.advance(HOUR)
    assert.deepEqual(await print(), [])
  })
})
