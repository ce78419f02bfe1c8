import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { NachaOrigin } from '../src/money/ach/format/nacha-origin-rules.ts'
import { connectionsOf } from './support/ach.ts'
import type { Api } from './support/api.ts'
import { startFileService } from './support/file-service.ts'
import { newWallet } from './support/money.ts'
import { fund } from './support/order-service.ts'
import { sendPayment } from './support/payments.ts'
import { addBank, addVerifiedBank } from './support/service.ts'

// The limit of a bank for the ACH entries of a day, while a busy platform sends more than it allows. The id of the busy platform is lower.

const DAY_LIMIT_CENTS = 10_000

async function startLimited(t: TestContext, own: Partial<NachaOrigin> = {}) {
  let centsPerDay: number | null = null
  const service = await startFileService(t, {
    own,
    connectionsFrom: (one) => ({
      current: () =>
        connectionsOf([
          { ...one, ach: one.ach && { ...one.ach, limits: { entriesPerFile: null, centsPerFile: null, centsPerDay } } },
        ]).current(),
    }),
  })
  const newParties = async ({ api }: { api: Api }) => {
    const [sender, recipient] = [await service.newUser(undefined, api), await service.newUser(undefined, api)]
    await addVerifiedBank(sender)
    return { sender, recipient: { id: recipient.userId, account: await addBank(recipient) } }
  }
  type Parties = Awaited<ReturnType<typeof newParties>>
  const [one, other] = [await service.newOwner(), await service.newOwner()]
  const [busy, calm] = (
    one.id < other.id
      ? [await newParties(one), await newParties(other)]
      : [await newParties(other), await newParties(one)]
  ) as [Parties, Parties]
  const passDay = async () => {
    for (let window = 0; window < 2; window++) await service.openWindow()
  }
  await passDay()
  centsPerDay = DAY_LIMIT_CENTS
  const send = ({ sender, recipient }: Parties, amount: number) => sendPayment(sender, { amount, recipient })
  const statusesOfLegs = async (id: string) =>
    (await service.deps.sql<{ status: string }[]>`select status from legs where subject_id = ${id}`).map(
      ({ status }) => status,
    )
  return { service, busy, calm, send, passDay, statusesOfLegs }
}

test('a debit that waits for the daily limit is sent before newer debits of another platform', async (t) => {
  const { service, busy, calm, send, passDay, statusesOfLegs } = await startLimited(t)
  const old = await send(calm, 60)
  for (let day = 0; day < 3; day++) {
    await send(busy, 60 + day / 100)
    await passDay()
  }
  assert.notDeepEqual(await statusesOfLegs(old.id), ['WAITING'])
  await service.assertLedger()
})

test('micro-deposits are sent although the payments of other users exceed the daily limit each day', async (t) => {
  const { service, busy, calm, send, passDay, statusesOfLegs } = await startLimited(t)
  for (let count = 0; count < 2; count++) await send(busy, 60)
  const bank = await addBank(calm.sender)
  assert.equal((await calm.sender.post('/v3/bank/release', { account: bank })).status, 201)
  await passDay()
  const statuses = await statusesOfLegs(bank)
  assert.equal(statuses.length, 3)
  assert.ok(!statuses.includes('WAITING'), statuses.join())
  await service.assertLedger()
})

test('entries that balance a batch do not count toward the daily limit', async (t) => {
  const settlementAccount = { routingNumber: '091000019', accountNumber: '440012345', kind: 'checking' } as const
  const { service, calm, send, statusesOfLegs } = await startLimited(t, { settlementAccount })
  await send(calm, 60)
  await service.openWindow() // its debit of $60, and a credit of $60 that balances it
  const wallet = await newWallet(calm.sender, 0)
  await fund(service, { account: wallet, cents: 10_000 })
  const { id } = await sendPayment(calm.sender, { amount: 50, recipient: calm.recipient, account: wallet })
  await service.openWindow()
  assert.deepEqual(await statusesOfLegs(id), ['SENT'])
  await service.assertLedger()
})
