import assert from 'node:assert/strict'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import type { Connections } from '../src/foundation/core/connections.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { getBankCases } from '../src/foundation/exception/bank-case-actions.ts'
import { getExceptions } from '../src/foundation/exception/exception-actions.ts'
import { payByProcessors } from '../src/money/payout/payout-worker.ts'
import { lockLeg } from '../src/money/rail/leg-actions.ts'
import { holdForReview } from '../src/money/rail/restore-hold-actions.ts'
import { ordersCommand } from '../src/operation/cli/connections/connections-orders.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { legHandlers, payoutHooks } from '../src/operation/scheduler/leg-handlers.ts'
import { adapterConnection, startScriptedAdapter } from './support/adapter.ts'
import { paypalConnection, startPaypal } from './support/paypal.ts'
import { type ProcessorService, startProcessorService, type Terms } from './support/processors.ts'

// Processors with unreadable answers, with a used-up balance or limit, or that are replaced by others.

async function startInterac(t: TestContext, terms: Terms = {}) {
  const adapter = await startScriptedAdapter(t)
  const processors = [await adapterConnection(t, { url: adapter.url, ...terms })] as const
  const service = await startProcessorService(t, { processors, rails: ['INTERAC'] })
  const account = await service.add('interac', { username: 'payee@example.ca' })
  const decide = async (id: string, change: object) =>
    void Object.assign(adapter.orders.get((await service.orderOf(id))?.legId ?? '') ?? {}, change)
  return { ...service, adapter, account, decide }
}

const casesOf = async ({ deps }: Pick<ProcessorService, 'deps'>) =>
  (await getBankCases(deps)).map(({ kind, note }) => `${kind}: ${note}`)

suite('an order with unreadable answers', () => {
  for (const status of ['submitted', 'accepted', 'paid']) {
    test(`and that is ${status} is a case after the limit, each time, and the next good answer closes it`, async (t) => {
      const service = await startInterac(t, { caseAfterMs: 1_800_000 })
      const { adapter, account, pay, pass, later, decide } = service
      const id = await pay(account)
      await pass()
      await decide(id, { status })
      await later(60)
      const wait = status === 'paid' ? 86_400 : 1_200
      for (const episode of [1, 2]) {
        adapter.script.play = ({ method }) => (method === 'GET' ? { status: 200, body: { nothing: episode } } : null)
        await later(wait)
        assert.deepEqual(await casesOf(service), [], 'the limit has not passed')
        for (let turn = 0; turn < 3; turn++) await later(wait)
        const [one, ...others] = await casesOf(service)
        assert.match(one ?? '', /^payout_unknown: It is unknown whether .* The answer breaks the adapter protocol/)
        assert.deepEqual(others, [])
        adapter.script.play = () => null
        await later(86_400)
        assert.deepEqual(await casesOf(service), [])
      }
    })
  }

  test('does not become a case if its connection fails', async (t) => {
    const service = await startInterac(t, { caseAfterMs: 600_000 })
    const { adapter, account, pay, pass, later } = service
    await pay(account)
    await pass()
    adapter.script.play = () => ({ status: 401 })
    for (let hour = 0; hour < 8; hour++) await later(3_600)
    assert.deepEqual(
      (await getBankCases(service.deps)).map(({ kind }) => kind),
      ['connection_failing'],
    )
  })
})

test('the case of an order no longer holds its payment after the operator has released it', async (t) => {
  const service = await startInterac(t)
  const { deps, account, pay, pass, later, decide, orderOf } = service
  const id = await pay(account)
  await pass()
  const { legId } = (await orderOf(id)) ?? {}
  const [row] = await deps.sql<{ platformId: string }[]>`select platform_id from legs where id = ${legId}`
  await inTransaction(deps, async (tx) => {
    const leg = await lockLeg(tx, legHandlers, { platformId: row?.platformId as string, id: legId as string })
    if (leg) await holdForReview(tx, leg, 'It may be at the bank.')
  })
  await decide(id, { amount: { value: '99.00', currency: 'USD' } })
  await later(60)
  assert.deepEqual(await casesOf(service), ['payout_contradicts: The processor names another amount: $99.00.'])
  const [exception] = await getExceptions(deps, {})
  await exceptionCommand({ note: 'it is not' }, ['close', exception?.id ?? ''])(deps)
  const [leg] = await deps.sql<{ heldAt: Date | null }[]>`select held_at from legs where id = ${legId}`
  assert.equal(leg?.heldAt, null)
})

async function startPayments(t: TestContext, terms: { caseAfterMs?: number } = {}) {
  const paypal = await startPaypal(t)
  const connection = await paypalConnection(t, { url: paypal.url, ...terms })
  const service = await startProcessorService(t, { processors: [connection], rails: ['PAYPAL'] })
  const account = await service.add('paypal', { username: 'payee@example.com' })
  const stateOf = async (id: string) => (await service.orderOf(id))?.status
  return { ...service, paypal, connection, account, stateOf }
}

test('orders of a platform without funds at PayPal delay no other platform, and are a case until they are accepted', async (t) => {
  const service = await startPayments(t)
  const { deps, paypal, account, pay, pass, later, stateOf, newOwner, newParties } = service
  paypal.state.play = (call, { amount }) =>
    call === 'POST' && amount === '30.00' ? { fail: paypal.error(400, 'INSUFFICIENT_FUNDS') } : {}
  const large: string[] = []
  for (let index = 0; index < 25; index++) large.push(await pay(account, 30))
  await pass()
  const other = await newParties((await newOwner()).api)
  const small = await other.pay(await other.add('paypal', { username: 'other@example.com' }), 1)
  await payByProcessors(deps, payoutHooks)
  assert.equal(await stateOf(small), 'SUBMITTED')
  for (let turn = 0; turn < 3; turn++) await later(600)
  assert.deepEqual(await casesOf(service), ['balance_too_low: The balance at the processor is too low. Orders wait.'])
  const next = await other.pay(await other.add('paypal', { username: 'next@example.com' }), 2)
  await pass()
  assert.equal(await stateOf(next), 'SUBMITTED')
  assert.deepEqual(new Set(await Promise.all(large.map(stateOf))), new Set(['READY']))
  paypal.state.play = null
  await later(600)
  await later(600)
  assert.deepEqual(new Set(await Promise.all(large.map(stateOf))), new Set(['SUBMITTED']))
  assert.deepEqual(await casesOf(service), [])
  assert.equal(paypal.batches.size, 27)
})

test('an order that PayPal may have, and whose repetition lacks funds, becomes a case', async (t) => {
  const service = await startPayments(t)
  const { paypal, account, pay, pass, later, stateOf } = service
  paypal.state.fail = 'cut'
  const id = await pay(account)
  await pass()
  assert.equal(await stateOf(id), 'UNKNOWN')
  paypal.state.play = (call) => (call === 'POST' ? { fail: paypal.error(400, 'INSUFFICIENT_FUNDS') } : {})
  for (let turn = 0; turn < 3; turn++) await later(600)
  await pass()
  assert.equal(await stateOf(id), 'UNKNOWN')
  assert.deepEqual(await casesOf(service), ['balance_too_low: The balance at the processor is too low. Orders wait.'])
  paypal.state.play = null
  await later(600)
  await pass()
  assert.deepEqual([await stateOf(id), paypal.batches.size, await casesOf(service)], ['SUBMITTED', 1, []])
})

test('an order that PayPal may have is not sent with the client ID of another account', async (t) => {
  const service = await startPayments(t, { caseAfterMs: 600_000 })
  const { paypal, connection, account, pay, pass, later, stateOf } = service
  paypal.state.lose = 'cut'
  const id = await pay(account)
  await pass()
  assert.equal(await stateOf(id), 'UNKNOWN')
  const { processor } = connection
  assert.ok(processor?.type === 'paypal')
  await writeFile(processor.clientIdFile, 'id-of-another-app')
  paypal.state.clientId = 'id-of-another-app'
  await later(600)
  await later(600)
  assert.deepEqual([await stateOf(id), paypal.state.posts], ['UNKNOWN', 1])
  assert.match((await casesOf(service)).join(), /payout_unknown: .* PayPal no longer knows our reference/)
  await writeFile(processor.clientIdFile, 'id-of-a-test-app')
  paypal.state.clientId = 'id-of-a-test-app'
  await later(600)
  assert.deepEqual([await stateOf(id), paypal.batches.size, await casesOf(service)], ['SUBMITTED', 1, []])
})

test('orders are followed while the exchange folder of the bank cannot be used, so that no leg is sent', async (t) => {
  const service = await startInterac(t)
  const { deps, account, pay, pass, later, decide, statusOf } = service
  const id = await pay(account)
  await pass()
  await decide(id, { status: 'paid' })
  const waiting = await pay(account)
  const outbound = join(deps.settings.stateFolder as string, 'outbound')
  await rename(outbound, `${outbound}.lost`)
  await writeFile(outbound, '')
  await later(60)
  assert.deepEqual([await statusOf(id), await service.orderOf(waiting)], ['PAID', undefined])
  await rm(outbound)
  await rename(`${outbound}.lost`, outbound)
  await later(60)
  assert.equal((await service.orderOf(waiting))?.leg, 'SENT')
})

test('the token of a card is never sent to another adapter', async (t) => {
  const [first, second] = [await startScriptedAdapter(t), await startScriptedAdapter(t)]
  const processors = [
    await adapterConnection(t, { url: first.url }),
    await adapterConnection(t, { id: 'other-cards', url: second.url }),
  ] as const
  const service = await startProcessorService(t, { processors, rails: ['INSTANT'] })
  const { deps, pay, pass, later, statusOf, orderOf } = service
  const account = await service.add('card', {
    ...{ card_number: '4000056655665556', expiration_date: '2099-12', cvv: '123' },
  })
  const paid = await pay(account)
  await pass()
  Object.assign(first.orders.get((await orderOf(paid))?.legId ?? '') ?? {}, {
    status: 'paid',
    card: { token: 'tok_1' },
  })
  await later(10)
  assert.equal(await statusOf(paid), 'PAID')
  const before = deps.connections.current()
  const moved: Connections = { ...before, rails: { ...before.rails, INSTANT: 'other-cards' } }
  const id = await pay(account)
  await payByProcessors({ ...deps, connections: { current: () => moved }, failures: new Map() }, payoutHooks)
  assert.equal(await statusOf(id), 'FAILED')
  assert.equal((await service.sender.get(`/v3/check/${id}/fail`)).body.code, '04')
  assert.deepEqual(second.asked, [])
  const again = await pay(account)
  await pass()
  assert.equal(await statusOf(again), 'IN_PROCESS')
  const [card] = first.asked.flatMap(({ method, body }) => (method === 'POST' && body ? [body.payee] : [])).slice(-1)
  assert.deepEqual((card as { card: object }).card, { token: 'tok_1', expires: '2099-12' })
})

test('orders above the daily limit wait for the next day, and one above it alone fails', async (t) => {
  const service = await startInterac(t, { centsPerDay: 3_000 })
  const { adapter, account, pay, pass, later, statusOf, orderOf, decide } = service
  const [refused, first, second, third] = [
    await pay(account, 30.01),
    await pay(account, 20),
    await pay(account, 15),
    await pay(account, 5),
  ] as [string, string, string, string]
  await pass()
  const statesOf = () => Promise.all([first, second, third].map(async (id) => (await orderOf(id))?.status))
  assert.deepEqual([await statusOf(refused), await statesOf()], ['FAILED', ['SUBMITTED', 'READY', 'SUBMITTED']])
  await decide(first, { status: 'rejected', reason: { code: 'AC04' } })
  await later(60)
  assert.deepEqual(await statesOf(), ['REJECTED', 'READY', 'SUBMITTED'], 'it is retried on the next day')
  await later(86_400)
  assert.deepEqual([await statesOf(), adapter.orders.size], [['REJECTED', 'SUBMITTED', 'SUBMITTED'], 3])
})

test('the operator lists orders at processors', async (t) => {
  const service = await startInterac(t)
  const { deps, account, pay, pass, later, decide, orderOf } = service
  const [open, ended] = [await pay(account), await pay(account, 20)]
  await pass()
  await decide(ended, { status: 'rejected' })
  await later(60)
  const list = (flags: object, ...names: string[]) => ordersCommand(flags, ['orders', ...names])(deps)
  const text = await list({})
  assert.match(text, new RegExp(`${(await orderOf(open))?.legId} +cards +INTERAC +SUBMITTED +\\$12.50 +${open}`))
  assert.doesNotMatch(text, new RegExp(ended))
  assert.match(await list({ all: true }, 'cards'), new RegExp(`REJECTED +\\$20.00 +${ended}`))
  assert.equal(JSON.parse(await list({ json: true })).length, 1)
  await assert.rejects(list({}, 'first'), /No processor has the connection first\. There is: cards\./)
})
