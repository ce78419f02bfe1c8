import assert from 'node:assert/strict'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { openExchange } from '../src/connections/exchange/exchange-guard-actions.ts'
import { STATEMENT_NAMES } from '../src/foundation/core/connections.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { getExceptions } from '../src/foundation/exception/exception-actions.ts'
import { nextAchWindow } from '../src/foundation/lib/banking-day.ts'
import { lowestIdOf } from '../src/foundation/lib/ids.ts'
import { writeAchFiles } from '../src/money/ach/file/ach-file-worker.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { filesCommand } from '../src/operation/cli/files-commands.ts'
import { followBankFiles } from '../src/operation/scheduler/bank-file-work.ts'
import { achHooks } from '../src/operation/scheduler/leg-handlers.ts'
import { decideUser } from '../src/people/user/operator-actions.ts'
import type { UserKey } from '../src/people/user/user-store.ts'
import { acknowledgment, bankFile, exchange, fileStatuses, putInbound, upload } from './support/ach.ts'
import { type FileService, legsOf, newPair, pay, startFileService } from './support/file-service.ts'
import { allAtBank, backUp, loseTheAfternoon, pullsOf, recover, repeatUnderAnotherNumber } from './support/restore.ts'
import { newAccountNumber } from './support/service.ts'

const operatorBank = {
  companyName: 'Remit Inc.',
  bankName: 'First Bank',
  routingNumber: '091000019',
  accountNumber: '000555006789',
  fractionalRouting: null,
  firstCheckNumber: 1001,
}

// A database restored from a mid-day backup must not resend entries that the bank already has.

/** Empties the exchange folder, as on a new machine. @returns the new location of the files */
async function loseFolder({ folder }: FileService, t: TestContext): Promise<string> {
  const elsewhere = await mkdtemp(join(tmpdir(), 'remit-bank-'))
  t.after(() => rm(elsewhere, { recursive: true, force: true }))
  for (const name of await readdir(join(folder, 'outbound/sent'))) {
    await rename(join(folder, 'outbound/sent', name), join(elsewhere, name))
  }
  await rm(join(folder, '.exchange.json'))
  return elsewhere
}

const sentNames = async ({ folder }: FileService) =>
  (await readdir(join(folder, 'outbound/sent'))).map((name) => name.replace('.ach', '')).sort()

async function goOn(service: FileService, windows: number) {
  for (let window = 0; window < windows; window++) await service.openWindow()
}

suite('after a restore', () => {
  test('nothing is written or read until the operator has named the last files, with the old folder or an empty one', async (t) => {
    for (const isFolderLost of [false, true]) {
      const { service, pair } = await loseTheAfternoon(t)
      if (isFolderLost) await loseFolder(service, t)
      const before = (await service.sent()).length
      assert.equal(await openExchange(service.deps, service.connection), null)
      await pay(pair, 70)
      await goOn(service, 4)
      assert.equal((await service.sent()).length, before)
      await assert.rejects(recover(service, {}), (error: Error) => {
        assert.match(error.message, /Bank files are on hold: the (database is older|database knows files)/)
        assert.match(error.message, /remit files recover --last-ach NAME/)
        return true
      })
      assert.equal((await service.sent()).length, before)
    }
  })

  test('with the old folder: entries at the bank are never resent, even if their requests were repeated since', async (t) => {
    const { service, pair, waiting, deposit, undeposited, atBank } = await loseTheAfternoon(t)
    assert.deepEqual(pullsOf(atBank), [1_000, 2_000, 3_000, 4_000, 5_000, 6_000])
    const report = await recover(service, { lastAch: '20260303-A' })
    assert.match(report, /1 files were added/)
    assert.match(report, /All files are known/)
    assert.equal(
      (await deposit()).status,
      201,
      'the recipient deposits again, because the service does not know the deposit',
    )
    const repeated = await pay(pair, 60)
    await goOn(service, 3)
    assert.deepEqual(pullsOf(await allAtBank(service, atBank)), [1_000, 2_000, 3_000, 4_000, 5_000, 6_000])
    for (const id of [...waiting, undeposited, repeated]) {
      assert.deepEqual(await legsOf(service, id), [['payment_pull', 'SENT', false]], 'in the file that the bank has')
    }
    await service.assertLedger()

    const content = await readFile(join(service.folder, 'outbound/sent/20260303-A.ach'), 'latin1')
    await service.receive('ack.txt', acknowledgment(content))
    await exchange(service.deps)
    assert.deepEqual(await legsOf(service, undeposited), [['payment_pull', 'ACCEPTED', false]])
    await pay(pair, 80)
    await goOn(service, 1)
    const traces = (await service.sent()).map(({ trace }) => trace)
    assert.equal(new Set(traces).size, traces.length)
  })

  test('entries at the bank are not resent to an account number that the bank has corrected since', async (t) => {
    const { service, pair, waiting, atBank } = await loseTheAfternoon(t)
    await recover(service, { lastAch: '20260303-A' })
    const known = atBank.find(({ cents }) => cents === 2_000)
    const corrected = newAccountNumber()
    service.secrets.add(corrected)
    const change = { code: 'C01', trace: known?.trace as string, direction: 'debit', cents: 0, corrected } as const
    await service.receive('change.ach', bankFile([change]))
    const fresh = await pay(pair, 90)
    await goOn(service, 3)
    assert.deepEqual(pullsOf(await allAtBank(service, atBank)), [1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 9_000])
    for (const id of waiting) assert.deepEqual(await legsOf(service, id), [['payment_pull', 'SENT', false]])
    assert.equal((await service.sent()).find(({ cents }) => cents === 9_000)?.account, corrected)
    assert.deepEqual(await legsOf(service, fresh), [['payment_pull', 'SENT', false]])
  })

  test('a payment whose entry the bank has can no longer be voided, even before the next cut-off', async (t) => {
    const { service, pair, waiting, deposit, undeposited } = await loseTheAfternoon(t)
    const report = await recover(service, { lastAch: '20260303-A' })
    assert.match(
      report,
      /2 entries at the bank are not assigned to a payment yet/,
      'the payment that is not deposited, and the lost one',
    )
    for (const id of waiting) {
      assert.deepEqual(await legsOf(service, id), [['payment_pull', 'SENT', false]])
      const { status, body } = await pair.sender.del(`/v3/check/${id}`)
      assert.deepEqual([status, body.code], [400, 'not_voidable'])
    }
    await deposit()
    await goOn(service, 1)
    assert.deepEqual(await legsOf(service, undeposited), [['payment_pull', 'SENT', false]])
    await service.assertLedger()
  })

  test('an entry at the bank is assigned to its payment also if the user was suspended or closed since', async (t) => {
    for (const event of ['suspend', 'close'] as const) {
      const { service, pair, waiting } = await loseTheAfternoon(t)
      const [sender] = await service.deps.sql<
        UserKey[]
      >`select platform_id, id as user_id from users where id = ${pair.sender.id}`
      await inTransaction(service.deps, (tx) => decideUser(tx, sender as UserKey, event))
      await recover(service, { lastAch: '20260303-A' })
      for (const id of waiting) assert.deepEqual(await legsOf(service, id), [['payment_pull', 'SENT', false]], event)
    }
  })

  test('an entry at the bank is never taken for a payment of the same amount and account if it has one of its own', async (t) => {
    const service = await startFileService(t, { acknowledgements: { ach: 'required', paper: 'required' } })
    const pair = await newPair(service)
    const order = { amount: 30, name: 'Payee', recipient: pair.recipient.userId }
    const older: string = (await pair.sender.post('/v3/check/digital', order)).body.id
    const waiting = await pay(pair, 30)
    const restore = await backUp(service, t)
    await service.openWindow()
    const atBank = await service.sent()
    assert.deepEqual(pullsOf(atBank), [3_000])
    await restore()
    await recover(service, { lastAch: (await sentNames(service)).at(-1) })
    const { status } = await pair.recipient.post(`/v3/check/deposit/${older}`, { account: pair.account })
    assert.equal(status, 201)
    await goOn(service, 1)
    assert.deepEqual(pullsOf(await allAtBank(service, atBank)), [3_000, 3_000], 'one for each payment')
    for (const id of [older, waiting]) assert.deepEqual(await legsOf(service, id), [['payment_pull', 'SENT', false]])
    await service.assertLedger()
  })

  test('a payment is held once if the bank has an entry of its amount and account whose own payment is not repeated yet', async (t) => {
    const { service, pair, atBank } = await loseTheAfternoon(t)
    await recover(service, { lastAch: '20260303-A' })
    const other = await pay(pair, 70)
    const similar = await pay(pair, 60)
    await goOn(service, 1)
    assert.deepEqual(await legsOf(service, similar), [['payment_pull', 'WAITING', true]])
    const [held] = (await getExceptions(service.deps, {})).filter(({ paymentId }) => paymentId === similar)
    await exceptionCommand({ note: 'another payment' }, ['close', held?.id as string])(service.deps)
    await goOn(service, 1)
    for (const id of [other, similar]) assert.deepEqual(await legsOf(service, id), [['payment_pull', 'SENT', false]])
    const pulls = pullsOf(await allAtBank(service, atBank))
    assert.deepEqual(pulls.slice(-3), [6_000, 6_000, 7_000], 'the lost payment, and the similar one')
    service.clock.advance(8 * 24 * 3_600)
    const later = await pay(pair, 60)
    await goOn(service, 1)
    assert.deepEqual(
      await legsOf(service, later),
      [['payment_pull', 'SENT', false]],
      'nobody repeats a payment so late',
    )
  })

  test('the operator is asked about each similar entry', async (t) => {
    const service = await startFileService(t)
    const pair = await newPair(service)
    const restore = await backUp(service, t)
    await pay(pair, 60)
    await pay(pair, 60)
    await service.openWindow()
    const atBank = await service.sent()
    await restore()
    await recover(service, { lastAch: (await sentNames(service)).at(-1) })
    for (let turn = 0; turn < 2; turn++) await pay(pair, 70) // take the numbers of the lost payments
    const id = await pay(pair, 60)
    for (let question = 0; question < 2; question++) {
      await goOn(service, 1)
      assert.deepEqual(await legsOf(service, id), [['payment_pull', 'WAITING', true]])
      const [held] = (await getExceptions(service.deps, {})).filter(({ paymentId }) => paymentId === id)
      await exceptionCommand({ note: 'another payment' }, ['close', held?.id as string])(service.deps)
    }
    await goOn(service, 1)
    assert.deepEqual(pullsOf(await allAtBank(service, atBank)), [6_000, 6_000, 6_000, 7_000, 7_000])
  })

  test('the operator assigns a payment that was repeated under another number to its entry at the bank', async (t) => {
    const { service, pair, atBank } = await loseTheAfternoon(t)
    const { repeated, held } = await repeatUnderAnotherNumber({ service, pair })
    assert.equal(
      (await pair.sender.del(`/v3/check/${repeated}`)).body.code,
      'not_voidable',
      'the bank may have its debit',
    )
    const traceOf = (cents: number) => atBank.find((one) => one.cents === cents && one.code === '27')?.trace as string
    const apply = (trace?: string[]) =>
      exceptionCommand({ note: 'the bank has it', trace }, ['apply', held?.id as string])(service.deps)
    await assert.rejects(apply(), /Name an entry that remit files recover added/)
    await assert.rejects(apply([traceOf(1_000)]), /Name an entry that remit files recover added/)
    await assert.rejects(
      apply([traceOf(5_000)]),
      /is a debit of \$50\.00 \(PAYMENT\), and the payment needs a debit of \$60\.00 \(PAYMENT\)/,
    )
    assert.deepEqual(await legsOf(service, repeated), [['payment_pull', 'WAITING', true]], 'nothing was changed')
    assert.match(await apply([traceOf(6_000)]), /It is not sent again\. The exception is closed\./)
    assert.deepEqual(await legsOf(service, repeated), [['payment_pull', 'SENT', false]])
    await assert.rejects(apply([traceOf(6_000)]), /already closed/)
    await goOn(service, 2)
    assert.deepEqual(pullsOf(await allAtBank(service, atBank)).slice(-2), [6_000, 7_000])
    await service.assertLedger()
  })

  test('a correction that was lost with the database is read before files, and the payment is held until it is there', async (t) => {
    const service = await startFileService(t)
    const pair = await newPair(service)
    const first = await pay(pair, 20)
    const restore = await backUp(service, t)
    const order = () =>
      pair.sender.post('/v3/check/digital', { amount: 30, name: 'Payee', recipient }, { idempotencyKey: 'x' })
    const recipient = { id: pair.recipient.userId, account: pair.account }
    await service.openWindow()
    const corrected = newAccountNumber()
    service.secrets.add(corrected)
    const [sent] = (await service.sent()).filter(({ cents }) => cents === 2_000)
    const change = { code: 'C01', trace: sent?.trace as string, direction: 'debit', cents: 0, corrected } as const
    await service.receive('change.ach', bankFile([change]))
    assert.equal((await order()).status, 201)
    await service.openWindow()
    const atBank = await service.sent()
    assert.equal(atBank.find(({ cents }) => cents === 3_000)?.account, corrected)
    await restore()
    const { body: repeated } = await order()
    await recover(service, { lastAch: (await sentNames(service)).at(-1) })
    await goOn(service, 1)
    assert.deepEqual(pullsOf(await allAtBank(service, atBank)), [2_000, 3_000])
    assert.deepEqual(await legsOf(service, first), [['payment_pull', 'SENT', false]])
    assert.deepEqual(await legsOf(service, repeated.id), [['payment_pull', 'WAITING', true]])

    await restore()
    await recover(service, { lastAch: (await sentNames(service)).at(-1) })
    const { body: again } = await order()
    await putInbound(service.folder, 'change.ach', bankFile([change]))
    const now = service.clock.now().getTime()
    service.clock.advance((nextAchWindow(new Date(now + 1)).getTime() - now) / 1_000)
    await writeAchFiles(service.deps, achHooks)
    assert.deepEqual(await legsOf(service, again.id), [['payment_pull', 'SENT', false]])
  })

  test('a payment is held if the bank has corrected its account by a notification about another lost payment', async (t) => {
    const service = await startFileService(t)
    const pair = await newPair(service)
    const restore = await backUp(service, t)
    await pay(pair, 20)
    await service.openWindow()
    const corrected = newAccountNumber()
    service.secrets.add(corrected)
    const [sent] = (await service.sent()).filter(({ cents }) => cents === 2_000)
    const change = { code: 'C01', trace: sent?.trace as string, direction: 'debit', cents: 0, corrected } as const
    await service.receive('change.ach', bankFile([change]))
    await pay(pair, 30)
    await service.openWindow()
    const atBank = await service.sent()
    assert.equal(atBank.find(({ cents }) => cents === 3_000)?.account, corrected)
    await restore()
    await recover(service, { lastAch: (await sentNames(service)).at(-1) })
    await putInbound(service.folder, 'change.ach', bankFile([change]))
    const repeated = await pay(pair, 30) // the first payment since the backup, so it has another number
    const other = await pay(pair, 40)
    await goOn(service, 1)
    assert.deepEqual(await legsOf(service, repeated), [['payment_pull', 'WAITING', true]])
    assert.deepEqual(await legsOf(service, other), [['payment_pull', 'SENT', false]])
    assert.deepEqual(pullsOf(await allAtBank(service, atBank)), [2_000, 3_000, 4_000])
    const [held] = await getExceptions(service.deps, {})
    const trace = atBank.find(({ cents }) => cents === 3_000)?.trace as string
    await exceptionCommand({ note: 'the bank has it', trace: [trace] }, ['apply', held?.id ?? ''])(service.deps)
    assert.deepEqual(await legsOf(service, repeated), [['payment_pull', 'SENT', false]])
    await service.assertLedger()
  })

  test('with an empty folder and the files recovered from the bank: the same', async (t) => {
    const { service, waiting, atBank } = await loseTheAfternoon(t)
    const elsewhere = await loseFolder(service, t)
    const report = await recover(service, { lastAch: '20260303-A', file: [join(elsewhere, '20260303-A.ach')] })
    assert.match(report, /All files are known/)
    await goOn(service, 3)
    assert.deepEqual(pullsOf(await allAtBank(service, atBank)), [1_000, 2_000, 3_000, 4_000, 5_000, 6_000])
    for (const id of waiting) assert.deepEqual(await legsOf(service, id), [['payment_pull', 'SENT', false]])
  })

  test('without the files, everything older is held until the operator has reviewed it', async (t) => {
    const { service, pair, waiting, deposit, atBank } = await loseTheAfternoon(t)
    await loseFolder(service, t)
    assert.match(await recover(service, { lastAch: '20260303-A' }), /Everything older is on hold/)
    await deposit()
    const repeated = await pay(pair, 60)
    await goOn(service, 3)
    assert.deepEqual(pullsOf(await allAtBank(service, atBank)), [1_000, 2_000, 3_000, 4_000, 5_000, 6_000])
    assert.deepEqual(await legsOf(service, repeated), [['payment_pull', 'WAITING', true]], 'its entry is unknown')
    const held = (await getExceptions(service.deps, {})).filter(({ kind }) => kind === 'maybe_at_bank')
    assert.deepEqual(held.map(({ cents }) => cents).sort(), [3_000, 4_000, 5_000, 6_000])
    service.clock.advance(8 * 24 * 3_600)
    const fresh = await pay(pair, 90)
    await goOn(service, 1)
    assert.deepEqual(
      await legsOf(service, fresh),
      [['payment_pull', 'SENT', false]],
      'nobody repeats a payment so late',
    )
    const [id] = waiting as [string]
    const mine = held.find(({ paymentId }) => paymentId === id)
    await exceptionCommand({ note: 'the bank does not have it' }, ['close', mine?.id as string])(service.deps)
    await goOn(service, 1)
    assert.deepEqual(await legsOf(service, id), [['payment_pull', 'SENT', false]])
    const names = (await readdir(join(service.folder, 'outbound/sent'))).sort()
    assert.ok(!names.includes('20260303-A.ach') && names.length > 0, `${names}`)
    const traces = (await allAtBank(service, atBank)).map(({ trace }) => trace)
    assert.equal(new Set(traces).size, traces.length, 'no trace number is used again')
  })

  test('a file in the backup is written unless the bank has it', async (t) => {
    const service = await startFileService(t)
    const pair = await newPair(service)
    await pay(pair, 10)
    service.clock.advance(3 * 3_600)
    await service.write() // 20260302-B is in outbound/
    const restore = await backUp(service, t)
    await service.transmit()
    await restore()
    const content = await readFile(join(service.folder, 'outbound/sent/20260302-B.ach'), 'latin1')
    await rm(join(service.folder, '.exchange.json'))
    await rm(join(service.folder, 'outbound/sent/20260302-B.ach'))
    await recover(service, { lastAch: '20260302-B' })
    await exchange(service.deps)
    assert.deepEqual(await readdir(join(service.folder, 'outbound')), ['canceled', 'sent'])

    await restore()
    await rm(join(service.folder, '.exchange.json'))
    await recover(service, { lastAch: '20260302-A' })
    await exchange(service.deps)
    assert.equal(await readFile(join(service.folder, 'outbound/20260302-B.ach'), 'latin1'), content)
  })

  test('a file committed at the backup, written after it and taken away is not written again automatically', async (t) => {
    for (const [last, isAtBank] of [
      ['20260302-B', true],
      ['20260302-A', false],
    ] as const) {
      const service = await startFileService(t)
      const pair = await newPair(service)
      await pay(pair, 10)
      service.clock.advance(3 * 3_600)
      await writeAchFiles(service.deps, achHooks)
      const restore = await backUp(service, t)
      await exchange(service.deps)
      const [name] = await upload(service.folder)
      assert.equal(name, '20260302-B.ach')
      await rm(join(service.folder, 'outbound/sent/20260302-B.ach'))
      await restore()
      assert.equal(await openExchange(service.deps, service.connection), null)
      await assert.rejects(recover(service, {}), /20260302-B was written, the database does not know it/)
      await recover(service, { lastAch: last })
      await exchange(service.deps)
      const status = (await fileStatuses(service.deps.sql))['20260302-B']
      const isInOutbound = (await readdir(join(service.folder, 'outbound'))).includes('20260302-B.ach')
      assert.deepEqual([status, isInOutbound], isAtBank ? ['TRANSMITTED', false] : ['WRITTEN', true])
      await goOn(service, 1)
      assert.equal(await openExchange(service.deps, service.connection), service.folder)
    }
  })

  test('an acknowledgment of an unknown file is recorded, and does not block the next one', async (t) => {
    const { service, atBank } = await loseTheAfternoon(t)
    const elsewhere = await loseFolder(service, t)
    const content = await readFile(join(elsewhere, '20260303-A.ach'), 'latin1')
    await recover(service, { lastAch: '20260303-A' })
    await assert.rejects(filesCommand({ yes: true }, ['resend', '20260303-A'])(service.deps), /its content was lost/)
    assert.match(await filesCommand({}, ['show', '20260303-A'])(service.deps), /"status": "TRANSMITTED"/)
    await service.receive('ack.txt', acknowledgment(content))
    assert.equal((await fileStatuses(service.deps.sql))['20260303-A'], 'ACCEPTED')
    assert.deepEqual(await readdir(join(service.folder, 'inbound/done')), ['ack.txt'])
    assert.equal((await service.sent()).length, 0)
    assert.ok(atBank.length > 0)
  })

  /** A service whose file 20260302-B lies in outbound/. `isLost`: a restore has lost it. */
  async function startWithWaitingFile(t: TestContext, isLost: boolean) {
    const service = await startFileService(t)
    const pair = await newPair(service)
    const early = await backUp(service, t)
    await pay(pair, 10)
    service.clock.advance(3 * 3_600)
    await service.write()
    if (isLost) await early()
    return service
  }

  test('a file that the bank has does not stay in outbound/', async (t) => {
    for (const isLost of [false, true]) {
      const service = await startWithWaitingFile(t, isLost)
      await recover(service, { lastAch: '20260302-B' })
      assert.deepEqual(await readdir(join(service.folder, 'outbound')), ['canceled', 'sent'])
      assert.equal((await fileStatuses(service.deps.sql))['20260302-B'], 'TRANSMITTED')
    }
  })

  test('a file that was canceled after the backup does not count as received', async (t) => {
    for (const isWritten of [false, true]) {
      const service = await startFileService(t)
      const pair = await newPair(service)
      const id = await pay(pair, 10)
      service.clock.advance(3 * 3_600)
      if (isWritten) await service.write()
      else await writeAchFiles(service.deps, achHooks)
      const restore = await backUp(service, t)
      await exchange(service.deps)
      await filesCommand({}, ['cancel', '20260302-B'])(service.deps)
      await followBankFiles(service.deps)
      await goOn(service, 1)
      await restore()
      const report = await recover(service, { lastAch: '20260303-A' })
      assert.match(report, /1 were canceled after the backup/)
      assert.deepEqual(await legsOf(service, id), [['payment_pull', 'SENT', false]], 'in the file that the bank has')
      assert.equal((await fileStatuses(service.deps.sql))['20260302-B'], 'CANCELED')
    }
  })

  test('a recovery that fails leaves the files that the transfer job has not taken', async (t) => {
    for (const isLost of [false, true]) {
      const service = await startWithWaitingFile(t, isLost)
      const wrong = { lastAch: '20260302-B', lastPrint: `print-${'0'.repeat(32)}` }
      await assert.rejects(recover(service, wrong), /Add --next-check-number N/)
      await recover(service, { lastAch: '20260302-A' })
      await exchange(service.deps)
      assert.equal((await fileStatuses(service.deps.sql))['20260302-B'], 'WRITTEN')
      assert.deepEqual(await upload(service.folder), ['20260302-B.ach'])
    }
  })

  test('a file of another connection is refused', async (t) => {
    const { service } = await loseTheAfternoon(t)
    const file = [join(await loseFolder(service, t), '20260303-A.ach')]
    const current = service.deps.connections.current()
    const [first] = current.all
    assert.ok(first?.ach)
    const all = [
      { ...first, ach: { ...first.ach, destination: '021000021' } },
      { ...first, id: 'other' },
    ]
    const deps = { ...service.deps, connections: { current: () => ({ ...current, all }) } }
    const recoverFirst = filesCommand({ connection: first.id, lastAch: '20260303-A', file }, ['recover'])
    await assert.rejects(recoverFirst(deps), /20260303-A\.ach is a file of the connection other/)
    assert.equal(await openExchange(service.deps, service.connection), null)
  })

  test('a file in outbound/sent/ that the bank does not have is refused until it is moved back, and is then sent', async (t) => {
    for (const isKnown of [false, true]) {
      const service = await startFileService(t)
      const pair = await newPair(service)
      const before = await backUp(service, t)
      const id = await pay(pair, 10)
      service.clock.advance(3 * 3_600)
      await service.write() // 20260302-B is in outbound/
      const after = isKnown ? await backUp(service, t) : before
      await service.transmit() // the transfer job has moved it, but the bank never got it
      await after()
      const name = '20260302-B'
      await assert.rejects(recover(service, { lastAch: '20260302-A' }), (error: Error) => {
        assert.match(error.message, /20260302-B is in .*outbound\/sent, and it is later than the last file/)
        assert.match(error.message, /move the file into outbound\//)
        return true
      })
      const [from, to] = ['outbound/sent', 'outbound'].map((one) => join(service.folder, one, `${name}.ach`))
      await rename(from as string, to as string)
      await recover(service, { lastAch: '20260302-A' })
      await exchange(service.deps)
      assert.equal((await fileStatuses(service.deps.sql))[name], 'WRITTEN')
      assert.deepEqual(await upload(service.folder), [`${name}.ach`])
      await exchange(service.deps)
      assert.equal((await fileStatuses(service.deps.sql))[name], 'TRANSMITTED')
      if (isKnown) assert.deepEqual(await legsOf(service, id), [['payment_pull', 'SENT', false]])
    }
  })

  test('a copy of the bank is added under any ending, and a file with another name is refused', async (t) => {
    for (const ending of ['.ACH', '.txt', '']) {
      const { service, waiting } = await loseTheAfternoon(t)
      const elsewhere = await loseFolder(service, t)
      const copy = join(elsewhere, `20260303-A${ending}`)
      await rename(join(elsewhere, '20260303-A.ach'), copy)
      const wrong = join(elsewhere, 'from-the-bank.ach')
      await copyFile(copy, wrong)
      const give = (path: string) => recover(service, { lastAch: '20260303-A', file: [path] })
      await assert.rejects(give(wrong), /from-the-bank\.ach is not the name of a bank file/)
      await rename(wrong, join(elsewhere, '20260302-C.ach'))
      await assert.rejects(give(join(elsewhere, '20260302-C.ach')), /The file named 20260302-C is 20260303-A/)
      assert.match(await give(copy), /1 files were added\. .*\n.*All files are known/)
      for (const id of waiting) assert.deepEqual(await legsOf(service, id), [['payment_pull', 'SENT', false]])
      await goOn(service, 1)
      assert.deepEqual(await service.sent(), [], 'nothing is sent twice')
    }
  })

  test('print files are requested, and none is adopted without its list', async (t) => {
    const service = await startFileService(t, { operatorBank })
    const restore = await backUp(service, t) // before the first file of any kind
    await newPair(service)
    await restore()
    await assert.rejects(recover(service, { lastAch: '20260302-A' }), /remit files recover --last-print NAME/)
    const name = `print-${'0'.repeat(32)}`
    await writeFile(join(service.folder, 'outbound/sent', `${name}.pdf`), 'a picture')
    const given = { lastAch: '20260302-A', lastPrint: name }
    await assert.rejects(recover(service, given), /\.csv is not/)
    assert.equal(await openExchange(service.deps, service.connection), null)
  })

  test('invalid statements change nothing', async (t) => {
    const { service } = await loseTheAfternoon(t)
    await assert.rejects(recover(service, { lastAch: '20260302' }), /must be the name of an ach file/)
    await assert.rejects(recover(service, { lastAch: '20260301-A' }), /The bank has 20260302-A, which is later/)
    await assert.rejects(recover(service, { lastAch: 'none' }), /The bank has 20260302-A/)
    await assert.rejects(recover(service, { lastAch: '20270303-A' }), /There is no file 20270303-A yet/)
    await assert.rejects(recover(service, { lastAch: '20260231-A' }), /2026-02-31 is no date/)
    const later = `print-${lowestIdOf(new Date(service.clock.now().getTime() + 1_000))}`
    await assert.rejects(recover(service, { lastAch: '20260303-A', lastPrint: later }), /There is no file print-.* yet/)
    const garbage = join(await loseFolder(service, t), '20260303-A.ach')
    await writeFile(garbage, 'no file')
    await assert.rejects(recover(service, { lastAch: '20260303-A', file: [garbage] }), /is not an ACH file/)
    assert.equal(await openExchange(service.deps, service.connection), null)
  })
})

test('the account number of a lost wallet is not given to another wallet', async (t) => {
  const numbers = ['998800000001', '998800000002', '998800000003']
  const service = await startFileService(t, {
    operatorBank,
    statements: { format: null, names: STATEMENT_NAMES, csv: null, rules: [] },
    virtualAccounts: { account: 'checks', rails: ['ACH', 'WIRE'], numbers },
  })
  for (const secret of [...numbers, operatorBank.accountNumber]) service.secrets.add(secret)
  const pair = await newPair(service)
  await pay(pair, 10)
  const newNumber = async () => {
    const { status, body, text } = await (await service.newUser()).post('/v3/account/wallet', { name: 'Cash' })
    assert.equal(status, 201, text)
    return body.numbers.ACH?.account ?? null
  }
  const restore = await backUp(service, t)
  assert.equal(await newNumber(), numbers[0])
  await service.openWindow()
  await restore()
  const given = { lastAch: (await sentNames(service)).at(-1), lastPrint: 'none' }
  await assert.rejects(recover(service, given), /Add --last-wallet-number N/)
  await assert.rejects(recover(service, { ...given, lastWalletNumber: '1' }), /must be in the list of virtual_accounts/)
  await recover(service, { ...given, lastWalletNumber: numbers[1] })
  assert.deepEqual(
    [await newNumber(), await newNumber()],
    [numbers[2], null],
    'numbers that a wallet may have are left out',
  )
})

test('a folder of another database is refused, and a new one is tied to the database at its first use', async (t) => {
  const service = await startFileService(t)
  const pair = await newPair(service)
  assert.ok(await openExchange(service.deps, service.connection))
  await writeFile(join(service.folder, '.exchange.json'), JSON.stringify({ exchangeId: 'a'.repeat(32), lastNumber: 0 }))
  await pay(pair, 10)
  await goOn(service, 1)
  assert.deepEqual(pullsOf(await service.sent()), [])
  await mkdir(join(service.folder, 'outbound/sent'), { recursive: true })
  await recover(service, { lastAch: '20260302-A' })
  await goOn(service, 1)
  assert.deepEqual(pullsOf(await service.sent()), [1_000])
})
