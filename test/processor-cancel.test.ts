import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { getBankCases } from '../src/foundation/exception/bank-case-actions.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { adapterConnection, EVENT_KEY, startScriptedAdapter } from './support/adapter.ts'
import { paypalConnection, startPaypal } from './support/paypal.ts'
import { postEvent, startProcessorService, walletOf } from './support/processors.ts'

// Voids of a payment whose order is at a processor: the payment keeps its status until the order is canceled, rejected
// or paid.

async function start(t: TestContext) {
  const adapter = await startScriptedAdapter(t)
  const processors = [await adapterConnection(t, { url: adapter.url })] as const
  const service = await startProcessorService(t, { processors, rails: ['INTERAC'] })
  const account = await service.add('interac', { username: 'payee@example.ca' })
  const referenceOf = async (id: string): Promise<string> => (await service.orderOf(id))?.legId as string
  const decide = async (id: string, change: object) =>
    void Object.assign(adapter.orders.get(await referenceOf(id)) ?? {}, change)
  const isCancel = ({ path }: { path: string }) => path.endsWith('/cancel')
  const cancels = () => adapter.asked.filter(isCancel)
  const submissions = () => adapter.asked.filter(({ method, path }) => method === 'POST' && path === '/orders')
  const voidIt = async (id: string) => (await service.sender.del(`/v3/check/${id}`)).status
  const statesOf = async (id: string) => {
    const order = await service.orderOf(id)
    return [await service.statusOf(id), order?.status, order?.leg]
  }
  const casesNow = async () => (await getBankCases(service.deps)).map(({ kind }) => kind)
  return {
    ...service,
    adapter,
    account,
    decide,
    isCancel,
    cancels,
    submissions,
    voidIt,
    statesOf,
    casesNow,
    referenceOf,
  }
}

test('an order at a processor is canceled, and the payment is VOID when the processor confirms it, not before', async (t) => {
  const service = await start(t)
  const { adapter, account, pay, pass, later, decide, statesOf, voidIt } = service
  adapter.script.play = ({ path }) => {
    const [, , reference = ''] = path.split('/')
    return path.endsWith('/cancel') ? { status: 200, body: adapter.orders.get(reference) } : null
  }
  const id = await pay(account)
  await pass()
  assert.deepEqual(await statesOf(id), ['IN_PROCESS', 'SUBMITTED', 'SENT'])
  assert.equal(await voidIt(id), 200)
  assert.deepEqual(await statesOf(id), ['IN_PROCESS', 'SUBMITTED', 'STOPPING'])
  const again = (await service.sender.del(`/v3/check/${id}`)).body
  assert.deepEqual(
    [again.code, again.message],
    ['not_voidable', 'Cancellation was already requested. The payment stays IN_PROCESS until the processor answers.'],
    'it is asked once',
  )
  await pass()
  assert.deepEqual(
    service.cancels().map(({ path }) => path),
    [`/orders/${await service.referenceOf(id)}/cancel`],
  )
  assert.equal(service.cancels()[0]?.headers.authorization, 'Bearer key-of-a-test-adapter')
  await later(3_600)
  assert.deepEqual(await statesOf(id), ['IN_PROCESS', 'SUBMITTED', 'STOPPING'], 'the processor has not decided')
  await decide(id, { status: 'canceled' })
  await later(3_600)
  assert.deepEqual(await statesOf(id), ['VOID', 'CANCELED', 'CANCELLED'])
  assert.deepEqual([await walletOf(service), service.cancels().length, await service.casesNow()], [1_000, 1, []])
  const { entries } = (await service.sender.get(`/v3/payment/${id}/timeline`)).body
  const credit = entries.filter(({ kind }: { kind: string }) => kind === 'credit')
  assert.deepEqual(
    credit.map(({ event }: { event: string }) => event),
    ['send', 'stop', 'cancel'],
  )
})

for (const [outcome, expected] of [
  ['paid', ['PAID', 'PAID', 'SETTLED']],
  ['rejected', ['VOID', 'REJECTED', 'CANCELLED']],
  ['accepted', ['IN_PROCESS', 'ACCEPTED', 'STOPPING']],
] as const) {
  test(`an order that is ${outcome} during its cancellation leaves the payment ${expected[0]}`, async (t) => {
    const service = await start(t)
    const { account, pay, pass, decide, statesOf, voidIt } = service
    const id = await pay(account)
    await pass()
    if (outcome === 'accepted') service.adapter.script.play = (one) => (service.isCancel(one) ? { status: 409 } : null)
    await decide(id, { status: outcome })
    assert.equal(await voidIt(id), 200)
    await pass()
    assert.deepEqual(await statesOf(id), expected)
    assert.deepEqual([service.cancels().length, await service.casesNow()], [1, []])
    assert.equal(await walletOf(service), outcome === 'rejected' ? 1_000 : 987.5)
  })
}

for (const [ended, expected] of [
  ['canceled', ['VOID', 'CANCELED', 'CANCELLED']],
  ['rejected', ['FAILED', 'REJECTED', 'RETURNED']],
  ['returned', ['FAILED', 'RETURNED', 'RETURNED']],
] as const) {
  test(`an order that was ${ended} and is later paid becomes a case, and is queried until there is an answer`, async (t) => {
    const service = await start(t)
    const { adapter, account, pay, pass, later, decide, statesOf, casesNow, referenceOf } = service
    const id = await pay(account)
    await pass()
    if (ended === 'canceled') await service.voidIt(id)
    await decide(id, { status: ended })
    await later(3_600)
    assert.deepEqual([await statesOf(id), await casesNow()], [expected, []])
    await decide(id, { status: 'paid' })
    const isFind = ({ method }: { method: string }) => method === 'GET'
    adapter.script.play = (one) => (isFind(one) ? { status: 503 } : null)
    const body = JSON.stringify({ reference: await referenceOf(id) })
    const tell = async (event: string) => {
      assert.equal(await postEvent(service, { body, key: EVENT_KEY, id: event }), 204)
      for (let day = 0; day < 3; day++) await later(86_400)
      return casesNow()
    }
    const asked = () => adapter.asked.filter(isFind).length
    const before = asked()
    assert.equal(await postEvent(service, { body, key: EVENT_KEY }), 204)
    await pass()
    adapter.script.play = () => null
    await later(3_600)
    assert.deepEqual([await statesOf(id), await casesNow()], [expected, ['payout_contradicts']])
    const [one] = await getBankCases(service.deps)
    assert.match(one?.note ?? '', new RegExp(`says that the order is paid\\. It was ${expected[1]}`))
    assert.equal(asked(), before + 2)
    for (let day = 0; day < 3; day++) await later(86_400)
    assert.equal(asked(), before + 2, 'an ended order is asked about only after an event')
    await exceptionCommand({ note: 'by phone' }, ['close', one?.id ?? ''])(service.deps)
    assert.deepEqual(await tell('event-2'), [], 'the operator has decided about this')
    await decide(id, { status: 'paid', amount: { value: '99.00', currency: 'USD' } })
    assert.deepEqual(await tell('event-3'), ['payout_contradicts'], 'another amount is another contradiction')
    assert.equal(asked(), before + 6, 'another amount is no answer about this order, which is asked about again')
  })
}

test('an order that the processor does not cancel continues, and is PAID', async (t) => {
  const service = await start(t)
  const { account, pay, pass, later, decide, statesOf, voidIt } = service
  const id = await pay(account)
  await pass()
  service.adapter.script.play = (one) => (service.isCancel(one) ? { status: 404 } : null)
  await voidIt(id)
  await pass()
  await decide(id, { status: 'paid' })
  await later(3_600)
  assert.deepEqual([await statesOf(id), service.cancels().length], [['PAID', 'PAID', 'SETTLED'], 1])
  assert.deepEqual(await service.casesNow(), [])
})

test('an order that was not sent is VOID at once, and is never sent', async (t) => {
  const service = await start(t)
  const { adapter, account, pay, pass, later, statesOf, voidIt } = service
  adapter.script.play = ({ method }) => (method === 'POST' ? { status: 429 } : null)
  const id = await pay(account)
  await pass()
  assert.deepEqual(await statesOf(id), ['IN_PROCESS', 'READY', 'SENT'])
  assert.equal(await voidIt(id), 200)
  assert.deepEqual([await statesOf(id), await walletOf(service)], [['VOID', 'CANCELED', 'CANCELLED'], 1_000])
  adapter.script.play = () => null
  await later(3_600)
  assert.deepEqual([adapter.orders.size, service.submissions().length], [0, 1])
})

test('an order whose answer was lost is canceled by its reference, and a lost answer to the cancellation is requested again', async (t) => {
  const service = await start(t)
  const { adapter, account, pay, pass, later, statesOf, voidIt } = service
  let lost = 2
  adapter.script.play = ({ path, body }) => {
    if (path === '/orders' && body) {
      adapter.orders.set(body.reference, { id: 'order-1', status: 'submitted', ...body })
      return 'cut'
    }
    return path.endsWith('/cancel') && lost-- > 0 ? 'cut' : null
  }
  const id = await pay(account)
  await pass()
  assert.deepEqual(await statesOf(id), ['IN_PROCESS', 'UNKNOWN', 'SENT'])
  assert.equal(await voidIt(id), 200)
  for (let hour = 0; hour < 10 && (await service.statusOf(id)) !== 'VOID'; hour++) await later(3_600)
  assert.deepEqual(await statesOf(id), ['VOID', 'CANCELED', 'CANCELLED'])
  assert.deepEqual([service.cancels().length, service.submissions().length], [3, 1])
  assert.equal(await walletOf(service), 1_000)
})

test('a decision about an order with a pending cancellation makes the payment VOID or PAID', async (t) => {
  const service = await start(t)
  const { adapter, account, pay, pass, later, statesOf, voidIt } = service
  adapter.script.play = ({ path }) => (path === '/orders' ? 'cut' : null)
  const id = await pay(account)
  await pass()
  await voidIt(id)
  await later(3_600)
  await later(3_600)
  const [one] = await getBankCases(service.deps)
  assert.equal(one?.kind, 'payout_unknown')
  await exceptionCommand({ note: 'not in the portal', code: 'MS03' }, ['apply', one?.id ?? ''])(service.deps)
  assert.deepEqual([await statesOf(id), await walletOf(service)], [['VOID', 'REJECTED', 'CANCELLED'], 1_000])
})

/** A payment over PayPal that is being voided, whose item PayPal then processes. */
async function startVoidedAtPaypal(t: TestContext) {
  const paypal = await startPaypal(t)
  const processors = [await paypalConnection(t, { url: paypal.url })] as const
  const service = await startProcessorService(t, { processors, rails: ['PAYPAL'] })
  const id = await service.pay(await service.add('paypal', { username: 'payee@example.com' }))
  await service.pass()
  assert.equal((await service.sender.del(`/v3/check/${id}`)).status, 200)
  assert.equal((await service.sender.del(`/v3/check/${id}`)).body.code, 'not_voidable', 'it is asked once')
  const statesNow = async () => {
    const order = await service.orderOf(id)
    return [await service.statusOf(id), order?.status, order?.leg]
  }
  const become = async (status: string) => {
    const [batch] = paypal.batches.values()
    assert.ok(batch)
    Object.assign(batch, { status: 'SUCCESS', item: { status } })
    await service.later(3_600)
    return statesNow()
  }
  const casesNow = async () => (await getBankCases(service.deps)).map(({ kind }) => kind)
  return { ...service, paypal, become, statesNow, casesNow }
}

test('PayPal is asked to cancel an order once nobody has claimed it, and the payment is VOID when it is returned', async (t) => {
  const service = await startVoidedAtPaypal(t)
  const { paypal, become, statesNow, later, casesNow } = service
  await service.pass()
  assert.deepEqual([await statesNow(), paypal.state.cancels], [['IN_PROCESS', 'SUBMITTED', 'STOPPING'], 0])
  assert.deepEqual([await become('PENDING'), paypal.state.cancels], [['IN_PROCESS', 'ACCEPTED', 'STOPPING'], 0])
  assert.deepEqual([await become('UNCLAIMED'), paypal.state.cancels], [['VOID', 'RETURNED', 'CANCELLED'], 1])
  await later(86_400)
  assert.deepEqual([await walletOf(service), paypal.state.cancels, await casesNow()], [1_000, 1, []])
})

for (const [status, expected] of [
  ['SUCCESS', ['PAID', 'PAID', 'SETTLED']],
  ['FAILED', ['VOID', 'REJECTED', 'CANCELLED']],
] as const) {
  test(`an order at PayPal that is ${status} before it can be canceled leaves the payment ${expected[0]}`, async (t) => {
    const service = await startVoidedAtPaypal(t)
    assert.deepEqual([await service.become(status), service.paypal.state.cancels], [expected, 0])
    assert.deepEqual(await service.casesNow(), [])
  })
}

test('an order that PayPal does not cancel, because its payee claims it, is PAID', async (t) => {
  const service = await startVoidedAtPaypal(t)
  const { paypal, become } = service
  paypal.state.play = (call) => {
    if (call !== 'cancel') return {}
    const [batch] = paypal.batches.values()
    Object.assign(batch?.item ?? {}, { status: 'SUCCESS' })
    return { fail: paypal.error(422, 'ITEM_INCORRECT_STATUS') }
  }
  assert.deepEqual(await become('UNCLAIMED'), ['PAID', 'PAID', 'SETTLED'])
  assert.deepEqual([paypal.state.cancels, await service.casesNow()], [1, []])
})

test('an order whose cancellation PayPal refuses is not canceled again, and is VOID when its money comes back', async (t) => {
  const service = await startVoidedAtPaypal(t)
  const { paypal, become, later, statesNow } = service
  paypal.state.play = (call) => (call === 'cancel' ? { fail: paypal.error(403, 'NOT_AUTHORIZED') } : {})
  assert.deepEqual(await become('UNCLAIMED'), ['IN_PROCESS', 'ACCEPTED', 'STOPPING'])
  await later(3_600)
  assert.deepEqual([await statesNow(), paypal.state.cancels], [['IN_PROCESS', 'ACCEPTED', 'STOPPING'], 1])
  assert.deepEqual(await become('RETURNED'), ['VOID', 'RETURNED', 'CANCELLED'])
})

for (const lost of [{ fail: 'cut' }, { lose: 'cut' }] as const) {
  test(`an order at PayPal is canceled once if a call is lost (${JSON.stringify(lost)})`, async (t) => {
    const service = await startVoidedAtPaypal(t)
    const { paypal, become, later, statesNow, casesNow } = service
    let isLost = false
    paypal.state.play = (call) => {
      if (call !== 'cancel' || isLost) return {}
      isLost = true
      return lost
    }
    assert.deepEqual(await become('UNCLAIMED'), ['IN_PROCESS', 'SUBMITTED', 'STOPPING'])
    await later(3_600)
    assert.deepEqual([await statesNow(), await casesNow()], [['VOID', 'RETURNED', 'CANCELLED'], []])
    assert.equal(await walletOf(service), 1_000)
  })
}
