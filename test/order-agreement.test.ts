import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { IsoContract, RailTerms } from '../src/foundation/core/connections.ts'
import { FEDERAL, isBankingDay } from '../src/foundation/lib/banking-day.ts'
import { businessDate, instantOf, localClock } from '../src/foundation/lib/clock.ts'
import { writeOrders } from '../src/money/iso20022/order/order-worker.ts'
import { orderHooks } from '../src/operation/scheduler/leg-handlers.ts'
import { DAY, legsOf, pay, statusOf } from './support/file-service.ts'
import { sampleTerms } from './support/iso-messages.ts'
import { answerOrders, type BankOrder } from './support/order-bank.ts'
import { casesOf, newParties, type Parties, payByRtp, startOrders } from './support/order-service.ts'

// Optional terms of an agreement with a bank for a rail: parties, purposes and limits.

function contractWith(changes: Partial<RailTerms>): Partial<IsoContract> {
  const rails = Object.fromEntries(
    Object.entries(sampleTerms.rails).map(([rail, terms]) => [rail, { ...terms, ...changes }]),
  )
  return { terms: { ...sampleTerms, rails } }
}

test('orders name the sender, the purpose and the intermediary bank if the bank requires them', async (t) => {
  const { service, folder, send, parties } = await startOrders(
    t,
    contractWith({ namesSender: true, purpose: 'SUPP', intermediaryBank: { bic: 'CHASUS33XXX', name: 'Chase' } }),
  )
  const id = await payByRtp(parties, 25)
  const [order, ...others] = await send()
  assert.equal(order?.cents, 2_500)
  assert.deepEqual(others, [])
  const sent = join(folder, 'outbound/sent')
  const [name] = (await readdir(sent)).filter((one) => one.startsWith('orders-'))
  const xml = (await readFile(join(sent, name ?? ''), 'utf8')).replaceAll(/>\s+</g, '><')
  const [payer] = await service.deps.sql<{ name: string }[]>`
    select u.name from payments p join users u on u.platform_id = p.platform_id and u.id = p.sender_id where p.id = ${id}
  `
  assert.ok(payer)
  assert.match(xml, new RegExp(`<UltmtDbtr><Nm>${payer.name}</Nm></UltmtDbtr>`))
  assert.match(
    xml,
    /<IntrmyAgt1><FinInstnId><BICFI>CHASUS33XXX<\/BICFI><Nm>Chase<\/Nm><\/FinInstnId><\/IntrmyAgt1><CdtrAgt>/,
  )
  assert.match(xml, /<Purp><Cd>SUPP<\/Cd><\/Purp>/)
})

test('a payment above the limit of its rail for one order is refused at the API', async (t) => {
  const { send, parties } = await startOrders(t, contractWith({ centsPerOrder: 50_000, centsPerDay: 40_000 }))
  const { sender, recipient, wallet, account } = parties
  const order = { account: wallet, deposit_options: ['RTP'], name: 'Ada', recipient: { id: recipient.userId, account } }
  const refused = await sender.post('/v3/check/digital', { ...order, amount: 400.01 })
  assert.equal(refused.status, 400, refused.text)
  assert.match(refused.text, /amount is above the limit of the bank, \$400\.00/)
  await payByRtp(parties, 400)
  assert.equal((await send()).length, 1)
})

test('orders above the daily limit of a rail wait for the next day, and a rejected one does not count', async (t) => {
  const { service, send, answer, parties } = await startOrders(t, contractWith({ centsPerDay: 30_000 }))
  const [first, second, third] = [
    await payByRtp(parties, 200),
    await payByRtp(parties, 150),
    await payByRtp(parties, 100),
  ] as [string, string, string]
  const centsOf = (orders: readonly BankOrder[]) => orders.map(({ cents }) => cents).toSorted((a, b) => a - b)
  const orders = await send()
  assert.deepEqual(centsOf(orders), [10_000, 20_000])
  assert.deepEqual(await legsOf(service, second), [['payment_push', 'WAITING', false]])
  const large = orders.find(({ cents }) => cents === 20_000) as BankOrder
  await answer(answerOrders([{ ...large, code: 'RJCT', reason: 'AC04' }]))
  const fourth = await pay(parties, 180, { account: parties.wallet, deposit_options: ['RTP'], name: 'Bo' })
  assert.deepEqual(centsOf(await send()), [10_000, 18_000, 20_000])
  service.clock.advance(DAY)
  await writeOrders(service.deps, orderHooks)
  assert.deepEqual(centsOf(await send()), [10_000, 15_000, 18_000, 20_000])
  const statuses = [first, second, third, fourth].map((id) => statusOf(parties.sender, id))
  assert.deepEqual(await Promise.all(statuses), ['FAILED', 'IN_PROCESS', 'IN_PROCESS', 'IN_PROCESS'])
  assert.deepEqual(await casesOf(service), [])
  await service.assertLedger()
})

test('an order that waits for the daily limit is the first after the cut-off, before newer ones of other platforms', async (t) => {
  const iso = { ...contractWith({ centsPerDay: 30_000 }), cutOffs: { RTP: '16:30', WIRE: '16:30', SWIFT: '16:30' } }
  const { service, send } = await startOrders(t, iso)
  const { clock } = service
  const owners = [await service.newOwner(), await service.newOwner()].sort((a, b) => (a.id < b.id ? -1 : 1))
  const [busy, calm] = (await Promise.all(owners.map(({ api }) => newParties(service, api)))) as [Parties, Parties]
  /** Goes to the next banking day at a time of the bank. */
  const goTo = (time: string) => {
    do {
      const at = instantOf(new Date(`${businessDate(clock.now(), FEDERAL.timeZone)}T${time}:00Z`), FEDERAL.timeZone)
      clock.advance((at.getTime() - clock.now().getTime() + (at > clock.now() ? 0 : DAY * 1000)) / 1000)
    } while (!isBankingDay(localClock(clock.now(), FEDERAL.timeZone), FEDERAL))
  }
  goTo('10:00')
  await payByRtp(busy, 200)
  await send()
  const old = await payByRtp(calm, 190)
  await send()
  for (const time of ['16:45', '10:00', '16:45']) {
    goTo(time)
    await payByRtp(busy, 200)
    await send()
  }
  assert.deepEqual(await legsOf(service, old), [['payment_push', 'SENT', false]])
  await service.assertLedger()
})
