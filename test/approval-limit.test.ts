import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import type { UserLimits } from '../src/people/user/limit/limit-rules.ts'
import { changeLimits } from '../src/people/user/operator-actions.ts'
import type { Answer, Api } from './support/api.ts'
import type { Browser } from './support/browser.ts'
import { assertLedger, balanceOf, newWallet } from './support/money.ts'
import { newAccountHolder } from './support/oauth.ts'
import { startTestService } from './support/service.ts'
import { newMember } from './support/team.ts'

// A prepared payment reserves nothing. Limits, funds and rules are checked at its release, and its payment counts once.

const service = await startTestService({ after })
const { clock, deps, doDueWork } = service
const DAY = 24 * 3_600
const RULE = { min_amount: 0, new_payee: false, rail: null, source: null, approvals: 1 }

type Client = Pick<Browser | Api, 'get' | 'post' | 'put' | 'del'>

function expect(answer: Answer, status: number, code?: string): Answer {
  assert.deepEqual([answer.status, answer.body?.code], [status, code], answer.text)
  return answer
}

const order = (amount: number, more: object = {}) => ({
  ...{ amount, name: 'Vendor', recipient: 'vendor@example.com' },
  ...more,
})
const prepare = async (by: Client, amount: number, more: object = {}): Promise<string> =>
  expect(await by.post('/v3/approval/digital', order(amount, more)), 201).body.id
const release = (by: Client, id: string) => by.post('/v3/approval/release', { id })
const approve = (by: Client, id: string) => by.post(`/v3/approval/${id}/approve`)
const reject = (by: Client, id: string) => by.post(`/v3/approval/${id}/reject`, { reason: 'Not ours' })
const stateOf = async (by: Client, id: string) => (await by.get(`/v3/approval/${id}`)).body.status

const rowsOf = (amounts: readonly number[]) =>
  amounts.map((amount, index) => ({
    ...{ name: 'Dana Payee', amount, address: { type: 'email', address: `payee${index}@example.com` } },
  }))
const prepareBatch = async (by: Client, amounts: readonly number[], more: object = {}): Promise<string> =>
  expect(await by.post('/v3/batch', { name: 'Vendors', file: rowsOf(amounts), ...more }), 201).body.id
const releaseBatch = (by: Client, id: string) => by.post(`/v3/batch/${id}/release`)

/** Creates a platform with limits in dollars. Without rules, every member who may release can do so alone. */
async function newTeam(limits: Partial<UserLimits>, rules: object[] = []) {
  const holder = await newAccountHolder(service)
  const [admin, preparer, approver] = [
    await newMember(service, holder.id, 'admin'),
    await newMember(service, holder.id, 'preparer'),
    await newMember(service, holder.id, 'approver'),
  ]
  await inTransaction(deps, (tx) => changeLimits(tx, { platformId: holder.id, userId: holder.id }, limits))
  const setRules = async (next: object[]) =>
    expect(await holder.browser.put('/v3/approval/policy', { dual_control: false, rules: next }), 200)
  if (rules.length > 0) await setRules(rules)
  const owner = holder.browser
  return {
    ...{ id: holder.id, owner, setRules },
    ...{ admin: admin.browser, preparer: preparer.browser, approver: approver.browser },
    usedToday: async () => (await owner.get('/v3/limit')).body.day.used,
    countPayments: async () => (await deps.sql`select 1 from payments where platform_id = ${holder.id}`).length,
  }
}

test('a release that exceeds the day’s limit, used up by other payments, is refused and works the next day, once', async () => {
  const { admin, preparer, approver, usedToday, countPayments } = await newTeam({ dayCents: 10_000 })
  const id = await prepare(preparer, 60)
  assert.equal(await usedToday(), 0)
  expect(await admin.post('/v3/check/digital', order(50)), 201)
  const refused = expect(await release(approver, id), 400, 'day_limit_reached')
  assert.match(refused.body.message, /You can send \$50\.00 now/)
  assert.deepEqual([await stateOf(approver, id), await usedToday()], ['UNPAID', 50])
  clock.advance(DAY)
  const both = await Promise.all([release(approver, id), release(admin, id)])
  assert.deepEqual(both.map(({ status, body }) => [status, body.code]).toSorted(), [
    [200, undefined],
    [400, 'approval_not_open'],
  ])
  assert.deepEqual([await usedToday(), await countPayments()], [60, 2])
})

test('two releases that together exceed the limit: one is sent, and the other stays open', async () => {
  const { admin, preparer, approver, usedToday, countPayments } = await newTeam({ dayCents: 10_000 })
  const ids = [await prepare(preparer, 60), await prepare(preparer, 60), await prepare(preparer, 60)] as const
  const answers = await Promise.all([release(approver, ids[0]), release(admin, ids[1]), release(approver, ids[2])])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400])
  const states = await Promise.all(ids.map((id) => stateOf(approver, id)))
  assert.deepEqual(states.toSorted(), ['APPROVED', 'UNPAID', 'UNPAID'])
  assert.deepEqual([await usedToday(), await countPayments()], [60, 1])
})

test('a batch of which one payment or the total exceeds a limit sends nothing and uses nothing', async () => {
  const {
    preparer,
    approver,
    owner,
    usedToday,
    countPayments,
    id: user,
  } = await newTeam({ paymentCents: 5_000, dayCents: 10_000 })
  const [tooLarge, tooMuch] = [
    await prepareBatch(preparer, [10, 50.01, 20]),
    await prepareBatch(preparer, [40, 40, 20.01]),
  ]
  const large = expect(await releaseBatch(approver, tooLarge), 400, 'invalid_rows')
  assert.match(large.text, /50\.00/)
  const much = expect(await releaseBatch(approver, tooMuch), 400, 'invalid_rows')
  assert.match(much.text, /20\.00/)
  assert.deepEqual([await usedToday(), await countPayments()], [0, 0])
  for (const id of [tooLarge, tooMuch]) assert.equal((await owner.get(`/v3/batch/${id}`)).body.status, 'UNPAID')
  await inTransaction(deps, (tx) => changeLimits(tx, { platformId: user, userId: user }, { dayCents: 10_001 }))
  expect(await releaseBatch(approver, tooMuch), 201)
  assert.deepEqual([await usedToday(), await countPayments()], [100.01, 3])
  expect(await owner.post('/v3/check/digital', order(0.01)), 400, 'day_limit_reached')
})

test('a batch and a payment released at the same time stay within the limit together', async () => {
  const { preparer, approver, admin, usedToday } = await newTeam({ dayCents: 10_000 })
  const id = await prepareBatch(preparer, [30, 30])
  const [batch, payment] = await Promise.all([releaseBatch(approver, id), admin.post('/v3/check/digital', order(60))])
  assert.equal(Number(batch.status === 201) + Number(payment.status === 201), 1, `${batch.text} ${payment.text}`)
  assert.equal(await usedToday(), 60)
})

test('a voided payment of an approval or a batch still counts, and its money returns to the wallet', async () => {
  const { preparer, approver, owner, usedToday } = await newTeam({ dayCents: 10_000 })
  const wallet = await newWallet(owner as unknown as Api, 100)
  const { body } = expect(await release(approver, await prepare(preparer, 40, { account: wallet })), 200)
  const batch = await prepareBatch(preparer, [10, 20], { account: wallet })
  expect(await releaseBatch(approver, batch), 201)
  assert.equal(await balanceOf(owner as unknown as Api, wallet), 30)
  const made = (await owner.get(`/v3/payment?batch=${batch}`)).body.payments as { id: string }[]
  for (const id of [body.id, ...made.map((one) => one.id)]) {
    expect(await owner.del(`/v3/check/${id}`), 200)
    expect(await owner.del(`/v3/check/${id}`), 400, 'not_voidable')
  }
  assert.deepEqual([await balanceOf(owner as unknown as Api, wallet), await usedToday()], [100, 70])
  expect(await owner.post('/v3/check/digital', order(30.01)), 400, 'day_limit_reached')
  await assertLedger(service)
})

test('a release from an empty wallet is refused, and the payment or batch stays open', async () => {
  const { preparer, approver, owner, usedToday } = await newTeam({ dayCents: 20_000 })
  const wallet = await newWallet(owner as unknown as Api, 50)
  const payment = await prepare(preparer, 40, { account: wallet })
  const batch = await prepareBatch(preparer, [20, 20], { account: wallet })
  expect(await owner.post('/v3/check/digital', order(20, { account: wallet })), 201)
  expect(await release(approver, payment), 400, 'insufficient_funds')
  assert.equal((await releaseBatch(approver, batch)).status, 400)
  assert.deepEqual([await balanceOf(owner as unknown as Api, wallet), await usedToday()], [30, 20])
  assert.deepEqual(
    [await stateOf(owner, payment), (await owner.get(`/v3/batch/${batch}`)).body.status],
    ['UNPAID', 'UNPAID'],
  )
  await assertLedger(service)
})

test('of a concurrent release and void or rejection, one succeeds, for a payment and for a batch', async () => {
  const { admin, preparer, approver, owner, usedToday } = await newTeam({ dayCents: 100_000 })
  let cents = 0
  for (let round = 0; round < 3; round++) {
    const [voided, rejected] = [await prepare(preparer, 10), await prepare(preparer, 10)]
    const batch = await prepareBatch(preparer, [10, 10])
    const answers = await Promise.all([
      Promise.all([release(approver, voided), owner.del(`/v3/approval/${voided}`)]),
      Promise.all([release(approver, rejected), reject(admin, rejected)]),
      Promise.all([releaseBatch(approver, batch), owner.del(`/v3/batch/${batch}`)]),
    ])
    for (const [index, [released, ended]] of answers.entries()) {
      assert.equal(Number(released.status < 300) + Number(ended.status < 300), 1, `${released.text} ${ended.text}`)
      if (released.status < 300) cents += index === 2 ? 20 : 10
    }
  }
  assert.equal(await usedToday(), cents)
})

test('a release follows the current rules, even if they were relaxed or tightened since the preparation', async () => {
  const { admin, preparer, approver, owner, setRules, countPayments } = await newTeam({}, [RULE])
  const [id, batch] = [await prepare(preparer, 10), await prepareBatch(preparer, [10, 10])]
  await setRules([{ ...RULE, approvals: 2 }])
  expect(await release(approver, id), 403, 'second_person_needed')
  expect(await releaseBatch(approver, batch), 403, 'second_person_needed')
  assert.equal(await countPayments(), 0)
  expect(await approve(approver, id), 201)
  expect(await release(admin, id), 200)
  await setRules([{ ...RULE, approvals: 1 }])
  expect(await releaseBatch(approver, batch), 201)
  assert.equal(await countPayments(), 3)
  assert.equal(await stateOf(owner, id), 'APPROVED')
})

test('an approval with one of two required approvals ends after 30 days, and nothing is sent', async () => {
  const { admin, preparer, approver, owner, countPayments, usedToday } = await newTeam({}, [{ ...RULE, approvals: 2 }])
  const [id, batch] = [await prepare(preparer, 10), await prepareBatch(preparer, [10, 10])]
  expect(await approve(approver, id), 201)
  expect(await approver.post(`/v3/batch/${batch}/approve`), 201)
  clock.advance(30 * DAY)
  const racing = await Promise.all([release(admin, id), releaseBatch(admin, batch), doDueWork()])
  await doDueWork()
  for (const answer of racing.slice(0, 2) as Answer[]) expect(answer, 400, 'approval_not_open')
  expect(await approve(admin, id), 400, 'approval_not_open')
  assert.deepEqual([await stateOf(owner, id), (await owner.get(`/v3/batch/${batch}`)).body.status], ['VOID', 'VOID'])
  assert.deepEqual([await countPayments(), await usedToday()], [0, 0])
})
