import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { readAnswers, writeOrders } from '../src/money/iso20022/order/order-worker.ts'
import { matchBankStatements, readBankStatements } from '../src/money/reconciliation/statement-worker.ts'
import { exchangeBankFiles } from '../src/operation/scheduler/bank-file-work.ts'
import { legHandlers, orderHooks } from '../src/operation/scheduler/leg-handlers.ts'
import { connection, connectionsOf } from './support/ach.ts'
import { adapterConnection, startScriptedAdapter } from './support/adapter.ts'
import { DAY, pay, startFileService, statusesOf, statusOf } from './support/file-service.ts'
import { balanceOf } from './support/money.ts'
import { answerOrders, type BankOrder, readOrders } from './support/order-bank.ts'
import { casesOf, DEBTOR, newParties, rails, withOrders } from './support/order-service.ts'
import { paypalConnection, startPaypal } from './support/paypal.ts'
import { startProcessorService, walletOf } from './support/processors.ts'
import { camtReport } from './support/return-notices.ts'
import { requireSshd, startSshd } from './support/sshd.ts'

// Each rail in production, over its own transport: payments that are paid, returned, rejected, or first unknown and
// then resolved. The banks and processors share no code with the service.

const OUTCOMES = ['paid', 'returned', 'rejected', 'unknown'] as const
type Outcome = (typeof OUTCOMES)[number]

const HISTORIES: Record<Outcome, string[]> = {
  paid: ['IN_PROCESS', 'PAID'],
  returned: ['IN_PROCESS', 'PAID', 'FAILED'],
  rejected: ['IN_PROCESS', 'FAILED'],
  unknown: ['IN_PROCESS', 'PAID'],
}

/** The amount of the payment of each outcome, which tells the simulated bank or processor what to do. */
const AMOUNTS: Record<Outcome, string> = { paid: '11.00', returned: '12.00', rejected: '13.00', unknown: '14.00' }

const outcomeOf = (value: string): Outcome => {
  const found = OUTCOMES.find((outcome) => AMOUNTS[outcome] === value)
  assert.ok(found, value)
  return found
}

type Processors = Awaited<ReturnType<typeof startProcessorService>>

/**
 * Sends a payment for each outcome over one rail, until the processor has decided all. `settle` sets the outcomes of
 * the processor's orders.
 */
async function playProcessor(service: Processors, account: string, settle: (isLater: boolean) => void): Promise<void> {
  const ids = new Map<Outcome, string>()
  for (const outcome of OUTCOMES) ids.set(outcome, await service.pay(account, Number(AMOUNTS[outcome])))
  const idOf = (outcome: Outcome) => ids.get(outcome) as string
  await service.pass()
  const statesOf = () => Promise.all(OUTCOMES.map(async (one) => (await service.orderOf(idOf(one)))?.status))
  assert.deepEqual(await statesOf(), ['SUBMITTED', 'SUBMITTED', 'SUBMITTED', 'UNKNOWN'])
  settle(false)
  // PayPal first returns the batch of a lost answer, and then its state.
  for (let turn = 0; turn < 2; turn++) await service.later(3_600)
  assert.deepEqual(await statesOf(), ['PAID', 'PAID', 'REJECTED', 'PAID'])
  settle(true)
  await service.later(DAY)
  assert.deepEqual(await statesOf(), ['PAID', 'RETURNED', 'REJECTED', 'PAID'])
  for (const outcome of OUTCOMES) assert.deepEqual(await service.statusesOf(idOf(outcome)), HISTORIES[outcome], outcome)
  const codes = await Promise.all(
    (['returned', 'rejected'] as const).map(
      async (one) => (await service.sender.get(`/v3/check/${idOf(one)}/fail`)).body.code,
    ),
  )
  assert.deepEqual(codes, ['MS03', 'AC06'])
  await service.later(6 * DAY)
  await service.doDueWork()
  assert.deepEqual(await Promise.all(OUTCOMES.map((one) => service.statusOf(idOf(one)))), [
    ...['PAID', 'REFUNDED', 'REFUNDED', 'PAID'],
  ])
  assert.equal(await walletOf(service), 1_000 - 11 - 14)
  assert.deepEqual(await casesOf(service), [])
}

const CARD = { card_number: '4000056655665556', expiration_date: '2099-12', cvv: '123' }

for (const [rail, kind, body] of [
  ['INSTANT', 'card', CARD],
  ['INTERAC', 'interac', { username: 'payee@example.ca' }],
] as const) {
  test(`${rail} over an adapter`, async (t) => {
    const adapter = await startScriptedAdapter(t)
    const processors = [await adapterConnection(t, { url: adapter.url, caseAfterMs: 4 * 3_600_000 })] as const
    const service = await startProcessorService(t, { processors, rails: [rail] })
    adapter.script.play = ({ method, path, body: order }) => {
      if (method !== 'POST' || path !== '/orders' || !order) return null
      if (outcomeOf((order.amount as { value: string }).value) !== 'unknown') return null
      adapter.orders.set(order.reference, { id: 'order-unknown', status: 'submitted', ...order })
      return 'cut'
    }
    await playProcessor(service, await service.add(kind, body), (isLater) => {
      for (const order of adapter.orders.values()) {
        const outcome = outcomeOf((order.amount as { value: string }).value)
        if (isLater && outcome === 'returned') Object.assign(order, { status: 'returned', reason: { code: 'MS03' } })
        if (!isLater)
          Object.assign(
            order,
            outcome === 'rejected' ? { status: 'rejected', reason: { code: 'AC06' } } : { status: 'paid' },
          )
      }
    })
    assert.equal(adapter.asked.filter(({ method }) => method === 'POST').length, OUTCOMES.length)
  })
}

for (const [rail, kind, username] of [
  ['PAYPAL', 'paypal', 'payee@example.com'],
  ['VENMO', 'venmo', '@jane-doe'],
] as const) {
  test(`${rail} over PayPal Payouts`, async (t) => {
    const paypal = await startPaypal(t)
    const processors = [await paypalConnection(t, { url: paypal.url, caseAfterMs: 4 * 3_600_000 })] as const
    const service = await startProcessorService(t, { processors, rails: [rail] })
    paypal.state.play = (call, { amount }) =>
      call === 'POST' && outcomeOf(amount) === 'unknown' ? { lose: 'cut' } : {}
    await playProcessor(service, await service.add(kind, { username }), (isLater) => {
      for (const batch of paypal.batches.values()) {
        const outcome = outcomeOf(batch.request.items[0].amount.value)
        if (isLater && outcome === 'returned') Object.assign(batch.item ?? {}, { status: 'REFUNDED' })
        const failed = { status: 'FAILED', errors: { name: 'RECEIVER_ACCOUNT_LOCKED' } }
        if (!isLater)
          Object.assign(batch, { status: 'SUCCESS', item: outcome === 'rejected' ? failed : { status: 'SUCCESS' } })
      }
    })
    assert.equal(paypal.batches.size, OUTCOMES.length)
    assert.deepEqual(
      new Set([...paypal.batches.values()].map(({ request }) => request.items[0].recipient_wallet)),
      new Set([rail]),
    )
  })
}

/** A bank that is reached over SFTP, and payments over its rails. */
async function startBank(t: TestContext) {
  const bank = await startSshd()
  t.after(() => bank.remove())
  const transport = { ...bank.transport, hostKeys: [bank.fingerprints.ed25519] }
  const one = { ...withOrders(connection({ folder: '/nowhere' })), transport }
  const service = await startFileService(t, { connections: connectionsOf([one], rails('first')) })
  const parties = await newParties(service)
  const { deps } = service
  let realMs = deps.realClock.now().getTime()
  /** Runs sessions without waiting for the retry delay: the real clock is later in each. */
  const exchange = async () => {
    for (let turn = 0; turn < 2; turn++) {
      realMs += 5 * 60_000
      const now = new Date(realMs)
      await exchangeBankFiles({ ...deps, realClock: { now: () => now } })
    }
  }
  let files = 0
  /** The bank puts a file on its server, and the service reads it. */
  const deliver = async (name: string, content: string) => {
    await bank.put(`out/${name}-${++files}.xml`, content)
    await exchange()
    await readAnswers(deps, legHandlers)
    await readBankStatements(deps)
    await matchBankStatements(deps, { legHandlers })
    await readAnswers(deps, legHandlers)
  }
  const orders = async (): Promise<BankOrder[]> => {
    await writeOrders(deps, orderHooks)
    await exchange()
    const names = (await readdir(join(bank.root, 'in'))).filter((name) => name.startsWith('orders-'))
    const texts = await Promise.all(names.map((name) => readFile(join(bank.root, 'in', name), 'utf8')))
    return texts.flatMap(readOrders)
  }
  return { service, parties, deliver, orders }
}

suite('over SFTP', { skip: requireSshd() ?? false }, () => {
  test('RTP, WIRE and SWIFT', async (t) => {
    const { service, parties, deliver, orders } = await startBank(t)
    const { sender, recipient, wallet } = parties
    const addWire = async (account: object): Promise<string> => {
      const { status, body, text } = await recipient.post('/v3/account/wire', account)
      assert.equal(status, 201, text)
      return body.id
    }
    const here = { account: '98765432', routing: '021000021', type: 'CHECKING', city: 'New York', state: 'NY' }
    const abroad = { account: 'DE89370400440532013000', routing: 'COBADEFF', type: 'BUSINESS', name: 'Ost GmbH' }
    const wayOf = {
      RTP: { account: parties.account, more: { deposit_options: ['RTP'] } },
      WIRE: { account: await addWire(here), more: {} },
      SWIFT: { account: await addWire({ ...abroad, city: 'Berlin', zip: '10115' }), more: {} },
    }
    const payments: { id: string; outcome: Outcome }[] = []
    for (const { account, more } of Object.values(wayOf))
      for (const outcome of OUTCOMES) {
        const id = await pay({ ...parties, account }, Number(AMOUNTS[outcome]), { account: wallet, ...more })
        payments.push({ id, outcome })
      }
    const all = await orders()
    assert.equal(all.length, payments.length)
    const of = (outcome: Outcome) => all.filter(({ cents }) => outcomeOf((cents / 100).toFixed(2)) === outcome)
    for (const [messageId, own] of Map.groupBy(all, (order) => order.messageId)) {
      assert.ok(messageId)
      const answered = own.filter((order) => !of('unknown').includes(order))
      const rejected = { code: 'RJCT', reason: 'AC06' }
      const answers = answered.map((order) => ({
        ...order,
        ...(of('rejected').includes(order) ? rejected : { code: 'ACSC' }),
      }))
      await deliver('pain002', answerOrders(answers))
    }
    service.clock.advance(25 * 3_600)
    const day = () => service.clock.now().toISOString().slice(0, 10)
    const booked = [...of('paid'), ...of('returned')].map(({ cents, endToEndId }) => ({ cents: -cents, endToEndId }))
    const statement = camtReport({ kind: 'statement', account: DEBTOR.accountNumber, day: day(), entries: booked })
    await deliver('statement-day', statement)
    assert.deepEqual(new Set(await casesOf(service)), new Set(['order_unanswered']))
    const entries = of('returned').map(({ cents, endToEndId }) => ({ cents, endToEndId, reason: 'AC04' }))
    await deliver(
      'statement-notice',
      camtReport({ kind: 'notification', account: DEBTOR.accountNumber, day: day(), entries }),
    )
    for (const own of Map.groupBy(of('unknown'), (order) => order.messageId).values())
      await deliver('pain002', answerOrders(own.map((order) => ({ ...order, code: 'ACCC' }))))
    for (const { id, outcome } of payments) assert.deepEqual(await statusesOf(service, id), HISTORIES[outcome], outcome)
    const codes = payments.flatMap(({ id, outcome }) => (outcome === 'returned' || outcome === 'rejected' ? [id] : []))
    const given = await Promise.all(codes.map(async (id) => (await sender.get(`/v3/check/${id}/fail`)).body.code))
    assert.deepEqual(given, ['AC04', 'AC06', 'AC04', 'AC06', 'AC04', 'AC06'])
    assert.deepEqual(await casesOf(service), [])
    await service.passDays(6)
    for (const { id, outcome } of payments)
      assert.equal(await statusOf(sender, id), outcome === 'paid' || outcome === 'unknown' ? 'PAID' : 'REFUNDED')
    assert.equal(await balanceOf(sender, wallet), 1_000 - 3 * (11 + 14))
    await service.assertLedger()
  })
})
