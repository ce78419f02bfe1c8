import assert from 'node:assert/strict'
import { rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { makeExchangeFolders } from '../src/connections/exchange/exchange-folder-actions.ts'
import { getExceptions } from '../src/foundation/exception/exception-actions.ts'
import { readAchFiles } from '../src/money/ach/file/ach-file-worker.ts'
import { achHooks } from '../src/operation/scheduler/leg-handlers.ts'
import { drawLetter } from '../src/payments/mailbox/letter-drawing-actions.ts'
import { readMail } from '../src/payments/mailbox/mailbox-worker.ts'
import { putInbound } from './support/ach.ts'
import type { Api } from './support/api.ts'
import { readPages } from './support/check-pdf.ts'
import { type FileService, startFileService } from './support/file-service.ts'
import { assertLedger } from './support/money.ts'
import { newAccountHolder, obtainTokens, registerApplication } from './support/oauth.ts'
import { rowCounts } from './support/rows.ts'
import { addBank, newAccountNumber, startTestService, type TestUser } from './support/service.ts'

// Postal addresses of users, and their incoming mail.

const service = await startTestService({ after })
const { clock, deps, newUser, owner } = service
const URL = '/v3/mailbox'
const ADDRESS = { line_1: '1 Main St', city: 'Springfield', state: 'IL', zip: '62701', country: 'US' } as const

async function open(user: Api) {
  const { body, status, text } = await user.post(URL, {})
  assert.equal(status, 201, text)
  return body
}

const arrive = (user: Api, mailbox: string, letter: object = { sender: 'Ann Payer' }) =>
  user.post(`/v3/sandbox/mailbox/${mailbox}/mail`, letter)

async function scanOf(user: TestUser, mailbox: string, item: string): Promise<string> {
  const scan = await user.get(`${URL}/${mailbox}/mail/${item}/attachment`)
  assert.deepEqual([scan.status, scan.headers.get('content-type')], [200, 'application/pdf'])
  return scan.text
}

test('a mailbox has its own address, and lists its mail newest first', async () => {
  const user = await newUser()
  const mailbox = await open(user)
  assert.match(mailbox.address.line_2, /^PMB [1-9]\d{7}$/)
  assert.deepEqual(mailbox, {
    ...mailbox,
    status: 'ACTIVE',
    address: { ...mailbox.address, line_1: '500 Market St', zip: '94105' },
  })
  assert.deepEqual((await user.get(`${URL}/${mailbox.id}`)).body, mailbox)
  assert.deepEqual((await user.get(URL)).body, { mailboxes: [mailbox], page: 1, pages: 1, total: 1 })
  assert.deepEqual((await user.get(`${URL}?q=${mailbox.address.line_2.slice(4)}`)).body.total, 1)
  const unset = { recipient: null, tags: null, checks: null, attachment: null }
  const first = (await arrive(user, mailbox.id, { sender: 'Ann Payer', ...unset })).body
  clock.advance(1)
  const letter = { sender: 'Utility Inc.', recipient: 'Accounting', tags: ['bill', 'urgent'] }
  const second = (await arrive(user, mailbox.id, letter)).body
  const { id, date } = second
  assert.deepEqual(second, { id, date, status: 'RECEIVED', ...letter, checks: [] })
  assert.equal(first.recipient, (await user.get('/v3/user')).body.user.business_name ?? first.recipient)
  const url = `${URL}/${mailbox.id}/mail`
  assert.deepEqual((await user.get(url)).body, { mail: [second, first], page: 1, pages: 1, total: 2 })
  assert.deepEqual((await user.get(`${url}?q=utility`)).body.mail, [second])
  assert.deepEqual((await user.get(`${url}/${second.id}`)).body, second)
  const other = await open(user)
  assert.deepEqual((await user.get(`${URL}/${other.id}/mail/${second.id}`)).body.code, 'mail_not_found')
  assert.deepEqual((await user.get(`${URL}/${other.id}/mail/${second.id}/attachment`)).body.code, 'mail_not_found')
})

test('the scan is the sent PDF or is drawn, and is sealed', async () => {
  const user = await newUser()
  const { id } = await open(user)
  const drawn = (await arrive(user, id, { sender: 'Dora Drawer' })).body
  assert.match(await scanOf(user, id, drawn.id), /^%PDF-/)
  const pages = readPages(await drawLetter({ sender: 'Dora Drawer', recipient: null, receivedAt: clock.now() }))
  assert.match(JSON.stringify(pages), /Dora Drawer/)
  const scan = '%PDF-1.4 a scan'
  const sent = (await arrive(user, id, { sender: 'Ann', attachment: Buffer.from(scan).toString('base64') })).body
  assert.equal(await scanOf(user, id, sent.id), scan)
  const sealed = await deps.sql<{ scanSealed: Buffer }[]>`select scan_sealed from letter_scans`
  assert.ok(sealed.every(({ scanSealed }) => !scanSealed.includes('%PDF')))
  const before = await rowCounts(deps.sql)
  for (const attachment of ['bm90IGEgUERG', '***']) {
    const refused = await arrive(user, id, { sender: 'Ann', attachment })
    assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_attachment'])
  }
  assert.deepEqual(await rowCounts(deps.sql), before)
})

test('incoming mail sends an event to subscribed endpoints, and a mail to the owner', async () => {
  await owner.post('/v3/webhook/endpoint', { url: 'https://hooks.example.com/', event_types: ['MAIL'] })
  const user = await newUser()
  const mailbox = await open(user)
  const { id } = (await arrive(user, mailbox.id, { sender: 'Ann', recipient: 'Robin Reader' })).body
  const [event] = await deps.sql<{ body: string }[]>`select body from events where subject_id = ${id}`
  assert.deepEqual(JSON.parse(event?.body ?? ''), { id, status: 'RECEIVED', type: 'MAIL', mailbox: mailbox.id })
  const { mails } = (await service.as('').get('/web/v1/mail')).body
  assert.ok(mails.some(({ subject }: { subject: string }) => subject === 'New mail for Robin Reader'))
})

const check = (more: object = {}) => ({
  routing: '021000021',
  account: '730194826351',
  number: '001042',
  amount: 75.25,
  name: 'Dora Drawer',
  ...more,
})

async function depositCheck(more: object = {}) {
  const user = await newUser()
  const mailbox = await open(user)
  const letter = (await arrive(user, mailbox.id, { sender: 'Ann', checks: [check(more)] })).body
  const { id } = letter.checks[0]
  const account = await newBank(user)
  const deposited = await user.post(`/v3/check/deposit/${id}`, { account })
  assert.deepEqual([deposited.status, deposited.body.status], [201, 'IN_PROCESS'], deposited.text)
  const statusOf = async () => (await user.get(`/v3/check/${id}`)).body.status
  return { user, id, account, statusOf }
}

async function newBank(user: TestUser): Promise<string> {
  const { body } = await user.post('/v3/bank', { routing: '011000015', account: '518273946052', type: 'CHECKING' })
  return body.id
}

async function passDays(days: number) {
  for (let day = 0; day < days; day++) {
    clock.advance(24 * 3600)
    await service.doDueWork()
  }
}

const verifyBooks = () => assertLedger(service)

test('a scanned check becomes a payment to the user, which is paid when the user deposits it', async () => {
  const user = await newUser()
  const mailbox = await open(user)
  const arrived = (await arrive(user, mailbox.id, { sender: 'Ann', checks: [check({ number: '0077' })] })).body
  const [{ id }] = arrived.checks
  assert.deepEqual((await user.get(`${URL}/${mailbox.id}/mail/${arrived.id}`)).body, arrived)
  assert.deepEqual((await user.get(`${URL}/${mailbox.id}/mail`)).body.mail, [arrived])
  const { checks, total } = (await user.get('/v3/check')).body
  const { number, amount, status, direction, sender } = checks[0]
  assert.deepEqual([total, checks[0].id, number, amount, status], [1, id, 77, 75.25, 'UNPAID'])
  assert.deepEqual([direction, sender], ['INCOMING', 'Dora Drawer'])
  const { payments } = (await user.get(`/v3/payment?user=${user.id}`)).body
  assert.deepEqual([payments.length, payments[0].direction], [1, 'INCOMING'])
  assert.equal((await user.get(`/v3/payment/${id}/copy.pdf`)).body.code, 'paper_unavailable')

  const { statusOf } = await depositCheck({ number: '78' })
  await passDays(12)
  assert.equal(await statusOf(), 'PAID')
  await verifyBooks()
})

test('the payee of a scanned check cannot void or endorse it, and the owner of its platform can void it', async () => {
  const owner = await service.newOwner()
  const user = await newUser(undefined, owner.api)
  for (const payee of [user, owner.api]) {
    const mailbox = await open(payee)
    const checks = [check({ account: newAccountNumber() })]
    const [{ id }] = (await arrive(payee, mailbox.id, { sender: 'Ann', checks })).body.checks
    const account = await addBank(payee)
    for (const status of ['UNPAID', 'IN_PROCESS']) {
      for (const [answer, code] of [
        [await payee.del(`/v3/check/${id}`), 'not_the_sender'],
        [await payee.post(`/v3/check/notify/${id}`), 'not_the_sender'],
        [await payee.post(`/v3/check/endorse/${id}`, { name: 'Robin' }), 'not_endorsable'],
      ] as const) {
        assert.equal(answer.body.code, code)
      }
      assert.equal((await payee.get(`/v3/check/${id}`)).body.status, status)
      if (status === 'UNPAID') await payee.post(`/v3/check/deposit/${id}`, { account })
    }
    if (payee === user) assert.equal((await owner.api.del(`/v3/check/${id}`)).status, 200)
  }
  await passDays(12)
  await verifyBooks()
})

test('a check that bounces is FAILED, and the user owes the money of one that bounces late', async () => {
  const bounced = await depositCheck({ account: '9999999901' })
  const late = await depositCheck({ account: '9999999920', amount: 40 })
  await passDays(12)
  assert.equal(await bounced.statusOf(), 'FAILED')
  assert.equal((await bounced.user.get(`/v3/check/${bounced.id}/fail`)).body.code, 'R01')
  await passDays(60)
  assert.equal(await late.statusOf(), 'FAILED')
  assert.equal((await late.user.get('/v3/balance')).body.debt, 40)
  await verifyBooks()
})

test('the money of a check that the user’s bank returns waits for another deposit', async () => {
  const { user, id, account, statusOf } = await depositCheck({ number: '90', amount: 10.63 })
  await passDays(14)
  assert.equal(await statusOf(), 'FAILED')
  await passDays(10)
  assert.equal(await statusOf(), 'FAILED', 'it is not refunded to the drawer')
  await verifyBooks()
  const other = await user.post('/v3/bank', { routing: '011000015', account: '518273946060', type: 'CHECKING' })
  assert.notEqual(other.body.id, account)
  const again = await user.post(`/v3/check/deposit/${id}`, { account: other.body.id })
  assert.equal(again.status, 201, again.text)
})

test('a check is listed once, even if it arrives in two mailboxes at once', async () => {
  const users = [await newUser(), await newUser()]
  const mailboxes = await Promise.all(users.map(open))
  const twice = { sender: 'Ann', checks: [check({ number: '500' }), check({ number: '501' })] }
  const answers = await Promise.all(users.map((user, index) => arrive(user, mailboxes[index].id, twice)))
  assert.deepEqual(answers.map(({ status, body }) => body.code ?? status).sort(), [201, 'check_scanned_twice'])
  const other = { sender: 'Ann', checks: [check({ number: '500', account: '730194826369' })] }
  assert.equal((await arrive(users[0] as TestUser, mailboxes[0].id, other)).status, 201)
  const malformed = await arrive(users[0] as TestUser, mailboxes[0].id, {
    sender: 'Ann',
    checks: [check({ routing: '021000022' })],
  })
  assert.deepEqual(Object.keys(malformed.body.errors), ['checks.0.routing'])
})

test('a user can have ten mailboxes, even with concurrent requests', async () => {
  const user = await newUser()
  const answers = await Promise.all(Array.from({ length: 12 }, () => user.post(URL, {})))
  assert.equal(answers.filter(({ status }) => status === 201).length, 10)
  assert.ok(answers.every(({ status, body }) => status === 201 || body.code === 'mailbox_limit_reached'))
  const { audit } = (await owner.get('/v3/audit?per_page=100')).body
  assert.ok(audit.some(({ action }: { action: string }) => action === 'mailbox_opened'))
})

test('an Idempotency-Key opens one mailbox and creates one letter', async () => {
  const user = await newUser()
  const mailboxes = [
    await user.post(URL, {}, { idempotencyKey: 'box' }),
    await user.post(URL, {}, { idempotencyKey: 'box' }),
  ]
  assert.equal(mailboxes[0]?.text, mailboxes[1]?.text)
  const id = mailboxes[0]?.body.id
  const send = () => user.post(`/v3/sandbox/mailbox/${id}/mail`, { sender: 'Ann' }, { idempotencyKey: 'letter' })
  assert.equal((await send()).text, (await send()).text)
  assert.equal((await user.get(`${URL}/${id}/mail`)).body.total, 1)
})

test('the mailboxes of a deleted user are closed', async () => {
  const user = await newUser()
  const { id } = await open(user)
  assert.equal((await owner.del(`/v3/user/${user.id}`)).status, 200)
  const [row] = await deps.sql`select status from mailboxes where id = ${id}`
  assert.equal(row?.status, 'CLOSED')
})

test('mailboxes need a credential, but not that of an application', async () => {
  const holder = await newAccountHolder(service)
  const application = await registerApplication(holder.browser)
  const { access_token } = await obtainTokens(service, holder.browser, application)
  for (const [credential, code] of [
    ['', 'unauthorized'],
    [`Bearer ${access_token}`, 'insufficient_scope'],
  ] as const) {
    const api = service.as(credential)
    for (const answer of [await api.post(URL, {}), await api.get(URL)])
      assert.equal(answer.body.code, code, answer.text)
  }
})

test('production has no mailboxes without a provider’s address, and never simulates mail', async (t) => {
  const production = await startTestService(t, { environment: 'production' })
  const user = await production.newUser()
  const answer = await user.post(URL, {})
  assert.deepEqual([answer.status, answer.body.code], [400, 'not_configured'])
  assert.equal((await user.raw('POST', `/v3/sandbox/mailbox/${'0'.repeat(32)}/mail`, '{"sender":"Ann"}')).status, 404)
})

suite('the exchange folder', () => {
  const SCAN = Buffer.from('%PDF-1.4 a scan')

  async function start(t: Parameters<typeof startFileService>[0]) {
    const files = await startFileService(t, { settings: { mailboxAddress: ADDRESS } })
    const user = await files.newUser()
    const mailbox = await open(user)
    return { files, user, mailbox, number: mailbox.address.line_2.slice(4) as string }
  }

  const letterOf = (number: string, more: object = {}) =>
    JSON.stringify({ id: 'LB-1', mailbox: number, sender: 'Ann Payer', tags: ['bill'], ...more })

  async function put({ folder }: FileService, name: string, letter: string, scan: Buffer | null = SCAN) {
    if (scan) await putInbound(folder, `${name}.pdf`, scan)
    await putInbound(folder, `${name}.json`, letter)
  }

  const mailOf = async (user: TestUser, id: string) => (await user.get(`${URL}/${id}/mail`)).body.mail

  test('records mail once: a PDF with a JSON file, which are moved to done/', async (t) => {
    const { files, user, mailbox, number } = await start(t)
    assert.deepEqual(mailbox.address, { ...ADDRESS, line_2: `PMB ${number}` })
    await put(files, 'mail-1', letterOf(number, { recipient: 'Accounting' }))
    await readAchFiles(files.deps, achHooks)
    assert.equal(await readMail(files.deps), 1)
    const [letter] = await mailOf(user, mailbox.id)
    const { id, date } = letter
    const expected = {
      id,
      date,
      status: 'RECEIVED',
      sender: 'Ann Payer',
      recipient: 'Accounting',
      checks: [],
      tags: ['bill'],
    }
    assert.deepEqual(letter, expected)
    assert.equal(await scanOf(user, mailbox.id, id), SCAN.toString())
    assert.deepEqual((await files.list('inbound/done')).sort(), ['mail-1.json', 'mail-1.pdf'])
    assert.deepEqual([await files.reports(), await readMail(files.deps)], ['', 0])
  })

  test('records the checks of mail, each of them once', async (t) => {
    const { files, user, mailbox, number } = await start(t)
    await put(files, 'mail-1', letterOf(number, { checks: [check({ name: undefined })] }))
    await put(
      files,
      'mail-2',
      letterOf(number, { id: 'LB-2', checks: [check({ number: '1042' }), check({ number: '7' })] }),
    )
    await put(files, 'mail-3', letterOf(number, { id: 'LB-3', checks: [check({ amount: 0.001 })] }))
    assert.equal(await readMail(files.deps), 3)
    const mail: { checks: { id: string }[] }[] = await mailOf(user, mailbox.id)
    assert.deepEqual(
      mail.map(({ checks }) => checks.length),
      [0, 1, 1],
    )
    const { checks } = (await user.get('/v3/check?sort=%2BNUMBER')).body
    const shown = checks.map(({ number, sender }: { number: number; sender: string }) => [number, sender])
    assert.deepEqual(shown, [
      [7, 'Dora Drawer'],
      [1042, 'Ann Payer'],
    ])
    const cases = await files.deps.sql`select kind, line, file_name, note from bank_cases`
    assert.deepEqual(
      cases.map(({ kind, line, fileName }) => [kind, line, fileName]),
      [['entry_unread', 1, 'mail-3.json']],
    )
    assert.match(cases[0]?.note, /Check 1 .* was not listed: amount must be an amount in dollars/)
    const exceptions = await files.deps.sql`select 1 from exceptions where kind = 'check_scanned_twice'`
    assert.equal(exceptions.length, 1)
  })

  test('records a check once, even if it also arrives for another platform', async (t) => {
    const { files, user, mailbox, number } = await start(t)
    const elsewhere = await files.newUser(undefined, (await files.newOwner()).api)
    const other = await open(elsewhere)
    await put(files, 'mail-1', letterOf(number, { checks: [check({ number: '7' })] }))
    assert.equal(await readMail(files.deps), 1)
    const again = { id: 'LB-2', checks: [check({ number: '007' }), check({ number: '8' })] }
    await put(files, 'mail-2', letterOf(other.address.line_2.slice(4), again))
    assert.equal(await readMail(files.deps), 1)
    assert.deepEqual(
      (await mailOf(user, mailbox.id)).map(({ checks }: { checks: object[] }) => checks.length),
      [1],
    )
    const { checks } = (await elsewhere.get('/v3/check')).body
    assert.deepEqual(
      checks.map((one: { number: number }) => one.number),
      [8],
    )
    const [exception, ...more] = await getExceptions(files.deps, {})
    assert.deepEqual([exception?.kind, more], ['check_scanned_twice', []])
  })

  test('repeats only the moves after a crash', async (t) => {
    const { files, user, mailbox, number } = await start(t)
    await put(files, 'mail-1', letterOf(number))
    await readMail(files.deps)
    // The states after a crash before the moves, and between them.
    for (const left of [['mail-1.json', 'mail-1.pdf'], ['mail-1.json']]) {
      await rm(join(files.folder, 'inbound/done'), { recursive: true })
      await makeExchangeFolders(files.folder)
      await putInbound(files.folder, 'mail-1.json', letterOf(number))
      if (left.includes('mail-1.pdf')) await putInbound(files.folder, 'mail-1.pdf', SCAN)
      assert.equal(await readMail(files.deps), 1)
      assert.deepEqual((await files.list('inbound/done')).sort(), left)
    }
    assert.equal((await mailOf(user, mailbox.id)).length, 1)
    assert.equal(await files.reports(), '')
  })

  test('is read by several concurrent workers, and each piece of mail is recorded once', async (t) => {
    const { files, user, mailbox, number } = await start(t)
    for (const n of [1, 2, 3]) await put(files, `mail-${n}`, letterOf(number, { id: `LB-${n}` }))
    await Promise.all([1, 2, 3].map(() => readMail(files.deps)))
    assert.equal((await mailOf(user, mailbox.id)).length, 3)
    assert.deepEqual([(await files.list('inbound/done')).length, await files.reports()], [6, ''])
  })

  test('waits an hour for the scan, or for the JSON file', async (t) => {
    const { files, user, mailbox, number } = await start(t)
    await put(files, 'mail-1', letterOf(number), null)
    await putInbound(files.folder, 'mail-2.pdf', SCAN)
    assert.equal(await readMail(files.deps), 0)
    const hourAgo = new Date(Date.now() - 2 * 3_600_000)
    for (const name of ['mail-1.json', 'mail-2.pdf']) {
      await utimes(join(files.folder, 'inbound', name), hourAgo, hourAgo)
    }
    assert.equal(await readMail(files.deps), 2)
    assert.match(await files.reports(), /mail-1\.json.*its scan, the PDF of the same name, is missing/s)
    assert.match(await files.reports(), /mail-2\.pdf.*the JSON file of the same name is missing/s)
    assert.deepEqual(await mailOf(user, mailbox.id), [])
  })

  test('reads a backlog of an hour in several passes without losing any', async (t) => {
    const { files, user, mailbox, number } = await start(t)
    const hourAgo = new Date(Date.now() - 2 * 3_600_000)
    const count = 22 // more than one pass is needed
    for (let n = 1; n <= count; n++) {
      await put(files, `mail-${n}`, letterOf(number, { id: `LB-${n}` }))
      for (const end of ['json', 'pdf'])
        await utimes(join(files.folder, 'inbound', `mail-${n}.${end}`), hourAgo, hourAgo)
    }
    for (let pass = 0; pass < 2; pass++) await readMail(files.deps)
    assert.equal((await files.list('inbound/done')).length, 2 * count)
    assert.equal(await files.reports(), '')
    assert.equal((await user.get(`/v3/mailbox/${mailbox.id}/mail?per_page=50`)).body.total, count)
  })

  test('reads descriptions in other encodings, and ignores wrong and unknown fields', async (t) => {
    const { files, user, mailbox, number } = await start(t)
    const letters = [
      Buffer.from(letterOf(number, { id: 'LB-1', sender: 'Núñez & Söhne' }), 'latin1'),
      Buffer.from(`\ufeff${letterOf(number, { id: 'LB-2', recipient: 5, tags: 'bill' })}`, 'utf16le'),
      Buffer.from(
        `\ufeff${letterOf(number, { id: 'LB-3', weight: 20, checks: [check({ memo: 'x', name: '' })] })}\u001a`,
      ),
    ]
    for (const [index, letter] of letters.entries()) {
      await putInbound(files.folder, `mail-${index}.pdf`, SCAN)
      await putInbound(files.folder, `mail-${index}.json`, letter)
    }
    assert.equal(await readMail(files.deps), 3)
    const mail: { sender: string; tags: string[]; checks: unknown[] }[] = await mailOf(user, mailbox.id)
    assert.deepEqual(mail.map(({ sender, tags, checks }) => [sender, tags, checks.length]).sort(), [
      ['Ann Payer', [], 0],
      ['Ann Payer', ['bill'], 1],
      ['Núñez & Söhne', ['bill'], 0],
    ])
    const cases = await files.deps.sql`select 1 from bank_cases`
    assert.deepEqual([await files.reports(), cases.length], ['', 0])
  })

  test('unusable mail is set aside with a report, and the operator has an exception', async (t) => {
    const { files, user, mailbox, number } = await start(t)
    const exceptions = async () => (await files.deps.sql`select 1 from exceptions where kind = 'mail_set_aside'`).length
    const cases: [problem: RegExp, letter: string, scan: Buffer, hasException: boolean][] = [
      [/it is not a JSON object/, 'no JSON', SCAN, false],
      [/checks must be a list of at most 20/, letterOf(number, { checks: 'none' }), SCAN, false],
      [/sender must be a text/, letterOf(number, { sender: 'a\0' }), SCAN, false],
      [/no mailbox has this number/, letterOf('10000000'), SCAN, false],
      [/its scan is not a PDF/, letterOf(number), Buffer.from('GIF89a'), true],
      [/mail with this id arrived before/, letterOf(number, { sender: 'Another' }), SCAN, true],
    ]
    await put(files, 'mail-good', letterOf(number))
    await readMail(files.deps)
    let count = 0
    for (const [index, [problem, letter, scan, hasException]] of cases.entries()) {
      await put(files, `mail-bad-${index}`, letter, scan)
      await readMail(files.deps)
      assert.match(await files.reports(), problem)
      if (hasException) count++
      assert.equal(await exceptions(), count)
      assert.ok((await files.list('inbound/set-aside')).includes(`mail-bad-${index}.pdf`))
    }
    assert.equal((await mailOf(user, mailbox.id)).length, 1)
    const unread = await files.deps.sql`select file_name from bank_cases where kind = 'file_unread' order by file_name`
    assert.deepEqual(
      unread.map(({ fileName }) => fileName),
      [0, 1, 2, 3].map((index) => `mail-bad-${index}.json`),
      'mail without a known mailbox becomes a case',
    )
    assert.equal((await files.owner.del(`/v3/user/${user.id}`)).status, 200)
    await put(files, 'mail-late', letterOf(number, { id: 'LB-2' }))
    await readMail(files.deps)
    assert.match(await files.reports(), /its mailbox is closed/)
    assert.equal(await exceptions(), count + 1)
  })
})
