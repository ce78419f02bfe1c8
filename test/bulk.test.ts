import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertLedger, balanceOf, newWallet } from './support/money.ts'
import { newAccountHolder, obtainTokens, registerApplication } from './support/oauth.ts'
import { rowCounts } from './support/rows.ts'
import { addVerifiedBank, newAccountNumber, startTestService } from './support/service.ts'

// The payments of a file: all of them or none.

const service = await startTestService({ after }, { settings: { limits: null } })
const { clock, deps, doDueWork, newUser, ownerSql } = service
const URL = '/v3/check/csv'
const ADDRESS = { line_1: '1 Main St', city: 'Springfield', state: 'IL', zip: '62701' }

const sender = await newUser()
await addVerifiedBank(sender)

const mailRow = (given: object = {}) => ({
  name: 'Dana Payee',
  amount: 12.34,
  address: { type: 'email', address: 'dana@example.com' },
  ...given,
})
const paperRow = (given: object = {}) => mailRow({ address: { type: 'physical', address: ADDRESS }, ...given })
const accountRow = (given: object = {}) =>
  mailRow({ account_number: newAccountNumber(), routing_number: '021000021', ...given })

const send = (file: unknown, given: object = {}, options = {}) => sender.post(URL, { file, ...given }, options)

test('each row is sent by email, mailed, or deposited, and the answer has the payments in the order of the rows', async () => {
  const rows = [mailRow({ number: 'A-1', description: 'Rent' }), paperRow({ number: 7 }), accountRow(), mailRow()]
  const { status, body } = await send(rows, { mail_type: 'OVERNIGHT' })
  assert.equal(status, 201)
  const { checks } = body
  assert.deepEqual(
    checks.map((check: Record<string, unknown>) => [check.status, check.recipient, check.amount]),
    [
      ['UNPAID', 'dana@example.com', 12.34],
      ['IN_PROCESS', '1 Main St, Springfield, IL 62701', 12.34],
      ['IN_PROCESS', 'dana@example.com', 12.34],
      ['UNPAID', 'dana@example.com', 12.34],
    ],
  )
  assert.deepEqual([checks[0].number, checks[0].description, checks[1].number], ['A-1', 'Rent', 7])
  assert.equal(checks[3].number, checks[2].number + 1)
  const [paper] = await deps.sql`select kind, mail_type from payments where id = ${checks[1].id}`
  assert.deepEqual(paper, { kind: 'PHYSICAL', mailType: 'OVERNIGHT' })
  for (let day = 0; day < 9; day++) {
    clock.advance(24 * 3_600)
    await doDueWork()
  }
  assert.equal((await sender.get(`/v3/check/${checks[2].id}`)).body.status, 'PAID')
  await assertLedger(service)
})

test('a CSV file can have its columns in any order, and empty fields count as missing', async () => {
  const file = [
    'amount,name,email,line_1,city,state,zip,number,description,account_number,routing_number',
    '1,"Payee, One",one@example.com,,,,,,"first ""row""",,',
    '2.50,Payee Two,,1 Main St,Springfield,IL,62701,15,,,',
    '',
    `3.05,Payee Three,three@example.com,,,,,B-3,,${newAccountNumber()},021000021`,
  ].join('\r\n')
  const { status, body, text } = await send(`\uFEFF${file}\r\n`)
  assert.equal(status, 201, text)
  const shown = ['name', 'amount', 'recipient', 'number', 'description', 'status'] as const
  assert.deepEqual(
    body.checks.map((check: Record<string, unknown>) => shown.map((field) => check[field])),
    [
      ['Payee, One', 1, 'one@example.com', body.checks[0].number, 'first "row"', 'UNPAID'],
      ['Payee Two', 2.5, '1 Main St, Springfield, IL 62701', 15, null, 'IN_PROCESS'],
      ['Payee Three', 3.05, 'three@example.com', 'B-3', null, 'IN_PROCESS'],
    ],
  )
})

test('an export of payments can be sent again unchanged: names and addresses are the same', async () => {
  const user = await newUser()
  await addVerifiedBank(user)
  const rows = [
    { name: '=Ann & Co', recipient: '+tagged@example.com', description: "'-30-" },
    { name: '\'Tis "Inc."', recipient: 'b@example.com', description: '@home; rent' },
  ]
  for (const row of rows) assert.equal((await user.post('/v3/check/digital', { ...row, amount: 1234.5 })).status, 201)
  const { text: file } = await user.get('/v3/export')
  const { status, body, text } = await user.post(URL, { file })
  assert.equal(status, 201, text)
  const shown = ({ name, recipient, description, amount }: Record<string, unknown>) => ({
    ...{ name, recipient, description },
    amount,
  })
  assert.deepEqual(
    body.checks.map(shown).reverse(),
    rows.map((row) => ({ ...row, amount: 1234.5 })),
  )
})

test('invalid rows refuse the file, every invalid row is named with its line, and nothing is written', async () => {
  const rows = [
    mailRow(),
    mailRow({ amount: 0 }),
    paperRow({ address: { type: 'physical', address: { ...ADDRESS, zip: undefined } } }),
    mailRow({ amount: 1.005 }),
    accountRow({ routing_number: '021000022' }),
    accountRow({ routing_number: undefined }),
    paperRow({ name: '漢字' }),
    mailRow({ address: { type: 'email', address: sender.userId } }),
    mailRow({ colour: 'red', name: undefined }),
    'text',
    mailRow(),
  ]
  const before = await rowCounts(deps.sql)
  const { status, body } = await send(rows)
  assert.deepEqual([status, body.code], [400, 'invalid_rows'])
  assert.deepEqual(Object.keys(body.errors), [
    'file.1.amount',
    'file.2.address.address.zip',
    'file.3.amount',
    'file.4.routing_number',
    'file.5.routing_number',
    'file.6.name',
    'file.7.address.address',
    'file.8.name',
    'file.8.colour',
    'file.9',
  ])
  assert.deepEqual(body.errors['file.2.address.address.zip'], ['line 3: is required'])
  assert.match(body.message, /lines 2, 3, 4, 5, 6, 7, 8, 9, 10 have problems/)
  assert.deepEqual(await rowCounts(deps.sql), before)
})

test('line numbers of a CSV file are those of the file, and field names are its columns', async () => {
  const header = 'name,amount,email,line_1,zip'
  const file = [
    header,
    'Payee,1,p@example.com',
    '"Two\nlines",2,q@example.com',
    'Payee,€3,r@example.com,,',
    'Payee,4',
    'Payee,5,,1 Main St,62701',
    'a,1,b@example.com,,,,x',
    ',,,,',
    'Payee,1,b@example.com,,,,',
    'Payee,-1,b@example.com',
    'Payee,1,b@example.com,1 Main St,62701',
  ].join('\n')
  const { status, body } = await send(file)
  assert.deepEqual([status, body.code], [400, 'invalid_rows'])
  const lines = Object.entries(body.errors).map(([field, texts]) => `${field} ${(texts as string[])[0]?.split(':')[0]}`)
  assert.deepEqual(lines, [
    'file.2.amount line 5',
    'file.3.email line 6',
    'file.4.city line 7',
    'file.4.state line 7',
    'file.5 line 8',
    'file.7.amount line 11',
    'file.8.email line 12',
    'file.8.city line 12',
    'file.8.state line 12',
  ])
  assert.deepEqual(body.errors['file.7.amount'], ['line 11: must be dollars and cents, such as 1234.50'])
  assert.deepEqual(body.errors['file.8.email'], ['line 12: must be empty in a row with a postal address'])
  assert.deepEqual(body.errors['file.5'], [
    'line 8: has more fields than the header. A field with “,” must be in quotation marks',
  ])
})

test('a file that is not a list of rows is refused', async () => {
  const before = await rowCounts(deps.sql)
  for (const file of [
    [],
    '',
    'name,amount,email',
    'name,email\nPayee,p@example.com',
    'name,amount,color\nPayee,1,red',
    'name,amount,email,\nPayee,1,p@example.com,x',
    'name,amount,amount\nPayee,1,1',
    `12345678901,021000021,Ann`,
    `name,amount\n${'1\n'.repeat(1_000_000)}`,
    'name,amount,email\n"Payee,1,p@example.com',
    Array.from({ length: 1_501 }, () => mailRow()),
    7,
  ]) {
    const { status, body } = await send(file)
    assert.deepEqual([status, body.code, Object.keys(body.errors)], [400, 'invalid_request', ['file']])
    assert.ok(!JSON.stringify(body).includes('12345678901'))
  }
  assert.deepEqual(await rowCounts(deps.sql), before)
})

test('errors found under the locks also name their lines: limits, funds, payees', async () => {
  const [user, closed] = [await newUser(), await newUser('closed@example.com')]
  await addVerifiedBank(user)
  const wallet = await newWallet(user, 30)
  await deps.sql`
    insert into user_limits (platform_id, user_id, day_cents)
    select platform_id, id, 5000
    from users
    where id = ${user.id}
  `
  await ownerSql`update users set status = 'CLOSED' where id = ${closed.id}`
  const rows = [
    mailRow({ amount: 20 }),
    mailRow({ amount: 40 }),
    mailRow({ amount: 1, address: { type: 'email', address: 'closed@example.com' } }),
    mailRow({ amount: 31 }),
    mailRow({ amount: 5 }),
  ]
  const before = await rowCounts(deps.sql)
  const byLimit = await user.post(URL, { file: rows })
  assert.deepEqual([byLimit.status, byLimit.body.code], [400, 'invalid_rows'])
  assert.deepEqual(Object.keys(byLimit.body.errors), ['file.1.amount', 'file.2', 'file.3.amount'])
  assert.match(byLimit.body.errors['file.1.amount'][0], /^line 2: exceeds what is left of the daily limit/)
  const byFunds = await user.post(URL, { file: [rows[0], mailRow({ amount: 11 }), rows[4]], account: wallet })
  assert.deepEqual(Object.entries(byFunds.body.errors), [
    ['file.1.amount', ['line 2: exceeds what is left in the account']],
  ])
  assert.deepEqual(await rowCounts(deps.sql), before)
  assert.equal(await balanceOf(user, wallet), 30)
})

test('a problem of the sender or its account is reported once', async () => {
  const user = await newUser()
  for (const [given, code, status] of [
    [{}, 'no_verified_bank', 400],
    [{ account: '0'.repeat(32) }, 'bank_not_found', 404],
  ] as const) {
    const { status: answered, body } = await user.post(URL, { file: [mailRow(), mailRow()], ...given })
    assert.deepEqual([answered, body.code, Object.keys(body.errors)], [status, code, ['account']])
  }
})

test('a repeated key gets the same answer, a refused file does not use it, and two concurrent requests send the file once', async () => {
  const user = await newUser()
  await addVerifiedBank(user)
  const key = { idempotencyKey: 'a file' }
  const body = { file: [mailRow(), accountRow()] }
  assert.equal((await user.post(URL, { file: [mailRow({ amount: -1 })] }, key)).status, 400)
  const answers = await Promise.all([user.post(URL, body, key), user.post(URL, body, key)])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201],
  )
  assert.equal(answers[0].text, answers[1].text)
  assert.equal((await user.post(URL, { file: [mailRow()] }, key)).body.code, 'idempotency_key_reused')
  assert.equal((await user.get('/v3/check')).body.total, 2)
})

test('an application with the scope check can send a file, and reads its payments', async () => {
  const holder = await newAccountHolder(service)
  await addVerifiedBank(holder.api)
  const application = await registerApplication(holder.browser)
  const { access_token: token } = await obtainTokens(service, holder.browser, application)
  const api = service.as(`Bearer ${token}`)
  const { status, body } = await api.post(URL, { file: [mailRow(), mailRow()] })
  assert.equal(status, 201)
  assert.equal((await api.get(`/v3/check/${body.checks[1].id}`)).status, 200)
})

test('1,500 rows are accepted in one transaction, with consecutive numbers', async () => {
  const rows = Array.from({ length: 1_500 }, (_, index) => [mailRow(), accountRow(), paperRow()][index % 3])
  const { status, body, text } = await send(rows)
  assert.equal(status, 201, text.slice(0, 500))
  const first = body.checks[0].number
  assert.deepEqual(
    body.checks.map((check: { number: number }) => check.number),
    rows.map((_, index) => first + index),
  )
  await assertLedger(service)
})

test('a long file uses up a limit row by row, and only the rows above the limit are named', async () => {
  const user = await newUser()
  await addVerifiedBank(user)
  await deps.sql`
    insert into user_limits (platform_id, user_id, day_cents)
    select platform_id, id, 61000
    from users
    where id = ${user.id}
  `
  const rows = Array.from({ length: 615 }, () => mailRow({ amount: 1 }))
  const before = await rowCounts(deps.sql)
  const { status, body } = await user.post(URL, { file: rows })
  assert.deepEqual([status, body.code], [400, 'invalid_rows'])
  assert.deepEqual(
    Object.keys(body.errors),
    [610, 611, 612, 613, 614].map((index) => `file.${index}.amount`),
  )
  assert.deepEqual(await rowCounts(deps.sql), before)
  assert.equal((await user.post(URL, { file: rows.slice(0, 610) })).status, 201)
})
