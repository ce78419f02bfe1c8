import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Api } from './support/api.ts'
import { newAccountHolder } from './support/oauth.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { rowCounts } from './support/rows.ts'
import { addBank, addVerifiedBank, newAccountNumber, startTestService } from './support/service.ts'

const service = await startTestService({ after })
const { deps, newUser, clock, doDueWork } = service
const DAY_SECONDS = 24 * 60 * 60
const ROUTING = '021000021'

async function passDays(days: number): Promise<void> {
  clock.advance(days * DAY_SECONDS)
  while ((await doDueWork()) > 0);
}

for (const prefix of ['/v3/bank', '/v3/account/bank']) {
  test(`under ${prefix}, a bank is added, released, verified, changed and deleted`, async () => {
    const user = await newUser()
    const added = await user.post(prefix, { routing: ROUTING, account: '123456789012', type: 'CHECKING' })
    assert.equal(added.status, 201)
    assert.match(added.body.id, /^[0-9a-f]{32}$/)
    const bank = {
      id: added.body.id,
      routing: ROUTING,
      account: '9012',
      type: 'CHECKING',
      status: 'DEPOSIT_ONLY',
      billing: true,
      default: true,
      date: '2026-03-02 15:00:00',
      name: null,
      balance: null,
    }
    assert.deepEqual(added.body, bank)
    assert.deepEqual((await user.get(prefix)).body, { banks: [bank] })
    assert.deepEqual((await user.get(`${prefix}/${bank.id}`)).body, bank)
    const released = await user.post(`${prefix}/release`, { account: bank.id })
    assert.deepEqual([released.status, released.text], [201, '{}'])
    assert.equal(await statusOf(user, bank.id), 'PENDING')
    const verified = await user.post(`${prefix}/verify`, { amount_1: 0.15, amount_2: 0.07, account: bank.id })
    assert.deepEqual([verified.status, verified.text], [200, '{}'])
    assert.equal(await statusOf(user, bank.id), 'VERIFIED')
    const named = await user.put(`${prefix}/${bank.id}`, { name: 'Savings' })
    assert.deepEqual([named.status, named.text], [200, '{}'])
    assert.equal((await user.get(`${prefix}/${bank.id}`)).body.name, 'Savings')
    const deleted = await user.del(`${prefix}/${bank.id}`)
    assert.deepEqual([deleted.status, deleted.text], [200, '{}'])
    assert.deepEqual((await user.get(prefix)).body, { banks: [] })
    assert.equal((await user.get(`${prefix}/${bank.id}`)).body.code, 'bank_not_found')
  })
}

test('every type, and the longest and shortest numbers and names, are accepted', async () => {
  const user = await newUser()
  for (const [type, account, name] of [
    ['CHECKING', '1234', ''],
    ['SAVINGS', '12345678901234567', '💸'.repeat(128)],
    ['BUSINESS', '00000', null],
    ['CHECKING', '1234 5678 90', 'in groups'],
    ['CHECKING', '1234-5678-91', 'in other groups'],
  ] as const) {
    const { status, body } = await user.post('/v3/bank', { routing: ROUTING, account, type, name })
    assert.deepEqual(
      [status, body.type, body.account, body.name],
      [201, type, account.replace(/[ -]/g, '').slice(-4), name],
    )
  }
})

test('an invalid bank causes a 400 that names the field, and is not stored', async () => {
  const user = await newUser()
  const before = await rowCounts(deps.sql)
  const bank = { routing: ROUTING, account: newAccountNumber(), type: 'CHECKING' }
  for (const [field, values] of Object.entries({
    routing: ['021000022', '000000000', '02100002', '0210000210', '021 00021', '', '٠٢١٠٠٠٠٢١'],
    account: ['123', '123456789012345678', '12345a', '12  345', '-1234', '1.23457E+11', ''],
    type: ['checking', 'LOAN', ''],
    name: ['a'.repeat(129)],
  })) {
    for (const value of values) {
      const { status, body } = await user.post('/v3/bank', { ...bank, [field]: value })
      assert.deepEqual([status, body.code, Object.keys(body.errors)], [400, 'invalid_request', [field]], value)
    }
  }
  assert.deepEqual(await rowCounts(deps.sql), before)
})

test('the same routing and account number is refused until the first bank is deleted, but another user may have it', async () => {
  const [user, other] = [await newUser(), await newUser()]
  const bank = { routing: ROUTING, account: newAccountNumber(), type: 'CHECKING' }
  const first = (await user.post('/v3/bank', bank)).body.id
  const again = await user.post('/v3/account/bank', { ...bank, type: 'SAVINGS' })
  assert.deepEqual([again.status, again.body.code], [400, 'bank_exists'])
  assert.equal((await user.get('/v3/bank')).body.banks.length, 1)
  assert.equal((await user.post('/v3/bank', { ...bank, routing: '011401533' })).status, 201)
  assert.equal((await other.post('/v3/bank', bank)).status, 201)
  await user.del(`/v3/bank/${first}`)
  assert.equal((await user.post('/v3/bank', bank)).status, 201)
})

test('the first bank is default and billing; another one can be chosen, the oldest takes over, and neither role can be unset', async () => {
  const user = await newUser()
  const [first, second, third] = [await addBank(user), await addBank(user), await addBank(user)]
  assert.deepEqual(await choices(user), { default: first, billing: first })
  await user.put(`/v3/bank/${third}`, { default: true })
  assert.deepEqual(await choices(user), { default: third, billing: first })
  await user.put('/v3/user', { bank: { billing: second } })
  assert.deepEqual(await choices(user), { default: third, billing: second })
  await user.put(`/v3/bank/${first}`, { default: false, billing: false })
  assert.deepEqual(await choices(user), { default: third, billing: second })
  for (const [bankId, field] of [
    [third, 'default'],
    [second, 'billing'],
  ] as const) {
    const { status, body } = await user.put(`/v3/bank/${bankId}`, { [field]: false, name: 'not stored' })
    assert.deepEqual([status, body.code, Object.keys(body.errors)], [400, 'invalid_request', [field]])
    assert.equal((await user.get(`/v3/bank/${bankId}`)).body.name, null)
  }
  await user.del(`/v3/bank/${third}`)
  assert.deepEqual(await choices(user), { default: first, billing: second })
  await user.del(`/v3/bank/${second}`)
  assert.deepEqual(await choices(user), { default: first, billing: first })
})

test('an event that a bank’s status does not allow is refused and changes nothing', async () => {
  const user = await newUser()
  const bankId = await addBank(user)
  const release = () => user.post('/v3/bank/release', { account: bankId })
  const verify = () => user.post('/v3/bank/verify', { account: bankId, amount_1: 0.07, amount_2: 0.15 })
  for (const [status, refused, code] of [
    ['DEPOSIT_ONLY', verify, 'bank_not_pending'],
    ['PENDING', release, 'bank_not_deposit_only'],
    ['VERIFIED', release, 'bank_not_deposit_only'],
    ['VERIFIED', verify, 'bank_not_pending'],
  ] as const) {
    if (status === 'PENDING') await release()
    if (status === 'VERIFIED') await verify()
    assert.equal(await statusOf(user, bankId), status)
    const { status: httpStatus, body } = await refused()
    assert.deepEqual([httpStatus, body.code], [400, code])
    assert.equal(await statusOf(user, bankId), status)
  }
})

test('without an account, the only PENDING bank is verified; with none or several, the caller must name one', async () => {
  const user = await newUser()
  const amounts = { amount_1: 0.07, amount_2: 0.15 }
  const [first, second] = [await addBank(user), await addBank(user)]
  assert.equal((await user.post('/v3/bank/verify', amounts)).body.code, 'no_pending_bank')
  for (const account of [first, second]) await user.post('/v3/bank/release', { account })
  assert.equal((await user.post('/v3/bank/verify', amounts)).body.code, 'several_pending_banks')
  assert.equal((await user.post('/v3/bank/verify', { ...amounts, account: null })).body.code, 'several_pending_banks')
  assert.deepEqual([await statusOf(user, first), await statusOf(user, second)], ['PENDING', 'PENDING'])
  assert.equal((await user.post('/v3/bank/verify', { ...amounts, account: first })).status, 200)
  assert.equal((await user.post('/v3/bank/verify', amounts)).status, 200)
  assert.deepEqual([await statusOf(user, first), await statusOf(user, second)], ['VERIFIED', 'VERIFIED'])
})

test('amounts match in either order, despite floating-point noise, and no other amounts match', async () => {
  const user = await newUser()
  for (const [amount_1, amount_2] of [
    [0.07, 0.15],
    [0.15, 0.07],
    [0.1 - 0.03, 0.1 + 0.05],
  ]) {
    const account = await addBank(user)
    await user.post('/v3/bank/release', { account })
    assert.equal((await user.post('/v3/bank/verify', { account, amount_1, amount_2 })).status, 200)
  }
  const account = await addBank(user)
  await user.post('/v3/bank/release', { account })
  for (const [amounts, field] of [
    [{ amount_1: 0.075, amount_2: 0.15 }, 'amount_1'],
    [{ amount_1: 0.07, amount_2: 1.01 }, 'amount_2'],
    [{ amount_1: -0.07, amount_2: 0.15 }, 'amount_1'],
    [{ amount_1: 7, amount_2: 15 }, 'amount_1'],
    [{ amount_1: 1, amount_2: 1 }, 'amount_2'],
    [{ amount_1: 0.15, amount_2: 0.15 }, 'amount_2'],
  ] as const) {
    const { status, body } = await user.post('/v3/bank/verify', { account, ...amounts })
    assert.deepEqual([status, body.code], [400, 'invalid_request'])
    assert.ok(field in body.errors)
  }
  const typed = await user.post('/v3/bank/verify', { account, amount_1: 7, amount_2: 15 })
  assert.match(typed.body.message, /amount_1 must be less than a dollar, such as 0\.07\. Did you mean 0\.07\?/)
  const wrong = await user.post('/v3/bank/verify', { account, amount_1: 0.07, amount_2: 0.08 })
  assert.match(wrong.body.message, /2 attempts left/, 'an invalid pair of amounts does not count as a try')
})

test('a wrong pair gives the number of tries left, and the third returns the bank to DEPOSIT_ONLY', async () => {
  const user = await newUser()
  const account = await addBank(user)
  const guess = async () => (await user.post('/v3/bank/verify', { account, amount_1: 0, amount_2: 1 })).body
  for (const round of [1, 2]) {
    await user.post('/v3/bank/release', { account })
    for (const left of ['2 attempts left', '1 attempt left', 'no attempts left, and the bank is DEPOSIT_ONLY again']) {
      assert.equal(await statusOf(user, account), 'PENDING')
      const { code, message } = await guess()
      assert.equal(code, 'amounts_do_not_match')
      assert.ok(message.includes(left), `round ${round}: ${message}`)
    }
    assert.equal(await statusOf(user, account), 'DEPOSIT_ONLY')
    assert.equal((await guess()).code, 'bank_not_pending')
  }
  await user.post('/v3/bank/release', { account })
  assert.equal((await user.post('/v3/bank/verify', { account, amount_1: 0.07, amount_2: 0.15 })).status, 200)
})

test('of three concurrent right pairs, one verifies the bank, and the others learn that it is verified', async () => {
  const user = await newUser()
  const account = await addBank(user)
  await user.post('/v3/bank/release', { account })
  const right = () => user.post('/v3/bank/verify', { account, amount_1: 0.07, amount_2: 0.15 })
  const answers = await Promise.all([right(), right(), right()])
  assert.deepEqual(answers.map(({ status, body }) => [status, body.message]).sort(), [
    [200, undefined],
    [400, 'This bank is verified already.'],
    [400, 'This bank is verified already.'],
  ])
})

test('ten simultaneous wrong pairs count as three, and the third returns the bank to DEPOSIT_ONLY', async () => {
  const user = await newUser()
  const account = await addBank(user)
  await user.post('/v3/bank/release', { account })
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => user.post('/v3/bank/verify', { account, amount_1: 0.01, amount_2: 0.02 })),
  )
  const codes = answers.map(({ body }) => body.code)
  assert.equal(codes.filter((code) => code === 'amounts_do_not_match').length, 3)
  assert.equal(codes.filter((code) => code === 'bank_not_pending').length, 7)
  assert.equal(await statusOf(user, account), 'DEPOSIT_ONLY')
})

test('deleting a bank and adding it again restores neither tries nor releases', async () => {
  const user = await newUser()
  const number = newAccountNumber()
  const guess = async (account: string) =>
    (await user.post('/v3/bank/verify', { account, amount_1: 0, amount_2: 1 })).body
  const again = async (old: string) => {
    await user.del(`/v3/bank/${old}`)
    const account = await addBank(user, number)
    return { account, released: await user.post('/v3/bank/release', { account }) }
  }
  const first = await addBank(user, number)
  await user.post('/v3/bank/release', { account: first })
  assert.match((await guess(first)).message, /2 attempts/)
  const second = await again(first)
  assert.equal(second.released.status, 201)
  assert.match((await guess(second.account)).message, /1 attempt/)
  const third = await again(second.account)
  assert.match((await guess(third.account)).message, /no attempts left/)
  const fourth = await again(third.account)
  assert.deepEqual([fourth.released.status, fourth.released.body.code], [400, 'release_limit_reached'])
  assert.equal(await statusOf(user, fourth.account), 'DEPOSIT_ONLY')
})

test('micro-deposits are released 3 times in 30 days to one bank, and again when the first is older', async (t) => {
  const { newUser, clock, doDueWork } = await startTestService(t)
  const user = await newUser()
  const account = await addBank(user)
  const other = await addBank(user)
  const release = () => user.post('/v3/bank/release', { account })
  for (let count = 0; count < 3; count++) {
    assert.equal((await release()).status, 201)
    clock.advance(10 * DAY_SECONDS - 60)
    await doDueWork()
    assert.equal(await statusOf(user, account), 'PENDING')
    clock.advance(60)
    await doDueWork()
    assert.equal(await statusOf(user, account), 'DEPOSIT_ONLY')
  }
  clock.advance(-1)
  assert.equal((await release()).body.code, 'release_limit_reached')
  assert.equal(await statusOf(user, account), 'DEPOSIT_ONLY')
  assert.equal((await user.post('/v3/bank/release', { account: other })).status, 201)
  clock.advance(1)
  assert.equal((await release()).status, 201)
  assert.equal(await statusOf(user, account), 'PENDING')
})

test('micro-deposits of one account are counted for all users of a platform, in each form of its number', async (t) => {
  const { newOwner, newUser, clock } = await startTestService(t, { settings: { microDepositCents: null } })
  const owners = [await newOwner(), await newOwner()] as const
  const account = newAccountNumber()
  let users = 0
  const release = async (owner: (typeof owners)[number]) => {
    const user = await newUser(undefined, owner.api)
    const bank = await addBank(user, users++ % 2 === 0 ? account : `00${account}`)
    return { user, bank, ...(await user.post('/v3/bank/release', { account: bank })) }
  }
  // Six concurrent users: the account allows the releases of two holders.
  const released = await Promise.all(Array.from({ length: 8 }, () => release(owners[0])))
  assert.deepEqual(released.map(({ status }) => status).toSorted(), [201, 201, 201, 201, 201, 201, 400, 400])
  const refused = released.find(({ status }) => status === 400)
  assert.equal(refused?.body.code, 'release_limit_reached')
  assert.match(refused?.body.message, /^This account had too many micro-deposits/)
  assert.equal((await release(owners[1])).status, 201, 'another platform has its own count')
  clock.advance(30 * DAY_SECONDS + 1)
  // Three users with three wrong pairs each equal the allowed tries of one holder.
  for (let holder = 0; holder < 3; holder++) {
    const { user, bank, status } = await release(owners[0])
    assert.equal(status, 201)
    for (let pair = 0; pair < 3; pair++) {
      // Amounts below one cent are never sent.
      const { body } = await user.post('/v3/bank/verify', { account: bank, amount_1: 0, amount_2: 0.01 })
      assert.equal(body.code, 'amounts_do_not_match')
    }
  }
  assert.equal((await release(owners[0])).body.code, 'release_limit_reached')
})

test('a platform whose users mostly enter wrong amounts releases no more until the next day', async (t) => {
  const { newUser, clock, deps } = await startTestService(t, { settings: { microDepositCents: null } })
  const user = await newUser()
  const release = async () => {
    const account = await addBank(user)
    return { account, ...(await user.post('/v3/bank/release', { account })) }
  }
  const { account } = await release()
  await user.post('/v3/bank/verify', { account, amount_1: 0, amount_2: 0.01 })
  const trials = await deps.sql<{ wrong: number; verified: number }[]>`select wrong, verified from platform_trials`
  assert.deepEqual([...trials], [{ wrong: 1, verified: 0 }])
  await deps.sql`update platform_trials set wrong = 100, verified = 50`
  assert.equal((await release()).status, 201, 'half as many are right')
  await deps.sql`update platform_trials set verified = 49`
  const { status, body } = await release()
  assert.deepEqual([status, body.code], [400, 'release_limit_reached'])
  assert.match(body.message, /on this platform today\. Try again tomorrow\.$/)
  clock.advance(DAY_SECONDS)
  assert.equal((await release()).status, 201)
})

test('a bank that is not verified within ten days lapses with its tries; one that is verified or deleted does not', async (t) => {
  const { newUser, clock, doDueWork } = await startTestService(t)
  const user = await newUser()
  const [lapsing, verified, deleted] = [await addBank(user), await addVerifiedBank(user), await addBank(user)]
  for (const account of [lapsing, deleted]) await user.post('/v3/bank/release', { account })
  await user.del(`/v3/bank/${deleted}`)
  await user.post('/v3/bank/verify', { account: lapsing, amount_1: 0, amount_2: 1 })
  clock.advance(10 * DAY_SECONDS - 1)
  await doDueWork()
  assert.equal(await statusOf(user, lapsing), 'PENDING')
  clock.advance(1)
  await doDueWork()
  assert.equal(await doDueWork(), 0)
  assert.deepEqual([await statusOf(user, lapsing), await statusOf(user, verified)], ['DEPOSIT_ONLY', 'VERIFIED'])
  const late = await user.post('/v3/bank/verify', { account: lapsing, amount_1: 0.07, amount_2: 0.15 })
  assert.equal(late.body.code, 'bank_not_pending')
  await user.post('/v3/bank/release', { account: lapsing })
  const wrong = await user.post('/v3/bank/verify', { account: lapsing, amount_1: 0, amount_2: 1 })
  assert.match(wrong.body.message, /2 attempts left/)
})

test('a bank cannot be deleted while a payment from or to it is in process', async () => {
  const [sender, recipient] = [await newUser(), await newUser()]
  const [from, into] = [await addVerifiedBank(sender), await addBank(recipient)]
  const { id } = await sendPayment(sender, { recipient: { id: recipient.userId, account: into } })
  for (const [user, bankId] of [
    [sender, from],
    [recipient, into],
  ] as const) {
    const { status, body } = await user.del(`/v3/bank/${bankId}`)
    assert.deepEqual([status, body.code], [400, 'bank_busy'])
    assert.equal((await user.get(`/v3/bank/${bankId}`)).status, 200)
  }
  await triggerStatus(sender, id, 'PAID')
  assert.equal((await sender.del(`/v3/bank/${from}`)).status, 200)
  await passDays(4)
  assert.equal((await recipient.del(`/v3/bank/${into}`)).status, 200)
})

test('a bank cannot be deleted while money is being sent to it after the payment was paid or refunded', async () => {
  const [owner, other] = [await service.newOwner(), await service.newOwner()]
  const payee = owner.api
  for (const platform of [owner, other]) {
    const sender = await newUser(undefined, platform.api)
    const [from, into] = [await addVerifiedBank(sender), await addBank(payee)]
    const { id } = await sendPayment(sender, { recipient: owner.email })
    await service.applyOutbox()
    assert.equal((await payee.post(`/v3/check/deposit/${id}`, { account: into })).status, 201)
    await triggerStatus(sender, id, 'PAID')
    const refused = await payee.del(`/v3/bank/${into}`)
    assert.deepEqual([refused.status, refused.body.code], [400, 'bank_busy'])
    await service.applyOutbox()
    assert.equal((await payee.del(`/v3/bank/${into}`)).body.code, 'bank_busy')
    await passDays(4)
    assert.equal((await payee.del(`/v3/bank/${into}`)).status, 200)
    assert.equal((await sender.del(`/v3/bank/${from}`)).status, 200)
  }
  const sender = await newUser()
  const from = await addVerifiedBank(sender)
  const { id } = await sendPayment(sender, { recipient: owner.email })
  await triggerStatus(sender, id, 'REFUNDED')
  assert.equal((await sender.del(`/v3/bank/${from}`)).body.code, 'bank_busy')
})

test('an unpaid check from a deleted bank remains, and its sender may void it', async () => {
  const sender = await newUser()
  const from = await addVerifiedBank(sender)
  const { id } = await sendPayment(sender)
  assert.equal((await sender.del(`/v3/bank/${from}`)).status, 200)
  assert.equal((await sender.get(`/v3/check/${id}`)).body.status, 'UNPAID')
  assert.equal((await sender.del(`/v3/check/${id}`)).status, 200)
})

test('a check whose bank is deleted, or whose sender is suspended, cannot be deposited, but its sender can void it', async () => {
  const payee = await newUser()
  const account = await addBank(payee)
  const [bankless, suspended] = [await newUser(), await newUser()]
  const from = await addVerifiedBank(bankless)
  await addVerifiedBank(suspended)
  const drawnOnNothing = await sendPayment(bankless, { recipient: payee.userId })
  const fromSuspended = await sendPayment(suspended, { recipient: payee.userId })
  await bankless.del(`/v3/bank/${from}`)
  await suspended.put('/v3/user/webhook', { status: 'SUSPENDED' })
  for (const { id } of [drawnOnNothing, fromSuspended]) {
    const { status, body } = await payee.post(`/v3/check/deposit/${id}`, { account })
    assert.deepEqual([status, body.code], [400, 'not_depositable'])
    assert.equal((await payee.get(`/v3/check/${id}`)).body.status, 'UNPAID')
  }
  assert.equal((await bankless.del(`/v3/check/${drawnOnNothing.id}`)).status, 200)
})

test('an overdue bank cannot be verified, even before the worker marks it', async (t) => {
  const { newUser, clock } = await startTestService(t)
  const user = await newUser()
  const account = await addBank(user)
  await user.post('/v3/bank/release', { account })
  clock.advance(10 * 24 * 60 * 60)
  const { status, body } = await user.post('/v3/bank/verify', { account, amount_1: 0.07, amount_2: 0.15 })
  assert.deepEqual([status, body.code, Object.keys(body.errors)], [400, 'bank_not_pending', ['account']])
})

test('a list of banks is a plain array, or a page of it on request', async () => {
  const user = await newUser()
  await addBank(user)
  await addBank(user)
  assert.deepEqual(Object.keys((await user.get('/v3/bank')).body), ['banks'])
  const page = (await user.get('/v3/bank?page=1&per_page=10')).body
  assert.deepEqual([page.banks.length, page.page, page.pages, page.total], [2, 1, 1, 2])
})

test('in production, micro-deposits are two different random amounts, and no table contains them in clear text', async (t) => {
  const { newUser, deps } = await startTestService(t, { environment: 'production' })
  const user = await newUser()
  const account = await addBank(user)
  await user.post('/v3/bank/release', { account })
  const [row] = await deps.sql<
    { microDepositsSealed: Buffer }[]
  >`select micro_deposits_sealed from banks where id = ${account}`
  const [first, second] = JSON.parse(deps.keyRing.openText(row?.microDepositsSealed as Buffer, 'micro-deposits'))
  assert.ok(first !== second && Math.min(first, second) >= 1 && Math.max(first, second) <= 99, `${first} ${second}`)
  const wrong = await user.post('/v3/bank/verify', { account, amount_1: first / 100, amount_2: first / 100 })
  assert.deepEqual([wrong.body.code, Object.keys(wrong.body.errors)], ['invalid_request', ['amount_2']])
  const right = await user.post('/v3/bank/verify', { account, amount_1: second / 100, amount_2: first / 100 })
  assert.equal(right.status, 200)
})

const statusOf = async (user: Api, bankId: string): Promise<string> =>
  (await user.get(`/v3/bank/${bankId}`)).body.status

async function choices(user: Api): Promise<{ default: string; billing: string }> {
  const { banks } = (await user.get('/v3/bank')).body as { banks: { id: string; default: boolean; billing: boolean }[] }
  const chosen = (field: 'default' | 'billing') =>
    banks
      .filter((bank) => bank[field])
      .map(({ id }) => id)
      .join(' and ')
  return { default: chosen('default'), billing: chosen('billing') }
}

test('a bank has a nickname on the pages, which only its holder sets, and no API answer shows it', async () => {
  const holder = await newAccountHolder(service)
  const user = await newUser(undefined, holder.api)
  const [own, ofUser] = [await addBank(holder.api), await addBank(user)]
  const nicknames = async (query = ''): Promise<Record<string, string | null>> => {
    const { banks } = (await holder.browser.get(`/web/v1/banks${query}`)).body
    return Object.fromEntries(banks.map((bank: { id: string; nickname: string | null }) => [bank.id, bank.nickname]))
  }
  const put = (id: string, nickname: unknown) => holder.browser.put(`/web/v1/banks/${id}`, { nickname })
  const before = await nicknames()
  assert.equal(before[own], null)
  assert.equal((await put(own, '  Payroll 💸 ')).status, 200)
  assert.deepEqual(await nicknames(), { ...before, [own]: 'Payroll 💸' })
  for (const bad of ['', ' ', 'x'.repeat(61), 'a\u202eb', 7, undefined])
    assert.equal((await put(own, bad)).body.code, 'invalid_request', String(bad))
  assert.equal((await put(ofUser, 'Mine')).body.code, 'not_the_holder')
  const stranger = await newAccountHolder(service)
  const foreign = await stranger.browser.put(`/web/v1/banks/${own}`, { nickname: 'Mine' })
  assert.deepEqual([foreign.status, foreign.body.code], [404, 'bank_not_found'])
  assert.equal((await stranger.browser.get(`/web/v1/banks?user=${user.id}`)).body.code, 'user_not_found')
  assert.deepEqual(await nicknames(`?user=${user.id}`), { [ofUser]: null })
  assert.deepEqual(await nicknames(), { ...before, [own]: 'Payroll 💸' })
  assert.ok(!(await holder.api.get('/v3/bank')).text.includes('nickname'))
  assert.equal((await put(own, null)).status, 200)
  assert.deepEqual(await nicknames(), before)
  await put(own, 'Payroll')
  await holder.api.del(`/v3/bank/${own}`)
  const [row] = await service.ownerSql`select nickname from banks where id = ${own}`
  assert.equal(row?.nickname, null)
})
