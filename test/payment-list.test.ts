import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { PAYMENT_STATUSES } from '../src/payments/payment/payment-status.ts'
import type { Answer, Api } from './support/api.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { addBank, addVerifiedBank, startTestService } from './support/service.ts'

const { baseUrl, clock, newOwner, newUser } = await startTestService({ after })
const DAY_SECONDS = 24 * 60 * 60

type Row = Record<'id' | 'user_id' | 'name' | 'recipient' | 'status' | 'date' | 'direction', string> & {
  number: number | string
  amount: number
  description: string | null
}

const user = await newUser()
const other = await newUser()
const outsider = await newUser()
await Promise.all([addVerifiedBank(user), addVerifiedBank(other), addVerifiedBank(outsider)])

// 2 March 15:00, two hours later, and 3 March 15:00. Every sort value occurs more than once.
const descriptions = ['', 'Rent', 'rent', '100% of it', 'a_b', '💸'.repeat(1_024), 'é', null]
const numbers = [7, '7', '007', '💸', 'INV-1', 1_000, 'z'.repeat(32), 12]
for (let index = 0; index < 24; index++) {
  if (index === 8) clock.advance(2 * 60 * 60)
  if (index === 16) clock.advance(22 * 60 * 60)
  const isOutgoing = index % 3 < 2
  const sent = await sendPayment(isOutgoing ? user : other, {
    amount: (index % 5) + 0.5,
    name: `Name ${index}`,
    recipient: isOutgoing ? (index % 2 ? other.userId : 'somebody@example.com') : user.userId,
    description: descriptions[index % descriptions.length],
    number: numbers[(index * 3) % numbers.length],
    comment: 'never searched',
  })
  const status = PAYMENT_STATUSES[index % PAYMENT_STATUSES.length] as string
  if (status !== 'UNPAID') await triggerStatus(isOutgoing ? user : other, sent.id, status)
}
const all: Row[] = (await user.get('/v3/check?per_page=250')).body.checks

test('the list contains sent and received payments, newest first, in pages of 50', async () => {
  await sendPayment(outsider, { recipient: 'somebody@example.com' })
  const { status, body, headers } = await user.get('/v3/check')
  assert.deepEqual([status, body.page, body.pages, body.total, body.checks.length], [200, 1, 1, 24, 24])
  assert.equal(headers.get('link'), null)
  const dates = body.checks.map(({ date }: { date: string }) => date)
  assert.deepEqual(dates, dates.toSorted().reverse())
  const outgoing = body.checks.find(({ name }: { name: string }) => name === 'Name 16')
  assert.deepEqual(outgoing, {
    id: outgoing.id,
    number: 7,
    amount: 1.5,
    date: '2026-03-03 15:00:00',
    status: 'MAILED',
    name: 'Name 16',
    recipient: 'somebody@example.com',
    description: '',
    comment: 'never searched',
    image_uri: null,
    direction: 'OUTGOING',
    sender: `Name of ${user.userId}`,
  })
  const incoming = body.checks.find(({ name }: { name: string }) => name === 'Name 2')
  assert.deepEqual([incoming.direction, incoming.sender], ['INCOMING', `Name of ${other.userId}`])
})

/** The text by which each field sorts the rows of an answer. */
const sortValues: Record<string, (row: Row) => string> = {
  NUMBER: ({ number }) => [...Array(32 - [...String(number)].length).fill('0'), String(number)].join(''),
  TYPE: () => 'DIGITAL',
  AMOUNT: ({ amount }) => String(amount),
  STATUS: ({ status }) => status,
  DATE: ({ date }) => date,
  UPDATE: ({ date }) => date,
  DESCRIPTION: ({ description }) => description ?? '',
}

for (const field of Object.keys(sortValues)) {
  for (const sign of ['+', '-']) {
    test(`sorted by ${sign}${field}, pages and cursors visit every row once, in the same order`, async () => {
      const sort = encodeURIComponent(`${sign}${field}`)
      const whole = (await user.get(`/v3/check?per_page=250&sort=${sort}`)).body.checks as Row[]
      const inOrder = whole.toSorted((a, b) => {
        const order = byCodePoint(sortValues[field]?.(a) ?? '', sortValues[field]?.(b) ?? '') || byCodePoint(a.id, b.id)
        return sign === '+' ? order : -order
      })
      assert.deepEqual(idsOf(whole), idsOf(inOrder))
      assert.deepEqual(idsOf(whole).sort(), idsOf(all).sort())

      const byPage: Row[] = []
      for (const page of [1, 2, 3]) {
        const { body } = await user.get(`/v3/check?per_page=10&sort=${sort}&page=${page}`)
        assert.deepEqual([body.page, body.pages, body.total], [page, 3, 24])
        byPage.push(...body.checks)
      }
      assert.deepEqual(idsOf(byPage), idsOf(whole))

      const answers = await walk(user, `/v3/check?per_page=10&sort=${sort}`)
      assert.deepEqual(idsOf(answers.flatMap(({ body }) => body.checks)), idsOf(whole))
      assert.deepEqual(
        answers.map(({ body }) => Object.keys(body)),
        [['checks', 'page', 'pages', 'total'], ['checks'], ['checks']],
      )
    })
  }
}

test('cursors work with the longest descriptions', async () => {
  const sender = await newUser()
  await addVerifiedBank(sender)
  for (const description of ['💸'.repeat(1_024), '\u0001'.repeat(1_024)]) {
    for (let count = 0; count < 11; count++) await sendPayment(sender, { description })
  }
  for (const sort of ['+DESCRIPTION', '-DESCRIPTION']) {
    const answers = await walk(sender, `/v3/check?per_page=10&sort=${sort}`)
    assert.equal(new Set(answers.flatMap(({ body }) => idsOf(body.checks))).size, 22)
  }
})

test('a "+" that arrives as a space, because it was not written as %2B, counts as a "+"', async () => {
  const expected = idsOf((await user.get('/v3/check?sort=%2BAMOUNT')).body.checks)
  for (const sort of ['+AMOUNT', '%20AMOUNT']) {
    assert.deepEqual(idsOf((await user.get(`/v3/check?sort=${sort}`)).body.checks), expected)
  }
  const answers = await walk(user, '/v3/check?per_page=10&sort=+AMOUNT')
  assert.deepEqual(idsOf(answers.flatMap(({ body }) => body.checks)), expected)
})

test('the Link header is an absolute URL that keeps the filters and has rel="next"', async () => {
  const { headers } = await user.get('/v3/check?per_page=10&page=2&direction=OUTGOING&q=Name%20')
  assert.equal(headers.get('link'), null, 'the second of two pages is the last')
  const first = (await user.get('/v3/check?per_page=10&direction=OUTGOING&q=Name%20')).headers.get('link') ?? ''
  const [, address] = /^<([^>]+)>; rel="next"$/.exec(first) ?? []
  const url = new URL(address ?? '')
  assert.equal(url.origin, baseUrl)
  assert.deepEqual([...url.searchParams.keys()].sort(), ['cursor', 'direction', 'per_page', 'q'])
  assert.deepEqual([url.searchParams.get('direction'), url.searchParams.get('q')], ['OUTGOING', 'Name '])
})

test('the Link header keeps a query that contains another question mark', async () => {
  const sender = await newUser()
  await addVerifiedBank(sender)
  for (let count = 0; count < 11; count++) await sendPayment(sender, { name: 'Who? me' })
  const next = nextPath(await sender.get('/v3/check?q=Who?&per_page=10&status=UNPAID')) as string
  const { searchParams } = new URL(next, baseUrl)
  assert.deepEqual([...searchParams.keys()], ['q', 'per_page', 'status', 'cursor'])
  assert.equal(searchParams.get('q'), 'Who?')
})

test('a page after the last is empty, and per_page accepts its five values', async () => {
  const { body, headers } = await user.get('/v3/check?page=99')
  assert.deepEqual([body.checks, body.page, body.pages, body.total, headers.get('link')], [[], 99, 1, 24, null])
  for (const perPage of [10, 25, 50, 100, 250]) {
    const answer = (await user.get(`/v3/check?per_page=${perPage}`)).body
    assert.deepEqual([answer.checks.length, answer.pages], [Math.min(24, perPage), Math.ceil(24 / perPage)])
  }
  const none = (await (await newUser()).get('/v3/check')).body
  assert.deepEqual(none, { checks: [], page: 1, pages: 0, total: 0 })
})

test('each filter works alone and combined, by page and by cursor', async () => {
  const filters: [query: string, keeps: (row: Row) => boolean][] = [
    ['direction=INCOMING', ({ direction }) => direction === 'INCOMING'],
    ['direction=OUTGOING', ({ direction }) => direction === 'OUTGOING'],
    ...PAYMENT_STATUSES.map((name): (typeof filters)[number] => [`status=${name}`, ({ status }) => status === name]),
    ['start_date=2026-03-03', ({ date }) => date >= '2026-03-03'],
    ['end_date=2026-03-02', ({ date }) => date < '2026-03-03'],
    ['start_date=2026-03-02&end_date=2026-03-02', ({ date }) => date.startsWith('2026-03-02')],
    ['start_date=2026-03-04', () => false],
    ['end_date=2026-03-01', () => false],
    ['start_date=2026-03-03&end_date=2026-03-02', () => false],
    ['start_date=0001-01-01&end_date=9999-12-31', () => true],
    [
      'direction=OUTGOING&start_date=2026-03-03',
      ({ direction, date }) => direction === 'OUTGOING' && date >= '2026-03-03',
    ],
    ['direction=INCOMING&status=PAID&q=name', ({ direction, status }) => direction === 'INCOMING' && status === 'PAID'],
  ]
  for (const [query, keeps] of filters) {
    const expected = idsOf(all.filter(keeps)).sort()
    const { body } = await user.get(`/v3/check?${query}`)
    assert.deepEqual(idsOf(body.checks).sort(), expected, query)
    assert.equal(body.total, expected.length, query)
    const answers = await walk(user, `/v3/check?per_page=10&${query}`)
    assert.deepEqual(idsOf(answers.flatMap((answer) => answer.body.checks)).sort(), expected, query)
  }
})

test('q searches name, recipient, description and number, literally and ignoring case', async () => {
  const found = async (q: string) => (await user.get(`/v3/check?q=${encodeURIComponent(q)}`)).body
  const matches = (pattern: RegExp) =>
    all.filter(({ name, recipient, description, number }) =>
      [name, recipient, description ?? '', String(number)].some((text) => pattern.test(text)),
    )
  for (const [q, pattern] of [
    ['NAME 1', /name 1/i],
    ['somebody@', /somebody@/],
    [other.userId, new RegExp(other.userId)],
    ['RENT', /rent/i],
    ['inv-', /inv-/i],
    ['007', /007/],
    ['100%', /100%/],
    ['%', /%/],
    ['_', /_/],
    ['\\', /\\/],
    ["'", /'/],
    ['💸', /💸/],
    ['', /^/],
  ] as const) {
    const { checks, total } = await found(q)
    assert.deepEqual(idsOf(checks).sort(), idsOf(matches(pattern)).sort(), q)
    assert.equal(total, checks.length)
  }
  assert.equal((await found('never searched')).total, 0)
  assert.equal((await user.get(`/v3/check?q=${'a'.repeat(180)}`)).status, 200)
})

test('rows added while a list is read appear once if they come later, and displace none', async () => {
  for (const [sort, meetsNew] of [
    ['-DATE', false],
    ['%2BDATE', true],
    ['-AMOUNT', true],
  ] as const) {
    const before = idsOf((await user.get('/v3/check?per_page=250')).body.checks)
    const first = await user.get(`/v3/check?per_page=10&sort=${sort}`)
    clock.advance(60)
    const added = await sendPayment(user, { amount: 0.01 })
    const rest = await walk(user, nextPath(first) ?? '')
    const met = idsOf([first, ...rest].flatMap(({ body }) => body.checks))
    assert.equal(new Set(met).size, met.length)
    assert.deepEqual(met.toSorted(), (meetsNew ? [...before, added.id] : before).toSorted(), sort)
  }
})

test('an invented or altered cursor, or one of another list or sort, causes a 400 that names it', async () => {
  const { api: owner } = await newOwner()
  for (let count = 0; count < 11; count++) await newUser(undefined, owner)
  const cursorOf = (answer: Answer) => new URL(nextPath(answer) ?? '', baseUrl).searchParams.get('cursor') as string
  const byDate = cursorOf(await user.get('/v3/check?per_page=10'))
  const byAmount = cursorOf(await user.get('/v3/check?per_page=10&sort=-AMOUNT'))
  const byUserId = cursorOf(await owner.get('/v3/user/list?per_page=10&sort=-USER_ID'))
  const { id } = all[0] as Row
  const forge = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')
  const forged: [sort: string, cursor: string][] = [
    ['-DATE', byAmount],
    ['-DATE', byUserId],
    ['%2BDATE', byDate],
    ['-UPDATE', byDate],
    ['-AMOUNT', byDate],
    ['-DATE', byDate.slice(0, -4)],
    ['-DATE', `${byDate}${byDate}`],
    ['-DATE', 'cursor'],
    ['-DATE', '!!!'],
    ...[null, 7, 'text', [], {}, true].map((value): [string, string] => [
      '-DATE',
      Buffer.from(JSON.stringify(value)).toString('base64url'),
    ]),
    ...[
      '',
      'x',
      7,
      null,
      '2026-02-30T00:00:00.000Z',
      '0000-01-01T00:00:00.000Z',
      '2026-03-02',
      '2026-03-02T25:00:00.000Z',
      '+275760-09-13T00:00:00.000Z',
      'infinity',
      'now',
    ].map((value): [string, string] => ['-DATE', forge('-DATE', value, id)]),
    ...['', 'x', '-1', '1.5', '1e3', 50, '9'.repeat(16), ' 1', '١'].map((value): [string, string] => [
      '-AMOUNT',
      forge('-AMOUNT', value, id),
    ]),
    ...['a\0b', '\ud800', 7, null, ['a']].map((value): [string, string] => [
      '-DESCRIPTION',
      forge('-DESCRIPTION', value, id),
    ]),
    ...['', 'x', null, 7, [id], id.toUpperCase(), `${id}'`].map((value): [string, string] => [
      '-NUMBER',
      forge('-NUMBER', 'a', value),
    ]),
  ]
  for (const [sort, cursor] of forged) {
    const { status, body } = await user.get(`/v3/check?per_page=10&sort=${sort}&cursor=${cursor}`)
    assert.deepEqual(
      [status, body.code, Object.keys(body.errors)],
      [400, 'invalid_cursor', ['cursor']],
      `${sort} ${atob64(cursor)}`,
    )
  }
})

test('another user’s cursor is only a position: the caller sees its own rows', async () => {
  const next = nextPath(await user.get('/v3/check?per_page=10')) as string
  assert.deepEqual((await (await newUser()).get(next)).body, { checks: [] })
})

test('short lists without page numbers continue by cursor after a deleted row, and refuse an invented cursor', async () => {
  const { api: owner } = await newOwner()
  const endpoint = (count: number) => ({ url: `https://hooks.example.com/${count}` })
  const lists: [path: string, name: string, create: (count: number) => Promise<unknown>][] = [
    ['/v3/bank', 'banks', () => addBank(owner)],
    ['/v3/user/api_key', 'api_keys', () => owner.post('/v3/user/api_key', {})],
    ['/v3/webhook/endpoint', 'endpoints', (count) => owner.post('/v3/webhook/endpoint', endpoint(count))],
  ]
  for (const [path, name, create] of lists) {
    for (let count = 0; count < 12; count++) await create(count)
    const read = async () => (await owner.get(path)).body[name]
    let all = await read()
    // The tenth row is deleted. It must not be the key of the requests. Another key can delete it.
    while (owner.credential.startsWith(all[9].id)) {
      await create(all.length)
      all = await read()
    }
    const first = await owner.get(`${path}?per_page=10`)
    assert.deepEqual(first.body[name], all.slice(0, 10))
    assert.equal((await owner.del(`${path}/${all[9].id}`)).status < 300, true)
    const rest = await owner.get(nextPath(first) ?? '')
    assert.deepEqual([rest.body, nextPath(rest)], [{ [name]: all.slice(10) }, null])
    for (const cursor of ['0'.repeat(32), all[0].id, 'x']) {
      const { status, body } = await owner.get(`${path}?cursor=${cursor}`)
      assert.deepEqual([status, body.code, Object.keys(body.errors)], [400, 'invalid_cursor', ['cursor']])
    }
  }
})

test('the list of users contains each user of the platform once, with its first key and no secret', async () => {
  const { api: owner } = await newOwner()
  const made: Row[] = []
  for (let index = 0; index < 23; index++) {
    if (index % 4 === 0) clock.advance(60)
    made.push((await newUser(`${index % 2 ? 'b' : 'B'}-${index}💸`, owner)) as never)
  }
  await owner.del(`/v3/user/${made.pop()?.id}`)
  const { body } = await owner.get('/v3/user/list')
  assert.deepEqual([body.page, body.pages, body.total, body.users.length], [1, 1, 22, 22])
  const row = body.users.find(({ user_id }: Row) => user_id === 'B-20💸')
  assert.match(row.date, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  const { id, credential } = made[20] as unknown as { id: string; credential: string }
  const { date, ...rest } = row
  assert.deepEqual(rest, {
    id,
    user_id: 'B-20💸',
    name: 'Name of B-20💸',
    key: credential.slice(0, 32),
    secret: '*'.repeat(40),
  })

  for (const sort of ['+DATE', '-DATE', '+USER_ID', '-USER_ID']) {
    const whole = (await owner.get(`/v3/user/list?sort=${sort}`)).body.users as Row[]
    const value = (entry: Row) => (sort.endsWith('DATE') ? entry.date : entry.user_id)
    const inOrder = whole.toSorted((a, b) => byCodePoint(value(a), value(b)) || byCodePoint(a.id, b.id))
    assert.deepEqual(idsOf(whole), idsOf(sort.startsWith('+') ? inOrder : inOrder.reverse()), sort)
    assert.deepEqual(idsOf(whole).sort(), idsOf(made).sort())
    const answers = await walk(owner, `/v3/user/list?per_page=10&sort=${sort}`)
    assert.deepEqual(idsOf(answers.flatMap((answer) => answer.body.users)), idsOf(whole))
    assert.deepEqual(Object.keys(answers[1]?.body), ['users'])
  }
  for (const [q, count] of [
    ['b-1', 11],
    ['name of B-2', 3],
    ['💸', 22],
    ['%', 0],
  ] as const) {
    assert.equal((await owner.get(`/v3/user/list?q=${encodeURIComponent(q)}`)).body.total, count, q)
  }
})

test('date filters are whole UTC days', async () => {
  const sender = await newUser()
  await addVerifiedBank(sender)
  const untilMidnight = DAY_SECONDS - ((clock.now().getTime() / 1000) % DAY_SECONDS)
  clock.advance(untilMidnight - 1)
  const lastOfDay = await sendPayment(sender)
  clock.advance(1)
  const firstOfNext = await sendPayment(sender)
  const [day, next] = [lastOfDay.date.slice(0, 10), firstOfNext.date.slice(0, 10)]
  assert.deepEqual([lastOfDay.date.slice(11), firstOfNext.date.slice(11)], ['23:59:59', '00:00:00'])
  assert.deepEqual(idsOf((await sender.get(`/v3/check?end_date=${day}`)).body.checks), [lastOfDay.id])
  assert.deepEqual(idsOf((await sender.get(`/v3/check?start_date=${next}`)).body.checks), [firstOfNext.id])
})

const idsOf = (rows: { id: string }[]): string[] => rows.map(({ id }) => id)

const atob64 = (cursor: string) => Buffer.from(cursor, 'base64url').toString()

/** The order of PostgreSQL's collation "C": by code point. JavaScript compares UTF-16 units. */
const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

function nextPath({ headers }: Answer): string | null {
  const [, address] = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '') ?? []
  return address ? address.slice(baseUrl.length) : null
}

/** Follows the Link headers to the end. */
async function walk(api: Api, path: string): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let next: string | null = path; next !== null; ) {
    const answer: Answer = await api.get(next)
    assert.equal(answer.status, 200, `${next.slice(0, 100)} ${answer.text.slice(0, 200)}`)
    assert.ok(answers.length < 20, 'the pages have an end')
    answers.push(answer)
    next = nextPath(answer)
  }
  return answers
}
