import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import type { Answer, Api } from './support/api.ts'
import { assertLedger, balanceOf, newWallet } from './support/money.ts'
import { newAccountHolder, obtainTokens, registerApplication } from './support/oauth.ts'
import { sendPayment } from './support/payments.ts'
import { allRows, webhookBodies } from './support/rows.ts'
import { addBank, startTestService } from './support/service.ts'
import { newPayee, newSender } from './support/webhooks.ts'

// Payout accounts: cards, usernames, wires and wallets, and the payments that may use them.

const service = await startTestService({ after })
const { clock, deps, newUser } = service
const DAY = 24 * 3_600

async function passDays(days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    clock.advance(DAY)
    await service.doDueWork()
  }
}

/**
 * `shown`: fields of the answer to the creation, in addition to id and date. `read`: additional fields of the answer to
 * a read.
 */
type Kind = {
  kind: string
  list: string
  body: Record<string, string>
  shown: Record<string, unknown>
  read?: Record<string, string>
  malformed: [change: Record<string, unknown>, field: string][]
}

const contact = (username: string) => ({
  list: 'accounts',
  body: { username },
  shown: { name: null },
  malformed: [
    [{ username: '' }, 'username'],
    [{ username: ' ' }, 'username'],
    [{ username: undefined }, 'username'],
    [{ username: 14155552671 }, 'username'],
    [{ username: 'a'.repeat(129) }, 'username'],
    [{ name: 'Payee' }, 'name'],
  ] as Kind['malformed'],
})

const kinds: Kind[] = [
  {
    kind: 'card',
    list: 'cards',
    body: { card_number: '4242424242424242', expiration_date: '2099-12' },
    shown: { card_number: '4242', name: null, default: true },
    read: { expiration_date: '2099-12' },
    malformed: [
      [{ card_number: '4242424242424241' }, 'card_number'],
      [{ card_number: '2442424242424242' }, 'card_number'],
      [{ card_number: '42424242424' }, 'card_number'],
      [{ card_number: '42424242424242424242' }, 'card_number'],
      [{ card_number: '4242 4242 4242 4242' }, 'card_number'],
      [{ card_number: undefined }, 'card_number'],
      [{ expiration_date: '2026-02' }, 'expiration_date'],
      [{ expiration_date: '2030-13' }, 'expiration_date'],
      [{ expiration_date: '12/2030' }, 'expiration_date'],
      [{ expiration_date: '' }, 'expiration_date'],
      [{ name: ' ' }, 'name'],
      [{ cvv: '12' }, 'cvv'],
      [{ cvv: '1234' }, 'cvv'],
      [{ cvv: 123 }, 'cvv'],
      [{ address: { city: 'Albany' } }, 'address.line_1'],
      [{ address: { line_1: '1 Main Street', zip: '12345678901' } }, 'address.zip'],
      [{ address: { line_1: '1 Main Street', street: '1' } }, 'address.street'],
      [{ pin: '1234' }, 'pin'],
    ],
  },
  { kind: 'paypal', ...contact('payee@example.com') },
  { kind: 'venmo', ...contact('@any-text') },
  { kind: 'interac', ...contact('a'.repeat(128)) },
  {
    kind: 'wire',
    list: 'accounts',
    body: { routing: 'DEUTDEFF500', account: 'DE89370400440532013000', type: 'BUSINESS' },
    shown: { routing: 'DEUTDEFF500', account: '3000', name: null },
    malformed: [
      [{ account: 'DE89370400440532013001' }, 'account'],
      [{ account: 'DE88' }, 'account'],
      [{ account: 'DE89 3704 0044' }, 'account'],
      [{ account: '123' }, 'account'],
      [{ account: '1'.repeat(35) }, 'account'],
      [{ routing: '021000022', account: '12345678' }, 'routing'],
      [{ routing: 'DEUTDEF' }, 'routing'],
      [{ routing: 'DEUTDEFF50' }, 'routing'],
      [{ routing: 'deutdeff' }, 'routing'],
      [{ routing: 'DEUT1EFF' }, 'routing'],
      [{ routing: '021000021', account: '12345678', country: 'DE' }, 'country'],
      [{ country: 'Germany' }, 'country'],
      [{ type: undefined }, 'type'],
      [{ type: 'checking' }, 'type'],
      [{ name: '' }, 'name'],
      [{ name: 'a'.repeat(129) }, 'name'],
      [{ iban: 'DE89370400440532013000' }, 'iban'],
    ],
  },
]

/** These lists have no `page`, `pages` and `total`, as in the clients of the compatible service. */
const WITHOUT_NUMBERS = ['card', 'paypal', 'venmo']

for (const { kind, list, body, shown, read = {}, malformed } of kinds) {
  const url = `/v3/account/${kind}`
  const numbers = (page: number, pages: number, total: number) =>
    WITHOUT_NUMBERS.includes(kind) ? {} : { page, pages, total }

  suite(url, () => {
    test('is added, listed, read, changed and deleted, and shows only allowed details', async () => {
      const user = await newUser()
      const added = await user.post(url, body)
      assert.equal(added.status, 201, added.text)
      const { id, date, ...rest } = added.body
      assert.deepEqual(rest, shown)
      assert.match(id, /^[0-9a-f]{32}$/)
      assert.match(date, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
      const whole = { ...added.body, ...read }
      assert.deepEqual((await user.get(url)).body, { [list]: [whole], ...numbers(1, 1, 1) })
      assert.deepEqual((await user.get(`${url}/${id}`)).body, whole)
      for (const name of ['n'.repeat(128), null, 'Savings']) {
        const changed = await user.put(`${url}/${id}`, { name })
        assert.deepEqual([changed.status, changed.text], [200, '{}'])
        assert.deepEqual((await user.get(`${url}/${id}`)).body, { ...whole, name })
      }
      assert.equal((await user.put(`${url}/${id}`, {})).status, 200)
      assert.equal((await user.get(`${url}/${id}`)).body.name, 'Savings')
      const deleted = await user.del(`${url}/${id}`)
      assert.deepEqual([deleted.status, deleted.text], [200, '{}'])
      for (const answer of [await user.get(`${url}/${id}`), await user.del(`${url}/${id}`)]) {
        assert.deepEqual([answer.status, answer.body.code], [404, 'destination_not_found'])
      }
      assert.equal((await user.put(`${url}/${id}`, { name: 'Other' })).body.code, 'destination_not_found')
      assert.deepEqual((await user.get(url)).body, { [list]: [], ...numbers(1, 0, 0) })
    })

    test('with malformed fields is refused by field, and nothing is stored', async () => {
      const user = await newUser()
      const { id } = (await user.post(url, body)).body
      const rows = await allRows(deps.sql)
      for (const [change, field] of malformed) {
        const { status, body: error, text } = await user.post(url, { ...body, ...change })
        assert.deepEqual([status, Object.keys(error.errors ?? {})], [400, [field]], `${JSON.stringify(change)} ${text}`)
      }
      for (const change of [
        { unknown: 'field' },
        { account: '12345678' },
        { card_number: '4242424242424242' },
        { expiration_date: '2099-11' },
        { username: 'other' },
        { name: ' ' },
      ]) {
        const { status, body: error } = await user.put(`${url}/${id}`, { name: 'Other', ...change })
        assert.deepEqual([status, Object.keys(error.errors)], [400, [Object.keys(change)[0]]])
      }
      assert.deepEqual(await allRows(deps.sql), rows)
    })

    test('needs a credential, but not that of an application', async () => {
      const holder = await newAccountHolder(service)
      const application = await registerApplication(holder.browser)
      const { access_token } = await obtainTokens(service, holder.browser, application)
      const { id } = (await holder.api.post(url, body)).body
      const requests = (api: Api) =>
        Promise.all([
          api.get(url),
          api.post(url, body),
          api.get(`${url}/${id}`),
          api.put(`${url}/${id}`, { name: 'Other' }),
          api.del(`${url}/${id}`),
        ])
      const outcomes = (answers: Answer[]) => new Set(answers.map((answer) => `${answer.status} ${answer.body.code}`))
      assert.deepEqual(outcomes(await requests(service.as(''))), new Set(['401 unauthorized']))
      assert.deepEqual(
        outcomes(await requests(service.as(`Bearer ${access_token}`))),
        new Set(['403 insufficient_scope']),
      )
      assert.equal((await holder.api.get(url)).body[list].length, 1)
    })

    test('is listed in numbered pages, each of which links to the next, by name and by date', async () => {
      const user = await newUser()
      const ids: string[] = []
      for (let count = 0; count < 12; count++) ids.push((await user.post(url, body)).body.id)
      const shownPage = async (query: string) => {
        const { [list]: rows, ...rest } = (await user.get(`${url}${query}`)).body
        return [rows.length, rest]
      }
      assert.deepEqual(await shownPage(''), [12, numbers(1, 1, 12)])
      assert.deepEqual(await shownPage('?per_page=10&page=2'), [2, numbers(2, 2, 12)])
      const { headers } = await user.get(`${url}?per_page=10`)
      const [, next = ''] = headers.get('link')?.match(/^<(.*)>; rel="next"$/) ?? []
      const { pathname, search } = new URL(next)
      const { body: rest, headers: last } = await user.get(pathname + search)
      assert.deepEqual([rest[list].length, Object.keys(rest), last.get('link')], [2, [list], null])

      await user.put(`${url}/${ids[7]}`, { name: 'Zurich' })
      const idsOf = async (query: string) =>
        (await user.get(`${url}?${query}`)).body[list].map(({ id }: { id: string }) => id)
      assert.deepEqual(await idsOf('q=ZUR'), [ids[7]])
      assert.equal((await idsOf('sort=-NAME'))[0], ids[7])
      assert.deepEqual(new Set(await idsOf('sort=-DATE')), new Set(ids))
    })

    test('is listed from the position of a cursor, even after the row there was deleted', async () => {
      const user = await newUser()
      for (let count = 0; count < 11; count++) await user.post(url, body)
      for (const sort of ['', '-DATE', '+NAME']) {
        const first = await user.get(`${url}?${new URLSearchParams({ per_page: '10', ...(sort && { sort }) })}`)
        const [, next = ''] = first.headers.get('link')?.match(/^<(.*)>; rel="next"$/) ?? []
        const { pathname, search } = new URL(next)
        const { body: before } = await user.get(pathname + search)
        await user.del(`${url}/${first.body[list].at(-1).id}`)
        const { body: after } = await user.get(pathname + search)
        assert.deepEqual([after, after[list].length], [before, 1], sort)
        await user.post(url, body)
      }
    })

    test('cannot be deleted while a payment to it is in transit, even one from another platform', async () => {
      const { api: payee, email } = await service.newOwner()
      const elsewhere = (await service.newOwner()).api
      const added = (await payee.post(url, body)).body
      for (const owner of [payee, elsewhere]) {
        const sender = await newUser(undefined, owner)
        const payment = await sendPayment(sender, { account: await newWallet(sender), recipient: email })
        await service.applyOutbox()
        const deposited = await payee.post(`/v3/check/deposit/${payment.id}`, { account: added.id })
        assert.equal(deposited.status, 201, deposited.text)
        const refused = await payee.del(`${url}/${added.id}`)
        assert.deepEqual([refused.status, refused.body.code], [400, 'destination_busy'])
        await passDays(7)
        assert.equal((await sender.get(`/v3/check/${payment.id}`)).body.status, 'PAID')
      }
      assert.equal((await payee.del(`${url}/${added.id}`)).status, 200)
      await assertLedger(service)
    })
  })
}

test('null counts as an omitted field of a card, a wire and a wallet', async () => {
  const user = await newUser()
  const card = { card_number: '4242424242424242', expiration_date: '2099-12' }
  const address = { line_1: '1 Main St', line_2: null, city: null, state: null, zip: null, country: null }
  const wire = { account: '99887766', routing: '021000021', type: 'CHECKING' }
  for (const [path, body] of [
    ['card', { ...card, cvv: null, name: null, address }],
    ['card', { ...card, address: null }],
    ['wire', { ...wire, name: null, country: null }],
    ['wallet', { name: null, type: null }],
  ] as const) {
    const added = await user.post(`/v3/account/${path}`, body)
    assert.deepEqual([added.status, added.body.name], [201, null], added.text)
  }
})

test('a card is accepted until the end of its expiry month', async () => {
  const user = await newUser()
  const month = clock.now().toISOString().slice(0, 7)
  const card = { card_number: '4242424242424242', expiration_date: month }
  assert.equal((await user.post('/v3/account/card', card)).status, 201)
  clock.advance(31 * DAY)
  assert.deepEqual(Object.keys((await user.post('/v3/account/card', card)).body.errors), ['expiration_date'])
})

test('one card of a user is the default: the first, then the chosen one, then the oldest remaining', async () => {
  const [user, other] = [await newUser(), await newUser()]
  const add = async (api: Api) => (await api.post('/v3/account/card', kinds[0]?.body)).body
  const [one, two, three, others] = [await add(user), await add(user), await add(user), await add(other)]
  assert.deepEqual(
    [one, two, three, others].map((card) => card.default),
    [true, false, false, true],
  )
  const defaults = async () => {
    const { cards } = (await user.get('/v3/account/card')).body as { cards: { id: string; default: boolean }[] }
    return cards.filter((card) => card.default).map(({ id }) => id)
  }
  assert.equal((await user.put(`/v3/account/card/${two.id}`, { default: true })).status, 200)
  assert.deepEqual(await defaults(), [two.id])
  const refused = await user.put(`/v3/account/card/${two.id}`, { default: false })
  assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [400, ['default']])
  assert.equal((await user.put(`/v3/account/card/${one.id}`, { default: false })).status, 200)
  await Promise.all([one, three, one, three].map(({ id }) => user.put(`/v3/account/card/${id}`, { default: true })))
  assert.equal((await defaults()).length, 1)
  await user.put(`/v3/account/card/${two.id}`, { default: true })
  await user.del(`/v3/account/card/${two.id}`)
  assert.deepEqual(await defaults(), [one.id])
  assert.equal((await other.get('/v3/account/card')).body.cards[0].default, true)
})

test('the security code of a card and its address are checked but not stored', async () => {
  const user = await newUser()
  const address = {
    line_1: '1 Main Street',
    line_2: 'Floor 2',
    city: 'Albany',
    state: 'NY',
    zip: '12207',
    country: 'US',
  }
  for (const [card_number, cvv, status] of [
    ['4242424242424242', '123', 201],
    ['378282246310005', '1234', 201],
    ['378282246310005', '123', 400],
  ] as const) {
    const card = { card_number, expiration_date: '2099-12', cvv, address }
    assert.equal((await user.post('/v3/account/card', card)).status, status)
  }
  assert.equal((await user.post('/v3/account/card', { ...kinds[0]?.body, address: { line_1: '1' } })).status, 201)
  const rows = await deps.sql`select details from destinations where user_id = ${user.id}`
  assert.equal(rows.length, 3)
  for (const { details } of rows) assert.deepEqual(Object.keys(details), ['card_number', 'expiration_date'])
})

test('a wire goes abroad with a BIC, also at the creation of a payment, and domestic with an ABA routing number', async () => {
  const [sender, payee] = [await newUser(), await newUser()]
  const account = await newWallet(sender)
  for (const [body, rail] of [
    [{ routing: 'DEUTDEFF', account: 'DE89370400440532013000' }, 'SWIFT'],
    [{ routing: 'CHASUS33', account: '12345678' }, 'WIRE'],
    [{ routing: '021000021', account: '12345678', country: 'US' }, 'WIRE'],
  ] as const) {
    const wire = (await payee.post('/v3/account/wire', { type: 'CHECKING', ...body })).body
    const { id } = await sendPayment(sender, { amount: 1, account, recipient: { id: payee.userId, account: wire.id } })
    const unpaid = await sendPayment(sender, { amount: 1, account, recipient: payee.userId })
    await payee.post(`/v3/check/deposit/${unpaid.id}`, { account: wire.id })
    for (const paymentId of [id, unpaid.id]) {
      const [event] = (await webhookBodies(deps.sql, paymentId)) as { deposit_option: string }[]
      assert.equal(event?.deposit_option, rail)
    }
  }
})

test('the number of a wire is sealed, only the last four digits of a card are stored, and deletion removes all details', async () => {
  const user = await newUser()
  const card = (await user.post('/v3/account/card', kinds[0]?.body)).body
  const wire = (await user.post('/v3/account/wire', kinds[4]?.body)).body
  const stored = () =>
    deps.sql<{ details: object; accountSealed: Buffer | null }[]>`
      select details, account_sealed
      from destinations
      where id in (${card.id}, ${wire.id})
      order by kind
    `
  const [ofCard, ofWire] = await stored()
  assert.deepEqual(ofCard, { details: { card_number: '4242', expiration_date: '2099-12' }, accountSealed: null })
  assert.equal(deps.keyRing.openText(ofWire?.accountSealed as Buffer, 'bank account'), 'DE89370400440532013000')
  await user.del(`/v3/account/card/${card.id}`)
  await user.del(`/v3/account/wire/${wire.id}`)
  for (const row of await stored()) assert.deepEqual({ ...row }, { details: {}, accountSealed: null })
})

test('when a deposit into a card races with its deletion, one wins', async () => {
  const [sender, payee] = [await newUser(), await newUser()]
  const account = await newWallet(sender)
  for (let round = 0; round < 10; round++) {
    const card = (await payee.post('/v3/account/card', kinds[0]?.body)).body
    const payment = await sendPayment(sender, { amount: 1, account, recipient: payee.userId })
    const [deposited, deleted] = await Promise.all([
      payee.post(`/v3/check/deposit/${payment.id}`, { account: card.id }),
      payee.del(`/v3/account/card/${card.id}`),
    ])
    assert.deepEqual([deposited.body.code, deleted.body.code].filter(Boolean), [
      deposited.status === 201 ? 'destination_busy' : 'bank_not_found',
    ])
  }
  await assertLedger(service)
})

suite('/v3/account/wallet', () => {
  const url = '/v3/account/wallet'

  test('has an optional name of 1 to 128 characters and an optional type, and shows its balance only when read', async () => {
    const user = await newUser()
    const made = await user.post(url, { name: 'n'.repeat(128), type: 'EXTERNAL' })
    assert.equal(made.status, 201)
    const { date, id, numbers, ...rest } = made.body
    assert.deepEqual(rest, { name: 'n'.repeat(128) })
    const { routing, account } = numbers.ACH
    assert.equal(routing, '110000000', 'that of no bank')
    assert.match(account, /^\d{12}$/)
    assert.deepEqual(numbers, { ACH: numbers.ACH, RTP: numbers.ACH, WIRE: numbers.ACH })
    assert.deepEqual((await user.get(`${url}/${id}`)).body, { ...made.body, balance: 0 })
    assert.deepEqual((await user.get(url)).body, {
      wallets: [{ ...made.body, balance: 0 }],
      page: 1,
      pages: 1,
      total: 1,
    })
    assert.equal((await user.post(url)).body.name, null)
    const refused = await user.post(url, { type: 'internal' })
    assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [400, ['type']])
    assert.equal((await user.put(`${url}/${id}`, {})).status, 400)
    assert.equal((await user.put(`${url}/${id}`, { name: null })).status, 200)
    assert.equal((await user.get(`${url}/${id}`)).body.name, null)
    const rows = await allRows(deps.sql)
    for (const [body, field] of [
      [{ name: '' }, 'name'],
      [{ name: '  ' }, 'name'],
      [{ name: 'n'.repeat(129) }, 'name'],
      [{ name: 7 }, 'name'],
      [{ name: 'Cash', balance: 5 }, 'balance'],
    ] as const) {
      for (const answer of [await user.post(url, body), await user.put(`${url}/${id}`, body)]) {
        assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [400, [field]], answer.text)
      }
    }
    for (const amount of [0, -1, 0.001, 0.011, 1e9, '1']) {
      assert.equal((await user.post(`/v3/sandbox/wallet/${id}/fund`, { amount })).status, 400, String(amount))
    }
    assert.deepEqual(await allRows(deps.sql), rows)
    for (const answer of [await service.as('').get(url), await service.as('').post(url, { name: 'Cash' })]) {
      assert.deepEqual([answer.status, answer.body.code], [401, 'unauthorized'])
    }
  })

  test('can be read but not changed by the owner of the platform, and is invisible to other platforms', async () => {
    const user = await newUser()
    const id = await newWallet(user, 5)
    const stranger = await newUser()
    const foreigner = (await service.newOwner()).api
    assert.equal((await service.owner.get(`${url}/${id}`)).body.balance, 5)
    assert.equal((await service.owner.get(`${url}/${id}/transaction`)).body.total, 1)
    for (const answer of [
      await service.owner.put(`${url}/${id}`, { name: 'Mine' }),
      await service.owner.del(`${url}/${id}`),
    ]) {
      assert.deepEqual([answer.status, answer.body.code], [403, 'not_the_holder'])
    }
    for (const api of [stranger, foreigner]) {
      for (const answer of [
        await api.get(`${url}/${id}`),
        await api.get(`${url}/${id}/transaction`),
        await api.post('/v3/check/deposit/'.concat('0'.repeat(32)), { account: id }),
        await api.post(`/v3/sandbox/wallet/${id}/fund`, { amount: 1 }),
      ]) {
        assert.equal(answer.status, 404)
      }
      assert.deepEqual((await api.get(url)).body, { wallets: [], page: 1, pages: 0, total: 0 })
    }
  })

  test('pays only what it holds, excluding money on hold', async () => {
    const [sender, payee] = [await newUser(), await newUser()]
    const [from, to] = [await newWallet(sender, 50), await newWallet(payee, 0)]
    const order = { name: 'Recipient', account: from, recipient: payee.userId }
    const over = await sender.post('/v3/check/digital', { ...order, amount: 50.01 })
    assert.deepEqual(
      [over.status, over.body.code, Object.keys(over.body.errors)],
      [400, 'insufficient_funds', ['account']],
    )
    const held = await sendPayment(sender, { ...order, amount: 30 })
    assert.equal((await sender.post('/v3/check/digital', { ...order, amount: 20.01 })).body.code, 'insufficient_funds')
    await sendPayment(sender, { ...order, amount: 20, recipient: { id: payee.userId, account: to } })
    assert.deepEqual([await balanceOf(sender, from), await balanceOf(payee, to)], [0, 20])
    await sender.del(`/v3/check/${held.id}`)
    assert.equal(await balanceOf(sender, from), 30)
    await assertLedger(service)
  })

  test('lists its entries in pages, by number or by cursor, each once, in either order', async () => {
    const user = await newUser()
    const id = await newWallet(user, 0)
    for (let cents = 1; cents <= 23; cents++) {
      if (cents % 5 === 0) clock.advance(1)
      await user.post(`/v3/sandbox/wallet/${id}/fund`, { amount: cents / 100 })
    }
    const byNumber = (await user.get(`${url}/${id}/transaction?per_page=10&page=3`)).body
    assert.deepEqual([byNumber.page, byNumber.pages, byNumber.total, byNumber.transactions.length], [3, 3, 23, 3])
    for (const sort of ['%2BDATE', '-DATE']) {
      const amounts: number[] = []
      const dates: string[] = []
      let next: string | null = `${url}/${id}/transaction?per_page=10&sort=${sort}`
      while (next) {
        const { body, headers } = await user.get(next)
        amounts.push(...body.transactions.map(({ amount }: { amount: number }) => amount))
        dates.push(...body.transactions.map(({ date }: { date: string }) => date))
        const [, link] = /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '') ?? []
        next = link ? link.slice(service.baseUrl.length) : null
      }
      assert.equal(new Set(amounts).size, 23)
      const inOrder = dates.toSorted()
      assert.deepEqual(dates, sort === '-DATE' ? inOrder.toReversed() : inOrder)
    }
    assert.equal((await user.get(`${url}/${id}/transaction?cursor=none`)).body.code, 'invalid_cursor')
  })

  test('cannot be deleted while its payment is in transit, and money returned later reopens it', async () => {
    const [sender, payee] = [await newUser(), await newPayee(service)]
    const id = await newWallet(sender, 40.65) // a push that is returned late
    const order = { amount: 40.65, account: id, recipient: { id: payee.userId, account: payee.bankId } }
    const payment = await sendPayment(sender, order)
    assert.equal((await sender.del(`${url}/${id}`)).body.code, 'wallet_busy')
    const statusNow = async () => (await sender.get(`/v3/check/${payment.id}`)).body.status
    while ((await statusNow()) === 'IN_PROCESS') await passDays(1)
    assert.equal(await statusNow(), 'PAID')
    assert.equal((await sender.del(`${url}/${id}`)).status, 200)
    while ((await statusNow()) === 'PAID') await passDays(1)
    await passDays(7)
    assert.equal(await statusNow(), 'REFUNDED')
    assert.equal((await sender.get(`${url}/${id}`)).body.balance, 40.65)
    await assertLedger(service)
  })

  test('with money keeps its user from being deleted; empty ones and all other accounts are deleted with the user', async () => {
    const user = await newUser()
    const id = await newWallet(user, 1)
    const { body: card } = await user.post('/v3/account/card', kinds[0]?.body)
    const refused = await service.owner.del(`/v3/user/${user.id}`)
    assert.deepEqual([refused.status, refused.body.code], [400, 'user_busy'])
    const payee = await newUser()
    const to = await newWallet(payee, 0)
    await sendPayment(user, { amount: 1, account: id, recipient: { id: payee.userId, account: to } })
    assert.equal((await service.owner.del(`/v3/user/${user.id}`)).status, 200)
    assert.equal((await service.owner.get(`${url}/${id}`)).body.code, 'wallet_not_found')
    assert.equal((await service.owner.get(`/v3/account/card/${card.id}`)).body.code, 'destination_not_found')
  })
})

suite('a deposit', () => {
  /** One account of each kind. */
  async function accountsOf(user: Api): Promise<Record<string, string>> {
    const accounts: Record<string, string> = { bank: await addBank(user), wallet: await newWallet(user, 0) }
    for (const { kind, body } of kinds) accounts[kind] = (await user.post(`/v3/account/${kind}`, body)).body.id
    return accounts
  }

  const deposit = (user: Api, payment: { id: string }, account: string | undefined) =>
    user.post(`/v3/check/deposit/${payment.id}`, { account })

  test('from a bank goes into a bank, and nowhere else', async () => {
    const [sender, payee] = [await newSender(service), await newUser()]
    const accounts = await accountsOf(payee)
    const payment = await sendPayment(sender, { recipient: payee.userId })
    const rows = await allRows(deps.sql)
    for (const [kind, account] of Object.entries(accounts)) {
      if (kind === 'bank') continue
      for (const answer of [
        await deposit(payee, payment, account),
        await sender.post('/v3/check/digital', { amount: 1, name: 'Payee', recipient: { id: payee.userId, account } }),
      ]) {
        assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_deposit_option'], `${kind} ${answer.text}`)
      }
    }
    for (const option of ['CARD', 'RTP', 'PAYPAL', 'WALLET', 'VENMO', 'INTERAC', 'WIRE']) {
      const order = { amount: 1, name: 'Payee', recipient: payee.userId, deposit_options: [option] }
      assert.equal((await sender.post('/v3/check/digital', order)).body.code, 'invalid_deposit_option')
    }
    assert.deepEqual(await allRows(deps.sql), rows)
    assert.equal((await deposit(payee, payment, accounts.bank)).status, 201)
    await assertLedger(service)
  })

  for (const [options, allowed] of [
    [['BANK'], { bank: 'ACH' }],
    [['RTP'], { bank: 'RTP' }],
    [['CARD'], { card: 'INSTANT' }],
    [['PAYPAL', 'VENMO'], { paypal: 'PAYPAL', venmo: 'VENMO' }],
    [['INTERAC', 'WIRE'], { interac: 'INTERAC', wire: 'SWIFT' }],
    [['WALLET'], { wallet: 'WALLET' }],
    [['PRINT', 'MAIL'], {}],
  ] as const) {
    test(`from a wallet uses the offered rails: ${options.join(', ')}`, async () => {
      const [sender, payee] = [await newUser(), await newUser()]
      const [from, accounts] = [await newWallet(sender), await accountsOf(payee)]
      for (const [kind, account] of Object.entries(accounts)) {
        const rail = (allowed as Record<string, string>)[kind]
        const order = { amount: 1, account: from, deposit_options: options, recipient: payee.userId }
        const payment = await sendPayment(sender, order)
        const answer = await deposit(payee, payment, account)
        if (rail === undefined) {
          assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_deposit_option'], kind)
          assert.deepEqual(Object.keys(answer.body.errors), ['account'])
          continue
        }
        assert.equal(answer.status, 201, answer.text)
        assert.equal(
          ((await webhookBodies(deps.sql, payment.id))[0] as { deposit_option: string }).deposit_option,
          rail,
        )
      }
      await assertLedger(service)
    })
  }

  test('after the expiry is refused, even before the payment is marked, and the money is released', async () => {
    const [sender, payee] = [await newUser(), await newUser()]
    const [from, to] = [await newWallet(sender, 10), await newWallet(payee, 0)]
    await sender.put('/v3/user', { payment: { expiration: 10 } })
    const payment = await sendPayment(sender, { amount: 10, account: from, recipient: payee.userId })
    clock.advance(10 * DAY)
    const late = await deposit(payee, payment, to)
    assert.deepEqual([late.status, late.body.code], [400, 'not_depositable'])
    await service.doDueWork()
    assert.equal((await payee.get(`/v3/check/${payment.id}`)).body.status, 'EXPIRED')
    assert.equal((await deposit(payee, payment, to)).body.code, 'not_depositable')
    assert.deepEqual([await balanceOf(sender, from), await balanceOf(payee, to)], [10, 0])
    await assertLedger(service)
  })

  test('attempted ten times at once into ten accounts succeeds once', async () => {
    const [sender, payee] = [await newUser(), await newUser()]
    const from = await newWallet(sender, 10)
    const payment = await sendPayment(sender, { amount: 10, account: from, recipient: payee.userId })
    const wallets = await Promise.all(Array.from({ length: 10 }, () => newWallet(payee, 0)))
    const answers = await Promise.all(wallets.map((wallet) => deposit(payee, payment, wallet)))
    const codes = answers.map(({ status, body }) => body.code ?? status)
    assert.deepEqual(codes.toSorted(), [201, ...Array(9).fill('not_depositable')])
    const balances = await Promise.all(wallets.map((wallet) => balanceOf(payee, wallet)))
    assert.equal(
      balances.reduce((sum, balance) => sum + balance, 0),
      10,
    )
    await assertLedger(service)
  })

  test('from another platform goes into the recipient’s own accounts, and both ledgers balance', async () => {
    const sender = await newSender(service)
    const from = await newWallet(sender)
    const { api: payee, id: payeePlatform, email } = await service.newOwner()
    const accounts = await accountsOf(payee)
    const before = clock.now()
    const paid = await sendPayment(sender, { amount: 30, account: from, recipient: email.toUpperCase() })
    await service.applyOutbox()
    assert.equal((await payee.get('/v3/check')).body.checks[0].status, 'UNPAID')
    assert.equal((await deposit(payee, paid, from)).body.code, 'bank_not_found')
    assert.equal((await deposit(service.owner, paid, accounts.wallet)).body.code, 'not_the_recipient')
    const received = await deposit(payee, paid, accounts.wallet)
    assert.deepEqual([received.status, received.body.status], [201, 'PAID'])
    await assertLedger(service)
    assert.deepEqual([await balanceOf(sender, from), await balanceOf(payee, accounts.wallet as string)], [70, 0])
    await service.applyOutbox()
    assert.deepEqual([await balanceOf(sender, from), await balanceOf(payee, accounts.wallet as string)], [70, 30])
    const { transactions } = (await payee.get(`/v3/account/wallet/${accounts.wallet}/transaction`)).body
    assert.deepEqual(
      transactions.map(({ amount, check_id }: { amount: number; check_id: string }) => [amount, check_id]),
      [[30, paid.id]],
    )
    await assertLedger(service)

    const [fromBank, toCard] = [
      await sendPayment(sender, { amount: 20, recipient: email }),
      await sendPayment(sender, { amount: 5, account: from, recipient: email }),
    ]
    await service.applyOutbox()
    assert.equal((await deposit(payee, fromBank, accounts.wallet)).body.code, 'invalid_deposit_option')
    assert.equal((await deposit(payee, fromBank, accounts.bank)).body.status, 'IN_PROCESS')
    assert.equal((await deposit(payee, toCard, accounts.card)).body.status, 'IN_PROCESS')
    await passDays(10)
    for (const { id } of [paid, fromBank, toCard]) {
      for (const api of [sender, payee]) assert.equal((await api.get(`/v3/check/${id}`)).body.status, 'PAID')
    }
    await assertLedger(service)
    const [{ books = 0 } = {}] = await deps.sql<{ books: number }[]>`
      select count(*) as books
      from transfers
      where platform_id = ${payeePlatform} and created_at >= ${before}
    `
    assert.equal(books, 1, 'its platform has the money that arrived in its wallet')
  })

  test('from a platform whose clock is ahead reaches a wallet at the time of the wallet’s platform', async () => {
    const ahead = await service.newOwner()
    const sender = await newUser(undefined, ahead.api)
    const { api: payee, email } = await service.newOwner()
    const to = await newWallet(payee, 0)
    await deps.sql`
      insert into platform_clocks (platform_id, offset_ms)
      values (${ahead.id}, ${5 * DAY * 1_000})
    `
    deps.clocks.forget(ahead.id)
    const payment = await sendPayment(sender, { amount: 1, account: await newWallet(sender), recipient: email })
    await service.applyOutbox()
    assert.equal((await deposit(payee, payment, to)).status, 201)
    await service.applyOutbox()
    const today = clock.now().toISOString().slice(0, 10)
    assert.notEqual(payment.date.slice(0, 10), today)
    const { transactions } = (await payee.get(`/v3/account/wallet/${to}/transaction`)).body
    assert.equal(transactions[0].date.slice(0, 10), today)
    await assertLedger(service)
  })

  test('of an owner’s money into the wallet of another platform’s user is refused, because it is not that user’s payment', async () => {
    const sender = await newUser()
    const { api: payee, email } = await service.newOwner()
    const user = await newUser(undefined, payee)
    const theirs = await newWallet(user, 0)
    const payment = await sendPayment(sender, { amount: 1, account: await newWallet(sender), recipient: email })
    await service.applyOutbox()
    assert.deepEqual((await deposit(user, payment, theirs)).body.code, 'payment_not_found')
    assert.equal((await deposit(payee, payment, theirs)).body.code, 'bank_not_found')
    assert.equal(await balanceOf(user, theirs), 0)
    await assertLedger(service)
  })
})
