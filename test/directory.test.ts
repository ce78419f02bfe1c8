import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newAccountHolder, obtainTokens, registerApplication } from './support/oauth.ts'
import { allRows } from './support/rows.ts'
import { newAccountNumber, startTestService, type TestUser } from './support/service.ts'

// Saved payees, with their bank accounts and cards.

const service = await startTestService({ after })
const { clock, deps, newUser, owner } = service
const URL = '/v3/directory'
const CARD = { card_number: '4242424242424242', expiration_date: '2099-12' }
const ADDRESS = { line_1: '1 Main St', city: 'Springfield', state: 'IL', zip: '62701' }
const NO_ADDRESS = { line_1: null, line_2: null, city: null, state: null, zip: null, country: null }

const bankBody = () => ({ routing: '021000021', account: newAccountNumber(), type: 'CHECKING' })

async function newEntry(user: TestUser, body: object = { name: 'Payee' }): Promise<string> {
  const { body: entry, status, text } = await user.post(URL, body)
  assert.equal(status, 201, text)
  clock.advance(1) // the order of dates
  return entry.id
}

const entriesOf = async (user: TestUser) => (await user.get(URL)).body.entries

test('a payee is saved, listed, changed and deleted, and unset values are null', async () => {
  const user = await newUser()
  const email = 'dana@example.com'
  const saved = await user.post(URL, { name: 'Dana', email, address: ADDRESS })
  const { id, ...rest } = saved.body
  const address = { ...NO_ADDRESS, ...ADDRESS }
  assert.deepEqual([saved.status, rest], [201, { name: 'Dana', email, address, accounts: [] }])
  assert.match(id, /^[0-9a-f]{32}$/)
  assert.deepEqual((await user.get(URL)).body, { entries: [saved.body], page: 1, pages: 1, total: 1 })

  for (const [change, expected] of [
    [{ name: 'Dana LLC' }, { name: 'Dana LLC', email, address }],
    [{ email: null }, { name: 'Dana LLC', email: null, address }],
    [
      { address: null, email },
      { name: 'Dana LLC', email, address: NO_ADDRESS },
    ],
    [{}, { name: 'Dana LLC', email, address: NO_ADDRESS }],
  ] as const) {
    const changed = await user.put(`${URL}/${id}`, change)
    assert.deepEqual([changed.status, changed.text], [200, '{}'])
    assert.deepEqual(await entriesOf(user), [{ id, ...expected, accounts: [] }])
  }

  const deleted = await user.del(`${URL}/${id}`)
  assert.deepEqual([deleted.status, deleted.text], [200, '{}'])
  assert.deepEqual(await entriesOf(user), [])
  assert.equal((await user.del(`${URL}/${id}`)).body.code, 'directory_entry_not_found')
})

test('an address of an answer can be sent back, even an unset one', async () => {
  const user = await newUser()
  for (const address of [ADDRESS, { ...ADDRESS, line_2: null, country: null }, NO_ADDRESS, null]) {
    const saved = await user.post(URL, { name: 'Dana', email: null, address })
    assert.equal(saved.status, 201, saved.text)
    assert.deepEqual(saved.body.address, { ...NO_ADDRESS, ...address })
    const changed = await user.put(`${URL}/${saved.body.id}`, { email: null, address: saved.body.address })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual((await user.get(`${URL}/${saved.body.id}`)).body.address, saved.body.address)
    const account = await user.post(`${URL}/${saved.body.id}/account/bank`, { ...bankBody(), name: null })
    assert.deepEqual([account.status, account.body.name], [201, null])
  }
  for (const [address, fields] of [
    [{ ...NO_ADDRESS, line_1: '1 Main St' }, ['address.city', 'address.state', 'address.zip']],
    [{ ...ADDRESS, city: null }, ['address.city']],
  ] as const) {
    const { status, body } = await user.post(URL, { name: 'Dana', address })
    assert.deepEqual([status, Object.keys(body.errors)], [400, fields])
  }
})

test('a payee is marked for seven days after it or one of its accounts was added, changed or removed', async () => {
  const user = await newUser()
  const id = await newEntry(user, { name: 'Dana', email: 'dana@example.com' })
  const read = async () => (await user.get(`${URL}/${id}`)).body
  const isRecent = async () => (await read()).recently_changed
  const pass = (days: number) => clock.advance(days * 24 * 3_600)
  const { accounts: _, date, changed, recently_changed, ...saved } = await read()
  assert.deepEqual([date, recently_changed], [changed, true])
  assert.equal(saved.email, 'dana@example.com')
  pass(7)
  assert.equal(await isRecent(), false)
  const account = (await user.post(`${URL}/${id}/account/bank`, bankBody())).body.id
  const [added] = (await read()).accounts
  assert.deepEqual([added.id, added.date, await isRecent()], [account, (await read()).changed, true])
  pass(7)
  await user.put(`${URL}/${id}`, { email: 'thief@example.com' })
  assert.equal(await isRecent(), true)
  pass(6)
  assert.equal(await isRecent(), true)
  pass(1)
  assert.equal(await isRecent(), false)
  await user.del(`${URL}/${id}/account/${account}`)
  assert.equal(await isRecent(), true)
})

test('bank accounts and cards are added and removed, and only the last four digits are shown', async () => {
  const user = await newUser()
  const [id, other] = [await newEntry(user), await newEntry(user, { name: 'Another' })]
  const body = bankBody()
  const bank = await user.post(`${URL}/${id}/account/bank`, { ...body, name: 'Payroll' })
  clock.advance(1)
  const card = await user.post(`${URL}/${id}/account/card`, CARD)
  assert.deepEqual([bank.status, card.status], [201, 201], bank.text + card.text)
  assert.deepEqual(bank.body, { id: bank.body.id, name: 'Payroll', number: body.account.slice(-4), type: 'BANK' })
  assert.deepEqual(card.body, { id: card.body.id, name: null, number: '4242', type: 'CARD' })
  const accountsOf = async (entryId: string) =>
    (await entriesOf(user)).find((entry: { id: string }) => entry.id === entryId).accounts
  assert.deepEqual([await accountsOf(id), await accountsOf(other)], [[bank.body, card.body], []])

  const elsewhere = await user.del(`${URL}/${other}/account/${card.body.id}`)
  assert.deepEqual([elsewhere.status, elsewhere.body.code], [404, 'directory_account_not_found'])
  const removed = await user.del(`${URL}/${id}/account/${card.body.id}`)
  assert.deepEqual([removed.status, removed.text], [200, '{}'])
  assert.deepEqual(await accountsOf(id), [bank.body])
  assert.equal((await user.del(`${URL}/${id}/account/${card.body.id}`)).body.code, 'directory_account_not_found')
})

test('a payee has each account once, even if it is added repeatedly, and a reissued card is another account', async () => {
  const user = await newUser()
  const [id, other] = [await newEntry(user), await newEntry(user, { name: 'Another' })]
  const body = bankBody()
  const add = async (entryId: string, kind: 'bank' | 'card', fields: object) => {
    const { status, body: answer } = await user.post(`${URL}/${entryId}/account/${kind}`, fields)
    return [status, ...Object.keys(answer.errors ?? {})]
  }
  const again = await Promise.all([add(id, 'bank', body), add(id, 'bank', { ...body, type: 'SAVINGS', name: 'Again' })])
  assert.deepEqual(again.toSorted(), [[201], [400, 'account']])
  assert.deepEqual(await add(id, 'bank', { ...body, routing: '011401533' }), [201])
  assert.deepEqual(await add(other, 'bank', body), [201])
  assert.deepEqual(await add(id, 'card', CARD), [201])
  assert.deepEqual(await add(id, 'card', CARD), [400, 'card_number'])
  assert.deepEqual(await add(id, 'card', { ...CARD, expiration_date: '2031-01' }), [201])
})

test('numbers are sealed, and deleting the payee or the user deletes them', async () => {
  const user = await newUser()
  const rows = () => deps.sql<{ type: 'BANK' | 'CARD'; numberSealed: Buffer }[]>`
    select type, number_sealed
    from directory_accounts
    where entry_id in (${ids[0] as string}, ${ids[1] as string})
    order by type
  `
  const ids = [await newEntry(user), await newEntry(user)]
  const body = bankBody()
  await user.post(`${URL}/${ids[0]}/account/bank`, body)
  await user.post(`${URL}/${ids[1]}/account/card`, CARD)
  const [bank, card] = await rows()
  assert.equal(deps.keyRing.openText(bank?.numberSealed as Buffer, 'bank account'), body.account)
  assert.equal(deps.keyRing.openText(card?.numberSealed as Buffer, 'card number'), CARD.card_number)
  await user.del(`${URL}/${ids[0]}`)
  assert.deepEqual(
    (await rows()).map(({ type }) => type),
    ['CARD'],
  )
  assert.equal((await owner.del(`/v3/user/${user.id}`)).status, 200)
  assert.equal((await rows()).length, 0)
  assert.equal((await deps.sql`select 1 from directory_entries where user_id = ${user.id}`).length, 0)
})

test('malformed requests are refused with the field, and nothing is stored', async () => {
  const user = await newUser()
  const id = await newEntry(user)
  const rows = await allRows(deps.sql)
  const bank = bankBody()
  const cases: [path: string, body: object, field: string][] = [
    ['', {}, 'name'],
    ['', { name: 'P' }, 'name'],
    ['', { name: '   ' }, 'name'],
    ['', { name: 'n'.repeat(181) }, 'name'],
    ['', { name: 'Payee', email: 'no address' }, 'email'],
    ['', { name: 'Payee', email: `${'e'.repeat(70)}@example.com` }, 'email'],
    ['', { name: 'Payee', address: { ...ADDRESS, city: undefined } }, 'address.city'],
    ['', { name: 'Payee', address: { ...ADDRESS, zip: '12345678901' } }, 'address.zip'],
    ['', { name: 'Payee', address: { ...ADDRESS, state: 'MA', zip: '90210' } }, 'address.zip'],
    ['', { name: 'Payee', phone: '+12025550123' }, 'phone'],
    [`/${id}/account/bank`, { ...bank, routing: '021000022' }, 'routing'],
    [`/${id}/account/bank`, { ...bank, routing: '02100002' }, 'routing'],
    [`/${id}/account/bank`, { ...bank, account: '123' }, 'account'],
    [`/${id}/account/bank`, { ...bank, account: '1'.repeat(18) }, 'account'],
    [`/${id}/account/bank`, { ...bank, type: 'PERSONAL' }, 'type'],
    [`/${id}/account/bank`, { ...bank, type: undefined }, 'type'],
    [`/${id}/account/bank`, { ...bank, name: ' ' }, 'name'],
    [`/${id}/account/card`, { ...CARD, card_number: '4242424242424241' }, 'card_number'],
    [`/${id}/account/card`, { ...CARD, expiration_date: '2026-02' }, 'expiration_date'],
    [`/${id}/account/card`, { ...CARD, expiration_date: '2030-13' }, 'expiration_date'],
    [`/${id}/account/card`, { ...CARD, cvv: '123' }, 'cvv'],
  ]
  for (const [path, body, field] of cases) {
    const { status, body: error, text } = await user.post(URL + path, body)
    assert.deepEqual([status, Object.keys(error.errors ?? {})], [400, [field]], text)
  }
  for (const change of [{ name: null }, { email: '' }, { accounts: [] }]) {
    const { status, body: error } = await user.put(`${URL}/${id}`, change)
    assert.deepEqual([status, Object.keys(error.errors)], [400, Object.keys(change)])
  }
  assert.deepEqual(await allRows(deps.sql), rows)
})

test('the list is sorted by name, in pages of 10, 25 or 50, and q searches names and emails', async () => {
  const user = await newUser()
  for (let nth = 12; nth > 0; nth--) {
    await newEntry(user, { name: `Payee ${String(nth).padStart(2, '0')}`, email: `${nth}@example.com` })
  }
  const namesOf = async (query: string) => {
    const { body, headers } = await user.get(URL + query)
    const names = body.entries.map((entry: { name: string }) => entry.name.slice(6))
    return { names, page: [body.page, body.pages, body.total], link: headers.get('link') }
  }
  const first = await namesOf('?per_page=10')
  assert.deepEqual(first.names, ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10'])
  assert.deepEqual(first.page, [1, 2, 12])
  const next = /<[^>]*(\?[^>]*)>; rel="next"/.exec(first.link ?? '')?.[1] as string
  assert.deepEqual(await namesOf(next), { names: ['11', '12'], page: [undefined, undefined, undefined], link: null })
  assert.deepEqual((await namesOf('?per_page=10&page=2')).names, ['11', '12'])
  assert.deepEqual((await namesOf('?sort=%2BDATE&per_page=25')).names.slice(0, 2), ['12', '11'])
  assert.deepEqual((await namesOf('?q=PAYEE 03')).names, ['03'])
  assert.deepEqual((await namesOf('?q=11@')).names, ['11'])
  assert.deepEqual((await namesOf('?q=%25')).page, [1, 0, 0])
  for (const query of ['per_page=100', 'per_page=1', 'sort=%2BEMAIL', 'page=0', `q=${'q'.repeat(181)}`]) {
    const { status, body } = await user.get(`${URL}?${query}`)
    assert.deepEqual([status, Object.keys(body.errors)], [400, [query.split('=')[0]]], query)
  }
  assert.equal((await user.get(`${URL}?cursor=forged`)).body.code, 'invalid_cursor')
})

test('a payee has at most 50 accounts, even with concurrent requests', async () => {
  const user = await newUser()
  const id = await newEntry(user)
  for (let count = 0; count < 49; count++) await user.post(`${URL}/${id}/account/bank`, bankBody())
  const answers = await Promise.all([1, 2, 3].map(() => user.post(`${URL}/${id}/account/bank`, bankBody())))
  assert.deepEqual(answers.map(({ status, body }) => body.code ?? status).sort(), [
    201,
    'directory_account_limit_reached',
    'directory_account_limit_reached',
  ])
  const [entry] = await entriesOf(user)
  assert.equal(entry.accounts.length, 50)
})

test('when an account is added while its payee is deleted, no account remains', async () => {
  const user = await newUser()
  for (let round = 0; round < 8; round++) {
    const id = await newEntry(user)
    const [added, deleted] = await Promise.all([user.post(`${URL}/${id}/account/card`, CARD), user.del(`${URL}/${id}`)])
    assert.equal(deleted.status, 200)
    assert.ok(added.status === 201 || added.body.code === 'directory_entry_not_found', added.text)
    assert.equal((await deps.sql`select 1 from directory_accounts where entry_id = ${id}`).length, 0)
  }
})

test('a POST with the same Idempotency-Key saves one payee', async () => {
  const user = await newUser()
  const save = (name: string) => user.post(URL, { name }, { idempotencyKey: 'payee' })
  const first = await save('Payee')
  const again = await save('Payee')
  assert.deepEqual([again.status, again.text], [201, first.text])
  assert.equal((await save('Other')).status, 422)
  assert.equal((await entriesOf(user)).length, 1)
})

test('changes are in the audit trail, without numbers', async () => {
  const user = await newUser()
  const id = await newEntry(user)
  await user.put(`${URL}/${id}`, { name: 'Other' })
  const { id: account } = (await user.post(`${URL}/${id}/account/card`, CARD)).body
  await user.del(`${URL}/${id}/account/${account}`)
  await user.del(`${URL}/${id}`)
  const { audit } = (await owner.get(`/v3/audit?q=${id}`)).body
  assert.deepEqual(
    audit.map(({ action, subject }: { action: string; subject: string }) => [action, subject]).reverse(),
    [
      ['directory_entry_added', id],
      ['directory_entry_changed', id],
      ['directory_account_added', `${account} of ${id}`],
      ['directory_account_removed', `${account} of ${id}`],
      ['directory_entry_removed', id],
    ],
  )
})

test('saved payees need a credential, but not that of an application', async () => {
  const holder = await newAccountHolder(service)
  const application = await registerApplication(holder.browser)
  const { access_token } = await obtainTokens(service, holder.browser, application)
  for (const [credential, code] of [
    ['', 'unauthorized'],
    [`Bearer ${access_token}`, 'insufficient_scope'],
  ] as const) {
    const api = service.as(credential)
    const id = '0'.repeat(32)
    for (const answer of [
      await api.get(URL),
      await api.post(URL, { name: 'Payee' }),
      await api.put(`${URL}/${id}`, { name: 'Payee' }),
      await api.del(`${URL}/${id}`),
      await api.post(`${URL}/${id}/account/bank`, bankBody()),
      await api.post(`${URL}/${id}/account/card`, CARD),
      await api.del(`${URL}/${id}/account/${id}`),
    ]) {
      assert.equal(answer.body.code, code, answer.text)
    }
  }
})
