import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import type { ProcessorOrder } from '../src/connections/processor/processor-types.ts'
import { NOTHING_SKIPPED } from '../src/foundation/db/skipped.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { getBankCases } from '../src/foundation/exception/bank-case-actions.ts'
import { openProcessor } from '../src/money/payout/open-processor-actions.ts'
import { startPayout, submitPayout } from '../src/money/payout/payout-actions.ts'
import { legsToFile } from '../src/money/rail/leg-actions.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { payoutHooks } from '../src/operation/scheduler/leg-handlers.ts'
import { decideUser } from '../src/people/user/operator-actions.ts'
import type { UserKey } from '../src/people/user/user-store.ts'
import { DAY } from './support/file-service.ts'
import { paypalConnection, startPaypal } from './support/paypal.ts'
import { startProcessorService, type Terms, walletOf } from './support/processors.ts'

// PAYPAL and VENMO in production, with a stand-in that follows PayPal's published contract.

async function start(t: TestContext, terms: Terms = {}) {
  const paypal = await startPaypal(t)
  const processors = [await paypalConnection(t, { url: paypal.url, ...terms })] as const
  const service = await startProcessorService(t, { processors, rails: ['PAYPAL', 'VENMO'] })
  const account = await service.add('paypal', { username: 'payee@example.com' })
  const batchOf = async (id: string) => {
    const batch = paypal.batches.get((await service.orderOf(id))?.legId as string)
    assert.ok(batch)
    return batch
  }
  /** Returns the cents of fees in the ledger. */
  const feesOf = async () => {
    const [row] = await service.deps.sql<{ charged: number; returned: number }[]>`
      select
        coalesce(sum(cents) filter (where debit = 'operator:fees'), 0)::bigint as charged,
        coalesce(sum(cents) filter (where credit = 'operator:fees'), 0)::bigint as returned
      from transfers
    `
    return row
  }
  /** PayPal processes the item of a payment, and Remit queries it. */
  const become = async (id: string, status: string, more: object = {}) => {
    Object.assign(await batchOf(id), { status: 'SUCCESS', item: { status, ...more } })
    await service.later(3_600)
    return service.statusOf(id)
  }
  return { ...service, paypal, account, batchOf, become, feesOf }
}

const stateOf = async (service: Awaited<ReturnType<typeof start>>, id: string) => (await service.orderOf(id))?.status

test('a payment over PayPal is PAID when its item has succeeded, with the fee', async (t) => {
  const service = await start(t)
  const id = await service.pay(service.account)
  await service.pass()
  const { legId: reference } = (await service.orderOf(id)) ?? {}
  assert.deepEqual((await service.batchOf(id)).request, {
    sender_batch_header: { sender_batch_id: reference },
    items: [
      {
        recipient_type: 'EMAIL',
        receiver: 'payee@example.com',
        amount: { value: '12.50', currency: 'USD' },
        note: 'Payment',
        sender_item_id: reference,
        recipient_wallet: 'PAYPAL',
      },
    ],
  })
  assert.equal(await stateOf(service, id), 'SUBMITTED')
  assert.equal(await service.become(id, 'PENDING'), 'IN_PROCESS')
  assert.equal(await service.become(id, 'SUCCESS', { fee: '0.35' }), 'PAID')
  assert.equal((await service.orderOf(id))?.feeCents, 35)
  assert.deepEqual(await service.feesOf(), { charged: 35, returned: 0 })
  Object.assign((await service.batchOf(id)).item ?? {}, { fee: '0.25' })
  await service.later(2 * 86_400)
  assert.deepEqual(await service.feesOf(), { charged: 35, returned: 10 })
  assert.equal(service.paypal.state.posts, 1)
})

for (const [username, recipient_type, receiver] of [
  ['+1 (415) 555-2671', 'PHONE', '+14155552671'],
  ['@jane-doe', 'USER_HANDLE', 'jane-doe'],
] as const) {
  test(`a payment over Venmo names ${recipient_type}`, async (t) => {
    const service = await start(t)
    const id = await service.pay(await service.add('venmo', { username }))
    await service.pass()
    const [item] = (await service.batchOf(id)).request.items
    assert.deepEqual([item.recipient_type, item.receiver, item.recipient_wallet], [recipient_type, receiver, 'VENMO'])
    assert.equal(await service.become(id, 'SUCCESS'), 'PAID')
  })
}

test('an account that PayPal cannot pay fails the payment without a call', async (t) => {
  const service = await start(t)
  const id = await service.pay(await service.add('paypal', { username: 'just a name' }))
  await service.pass()
  assert.deepEqual([await service.statusOf(id), service.paypal.state.posts], ['FAILED', 0])
})

test('an unclaimed item waits, and its money is returned', async (t) => {
  const service = await start(t)
  const id = await service.pay(service.account)
  await service.pass()
  assert.equal(await service.become(id, 'UNCLAIMED', { errors: { name: 'RECEIVER_UNREGISTERED' } }), 'IN_PROCESS')
  await service.later(29 * 86_400)
  assert.deepEqual([await service.statusOf(id), await stateOf(service, id)], ['IN_PROCESS', 'ACCEPTED'])
  assert.equal(await service.become(id, 'RETURNED'), 'FAILED')
  assert.equal(await stateOf(service, id), 'RETURNED')
  await service.later(6 * 86_400)
  await service.doDueWork()
  assert.deepEqual([await service.statusOf(id), await walletOf(service)], ['REFUNDED', 1_000])
})

for (const [item, status] of [
  ['ONHOLD', 'IN_PROCESS'],
  ['FAILED', 'FAILED'],
  ['BLOCKED', 'FAILED'],
] as const) {
  test(`an item that is ${item} leaves the payment ${status}`, async (t) => {
    const service = await start(t)
    const id = await service.pay(service.account)
    await service.pass()
    assert.equal(await service.become(id, item, { errors: { name: 'RECEIVER_ACCOUNT_LOCKED' } }), status)
  })
}

for (const item of ['REFUNDED', 'REVERSED']) {
  test(`a paid item that is ${item} refunds the money`, async (t) => {
    const service = await start(t)
    const id = await service.pay(service.account)
    await service.pass()
    assert.equal(await service.become(id, 'SUCCESS'), 'PAID')
    Object.assign((await service.batchOf(id)).item ?? {}, { status: item })
    await service.later(86_400)
    assert.deepEqual([await service.statusOf(id), await stateOf(service, id)], ['FAILED', 'RETURNED'])
  })
}

test('a batch that PayPal denies as a whole fails the payment', async (t) => {
  const service = await start(t)
  const id = await service.pay(service.account)
  await service.pass()
  Object.assign(await service.batchOf(id), { status: 'DENIED' })
  await service.later(60)
  assert.deepEqual([await service.statusOf(id), await stateOf(service, id)], ['FAILED', 'REJECTED'])
})

test('an order whose answer was lost is found by its sender_batch_id, and PayPal has one batch', async (t) => {
  const service = await start(t)
  service.paypal.state.lose = 'cut'
  const id = await service.pay(service.account)
  await service.pass()
  assert.deepEqual([await stateOf(service, id), service.paypal.batches.size], ['UNKNOWN', 1])
  await service.later(60)
  assert.equal(await stateOf(service, id), 'SUBMITTED')
  assert.equal(await service.become(id, 'SUCCESS'), 'PAID')
  assert.deepEqual([service.paypal.batches.size, service.paypal.state.posts], [1, 2])
})

/** Sends a payment whose process dies before it records the answer of PayPal. `isTaken`: whether PayPal gets the order. */
async function payAndDie(service: Awaited<ReturnType<typeof start>>, { isTaken }: { isTaken: boolean }) {
  const id = await service.pay(service.account)
  const { deps } = service
  const [connection] = deps.connections.current().all.filter(({ processor }) => processor)
  assert.ok(connection)
  const waiting = { rail: 'PAYPAL', skipped: NOTHING_SKIPPED, until: deps.clock.now(), limit: 1 } as const
  const [leg] = await inTransaction(deps, (tx) => legsToFile(tx, waiting))
  assert.ok(leg)
  await startPayout(deps, payoutHooks, { connection, leg })
  const open = await openProcessor(deps, connection)
  const submit = async (order: ProcessorOrder) => {
    if (isTaken) await open.processor.submit(order)
    throw new Error('the process dies')
  }
  const dying = { ...open, processor: { ...open.processor, submit } }
  const key = { platformId: leg.platformId, legId: leg.id }
  await assert.rejects(submitPayout(deps, payoutHooks, { open: dying, key }), /the process dies/)
  assert.equal(await stateOf(service, id), 'SENDING')
  return id
}

test('an order whose process crashed is not refunded when PayPal refuses its repetition', async (t) => {
  const service = await start(t)
  const id = await payAndDie(service, { isTaken: true })
  service.paypal.state.fail = service.paypal.error(400, 'VALIDATION_ERROR')
  await service.later(600)
  assert.deepEqual([await service.statusOf(id), await stateOf(service, id)], ['IN_PROCESS', 'UNKNOWN'])
  await service.later(600)
  assert.equal(await service.become(id, 'SUCCESS'), 'PAID')
  assert.equal(service.paypal.batches.size, 1)
})

suite('an order that PayPal may not have', () => {
  /** PayPal answers 503 and takes nothing. */
  const startRefused = async (t: TestContext, terms: Terms = {}) => {
    const service = await start(t, terms)
    const { deps, paypal, later } = service
    const fail = paypal.error(503, 'SERVICE_UNAVAILABLE')
    paypal.state.play = (call) => (call === 'POST' ? { fail } : {})
    const recover = async () => {
      paypal.state.play = null
      for (let hour = 0; hour < 3; hour++) await later(3_600)
    }
    const decide = async (who: 'sender' | 'recipient', decision: 'suspend' | 'close' | 'verify') => {
      const [party] = await deps.sql<
        UserKey[]
      >`select platform_id, id as user_id from users where id = ${service[who].id}`
      assert.ok(party)
      await inTransaction(deps, (tx) => decideUser(tx, party, decision))
    }
    return { ...service, recover, decide }
  }

  const startUnknown = async (t: TestContext) => {
    const service = await startRefused(t)
    const id = await service.pay(service.account)
    await service.pass()
    assert.deepEqual([await stateOf(service, id), service.paypal.batches.size], ['UNKNOWN', 0])
    return { ...service, id }
  }

  test('is not sent again after its payment was voided, and the operator decides', async (t) => {
    const service = await startUnknown(t)
    const { deps, sender, paypal, id } = service
    assert.equal((await sender.del(`/v3/check/${id}`)).status, 200)
    await service.recover()
    const [one] = await getBankCases(deps)
    assert.deepEqual(
      [one?.kind, one?.note, paypal.batches.size],
      [
        'payout_unknown',
        'It is unknown whether the order was paid. The payment is being voided. The order is not sent again.',
        0,
      ],
    )
    await exceptionCommand({ note: 'not at PayPal', code: 'MS03' }, ['apply', one?.id ?? ''])(deps)
    await service.later(3_600)
    assert.deepEqual([await service.statusOf(id), await walletOf(service), paypal.batches.size], ['VOID', 1_000, 0])
  })

  for (const who of ['recipient', 'sender'] as const) {
    test(`is not sent again after its ${who} was closed`, async (t) => {
      const service = await startUnknown(t)
      await service.decide(who, 'close')
      await service.recover()
      assert.equal(service.paypal.batches.size, 0)
      const cases = (await getBankCases(service.deps)).map(({ kind }) => kind)
      assert.ok(cases.includes('payout_unknown'), cases.join())
    })
  }

  test('waits while its recipient is suspended, and is then sent once', async (t) => {
    const service = await startUnknown(t)
    await service.decide('recipient', 'suspend')
    await service.recover()
    assert.equal(service.paypal.batches.size, 0)
    await service.decide('recipient', 'verify')
    await service.later(3_600)
    assert.equal(await service.become(service.id, 'SUCCESS'), 'PAID')
    assert.deepEqual([service.paypal.batches.size, (await getBankCases(service.deps)).length], [1, 0])
  })

  test('because its process crashed is not sent after its payment was voided', async (t) => {
    const service = await start(t)
    const id = await payAndDie(service, { isTaken: false })
    assert.equal((await service.sender.del(`/v3/check/${id}`)).status, 200)
    for (let hour = 0; hour < 3; hour++) await service.later(3_600)
    assert.deepEqual([await stateOf(service, id), service.paypal.state.posts], ['UNKNOWN', 0])
  })

  test('counts toward the limit of the day on which it is sent again', async (t) => {
    const service = await startRefused(t, { centsPerDay: 2_500 })
    const { pay, account, pass, later, paypal } = service
    for (let day = 0; day < 2; day++) {
      for (let order = 0; order < 2; order++) await pay(account, 12.5)
      await pass()
      await later(DAY)
    }
    await service.recover()
    assert.equal(paypal.batches.size, 2)
    await later(DAY)
    assert.equal(paypal.batches.size, 4)
  })
})

test('an order that PayPal did not accept after a 500 is accepted once', async (t) => {
  const service = await start(t)
  service.paypal.state.fail = service.paypal.error(500, 'INTERNAL_SERVER_ERROR')
  const id = await service.pay(service.account)
  await service.pass()
  assert.deepEqual([await stateOf(service, id), service.paypal.batches.size], ['UNKNOWN', 0])
  await service.later(60)
  assert.equal(await service.become(id, 'SUCCESS'), 'PAID')
  assert.equal(service.paypal.batches.size, 1)
})

test('a request that PayPal refuses fails the payment, and a low balance waits', async (t) => {
  const service = await start(t)
  const details = [
    { field: 'items[0].receiver', location: 'body', issue: 'Receiver is invalid or does not match with type' },
  ]
  service.paypal.state.fail = service.paypal.error(400, 'VALIDATION_ERROR', details)
  const refused = await service.pay(service.account)
  await service.pass()
  assert.deepEqual([await service.statusOf(refused), await stateOf(service, refused)], ['FAILED', 'REJECTED'])
  service.paypal.state.fail = service.paypal.error(400, 'INSUFFICIENT_FUNDS')
  const waiting = await service.pay(service.account)
  await service.pass()
  assert.equal(await stateOf(service, waiting), 'READY')
  await service.later(3_600)
  assert.equal(await service.become(waiting, 'SUCCESS'), 'PAID')
})

test('a notification triggers a query at once, if PayPal confirms its signature', async (t) => {
  const service = await start(t)
  const id = await service.pay(service.account)
  await service.pass()
  await service.later(3_600)
  const batch = await service.batchOf(id)
  Object.assign(batch, { status: 'SUCCESS', item: { status: 'SUCCESS' } })
  const notify = async (sig: string, body: object | string) => {
    const headers = {
      'content-type': 'application/json',
      'paypal-auth-algo': 'SHA256withRSA',
      'paypal-cert-url': 'https://api.paypal.com/v1/notifications/certs/CERT-1',
      'paypal-transmission-id': '69cd13f0-d67a-11e5-baa3-778b53f4ae55',
      'paypal-transmission-sig': sig,
      'paypal-transmission-time': '2026-11-28T12:00:00Z',
    }
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const url = `${service.baseUrl}/connections/paypal/events`
    return (await fetch(url, { method: 'POST', headers, body: text })).status
  }
  const event = { event_type: 'PAYMENT.PAYOUTS-ITEM.SUCCEEDED', resource: { payout_batch_id: batch.id } }
  assert.equal(await notify('forged', event), 401)
  assert.equal(await notify('genuine', 'no json'), 400)
  assert.equal(await notify('genuine', { resource: { payout_batch_id: 'ANOTHER' } }), 204)
  await service.pass()
  assert.equal(await service.statusOf(id), 'IN_PROCESS')
  assert.equal(await notify('genuine', event), 204)
  await service.pass()
  assert.equal(await service.statusOf(id), 'PAID')
  assert.equal((await getBankCases(service.deps)).length, 0)
})
