import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { newMasterKey } from '../src/foundation/core/seal.ts'
import { listKeyUses } from '../src/foundation/db/key-uses.ts'
import { nextAchWindow } from '../src/foundation/lib/banking-day.ts'
import { addDays } from '../src/foundation/lib/clock.ts'
import { writeAchFiles } from '../src/money/ach/file/ach-file-worker.ts'
import { rotateKeys } from '../src/operation/key/key-rotation-actions.ts'
import { achHooks } from '../src/operation/scheduler/leg-handlers.ts'
import { acknowledgment, bankFile, exchange, fileStatuses, readOutbound } from './support/ach.ts'
import type { Answer } from './support/api.ts'
import {
  type FileService,
  legsOf,
  newPair,
  pay,
  startFileService,
  statusOf,
  untilPaid,
} from './support/file-service.ts'
import { addBank, newAccountNumber, type TestUser } from './support/service.ts'

// The master key is replaced and removed while files are at the bank, and while others wait to be sent.

const ROUTING = '021000021'
const key = (id: string) => newMasterKey().replace(/^[^:]*/, id)
const refusalOf = ({ status, body }: Answer) => [status, body.code]

/** The last service ends first, because the first one drops the database. */
function endingInReverse(t: TestContext) {
  const ends: (() => Promise<void>)[] = []
  t.after(async () => {
    for (const end of ends) await end()
  })
  return { after: (end: () => Promise<void>) => void ends.unshift(end) }
}
type Lifetime = ReturnType<typeof endingInReverse>

/** Deletes rows that expire within a day. */
async function passTheDayOfKeys({ deps: { sql } }: FileService) {
  await sql`update payments set key_at = ${addDays(new Date(), -2)} where key_at is not null`
  await sql`delete from idempotency_records`
  await sql`delete from verifications`
  await sql`delete from mail_addresses`
}

/** Adds a key in front and rotates. @returns the service with both keys, and a start with only the new one */
async function rotate(t: Lifetime, former: FileService, options: Parameters<typeof startFileService>[1] = {}) {
  const young = key('young')
  const both = await startFileService(t, { ...options, former, masterKey: `${young},${former.masterKey}` })
  assert.deepEqual(await rotateKeys(both.deps, () => {}), [])
  const retire = async () => {
    await passTheDayOfKeys(both)
    const left = (await listKeyUses(both.deps.sql, ['young'])).filter(({ keyId }) => keyId === 'old')
    assert.deepEqual(left, [], 'nothing needs the old key')
    return startFileService(t, { ...options, former: both, masterKey: young })
  }
  return { both, retire }
}

const as = (service: FileService, user: TestUser): TestUser => ({ ...user, ...service.as(user.credential) })

const toCutOff = ({ clock }: FileService) => {
  const cutOff = nextAchWindow(new Date(clock.now().getTime() + 1))
  clock.advance((cutOff.getTime() - clock.now().getTime()) / 1_000)
}

/** The bank accepts every file that it has. */
async function acceptAll(service: FileService) {
  const statuses = await fileStatuses(service.deps.sql)
  for (const [name, status] of Object.entries(statuses)) {
    if (status !== 'TRANSMITTED') continue
    const content = await readFile(join(service.folder, 'outbound/sent', `${name}.ach`), 'latin1')
    await service.receive(`ack-${name}.txt`, acknowledgment(content))
  }
  await exchange(service.deps)
  await service.doDueWork()
}

const acknowledgements = { ach: 'required', paper: 'none' } as const

test('files at the bank, files in outbound/ and files that are only in the database are sent and settled once', async (context) => {
  const t = endingInReverse(context)
  const old = await startFileService(t, { masterKey: key('old'), acknowledgements })
  const pair = await newPair(old)
  await acceptAll(old)
  const early = await pay(pair, 10.01)
  await old.openWindow() // at the bank, without an acknowledgment
  const waiting = await pay(pair, 20.02)
  toCutOff(old)
  await old.write() // in outbound/
  const committed = await pay(pair, 30.03)
  toCutOff(old)
  await writeAchFiles(old.deps, achHooks) // only in the database
  const next = await pay(pair, 40.04)
  const before = await fileStatuses(old.deps.sql)
  assert.deepEqual(new Set(Object.values(before)), new Set(['ACCEPTED', 'TRANSMITTED', 'WRITTEN']))
  assert.equal(Object.values(before).filter((status) => status === 'WRITTEN').length, 2)
  assert.equal((await readOutbound(old.folder)).length, Object.keys(before).length - 1)

  const { retire } = await rotate(t, old, { acknowledgements })
  const service = await retire()
  const sender = as(service, pair.sender)
  await service.write()
  await service.transmit()
  await acceptAll(service)
  const ids = [early, waiting, committed, next]
  for (let window = 0; window < 12; window++) {
    await service.openWindow()
    await acceptAll(service)
  }
  for (const id of ids) assert.equal(await statusOf(sender, id), 'PAID')
  for (const cents of [1_001, 2_002, 3_003, 4_004]) {
    const codes = (await service.sent()).filter((entry) => entry.cents === cents).map(({ code }) => code)
    assert.deepEqual(codes, ['27', '22'])
  }
  const traces = (await service.sent()).map(({ trace }) => trace)
  assert.equal(new Set(traces).size, traces.length)
  assert.equal((await readOutbound(service.folder)).length, Object.keys(await fileStatuses(service.deps.sql)).length)
  await service.assertLedger()
})

test('earlier returns, corrections, micro-deposits, tries, blocks and repeated requests count after the rotation', async (context) => {
  const t = endingInReverse(context)
  const old = await startFileService(t, { masterKey: key('old'), acknowledgements })
  const pair = await newPair(old)
  await acceptAll(old)
  const { sender, recipient } = pair
  // A block by the bank, two corrections of an account that was given for one payment, and a bank with micro-deposits
  // and one wrong try.
  const [blocked, given, second, present] = Array.from({ length: 4 }, newAccountNumber) as [
    string,
    string,
    string,
    string,
  ]
  for (const secret of [given, second, present]) old.secrets.add(secret)
  const direct = (by: TestUser, amount: number, account: string) =>
    by.post('/v3/check/direct', {
      ...{ amount, name: 'Ada Payee', recipient: 'ada@example.com' },
      ...{ routing_number: ROUTING, account_number: account, account_type: 'CHECKING' },
    })
  const untilSent = async (service: FileService, user: TestUser, id: string, cents: number) => {
    for (let window = 0; window < 12 && (await statusOf(user, id)) !== 'PAID'; window++) {
      await service.openWindow()
      await acceptAll(service)
    }
    return untilPaid(service, user, id, cents)
  }
  const toClosed = await direct(sender, 11.01, blocked)
  const closed = await untilSent(old, sender, toClosed.body.id, 1_101)
  await old.receive('closed.ach', bankFile([{ code: 'R02', trace: closed.trace, direction: 'credit', cents: 1_101 }]))
  assert.deepEqual(refusalOf(await direct(sender, 11.02, blocked)), [400, 'bank_blocked'])
  const toGiven = await direct(sender, 12.01, given)
  const credit = await untilSent(old, sender, toGiven.body.id, 1_201)
  for (const [index, corrected] of [second, present].entries()) {
    const change = { code: 'C01', trace: credit.trace, direction: 'credit', cents: 0, corrected } as const
    await old.receive(`change-${index}.ach`, bankFile([{ ...change, rdfi: credit.routing.slice(0, 8) }]))
  }
  const bank = await addBank(sender)
  await sender.post('/v3/bank/release', { account: bank })
  assert.equal((await sender.post('/v3/bank/verify', { account: bank, amount_1: 0.01, amount_2: 0.02 })).status, 400)
  const returnedPull = await pay(pair, 13.01)
  await old.openWindow() // micro-deposits and a debit, at the bank
  const paid = await pay(pair, 14.01)
  const payout = await untilSent(old, sender, paid, 1_401)
  const order = { amount: 15.01, name: 'Ann', recipient: { id: recipient.userId, account: pair.account } }
  const first = await sender.post('/v3/check/digital', order, { idempotencyKey: 'before the rotation' })

  const { both, retire } = await rotate(t, old, { acknowledgements })
  const repeated = await as(both, sender).post('/v3/check/digital', order, { idempotencyKey: 'before the rotation' })
  assert.equal(repeated.text, first.text)
  const service = await retire()
  const [me, payee] = [as(service, sender), as(service, recipient)]
  assert.deepEqual(refusalOf(await direct(me, 11.03, blocked)), [400, 'bank_blocked'])
  const again = await direct(me, 12.02, given)
  assert.equal(again.status, 201, again.text)
  assert.equal((await untilSent(service, me, again.body.id, 1_202)).account, present)

  const pull = (await service.sent()).find(({ cents, code }) => cents === 1_301 && code === '27')
  await service.receive(
    'returns.ach',
    bankFile([
      { code: 'R01', trace: pull?.trace as string, direction: 'debit', cents: 1_301 },
      { code: 'R03', trace: payout.trace, direction: 'credit', cents: 1_401 },
    ]),
  )
  assert.deepEqual([await statusOf(me, returnedPull), await statusOf(me, paid)], ['FAILED', 'FAILED'])
  assert.equal((await legsOf(service, paid)).at(-1)?.[1], 'RETURNED')

  const wrong = await me.post('/v3/bank/verify', { account: bank, amount_1: 0.01, amount_2: 0.03 })
  assert.match(wrong.body.message, /1 /)
  assert.equal((await me.post('/v3/bank/verify', { account: bank, amount_1: 0.07, amount_2: 0.15 })).status, 200)
  assert.equal((await payee.post(`/v3/check/deposit/${paid}`, { account: await addBank(payee) })).status, 201)
  await untilSent(service, me, paid, 1_401)
  assert.equal((await service.sent()).filter(({ cents, code }) => cents === 1_401 && code === '27').length, 1)
  assert.equal((await service.sent()).filter(({ cents, code }) => cents === 1_501 && code === '27').length, 1)
  await service.assertLedger()
})
