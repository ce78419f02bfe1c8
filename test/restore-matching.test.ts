import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { getBankCases } from '../src/foundation/exception/bank-case-actions.ts'
import { getExceptions } from '../src/foundation/exception/exception-actions.ts'
import { tryLockAchFiles } from '../src/money/ach/file/ach-file-store.ts'
import { readAchFiles } from '../src/money/ach/file/ach-file-worker.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { filesCommand } from '../src/operation/cli/files-commands.ts'
import { followBankFiles } from '../src/operation/scheduler/bank-file-work.ts'
import { achHooks } from '../src/operation/scheduler/leg-handlers.ts'
import { acknowledgment, bankFile } from './support/ach.ts'
import { DAY, type FileService, legsOf, newPair, pay, startFileService, statusOf } from './support/file-service.ts'
import {
  allAtBank,
  backUp,
  loseFolder,
  loseTheAfternoon,
  pullsOf,
  recover,
  repeatUnderAnotherNumber,
} from './support/restore.ts'
import { newAccountNumber } from './support/service.ts'

// Which entries of a bank belong to which payments after a restore of the database.

const lastAch = async ({ folder }: FileService): Promise<string | undefined> =>
  (await readdir(join(folder, 'outbound/sent'))).sort().at(-1)?.replace('.ach', '')

const openWindows = async (service: FileService, count: number) => {
  for (let window = 0; window < count; window++) await service.openWindow()
}

test('a payment that is made after the case of a lost payment was closed is debited, although it has the same number', async (t) => {
  const { service, pair, atBank } = await loseTheAfternoon(t)
  await recover(service, { lastAch: '20260303-A' })
  await openWindows(service, 20)
  await readAchFiles(service.deps, achHooks)
  const missing = (await getBankCases(service.deps)).filter(({ kind }) => kind === 'payment_missing')
  assert.equal(missing.length, 2)
  for (const { id } of missing) await exceptionCommand({ note: 'we gave the money back' }, ['close', id])(service.deps)
  await pay(pair, 60)
  await service.openWindow()
  assert.equal(pullsOf(await allAtBank(service, atBank)).filter((cents) => cents === 6_000).length, 2)
})

test('a payment that is made too late to be a repetition is held while the case of the lost payment is open', async (t) => {
  const { service, pair, atBank } = await loseTheAfternoon(t)
  await recover(service, { lastAch: '20260303-A' })
  await openWindows(service, 20)
  const late = await pay(pair, 60)
  await service.openWindow()
  assert.deepEqual(await legsOf(service, late), [['payment_pull', 'WAITING', true]])
  const [held] = (await getExceptions(service.deps, {})).filter(({ paymentId }) => paymentId === late)
  const trace = atBank.find(({ cents, code }) => cents === 6_000 && code === '27')?.trace ?? ''
  assert.ok(held?.note.includes(trace), held?.note)
  const apply = exceptionCommand({ note: 'it is the lost one', trace: [trace] }, ['apply', held?.id ?? ''])
  assert.match(await apply(service.deps), /It is not sent again/)
  assert.deepEqual(await legsOf(service, late), [['payment_pull', 'SENT', false]])
})

test('a lost payment has no case while a payment that may repeat it waits', async (t) => {
  const { service, pair, atBank } = await loseTheAfternoon(t)
  const { held } = await repeatUnderAnotherNumber({ service, pair })
  assert.equal(held?.kind, 'maybe_at_bank')
  await openWindows(service, 19)
  const missing = async () => {
    await readAchFiles(service.deps, achHooks)
    return (await getBankCases(service.deps)).filter(({ kind, cents }) => kind === 'payment_missing' && cents === 6_000)
  }
  assert.deepEqual(await missing(), [])
  await exceptionCommand({ note: 'it is another payment' }, ['close', held?.id ?? ''])(service.deps)
  await service.openWindow()
  assert.equal(pullsOf(await allAtBank(service, atBank)).filter((cents) => cents === 6_000).length, 2)
  assert.equal((await missing()).length, 1, 'the bank still has a debit without a payment')
})

test('an entry that the bank rejected after a restore is not at the bank, whoever asks', async (t) => {
  const { service, pair, atBank } = await loseTheAfternoon(t)
  const { repeated, held } = await repeatUnderAnotherNumber({ service, pair })
  const trace = atBank.find(({ cents, code }) => cents === 6_000 && code === '27')?.trace ?? ''
  assert.ok(held?.note.includes(trace), held?.note)
  await filesCommand({ trace: [trace] }, ['reject', '20260303-A'])(service.deps)
  const apply = exceptionCommand({ note: 'it has it', trace: [trace] }, ['apply', held?.id ?? ''])
  await assert.rejects(apply(service.deps), /has rejected the entry with trace number \d+, so .*close this/)
  await exceptionCommand({ note: 'the bank rejected it' }, ['close', held?.id ?? ''])(service.deps)
  await service.openWindow()
  assert.deepEqual(await legsOf(service, repeated), [['payment_pull', 'SENT', false]])
  const sent = (await service.sent()).filter(({ cents, code }) => cents === 6_000 && code === '27')
  assert.equal(sent.filter((one) => one.trace !== trace).length, 1)
  service.clock.advance(8 * DAY)
  await readAchFiles(service.deps, achHooks)
  const missing = (await getBankCases(service.deps)).filter(({ kind }) => kind === 'payment_missing')
  assert.deepEqual(
    missing.map(({ cents }) => cents),
    [5_000],
    'only the other lost payment',
  )
})

test('an entry of a file that the bank rejected before the restore holds no payment', async (t) => {
  const service = await startFileService(t)
  const pair = await newPair(service)
  await service.openWindow()
  const restore = await backUp(service, t)
  const lost = await pay(pair, 60)
  service.clock.advance(24 * 3_600)
  await service.write()
  await service.transmit()
  await filesCommand({}, ['reject', (await lastAch(service)) ?? ''])(service.deps)
  await followBankFiles(service.deps)
  await service.openWindow()
  assert.deepEqual(await legsOf(service, lost), [['payment_pull', 'SENT', false]])
  const [rejected, ...others] = (await service.sent()).filter(({ cents, code }) => cents === 6_000 && code === '27')
  assert.equal(others.length, 1)
  await restore()
  await recover(service, { lastAch: await lastAch(service) })
  const [first = ''] = (await readdir(join(service.folder, 'outbound/sent'))).sort().slice(-2)
  await filesCommand({}, ['reject', first.replace('.ach', '')])(service.deps)
  const repeated = await pay(pair, 60)
  const second = await pay(pair, 60) // of the same amount, with another number
  await service.openWindow()
  assert.deepEqual(await legsOf(service, repeated), [['payment_pull', 'SENT', false]])
  assert.deepEqual(await legsOf(service, second), [['payment_pull', 'SENT', false]])
  assert.deepEqual(await getExceptions(service.deps, {}), [], rejected?.trace)
})

test('the case of a lost payment ends when the bank rejects its entry or its file', async (t) => {
  for (const isPart of [true, false]) {
    const { service, atBank } = await loseTheAfternoon(t)
    await recover(service, { lastAch: '20260303-A' })
    service.clock.advance(8 * DAY)
    await readAchFiles(service.deps, achHooks)
    const missing = async () =>
      (await getBankCases(service.deps))
        .flatMap(({ kind, cents }) => (kind === 'payment_missing' ? [cents] : []))
        .sort()
    assert.deepEqual(await missing(), [5_000, 6_000])
    const trace = atBank.find(({ cents, code }) => cents === 6_000 && code === '27')?.trace ?? ''
    await filesCommand(isPart ? { trace: [trace] } : {}, ['reject', '20260303-A'])(service.deps)
    assert.deepEqual(await missing(), isPart ? [5_000] : [])
  }
})

test('the case of a lost payment ends when the bank returns its entry, and a late repetition is still held', async (t) => {
  const { service, pair, atBank } = await loseTheAfternoon(t)
  await recover(service, { lastAch: '20260303-A' })
  await openWindows(service, 20)
  await readAchFiles(service.deps, achHooks)
  const kindsOf = async (wanted: number) =>
    (await getBankCases(service.deps)).flatMap(({ kind, cents }) => (cents === wanted ? [kind] : []))
  assert.deepEqual(await kindsOf(6_000), ['payment_missing'])
  const trace = atBank.find(({ cents, code }) => cents === 6_000 && code === '27')?.trace ?? ''
  await service.receive('R01.ach', bankFile([{ code: 'R01', trace, direction: 'debit', cents: 6_000 }]))
  assert.deepEqual(await kindsOf(6_000), ['entry_unread'])
  const late = await pay(pair, 60)
  await service.openWindow()
  const [held] = (await getExceptions(service.deps, {})).filter(({ paymentId }) => paymentId === late)
  const apply = exceptionCommand({ note: 'it is the lost one', trace: [trace] }, ['apply', held?.id ?? ''])
  assert.match(await apply(service.deps), /It is not sent again/)
  await readAchFiles(service.deps, achHooks)
  assert.equal(await statusOf(pair.sender, late), 'FAILED')
  assert.deepEqual(await kindsOf(6_000), [])
})

test('an entry of another sender with the same number and amount is not taken for a payment whose account was corrected', async (t) => {
  const service = await startFileService(t)
  const [one, other] = [await newPair(service), await newPair(service)]
  await pay(other, 20)
  await service.openWindow()
  const before = await service.sent()
  await pay(one, 20)
  await service.openWindow()
  const restore = await backUp(service, t)
  await pay(one, 60) // the second payment of its sender
  await service.openWindow()
  const atBank = await service.sent()
  await restore()
  await recover(service, { lastAch: await lastAch(service) })
  const corrected = newAccountNumber()
  service.secrets.add(corrected)
  const trace = before.find(({ cents, code }) => cents === 2_000 && code === '27')?.trace ?? ''
  service.clock.advance(24 * 3_600)
  await service.receive('change.ach', bankFile([{ code: 'C01', trace, direction: 'debit', cents: 0, corrected }]))
  const mine = await pay(other, 60) // the second payment of another sender
  await service.openWindow()
  assert.deepEqual(await legsOf(service, mine), [['payment_pull', 'WAITING', true]])
  const [held] = (await getExceptions(service.deps, {})).filter(({ paymentId }) => paymentId === mine)
  await exceptionCommand({ note: 'it is of another sender' }, ['close', held?.id ?? ''])(service.deps)
  await service.openWindow()
  const [sent, ...others] = (await allAtBank(service, atBank)).filter(({ account }) => account === corrected)
  assert.deepEqual([sent?.cents, others], [6_000, []])
})

test('a payment whose first file was rejected is assigned to its entry in the later file', async (t) => {
  const service = await startFileService(t)
  const pair = await newPair(service)
  const id = await pay(pair, 10)
  const restore = await backUp(service, t)
  service.clock.advance(3 * 3_600)
  await service.write()
  await service.transmit()
  await filesCommand({}, ['reject', '20260302-B'])(service.deps)
  await followBankFiles(service.deps)
  await service.openWindow()
  const trace = (await service.sent()).findLast(({ cents, code }) => cents === 1_000 && code === '27')?.trace ?? ''
  await restore()
  await recover(service, { lastAch: await lastAch(service) })
  await service.receive('R01.ach', bankFile([{ code: 'R01', trace, direction: 'debit', cents: 1_000 }]))
  assert.equal(await statusOf(pair.sender, id), 'FAILED', 'the return is of the later file')
  assert.equal((await getBankCases(service.deps)).length, 0)
  await openWindows(service, 4)
  assert.deepEqual(
    (await service.sent()).filter(({ cents, code }) => cents === 1_000 && /^[23]2$/.test(code)),
    [],
  )
})

test('an older file that is added by a second recovery does not move the trace numbers of the next file', async (t) => {
  const service = await startFileService(t)
  const pair = await newPair(service)
  const restore = await backUp(service, t)
  await pay(pair, 20)
  await service.openWindow()
  await pay(pair, 30)
  await pay(pair, 31)
  await service.openWindow()
  const before = await service.sent()
  await restore()
  const elsewhere = await loseFolder(service, t)
  const [older = '', newer = ''] = (await readdir(elsewhere)).sort().slice(-2)
  const recoverWith = (name: string) =>
    recover(service, { lastAch: newer.replace('.ach', ''), file: [join(elsewhere, name)] })
  assert.match(await recoverWith(newer), /Some files are unknown/)
  service.clock.advance(60)
  assert.match(await recoverWith(older), /All files are known/, 'it ends where the newer one begins')
  for (const amount of [90, 91, 92]) await pay(pair, amount)
  await openWindows(service, 1)
  for (const { id } of await getExceptions(service.deps, {}))
    await exceptionCommand({ note: 'the bank does not have it' }, ['close', id])(service.deps)
  await openWindows(service, 1)
  const traces = [...before, ...(await service.sent())].map(({ trace }) => trace)
  assert.deepEqual([new Set(traces).size, traces.length], [before.length + 3, before.length + 3])
})

/** A recovery without the content of the last file at the bank. Its payments are held. */
async function loseContent(t: TestContext) {
  const lostTime = await loseTheAfternoon(t)
  const { service, atBank } = lostTime
  const elsewhere = await loseFolder(service, t)
  await recover(service, { lastAch: '20260303-A' })
  const copy = join(elsewhere, '20260303-A.ach')
  const traceOf = (cents: number) => atBank.find((one) => one.cents === cents && one.code === '27')?.trace ?? ''
  const heldOf = async (id: string | undefined) =>
    (await getExceptions(service.deps, {})).find(({ paymentId }) => paymentId === id)?.id ?? ''
  const apply = async (id: string | undefined, trace: string) =>
    exceptionCommand({ note: 'the bank has it', trace: [trace] }, ['apply', await heldOf(id)])(service.deps)
  const recoverCopy = () => recover(service, { lastAch: '20260303-A', file: [copy] })
  return { ...lostTime, copy, traceOf, heldOf, apply, recoverCopy }
}

test('a copy that the bank gives after the recovery assigns the payments that are held, and ends the hold', async (t) => {
  const { service, pair, waiting, deposit, undeposited, atBank, copy, recoverCopy } = await loseContent(t)
  await deposit()
  await service.openWindow()
  await service.receive('ack.txt', acknowledgment(await readFile(copy, 'latin1')))
  for (const id of [...waiting, undeposited])
    assert.deepEqual(await legsOf(service, id), [['payment_pull', 'WAITING', true]])
  service.clock.advance(60)
  const report = await recoverCopy()
  assert.match(report, /1 files were added.*\n.*All files are known/)
  assert.match(report, /1 entry at the bank is not assigned/, 'the lost payment')
  await followBankFiles(service.deps)
  for (const id of [...waiting, undeposited]) {
    assert.deepEqual(await legsOf(service, id), [['payment_pull', 'ACCEPTED', true]])
    assert.equal((await pair.sender.del(`/v3/check/${id}`)).body.code, 'not_voidable')
  }
  for (const { id } of await getExceptions(service.deps, {}))
    await exceptionCommand({ note: 'the bank has it' }, ['close', id])(service.deps)
  const repeated = await pay(pair, 60)
  const other = await pay(pair, 90)
  await openWindows(service, 1)
  assert.deepEqual(await legsOf(service, repeated), [['payment_pull', 'ACCEPTED', false]])
  assert.deepEqual(await legsOf(service, other), [['payment_pull', 'SENT', false]], 'nothing is unknown any more')
  const all = await allAtBank(service, atBank)
  assert.deepEqual(pullsOf(all), [1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 9_000])
  assert.equal(new Set(all.map(({ trace }) => trace)).size, all.length, 'no trace number is used again')
  await service.assertLedger()
})

test('a copy with other trace numbers than the lost file is refused', async (t) => {
  const { service, waiting, copy, recoverCopy } = await loseContent(t)
  const text = await readFile(copy, 'latin1')
  await writeFile(copy, text.replace(/(?<=^6.{78})\d{15}/gm, '091000010000001'), 'latin1')
  service.clock.advance(60)
  await assert.rejects(recoverCopy(), /are not those of the lost file\. Nothing was changed/)
  await writeFile(copy, text, 'latin1')
  await recoverCopy()
  for (const id of waiting) assert.equal((await legsOf(service, id))[0]?.[1], 'SENT')
})

test('without a copy, the operator names the entry of a held payment, and messages of the bank then apply to it', async (t) => {
  const { service, pair, waiting, atBank, copy, traceOf, heldOf, apply } = await loseContent(t)
  const [returned = '', accepted = ''] = waiting
  const early = { code: 'R01', trace: traceOf(3_000), direction: 'debit', cents: 3_000 } as const
  await service.receive('early.ach', bankFile([early]))
  const [unknown] = await getBankCases(service.deps)
  assert.match(unknown?.note ?? '', /It is applied when its payment is known again/)
  await service.openWindow()
  assert.match(await apply(returned, traceOf(3_000)), /It is not sent again/)
  assert.match(await apply(accepted, traceOf(4_000)), /It is not sent again/)
  assert.deepEqual(await legsOf(service, accepted), [['payment_pull', 'SENT', false]])
  assert.equal((await pair.sender.del(`/v3/check/${accepted}`)).body.code, 'not_voidable')
  await readAchFiles(service.deps, achHooks)
  assert.equal(await statusOf(pair.sender, returned), 'FAILED')
  assert.equal((await getBankCases(service.deps)).length, 0)
  await service.receive('ack.txt', acknowledgment(await readFile(copy, 'latin1')))
  await followBankFiles(service.deps)
  assert.deepEqual(await legsOf(service, accepted), [['payment_pull', 'ACCEPTED', false]])
  const late = { code: 'R02', trace: traceOf(4_000), direction: 'debit', cents: 4_000 } as const
  await service.receive('late.ach', bankFile([late]))
  assert.equal(await statusOf(pair.sender, accepted), 'FAILED')
  await openWindows(service, 1)
  assert.deepEqual(pullsOf(await allAtBank(service, atBank)), [1_000, 2_000, 3_000, 4_000, 5_000, 6_000])
  assert.equal(await heldOf(accepted), '')
  await service.assertLedger()
})

test('a trace number is refused if it was used, or is not reserved for a file without content', async (t) => {
  const { service, waiting, traceOf, apply } = await loseContent(t)
  const [first = '', second = ''] = waiting
  await service.openWindow()
  for (const trace of [traceOf(1_000), '999999990000009', '091000019999999', '0910000100000', '091000010000000'])
    await assert.rejects(apply(first, trace), /Name an entry/, trace)
  await apply(first, traceOf(3_000))
  await assert.rejects(apply(second, traceOf(3_000)), /has another payment/)
  assert.deepEqual(await legsOf(service, second), [['payment_pull', 'WAITING', true]], 'nothing was changed')
  await filesCommand({}, ['reject', '20260303-A'])(service.deps)
  await assert.rejects(apply(second, traceOf(4_000)), /is REJECTED, so the bank does not have its entries/)
})

test('a later copy keeps the entries that the operator named rightly, and undoes the others', async (t) => {
  const { service, waiting, atBank, traceOf, apply, recoverCopy } = await loseContent(t)
  const [right = '', wrong = ''] = waiting
  await service.openWindow()
  await apply(right, traceOf(3_000))
  await apply(wrong, traceOf(6_000))
  service.clock.advance(60)
  assert.match(await recoverCopy(), /2 entries at the bank are not assigned/, 'of 50 and 60 dollars')
  for (const id of waiting) assert.deepEqual(await legsOf(service, id), [['payment_pull', 'SENT', false]])
  const rows = await service.deps.sql<{ traceNumber: string; subjectId: string }[]>`
    select e.trace_number, l.subject_id
    from ach_entries e
    join legs l on l.id = e.leg_id
    where l.subject_id = any (${waiting}::uuid[])
    order by e.trace_number
  `
  assert.deepEqual(
    rows.map((row) => [row.traceNumber, row.subjectId]),
    [
      [traceOf(3_000), right],
      [traceOf(4_000), wrong],
    ],
  )
  await openWindows(service, 1)
  assert.deepEqual(pullsOf(await allAtBank(service, atBank)), [1_000, 2_000, 3_000, 4_000, 5_000, 6_000])
  await service.assertLedger()
})

test('an entry that balances a batch is no missing payment', async (t) => {
  const settlementAccount = { routingNumber: '091000019', accountNumber: '000555001234', kind: 'checking' } as const
  const service = await startFileService(t, { own: { settlementAccount } })
  service.secrets.add(settlementAccount.accountNumber)
  const pair = await newPair(service)
  const id = await pay(pair, 30)
  const restore = await backUp(service, t)
  await service.openWindow()
  await restore()
  assert.doesNotMatch(await recover(service, { lastAch: await lastAch(service) }), /not assigned to a payment/)
  assert.deepEqual(await legsOf(service, id), [['payment_pull', 'SENT', false]])
})

test('a recovery while a file is being made asks to repeat it, and a second one assigns the payments', async (t) => {
  const { service, waiting } = await loseTheAfternoon(t)
  await inTransaction(service.deps, async (tx) => {
    assert.ok(await tryLockAchFiles(tx.sql))
    await assert.rejects(
      recover(service, { lastAch: '20260303-A' }),
      /a file is being made now.* Run the same command again/,
    )
  })
  service.clock.advance(60)
  await recover(service, { lastAch: '20260303-A' })
  for (const id of waiting) assert.deepEqual(await legsOf(service, id), [['payment_pull', 'SENT', false]])
})
