import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { freeSession, leaseSession } from '../src/connections/exchange/session/connection-session-actions.ts'
import { removalProblem } from '../src/connections/overview/removed-connection-actions.ts'
import type { ProcessorOrder } from '../src/connections/processor/processor-types.ts'
import { NOTHING_SKIPPED } from '../src/foundation/db/skipped.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { getBankCases } from '../src/foundation/exception/bank-case-actions.ts'
import { newId } from '../src/foundation/lib/ids.ts'
import { openProcessor } from '../src/money/payout/open-processor-actions.ts'
import { startPayout, submitPayout } from '../src/money/payout/payout-actions.ts'
import { payByProcessors } from '../src/money/payout/payout-worker.ts'
import { legsToFile } from '../src/money/rail/leg-actions.ts'
import type { FileQuery } from '../src/money/rail/leg-store.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { payoutHooks } from '../src/operation/scheduler/leg-handlers.ts'
import { decideUser } from '../src/people/user/operator-actions.ts'
import {
  ADAPTER_KEY,
  adapterConnection,
  EVENT_KEY,
  startReferenceAdapter,
  startScriptedAdapter,
} from './support/adapter.ts'
import { sendPayment } from './support/payments.ts'
import { temporaryFolder } from './support/process.ts'
import { type ProcessorService, postEvent, startProcessorService, type Terms, walletOf } from './support/processors.ts'
import { runCommand } from './support/run-command.ts'

// Rails that an adapter carries, in production. The adapters of these tests share no code with the service.

async function startInterac(t: TestContext, terms: Terms & { answerMs?: number } = {}) {
  const adapter = await startScriptedAdapter(t)
  const processors = [await adapterConnection(t, { url: adapter.url, ...terms })] as const
  const service = await startProcessorService(t, { processors, rails: ['INTERAC'] })
  const account = await service.add('interac', { username: 'payee@example.ca' })
  /** Tells the adapter the outcome of the order of a payment. */
  const decide = async (id: string, change: object) => {
    const reference = (await service.orderOf(id))?.legId as string
    Object.assign(adapter.orders.get(reference) ?? {}, change)
    return reference
  }
  const posts = () => adapter.asked.filter(({ method }) => method === 'POST')
  return { ...service, adapter, account, decide, posts }
}

/** Returns why the connection to the adapter cannot be removed. */
async function removalOf({ deps }: Pick<ProcessorService, 'deps'>): Promise<string | null> {
  const current = deps.connections.current()
  return removalProblem(deps, { ...current, all: current.all.filter(({ processor }) => processor === null) })
}

const casesOf = async ({ deps }: Pick<ProcessorService, 'deps'>) =>
  (await getBankCases(deps)).map(({ kind, note }) => `${kind}: ${note}`)

test('a payment over Interac becomes PAID when the adapter reports it, with one order', async (t) => {
  const service = await startInterac(t)
  const { adapter, account, pay, pass, later, decide, orderOf, statusOf } = service
  const id = await pay(account)
  await pass()
  const [submitted, ...others] = service.posts()
  assert.deepEqual(others, [])
  const order = await orderOf(id)
  assert.deepEqual([order?.status, order?.leg, await statusOf(id)], ['SUBMITTED', 'SENT', 'IN_PROCESS'])
  assert.equal(submitted?.headers.authorization, 'Bearer key-of-a-test-adapter')
  assert.equal(submitted?.headers['idempotency-key'], order?.legId)
  assert.deepEqual(submitted?.body, {
    reference: order?.legId,
    rail: 'INTERAC',
    amount: { value: '12.50', currency: 'USD' },
    payment: id,
    payee: { name: 'Recipient', username: 'payee@example.ca' },
    description: null,
  })

  await decide(id, { status: 'accepted' })
  await later(60)
  assert.deepEqual([(await orderOf(id))?.status, await statusOf(id)], ['ACCEPTED', 'IN_PROCESS'])
  await later(30 * 86_400)
  assert.equal(await statusOf(id), 'IN_PROCESS', 'the passage of time proves nothing')
  await decide(id, { status: 'paid', fee: { value: '0.75', currency: 'USD' } })
  await later(3_600)
  const paid = await orderOf(id)
  assert.deepEqual([paid?.status, paid?.leg, paid?.feeCents], ['PAID', 'SETTLED', 75])
  assert.deepEqual(await service.statusesOf(id), ['IN_PROCESS', 'PAID'])
  assert.equal(service.posts().length, 1)
  assert.equal(await walletOf(service), 987.5)
  assert.equal(adapter.orders.size, 1)
})

test('a rejected order fails the payment with the reason and refunds the money', async (t) => {
  const service = await startInterac(t)
  const { account, pay, pass, later, decide, orderOf, statusOf } = service
  const id = await pay(account)
  await pass()
  await decide(id, { status: 'rejected', reason: { code: 'AC04' } })
  await later(10)
  assert.deepEqual([(await orderOf(id))?.status, (await orderOf(id))?.leg], ['REJECTED', 'RETURNED'])
  const { status, return_code } = (await service.sender.get(`/v3/check/${id}`)).body
  assert.deepEqual([status, return_code ?? 'AC04'], ['FAILED', 'AC04'])
  const asked = service.adapter.asked.length
  await later(6 * 86_400)
  await service.doDueWork()
  assert.equal(await statusOf(id), 'REFUNDED')
  assert.equal(await walletOf(service), 1_000)
  assert.equal(service.adapter.asked.length, asked, 'the service asks no further questions about it')
})

test('a paid order can be returned, and the payment fails', async (t) => {
  const service = await startInterac(t)
  const { account, pay, pass, later, decide, orderOf, statusOf } = service
  const id = await pay(account)
  await pass()
  const reference = await decide(id, { status: 'paid' })
  await later(10)
  assert.equal(await statusOf(id), 'PAID')
  await decide(id, { status: 'returned', reason: { code: 'AC06' } })
  const body = JSON.stringify({ type: 'order.changed', reference, status: 'returned' })
  assert.equal(await postEvent(service, { body, key: EVENT_KEY }), 204)
  await pass()
  assert.deepEqual([(await orderOf(id))?.status, await statusOf(id)], ['RETURNED', 'FAILED'])
  assert.deepEqual(await service.statusesOf(id), ['IN_PROCESS', 'PAID', 'FAILED'])
})

test('a return without an event is found within a day, for as long as the contract allows returns', async (t) => {
  const service = await startInterac(t, { returnDays: 3 })
  const { account, pay, pass, later, decide, statusOf } = service
  const [first, second] = [await pay(account), await pay(account)] as [string, string]
  await pass()
  for (const id of [first, second]) await decide(id, { status: 'paid' })
  await later(10)
  await later(86_400)
  await decide(first, { status: 'returned', reason: { code: 'AC06' } })
  await later(86_400)
  assert.deepEqual([await statusOf(first), await statusOf(second)], ['FAILED', 'PAID'])
  assert.match((await removalOf(service)) ?? '', /lacks the connection cards, .* 1 open movement/)
  for (let day = 0; day < 5; day++) await later(86_400)
  const asked = service.adapter.asked.length
  await later(10 * 86_400)
  assert.equal(service.adapter.asked.length, asked)
  assert.equal(await removalOf(service), null)
  const reference = await decide(second, { status: 'returned', reason: { code: 'AC06' } })
  assert.equal(await postEvent(service, { body: JSON.stringify({ reference }), key: EVENT_KEY }), 204)
  await pass()
  assert.equal(await statusOf(second), 'FAILED', 'an order with an event is followed without a time limit')
})

test('a return is found after the last day of returns if the adapter has not answered before', async (t) => {
  const { adapter, account, pay, pass, later, decide, statusOf } = await startInterac(t, { returnDays: 3 })
  const id = (await pay(account)) as string
  await pass()
  await decide(id, { status: 'paid' })
  await later(10)
  await decide(id, { status: 'returned', reason: { code: 'AC06' } })
  adapter.script.play = () => ({ status: 500 })
  for (let day = 0; day < 5; day++) await later(86_400)
  assert.equal(await statusOf(id), 'PAID')
  adapter.script.play = () => null
  await later(86_400)
  assert.equal(await statusOf(id), 'FAILED')
})

for (const [what, answer] of [
  ['a missing answer', 'hang'],
  ['a closed connection', 'cut'],
  ['a proxy that answers 502', { status: 502 }],
  ['an answer that breaks the protocol', { status: 201, body: { reference: 'another' } }],
] as const) {
  test(`after ${what}, the order is queried and never sent again`, async (t) => {
    const service = await startInterac(t, answer === 'hang' ? { answerMs: 1_000 } : {})
    const { adapter, account, pay, pass, later, decide, orderOf, statusOf } = service
    adapter.script.play = ({ method, body }) => {
      if (method !== 'POST' || !body) return null
      adapter.orders.set(body.reference, { id: 'order-1', status: 'submitted', ...body })
      return answer
    }
    const id = await pay(account)
    await pass()
    assert.deepEqual([(await orderOf(id))?.status, await statusOf(id)], ['UNKNOWN', 'IN_PROCESS'])
    await decide(id, { status: 'paid' })
    // On a busy machine, an answer can take more than the one second of this contract.
    for (let hour = 0; hour < 20 && (await statusOf(id)) !== 'PAID'; hour++) await later(3_600)
    assert.deepEqual([(await orderOf(id))?.status, await statusOf(id)], ['PAID', 'PAID'])
    assert.equal(service.posts().length, 1)
    assert.deepEqual(await casesOf(service), [])
  })
}

test('an order that the processor does not know becomes a case after the limit, and the operator decides', async (t) => {
  const service = await startInterac(t, { caseAfterMs: 600_000 })
  const { adapter, account, pay, pass, later, orderOf, statusOf } = service
  adapter.script.play = ({ method }) => (method === 'POST' ? 'cut' : null)
  const [paid, lost] = [await pay(account), await pay(account, 20)] as [string, string]
  await pass()
  await later(500)
  assert.deepEqual(await casesOf(service), [])
  await later(700)
  await later(700)
  const note =
    'payout_unknown: It is unknown whether the order was paid. The processor knows no order with this reference.'
  assert.deepEqual(await casesOf(service), [note, note])
  assert.equal(service.posts().length, 2)

  const cases = await getBankCases(service.deps)
  const [first, second] = [paid, lost].map((id) => cases.find(({ paymentId }) => paymentId === id)?.id ?? '')
  const { deps } = service
  const call = await leaseSession(deps, 'cards')
  assert.ok(call)
  const decision = { note: 'not in the portal', code: 'MS03' }
  await assert.rejects(exceptionCommand(decision, ['apply', second ?? ''])(deps), /is being called now/)
  assert.equal((await orderOf(lost))?.status, 'UNKNOWN')
  call.stop()
  await freeSession(deps, call)
  assert.match(await exceptionCommand({}, ['show', first ?? ''])(deps), /--code PAID/)
  for (const code of ['WRONG', 'DT06', 'R61', 'R73', 'A'])
    await assert.rejects(exceptionCommand({ note: 'x', code }, ['apply', first ?? ''])(deps), /--code PAID/, code)
  const close = exceptionCommand({ note: 'it looks into it' }, ['close', first ?? ''])(deps)
  await assert.rejects(close, /The order has no final status, and would wait without an exception\. Ask the processor/)
  await exceptionCommand({ note: 'seen in the portal', code: 'PAID' }, ['apply', first ?? ''])(deps)
  await exceptionCommand(decision, ['apply', second ?? ''])(deps)
  assert.deepEqual([await statusOf(paid), await statusOf(lost)], ['PAID', 'FAILED'])
  assert.deepEqual([(await orderOf(paid))?.status, (await orderOf(lost))?.status], ['PAID', 'REJECTED'])
  await later(60)
  assert.deepEqual(await casesOf(service), [])
  const reference = (await orderOf(paid))?.legId ?? ''
  const amount = { value: '12.50', currency: 'USD' }
  adapter.orders.set(reference, { id: 'late', reference, amount, status: 'returned', reason: { code: 'AC06' } })
  await later(86_400)
  assert.deepEqual([await statusOf(paid), await casesOf(service)], ['FAILED', []])
})

test('a case about an unknown order closes when the adapter finds the order', async (t) => {
  const service = await startInterac(t, { caseAfterMs: 60_000 })
  const { adapter, account, pay, pass, later, statusOf } = service
  adapter.script.play = ({ method }) => (method === 'POST' ? 'cut' : null)
  const id = await pay(account)
  await pass()
  await later(100)
  await later(100)
  assert.equal((await casesOf(service)).length, 1)
  const reference = (await service.orderOf(id))?.legId ?? ''
  const order = { id: 'late', reference, amount: { value: '12.50', currency: 'USD' }, status: 'paid' }
  adapter.orders.set(reference, order)
  await later(600)
  assert.deepEqual([await casesOf(service), await statusOf(id), service.posts().length], [[], 'PAID', 1])
})

test('an order that was certainly not accepted is sent again with the same reference', async (t) => {
  const service = await startInterac(t)
  const { adapter, account, pay, pass, later, orderOf } = service
  const statuses = [429, 401]
  adapter.script.play = ({ method }) => {
    const status = method === 'POST' ? statuses.pop() : undefined
    return status === undefined ? null : { status, headers: { 'retry-after': '30' } }
  }
  const id = await pay(account)
  await pass()
  assert.equal((await orderOf(id))?.status, 'READY')
  await later(120)
  await later(300)
  assert.equal((await orderOf(id))?.status, 'SUBMITTED')
  assert.equal(service.posts().length, 3)
  assert.equal(new Set(service.posts().map(({ body }) => body?.reference)).size, 1)
})

test('a waiting order is not sent while a user is suspended, or after its debit was returned', async (t) => {
  const service = await startInterac(t)
  const { adapter, deps, account, pay, pass, later, orderOf, statusOf } = service
  adapter.script.play = ({ method }) => (method === 'POST' ? { status: 429 } : null)
  const ids = [await pay(account), await pay(account)] as [string, string]
  for (let turn = 0; turn < 3; turn++) await later(120)
  adapter.script.play = () => null
  const [payee] = await deps.sql<{ platformId: string; userId: string }[]>`
    select recipient_platform_id as platform_id, recipient_id as user_id from payments where id = ${ids[0]}
  `
  assert.ok(payee)
  const decide = (event: 'suspend' | 'verify') => inTransaction(deps, (tx) => decideUser(tx, payee, event))
  await decide('suspend')
  const before = service.posts().length
  await later(3_600)
  await later(3_600)
  assert.deepEqual([(await orderOf(ids[0]))?.status, service.posts().length], ['READY', before])

  await service.ownerSql`
    insert into legs (platform_id, id, purpose, subject_id, user_id, rail, direction, cents, status, return_code, created_at)
    select platform_id, ${newId(deps)}, 'payment_pull', subject_id, user_id, 'ACH', 'debit', cents, 'RETURNED', 'R01', created_at
    from legs
    where subject_id = ${ids[1]}
  `
  await decide('verify')
  await later(3_600)
  await pass()
  assert.deepEqual(await Promise.all(ids.map(async (id) => (await orderOf(id))?.status)), ['SUBMITTED', 'REJECTED'])
  assert.deepEqual([await statusOf(ids[1]), service.posts().length], ['FAILED', before + 1])
})

test('an unreachable adapter gets no order and becomes a case after half an hour', async (t) => {
  const service = await startInterac(t)
  const { account, pay, later, orderOf, deps } = service
  const reachable = deps.connections.current().all
  const id = await pay(account)
  const away = reachable.map((one) =>
    one.processor ? { ...one, transport: { type: 'https' as const, url: 'http://127.0.0.1:1', answerMs: 1_000 } } : one,
  )
  const current = { ...deps.connections.current(), all: away }
  const there = { ...deps, connections: { current: () => current }, failures: new Map() }
  for (let hour = 0; hour < 8; hour++) {
    service.realClock.advance(3_600)
    service.clock.advance(3_600)
    await payByProcessors(there, payoutHooks)
  }
  assert.deepEqual(await casesOf(service), ['connection_failing: The connection was refused.'])
  assert.equal((await orderOf(id))?.status, 'READY')
  await later(3_600)
  assert.deepEqual([await casesOf(service), (await orderOf(id))?.status], [[], 'SUBMITTED'])
})

test('an order above the limit of the connection fails without a call', async (t) => {
  const service = await startInterac(t, { centsPerOrder: 1_000 })
  const id = await service.pay(service.account, 10.01)
  const small = await service.pay(service.account, 10)
  await service.pass()
  assert.deepEqual([await service.statusOf(id), await service.statusOf(small)], ['FAILED', 'IN_PROCESS'])
  assert.equal(service.posts().length, 1)
})

test('a different amount, or an answer that reverts a payment, becomes a case and changes nothing', async (t) => {
  const service = await startInterac(t)
  const { account, pay, pass, later, decide, orderOf, statusOf } = service
  const [other, taken] = [await pay(account), await pay(account)] as [string, string]
  await pass()
  await decide(other, { status: 'paid', amount: { value: '12.51', currency: 'USD' } })
  await decide(taken, { status: 'paid' })
  await later(10)
  await decide(taken, { status: 'rejected', reason: { code: 'AC04' } })
  await later(86_400)
  assert.deepEqual((await casesOf(service)).sort(), [
    'payout_contradicts: The processor names another amount: $12.51.',
    'payout_contradicts: The processor says that the order is rejected. It was PAID.',
  ])
  assert.deepEqual([(await orderOf(other))?.status, await statusOf(other)], ['SUBMITTED', 'IN_PROCESS'])
  assert.deepEqual([(await orderOf(taken))?.status, await statusOf(taken)], ['PAID', 'PAID'])
})

test('after a decision that the money is back, the processor is asked again, which shows its fee and a wrong decision', async (t) => {
  const service = await startInterac(t)
  const { deps, account, pay, pass, later, decide, orderOf, statusOf } = service
  const [right, wrong] = [await pay(account), await pay(account)] as [string, string]
  await pass()
  const fee = (cents: string) => ({ fee: { value: cents, currency: 'USD' } })
  const amount = (value: string) => ({ amount: { value, currency: 'USD' } })
  for (const id of [right, wrong]) await decide(id, { status: 'paid', ...fee('0.75') })
  await later(10)
  for (const id of [right, wrong]) await decide(id, { ...amount('0.01') })
  await later(86_400)
  for (const { id } of await getBankCases(deps))
    await exceptionCommand({ note: 'by phone', code: 'AC06' }, ['apply', id])(deps)
  assert.deepEqual([await statusOf(right), await statusOf(wrong), await casesOf(service)], ['FAILED', 'FAILED', []])
  await later(60)
  await decide(right, { status: 'returned', reason: { code: 'AC06' }, ...amount('12.50'), ...fee('0.00') })
  await decide(wrong, amount('12.50'))
  await later(3_600)
  assert.deepEqual([(await orderOf(right))?.feeCents, (await orderOf(wrong))?.feeCents], [0, 75])
  assert.deepEqual(await casesOf(service), [
    'payout_contradicts: The processor says that the order is paid. It was RETURNED.',
  ])
})

test('an event triggers a query at once; repeated, late, unsigned and unknown events change nothing', async (t) => {
  const service = await startInterac(t)
  const { account, pay, pass, later, decide, statusOf } = service
  const id = await pay(account)
  await pass()
  await later(3_600)
  const reference = await decide(id, { status: 'paid' })
  const body = JSON.stringify({ type: 'order.changed', reference, status: 'paid' })
  const event = { body, key: EVENT_KEY }
  await pass()
  assert.equal(await statusOf(id), 'IN_PROCESS', 'the next query is minutes away')
  assert.equal(await postEvent(service, { ...event, key: 'another-key' }), 401)
  assert.equal(await postEvent(service, { ...event, skewSeconds: -301 }), 401)
  assert.equal(await postEvent(service, { ...event, skewSeconds: 301 }), 401)
  assert.equal(await postEvent(service, { ...event, body: '{}' }), 400)
  assert.equal(await postEvent(service, { ...event, body: 'no json' }), 400)
  assert.equal(await postEvent(service, { ...event, connectionId: 'first' }), 404)
  assert.equal(await postEvent(service, { ...event, body: JSON.stringify({ reference: '0'.repeat(32) }) }), 204)
  await pass()
  assert.equal(await statusOf(id), 'IN_PROCESS')
  assert.equal(await postEvent(service, event), 204)
  assert.equal(await postEvent(service, event), 204)
  await pass()
  assert.equal(await statusOf(id), 'PAID')
  const late = JSON.stringify({ type: 'order.changed', reference, status: 'submitted' })
  assert.equal(await postEvent(service, { ...event, body: late, id: 'event-0' }), 204)
  await pass()
  assert.deepEqual(await service.statusesOf(id), ['IN_PROCESS', 'PAID'])
  assert.deepEqual(await casesOf(service), [])
})

test('a process that crashes before, during or after the call never sends the order twice', async (t) => {
  const service = await startInterac(t)
  const { adapter, deps, account, pay, pass, later, decide, orderOf, statusOf } = service
  const ids = [await pay(account), await pay(account), await pay(account)] as [string, string, string]
  const crashes = { before: 0, after: 0 }
  // The first process crashes after it commits SENDING, and the second one before it records the answer.
  const processor = deps.connections.current().all.find((one) => one.processor)
  assert.ok(processor)
  const open = await openProcessor(deps, processor)
  const dying = (at: 'before' | 'after') => ({
    ...open,
    processor: {
      ...open.processor,
      submit: async (order: ProcessorOrder) => {
        if (at === 'after') await open.processor.submit(order)
        crashes[at]++
        throw new Error('the process dies')
      },
    },
  })
  await payByProcessors(
    { ...deps, connections: { current: () => ({ ...deps.connections.current(), all: [] }) } },
    payoutHooks,
  )
  for (const leg of await inTransaction(deps, (tx) =>
    legsToFile(tx, { ...WAITING, until: deps.clock.now(), limit: 10 }),
  ))
    await startPayout(deps, payoutHooks, { connection: processor, leg })
  for (const [index, at] of [
    [0, 'before'],
    [1, 'after'],
  ] as const) {
    const [row] = await deps.sql<{ platformId: string; legId: string }[]>`
      select p.platform_id, p.leg_id from payouts p join legs l on l.platform_id = p.platform_id and l.id = p.leg_id
      where l.subject_id = ${ids[index]}
    `
    assert.ok(row)
    await assert.rejects(submitPayout(deps, payoutHooks, { open: dying(at), key: row }), /the process dies/)
  }
  assert.deepEqual(crashes, { before: 1, after: 1 })
  await pass()
  for (const id of ids.slice(1)) await decide(id, { status: 'paid' })
  await later(120)
  await later(3_600)
  assert.deepEqual(await Promise.all(ids.map(async (id) => (await orderOf(id))?.status)), ['UNKNOWN', 'PAID', 'PAID'])
  assert.deepEqual(await Promise.all(ids.map(statusOf)), ['IN_PROCESS', 'PAID', 'PAID'])
  assert.equal(service.posts().length, 2)
  assert.equal(adapter.orders.size, 2)
})

test('the requests of the service and the answers of the reference adapter match the published document', async (t) => {
  const text = await readFile(new URL('../schemas/adapter.openapi.json', import.meta.url), 'utf8')
  const ajv = new Ajv2020({ strict: false })
  ajv.addSchema(JSON.parse(text), 'adapter')
  const problemsOf = (schema: string, value: unknown) => {
    const isValid = ajv.validate({ $ref: `adapter#/components/schemas/${schema}` }, value)
    return isValid ? [] : ajv.errors
  }
  const service = await startInterac(t)
  await service.pay(service.account)
  await service.pass()
  const [submitted] = service.posts()
  assert.deepEqual(problemsOf('NewOrder', submitted?.body), [])
  const url = await startReferenceAdapter(t)
  const headers = { authorization: `Bearer ${ADAPTER_KEY}`, 'content-type': 'application/json' }
  const order = { ...submitted?.body, test_outcome: 'returned' }
  const answer = await fetch(`${url}/orders`, { method: 'POST', headers, body: JSON.stringify(order) })
  assert.deepEqual(problemsOf('Order', await answer.json()), [])
  const listed = await fetch(`${url}/orders/${submitted?.body?.reference}/events`, { headers })
  const events = (await listed.json()) as { events: { body: string }[] }
  assert.deepEqual(problemsOf('Events', events), [])
  for (const { body } of events.events) assert.deepEqual(problemsOf('Event', JSON.parse(body)), [])
  const refused = await fetch(`${url}/orders`, { method: 'POST', body: '{}' })
  assert.deepEqual(problemsOf('Problem', await refused.json()), [])
})

test('the protocol test suite passes with the reference adapter and finds the faults of a broken adapter', async (t) => {
  const folder = await temporaryFolder(t)
  const url = await startReferenceAdapter(t)
  const good = await testConnection(folder, url)
  assert.equal(good.code, 0, `${good.stdout}${good.stderr}`)
  assert.match(good.stdout, /The adapter keeps every rule\./)
  const broken = await startScriptedAdapter(t)
  broken.script.play = ({ method, body }) =>
    method === 'POST' ? { status: 201, body: { ...body, id: `${Math.random()}`, status: 'paid' } } : null
  const bad = await testConnection(folder, broken.url)
  assert.equal(bad.code, 1)
  for (const line of [
    /✘.* a wrong key is refused with 401: The answer is 201\./,
    /✘.* a repeated order is not taken again: It was taken twice/,
    /✘.* the same order several times at once is taken once: It was taken twice/,
    /✘.* another order with the same reference is refused with 409: The answer is 201\./,
    /✔.* an unknown reference is answered with 404/,
    /The adapter breaks \d+ rules\. See docs\/adapter\.md\./,
  ])
    assert.match(bad.stdout, line)
  broken.script.play = ({ method, body }) =>
    method === 'POST' ? { status: 201, body: { ...body, id: 'x', status: 'paid', amount: { value: '12.5' } } } : null
  const wrong = await testConnection(folder, broken.url)
  assert.match(
    wrong.stdout,
    /✘.*: The answer is not an order of schemas\/adapter\.openapi\.json: "amount" does not have the form/,
  )
  const silent = await testConnection(folder, 'http://localhost:9')
  assert.match(silent.stdout, /✘.* the adapter answers: .*\n\nThe adapter breaks 1 rule\. See/)
  for (const secret of [ADAPTER_KEY, EVENT_KEY]) assert.ok(!`${good.stdout}${bad.stdout}`.includes(secret))
})

test('payments over the reference adapter are PAID', async (t) => {
  const url = await startReferenceAdapter(t)
  const service = await startProcessorService(t, {
    processors: [await adapterConnection(t, { url })],
    rails: ['INTERAC'],
  })
  const id = await service.pay(await service.add('interac', { username: 'payee@example.ca' }))
  await service.pass()
  await service.later(10)
  assert.equal(await service.statusOf(id), 'PAID')
})

const WAITING: Pick<FileQuery, 'rail' | 'skipped'> = { rail: 'INTERAC', skipped: NOTHING_SKIPPED }

/** Runs `remit connections test cards` with a connection to an adapter on this machine. */
async function testConnection(folder: string, url: string) {
  const secrets = { key_file: join(folder, 'key'), event_key_file: join(folder, 'event-key') }
  await writeFile(secrets.key_file, ADAPTER_KEY, { mode: 0o600 })
  await writeFile(secrets.event_key_file, EVENT_KEY, { mode: 0o600 })
  const path = join(folder, 'connections.json')
  const transport = { type: 'https', url, answer_seconds: 20 }
  const cards = { id: 'cards', transport, zone: 'America/New_York', adapter: secrets }
  await writeFile(path, JSON.stringify({ connections: [cards], rails: { INSTANT: 'cards', INTERAC: 'cards' } }))
  return runCommand(['connections', 'test', 'cards'], {
    REMIT_PRODUCTION_CONNECTIONS: path,
    REMIT_ALLOW_LOCAL_WEBHOOKS: 'true',
  })
}

suite('cards', () => {
  const number = '4000056655665556'
  const card = { card_number: number, expiration_date: '2099-12', cvv: '123' }

  async function startCards(t: TestContext) {
    const adapter = await startScriptedAdapter(t)
    const processors = [await adapterConnection(t, { url: adapter.url })] as const
    const service = await startProcessorService(t, { processors, rails: ['INSTANT'] })
    /** The cards of the orders so far. */
    const cards = () =>
      adapter.asked.flatMap(({ method, body }) =>
        method === 'POST' && body ? (body.payee as { card: object }).card : [],
      )
    return { ...service, adapter, cards }
  }

  /** Searches for the number in every table, as in a database dump, and in the cases. */
  async function assertHidden({ deps, ownerSql }: Awaited<ReturnType<typeof startCards>>) {
    const tables = await ownerSql<{ name: string }[]>`
      select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
    `
    for (const { name } of tables) {
      const found = await ownerSql`select from ${ownerSql(name)} t where t::text like ${`%${number}%`} limit 1`.anyRow()
      assert.equal(found, false, name)
    }
    assert.ok(!JSON.stringify(await getBankCases(deps)).includes(number))
  }

  test('are paid by their number until the adapter returns a token, and the number is stored nowhere in clear text', async (t) => {
    const service = await startCards(t)
    const { adapter, pay, pass, later, statusOf } = service
    const account = await service.add('card', card)
    const first = await pay(account)
    await pass()
    await assertHidden(service)
    const reference = (await service.orderOf(first))?.legId ?? ''
    Object.assign(adapter.orders.get(reference) ?? {}, { status: 'paid', card: { token: 'tok_1' } })
    await later(10)
    const second = await pay(account)
    await pass()
    assert.deepEqual(service.cards(), [
      { number, expires: '2099-12' },
      { token: 'tok_1', expires: '2099-12' },
    ])
    assert.deepEqual([await statusOf(first), await statusOf(second)], ['PAID', 'IN_PROCESS'])
    await assertHidden(service)
    assert.ok(!adapter.asked.some(({ method, path }) => method === 'GET' && path.includes(number)))
  })

  test('of saved payees are also paid', async (t) => {
    const service = await startCards(t)
    const { sender, wallet, pass } = service
    const entry = await sender.post('/v3/directory', { name: 'Grace Hopper', email: 'grace@example.com' })
    assert.equal(entry.status, 201, entry.text)
    const path = `/v3/directory/${entry.body.id}/account/card`
    const saved = await sender.post(path, { card_number: number, expiration_date: '2099-12' })
    assert.equal(saved.status, 201, saved.text)
    await sendPayment(sender, { amount: 5, account: wallet, recipient: { id: entry.body.id, account: saved.body.id } })
    await pass()
    assert.deepEqual(service.cards(), [{ number, expires: '2099-12' }])
    await assertHidden(service)
  })

  test('without a stored number fail the payment, and their holders add them again', async (t) => {
    const service = await startCards(t)
    const account = await service.add('card', card)
    await service.ownerSql`update destinations set account_sealed = null where id = ${account}`
    const id = await service.pay(account)
    await service.pass()
    assert.deepEqual([await service.statusOf(id), service.cards()], ['FAILED', []])
  })
})
