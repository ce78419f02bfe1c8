import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readAchFiles } from '../src/ach/file/ach-file-worker.ts'
import { getBankCases } from '../src/exception/bank-case-actions.ts'
import { achDependents } from '../src/scheduler/ach-work.ts'
import { acknowledgment, bankFile, exchange, fileStatuses } from './support/ach.ts'
import { type FileService, legsOf, statusOf } from './support/file-service.ts'
import { loseTheAfternoon, recover } from './support/restore.ts'

// Answers of the bank about entries that no payment of the restored database has joined yet.

async function startRecovered(t: TestContext) {
  const lost = await loseTheAfternoon(t)
  const { service, atBank } = lost
  const name = '20260303-A'
  await recover(service, { lastAch: name })
  const content = await readFile(join(service.folder, `outbound/sent/${name}.ach`), 'latin1')
  const entryOf = (cents: number) => {
    const entry = atBank.find((one) => one.cents === cents && one.code === '27')
    assert.ok(entry)
    return entry
  }
  const giveBack = (cents: number, said = cents) =>
    service.receive(
      `R01-${cents}.ach`,
      bankFile([{ code: 'R01', trace: entryOf(cents).trace, direction: 'debit', cents: said }]),
    )
  const acknowledge = async (change: Parameters<typeof acknowledgment>[1] = {}) => {
    await service.receive(`ack-${Object.keys(change).length}.txt`, acknowledgment(content, change))
    await exchange(service.deps)
  }
  const goOn = async (windows: number) => {
    for (let window = 0; window < windows; window++) await service.openWindow()
  }
  const codesOf = async (cents: number) =>
    (await service.sent()).flatMap((entry) => (entry.cents === cents ? [entry.code] : []))
  const readAgain = () => readAchFiles(service.deps, achDependents)
  return { ...lost, service: { ...service, readAgain }, name, giveBack, acknowledge, goOn, codesOf }
}

const notesOf = async ({ deps }: Pick<FileService, 'deps'>) => (await getBankCases(deps)).map(({ note }) => note)

test('a return that is read before its payment is sent again is applied when it joins the entry at the bank', async (t) => {
  const { service, pair, waiting, deposit, undeposited, giveBack, acknowledge, goOn, codesOf } = await startRecovered(t)
  const [id] = waiting as [string]
  await acknowledge()
  await giveBack(3_000)
  await giveBack(5_000)
  for (const note of await notesOf(service)) assert.match(note, /^return R01 of an entry from before the restore/)
  await goOn(1)
  await service.readAgain()
  assert.deepEqual(await legsOf(service, id), [['payment_pull', 'RETURNED', false]])
  assert.equal(await statusOf(pair.sender, id), 'FAILED')
  assert.equal((await notesOf(service)).length, 1, 'the other payment is not deposited again yet')
  assert.equal((await deposit()).status, 201)
  await goOn(1)
  await service.readAgain()
  assert.deepEqual(await legsOf(service, undeposited), [['payment_pull', 'RETURNED', false]])
  assert.deepEqual(await notesOf(service), [])
  await goOn(12)
  for (const cents of [3_000, 5_000]) assert.deepEqual(await codesOf(cents), ['27'], 'nobody is paid from them')
  await service.assertLedger()
})

test('a return of another amount stays with the operator, and is not applied to the payment that joins', async (t) => {
  const { service, waiting, giveBack, acknowledge, goOn } = await startRecovered(t)
  await acknowledge()
  await giveBack(3_000, 3_001)
  await goOn(2)
  await service.readAgain()
  assert.deepEqual(await notesOf(service), ['return R01 of an entry that no file had'])
  assert.notEqual((await legsOf(service, waiting[0] as string))[0]?.[1], 'RETURNED')
})

test('the payments of a recovered file that the bank rejects are sent in another file, once', async (t) => {
  const { service, waiting, name, acknowledge, goOn, codesOf } = await startRecovered(t)
  await acknowledge({ status: 'FILE REJECTED', errors: ['FILE ERROR: BAD'] })
  assert.equal((await fileStatuses(service.deps.sql))[name], 'REJECTED')
  await goOn(4)
  for (const id of waiting) assert.deepEqual(await legsOf(service, id), [['payment_pull', 'SENT', false]])
  for (const cents of [3_000, 4_000])
    assert.deepEqual(await codesOf(cents), ['27', '27'], 'in the rejected file, and again')
  assert.deepEqual(await codesOf(6_000), ['27'], 'the database does not know this payment')
  await service.assertLedger()
})
