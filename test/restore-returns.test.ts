import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { getBankCases } from '../src/foundation/exception/bank-case-actions.ts'
import { readAchFiles } from '../src/money/ach/file/ach-file-worker.ts'
import type { CommandFlags } from '../src/operation/cli/command-flags.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { achHooks } from '../src/operation/scheduler/leg-handlers.ts'
import { acknowledgment, bankFile, exchange, fileStatuses } from './support/ach.ts'
import { type FileService, legsOf, pay, statusOf } from './support/file-service.ts'
import { loseTheAfternoon, recover } from './support/restore.ts'
import { newAccountNumber } from './support/service.ts'

// Answers of the bank about entries that were not yet matched to a payment of the restored database.

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
  let returnFiles = 0
  const giveBack = (cents: number, said = cents) =>
    service.receive(
      `R01-${++returnFiles}.ach`,
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
  const readAgain = () => readAchFiles(service.deps, achHooks)
  return { ...lost, service: { ...service, readAgain }, name, entryOf, giveBack, acknowledge, goOn, codesOf }
}

const notesOf = async ({ deps }: Pick<FileService, 'deps'>) => (await getBankCases(deps)).map(({ note }) => note)

test('a return that is read before its payment is sent again is applied when the payment is matched to the entry', async (t) => {
  const { service, pair, waiting, deposit, undeposited, entryOf, giveBack, acknowledge, goOn, codesOf } =
    await startRecovered(t)
  const [id] = waiting as [string]
  await acknowledge()
  await giveBack(3_000)
  await giveBack(5_000)
  const waitingNote = `return R01 of entry ${entryOf(5_000).trace} from before the restore. It is applied when its payment is known again.`
  assert.deepEqual(await notesOf(service), [waitingNote], 'of the payment that is not deposited again yet')
  await goOn(1)
  await service.readAgain()
  assert.deepEqual(await legsOf(service, id), [['payment_pull', 'RETURNED', false]])
  assert.equal(await statusOf(pair.sender, id), 'FAILED')
  assert.deepEqual(await notesOf(service), [waitingNote])
  assert.equal((await deposit()).status, 201)
  await goOn(1)
  await service.readAgain()
  assert.deepEqual(await legsOf(service, undeposited), [['payment_pull', 'RETURNED', false]])
  assert.deepEqual(await notesOf(service), [])
  await goOn(12)
  for (const cents of [3_000, 5_000]) assert.deepEqual(await codesOf(cents), ['27'], 'no recipient is paid from them')
  await service.assertLedger()
})

test('a notification of change that is read before its payment is sent again is applied when the payment is matched to the entry', async (t) => {
  const { service, pair, undeposited, deposit, entryOf, acknowledge, goOn, codesOf } = await startRecovered(t)
  const corrected = newAccountNumber()
  service.secrets.add(corrected)
  const change = { code: 'C01', trace: entryOf(5_000).trace, direction: 'debit', cents: 0, corrected } as const
  await acknowledge()
  await service.receive('change.ach', bankFile([change]))
  await goOn(2)
  const waiting = `notification of change C01 to entry ${change.trace} from before the restore. It is applied when its payment is known again.`
  assert.deepEqual(await notesOf(service), [waiting], 'the payment is not deposited again yet')
  assert.equal((await deposit()).status, 201)
  await goOn(1)
  await service.readAgain()
  assert.deepEqual(await notesOf(service), [])
  assert.deepEqual(await legsOf(service, undeposited), [['payment_pull', 'ACCEPTED', false]])
  await pay(pair, 90)
  await goOn(1)
  assert.equal((await service.sent()).find(({ cents }) => cents === 9_000)?.account, corrected)
  assert.deepEqual(await codesOf(5_000), ['27'])
  await service.assertLedger()
})

test('a return whose case was closed before its payment is sent again holds the payment for the operator', async (t) => {
  const { service, pair, deposit, undeposited, entryOf, giveBack, acknowledge, goOn, codesOf } = await startRecovered(t)
  const { trace } = entryOf(5_000)
  await acknowledge()
  await giveBack(5_000)
  const decide = async (verb: string, flags: CommandFlags) => {
    const [open, ...others] = await getBankCases(service.deps)
    assert.ok(open && others.length === 0)
    return exceptionCommand({ note: 'asked the bank', ...flags }, [verb, open.id])(service.deps)
  }
  await decide('close', { note: 'nobody repeats the payment' })
  assert.equal((await deposit()).status, 201)
  await goOn(1)
  const note = `The bank sent this about the entry with trace number ${trace}. Its case was closed before the payment was known again.`
  assert.deepEqual(await notesOf(service), [note])
  await goOn(12)
  assert.deepEqual(await legsOf(service, undeposited), [['payment_pull', 'ACCEPTED', true]])
  assert.deepEqual(await codesOf(5_000), ['27'], 'the recipient is not paid')
  await decide('apply', { trace: [trace], code: 'R01' })
  assert.deepEqual(await legsOf(service, undeposited), [['payment_pull', 'RETURNED', false]])
  assert.equal(await statusOf(pair.sender, undeposited), 'FAILED')
  assert.deepEqual(await notesOf(service), [])
  await service.assertLedger()
})

test('a second copy of a return, whose payment is not sent again, asks nothing, also after the first one was decided', async (t) => {
  const { service, pair, deposit, undeposited, giveBack, acknowledge, goOn } = await startRecovered(t)
  await acknowledge()
  await giveBack(5_000)
  const [open] = await getBankCases(service.deps)
  await giveBack(5_000)
  assert.deepEqual(await notesOf(service), [open?.note])
  await exceptionCommand({ note: 'nobody repeats the payment' }, ['close', open?.id ?? ''])(service.deps)
  await giveBack(5_000)
  assert.deepEqual(await notesOf(service), [])
  assert.equal((await deposit()).status, 201)
  await goOn(1)
  assert.equal((await notesOf(service)).length, 1, 'the payment is known')
  assert.deepEqual(await legsOf(service, undeposited), [['payment_pull', 'ACCEPTED', true]])
  assert.equal(await statusOf(pair.sender, undeposited), 'IN_PROCESS')
})

test('an entry that the bank has returned does not miss its payment', async (t) => {
  const { service, entryOf, giveBack, acknowledge } = await startRecovered(t)
  await acknowledge()
  await giveBack(5_000)
  const [open] = await getBankCases(service.deps)
  await exceptionCommand({ note: 'nobody repeats the payment' }, ['close', open?.id ?? ''])(service.deps)
  service.clock.advance(8 * 24 * 3_600)
  await service.readAgain()
  const [missing, ...others] = await notesOf(service)
  assert.ok(missing?.includes(`with trace number ${entryOf(6_000).trace}`) && others.length === 0, missing)
})

test('an entry of a file that the bank has rejected does not miss its payment', async (t) => {
  const { service, acknowledge } = await startRecovered(t)
  await acknowledge({ status: 'FILE REJECTED', errors: ['FILE ERROR: BAD'] })
  service.clock.advance(8 * 24 * 3_600)
  await service.readAgain()
  assert.deepEqual(await notesOf(service), [])
})

test('an entry whose payment is not sent again becomes a case after a week, which closes when the payment is known', async (t) => {
  const { service, deposit, undeposited, entryOf, acknowledge, goOn } = await startRecovered(t)
  await acknowledge()
  const missing = (cents: number) =>
    `The bank has a debit of $${cents / 100}.00 (PAYMENT) with trace number ${entryOf(cents).trace} from before the restore, and nobody has repeated its payment.`
  service.clock.advance(7 * 24 * 3_600 - 60)
  await service.readAgain()
  assert.deepEqual(await notesOf(service), [], 'clients may still repeat it')
  service.clock.advance(120)
  for (let pass = 0; pass < 2; pass++) await service.readAgain()
  assert.deepEqual((await notesOf(service)).sort(), [missing(5_000), missing(6_000)].sort())
  assert.equal((await deposit()).status, 201)
  await goOn(1)
  assert.deepEqual((await legsOf(service, undeposited))[0]?.slice(0, 2), ['payment_pull', 'ACCEPTED'])
  assert.deepEqual(await notesOf(service), [missing(6_000)])
  const [open] = await getBankCases(service.deps)
  const decide = (verb: string) => exceptionCommand({ note: 'paid back' }, [verb, open?.id ?? ''])(service.deps)
  await assert.rejects(decide('apply'), /Nothing can be applied for this case/)
  await decide('close')
  await service.readAgain()
  assert.deepEqual(await notesOf(service), [], 'decided once')
  await service.assertLedger()
})

test('a return of another amount stays with the operator, and is not applied to the matched payment', async (t) => {
  const { service, waiting, giveBack, acknowledge, goOn } = await startRecovered(t)
  await acknowledge()
  await giveBack(3_000, 3_001)
  await goOn(2)
  await service.readAgain()
  assert.deepEqual(await notesOf(service), ['return R01 of $30.01: the entry was of $30.00'])
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
