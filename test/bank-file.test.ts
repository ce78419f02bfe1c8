import assert from 'node:assert/strict'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { publishOutgoingFiles } from '../src/connections/exchange/folder-transfer-actions.ts'
import {
  acceptOutgoingFile,
  requireOutgoingFile,
  resendOutgoingFile,
} from '../src/connections/exchange/outgoing-file-actions.ts'
import type { Connection } from '../src/foundation/core/connections.ts'
import { connect } from '../src/foundation/db/connect.ts'
import { createFailures } from '../src/foundation/db/step-failures.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { getExceptions, recordException } from '../src/foundation/exception/exception-actions.ts'
import { writeAchFiles } from '../src/money/ach/file/ach-file-worker.ts'
import { post } from '../src/money/ledger/ledger-actions.ts'
import type { CommandFlags } from '../src/operation/cli/command-flags.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { filesCommand } from '../src/operation/cli/files-commands.ts'
import { exchangeBankFiles, followBankFiles } from '../src/operation/scheduler/bank-file-work.ts'
import { achHooks } from '../src/operation/scheduler/leg-handlers.ts'
import { acknowledgment, bankFile, copyPayments, exchange, fileStatuses, readOutbound, upload } from './support/ach.ts'
import {
  DAY,
  type FileService,
  legsOf,
  newPair,
  type Pair,
  pay,
  startFileService,
  statusesOf,
  statusOf,
  untilPaid,
} from './support/file-service.ts'
import { balanceOf, newWallet } from './support/money.ts'
import { runCommand } from './support/run-command.ts'
import { addBank, addVerifiedBank } from './support/service.ts'
import { waitUntil } from './support/wait-until.ts'

// The status of files for the bank: nothing settles, is trusted or is paid out before the bank has accepted the file.

const REQUIRED = { ach: 'required', paper: 'required' } as const

const remitFiles = ({ deps }: FileService, words: string, flags: CommandFlags = {}): Promise<string> =>
  filesCommand(flags, words.split(' '))(deps)

/** A payment whose debit is in the file 20260302-B, which is in outbound/. */
async function payInFileB(service: FileService, amounts = [10]): Promise<{ pair: Pair; ids: string[] }> {
  const pair = await newPair(service)
  const ids: string[] = []
  for (const amount of amounts) ids.push(await pay(pair, amount))
  service.clock.advance(3 * 3_600)
  await service.write()
  assert.equal((await fileStatuses(service.deps.sql))['20260302-B'], 'WRITTEN')
  return { pair, ids }
}

const contentOf = async ({ folder }: FileService, name: string): Promise<string> =>
  readFile(join(folder, 'outbound/sent', name), 'latin1').catch(() =>
    readFile(join(folder, 'outbound', name), 'latin1'),
  )

/** The bank acknowledges one of our files. */
const acknowledge = async (service: FileService, name: string, change?: Parameters<typeof acknowledgment>[1]) => {
  await service.receive(`${name}-${Math.random()}.txt`, acknowledgment(await contentOf(service, `${name}.ach`), change))
  await exchange(service.deps)
}

/** Money that a wallet already contains. In production, only the operator can add money in this way. */
const fund = ({ deps }: FileService, { account, cents }: { account: string; cents: number }) =>
  inTransaction(deps, async (tx) => {
    const [wallet] = await tx.sql<{ platformId: string }[]>`select platform_id from wallets where id = ${account}`
    const subject = { platformId: wallet?.platformId as string, paymentId: null }
    await post(tx, subject, 'fund', { cents, recipientWallet: account })
  })

const fileOf = async (service: FileService, name: string) => (await fileStatuses(service.deps.sql))[name]

/** Lets days pass while the transfer job is down. */
async function passWithoutTransfer(service: FileService, days: number) {
  for (let half = 0; half < days * 2; half++) {
    service.clock.advance(DAY / 2)
    await exchange(service.deps)
    await service.doDueWork()
    await service.write()
    await service.assertLedger()
  }
}

const amountsOf = async ({ folder }: FileService, name: string): Promise<number[]> => {
  const file = (await readOutbound(folder)).find((one) => one.name === `${name}.ach`)
  return (file?.entries ?? []).map(({ cents }) => cents).sort((a, b) => a - b)
}

suite('a file settles nothing', () => {
  test('while it is in outbound/: debits that were never sent are not paid out', async (t) => {
    const service = await startFileService(t)
    const { pair, ids } = await payInFileB(service, [10, 20, 30])
    await passWithoutTransfer(service, 14)
    for (const id of ids) {
      assert.deepEqual(await legsOf(service, id), [['payment_pull', 'SENT', false]])
      assert.equal(await statusOf(pair.sender, id), 'IN_PROCESS')
    }
    await service.transmit()
    for (const id of ids) await untilPaid(service, pair.sender, id, 1_000)
  })

  test('while it is transmitted but not acknowledged, where acknowledgments are required', async (t) => {
    const service = await startFileService(t, { acknowledgements: REQUIRED })
    const { pair, ids } = await payInFileB(service)
    const [id] = ids as [string]
    await service.transmit()
    await passWithoutTransfer(service, 10)
    assert.equal(await fileOf(service, '20260302-B'), 'TRANSMITTED')
    assert.deepEqual(await legsOf(service, id), [['payment_pull', 'SENT', false]])

    await acknowledge(service, '20260302-B')
    assert.equal(await fileOf(service, '20260302-B'), 'ACCEPTED')
    assert.deepEqual(await legsOf(service, id), [['payment_pull', 'ACCEPTED', false]])
    await service.doDueWork()
    assert.deepEqual(
      await legsOf(service, id),
      [['payment_pull', 'ACCEPTED', false]],
      'the settlement period starts then',
    )
    for (let day = 0; day < 7 && (await legsOf(service, id)).length === 1; day++) {
      await service.passDays(1)
      await service.write()
    }
    await service.openWindow()
    assert.deepEqual(await legsOf(service, id), [
      ['payment_pull', 'TRUSTED', false],
      ['payment_push', 'SENT', false],
    ])
    assert.equal(await statusOf(pair.sender, id), 'IN_PROCESS', 'PAID once the bank has accepted the credit')
    const push = Object.keys(await fileStatuses(service.deps.sql)).at(-1) as string
    await acknowledge(service, push)
    assert.equal(await statusOf(pair.sender, id), 'PAID')
    assert.deepEqual(await statusesOf(service, id), ['IN_PROCESS', 'PAID'])
  })

  test('without required acknowledgments it is accepted at its settlement time, and a late file one banking day later', async (t) => {
    const service = await startFileService(t)
    await payInFileB(service)
    await service.transmit()
    service.clock.advance(6 * 3_600) // in the evening
    await exchange(service.deps)
    assert.equal(await fileOf(service, '20260302-B'), 'TRANSMITTED')
    service.clock.advance(DAY / 2)
    await exchange(service.deps)
    assert.equal(await fileOf(service, '20260302-B'), 'ACCEPTED')

    const late = await startFileService(t)
    await payInFileB(late)
    late.clock.advance(2 * DAY) // Wednesday, after its effective date
    await late.transmit()
    assert.equal(await fileOf(late, '20260302-B'), 'TRANSMITTED')
    late.clock.advance(DAY)
    await exchange(late.deps)
    assert.equal(await fileOf(late, '20260302-B'), 'ACCEPTED')
  })
})

suite('acknowledgments', () => {
  const wrong: [what: string, change: Parameters<typeof acknowledgment>[1], problem: RegExp][] = [
    ['another count', { entryCount: 7 }, /entry and addenda count 7 instead of 1/],
    ['another batch count', { batchCount: 2 }, /batch count 2 instead of 1/],
    ['other debits', { debitCents: 999 }, /debit total in cents 999 instead of 1000/],
    ['other credits', { creditCents: 5 }, /credit total in cents 5 instead of 0/],
    ['no totals', { totals: false }, /names no counts and totals/],
    ['another modifier', { modifier: 'Q' }, /a file Q of 260302 that was not sent/],
    ['another origin', { origin: '9999999999' }, /a file B of 260302 that was not sent/],
  ]
  for (const [what, change, problem] of wrong) {
    test(`with ${what} accept nothing`, async (t) => {
      const service = await startFileService(t, { acknowledgements: REQUIRED })
      await payInFileB(service)
      await service.transmit()
      await acknowledge(service, '20260302-B', change)
      assert.equal(await fileOf(service, '20260302-B'), 'TRANSMITTED')
      assert.match(await service.reports(), problem)
    })
  }

  test('that reject a file move its entries to the next one, and the payment stays IN_PROCESS', async (t) => {
    const service = await startFileService(t, { acknowledgements: REQUIRED })
    const { pair, ids } = await payInFileB(service, [10, 20])
    await service.transmit()
    await acknowledge(service, '20260302-B', { status: 'FILE REJECTED WITH FILE LEVEL ERRORS', errors: ['FH238-BAD'] })
    assert.equal(await fileOf(service, '20260302-B'), 'REJECTED')
    for (const id of ids) assert.deepEqual(await legsOf(service, id), [['payment_pull', 'WAITING', false]])
    await service.assertLedger()
    await service.openWindow()
    assert.deepEqual(await amountsOf(service, '20260303-A'), [1_000, 2_000])
    for (const id of ids) assert.deepEqual(await statusesOf(service, id), ['IN_PROCESS'])
    const [first] = ids as [string]
    assert.equal((await pair.sender.del(`/v3/check/${first}`)).body.code, 'not_voidable')
    const traces = (await service.sent()).map(({ trace }) => trace)
    assert.equal(new Set(traces).size, traces.length, 'with a trace number of its own')
  })

  test('that reject an entry allow its payment to be voided before the next file', async (t) => {
    const service = await startFileService(t, { acknowledgements: REQUIRED })
    const { pair, ids } = await payInFileB(service)
    const [id] = ids as [string]
    await service.transmit()
    await acknowledge(service, '20260302-B', { status: 'FILE REJECTED' })
    assert.equal((await pair.sender.del(`/v3/check/${id}`)).status, 200)
    await service.openWindow()
    assert.deepEqual(await amountsOf(service, '20260303-A'), [])
    await service.assertLedger()
  })

  test('that accept a file in part recall only the rejected entries', async (t) => {
    const service = await startFileService(t, { acknowledgements: REQUIRED })
    const { ids } = await payInFileB(service, [10, 20, 30])
    await service.transmit()
    const { trace } = (await service.sent()).find(({ cents }) => cents === 2_000) as { trace: string }
    await acknowledge(service, '20260302-B', {
      status: 'FILE ACCEPTED WITH ITEM LEVEL ERRORS',
      errors: ['ED012-INVALID', `TRACE NUMBER: ${trace}`],
    })
    assert.equal(await fileOf(service, '20260302-B'), 'ACCEPTED')
    const statuses = await Promise.all(ids.map(async (id) => (await legsOf(service, id))[0]?.[1]))
    assert.deepEqual(statuses, ['ACCEPTED', 'WAITING', 'ACCEPTED'])
    await service.openWindow()
    assert.deepEqual(await amountsOf(service, '20260303-A'), [2_000])
    await service.receive('r.ach', bankFile([{ code: 'R01', trace, direction: 'debit', cents: 2_000 }]))
    assert.match(await service.reports(), /the entry was recalled/)
  })

  test('that accept a file in part still count after a return has shown that the file was accepted, even for settled entries', async (t) => {
    const service = await startFileService(t, { acknowledgements: REQUIRED })
    const { ids, pair } = await payInFileB(service, [10, 20, 30])
    await service.transmit()
    const traceOf = async (wanted: number) =>
      (await service.sent()).find(({ cents }) => cents === wanted)?.trace as string
    const rejectEntry = async (cents: number, time: string) =>
      acknowledge(service, '20260302-B', {
        status: 'FILE ACCEPTED WITH ITEM LEVEL ERRORS',
        errors: ['ED012-INVALID', `TRACE NUMBER: ${await traceOf(cents)}`],
        time,
      })
    const entry = { code: 'R01', trace: await traceOf(1_000), direction: 'debit', cents: 1_000 } as const
    await service.receive('r.ach', bankFile([entry]))
    await exchange(service.deps)
    assert.equal(await fileOf(service, '20260302-B'), 'ACCEPTED')
    await rejectEntry(2_000, '14:01')
    await service.passDays(2)
    await rejectEntry(3_000, '14:02')
    assert.deepEqual(await Promise.all(ids.map(async (id) => (await legsOf(service, id))[0]?.[1])), [
      'RETURNED',
      'WAITING',
      'RETURNED',
    ])
    assert.equal(await statusOf(pair.sender, ids[2] as string), 'FAILED')
    for (let window = 0; window < 12; window++) await service.openWindow()
    assert.deepEqual(
      (await service.sent()).filter(({ cents, code }) => cents === 3_000 && code === '22'),
      [],
    )
    assert.equal((await service.sent()).filter(({ cents, code }) => cents === 2_000 && code === '27').length, 2)
  })

  test('that reject a debit hold its payout from the moment they are read', async (t) => {
    const service = await startFileService(t, { acknowledgements: REQUIRED })
    const { deps } = service
    const { ids, pair } = await payInFileB(service, [10, 20])
    await service.transmit()
    const traceOf = async (wanted: number) =>
      (await service.sent()).find(({ cents }) => cents === wanted)?.trace as string
    const entry = { code: 'R01', trace: await traceOf(1_000), direction: 'debit', cents: 1_000 } as const
    await service.receive('r.ach', bankFile([entry]))
    await service.passDays(3)
    const id = ids[1] as string
    assert.deepEqual(await legsOf(service, id), [
      ['payment_pull', 'TRUSTED', false],
      ['payment_push', 'WAITING', false],
    ])
    const change = {
      status: 'FILE ACCEPTED WITH ITEM LEVEL ERRORS',
      errors: ['ED012-INVALID', `TRACE NUMBER: ${await traceOf(2_000)}`],
    }
    await service.receive('ack.txt', acknowledgment(await contentOf(service, '20260302-B.ach'), change))
    service.clock.advance(DAY)
    await service.doDueWork()
    await writeAchFiles(deps, achHooks)
    assert.equal((await legsOf(service, id))[1]?.[1], 'WAITING', 'before the pass that returns the debit')
    for (let window = 0; window < 4; window++) await service.openWindow()
    assert.equal(await statusOf(pair.sender, id), 'FAILED')
    assert.deepEqual(
      (await service.sent()).filter(({ cents, code }) => cents === 2_000 && code === '22'),
      [],
    )
    await service.assertLedger()
  })

  test('that reject a credit whose payment is PAID return the credit, so that its money is refunded and the ledger balances', async (t) => {
    const service = await startFileService(t, { acknowledgements: REQUIRED })
    const pair = await newPair(service)
    const account = await newWallet(pair.sender, 0)
    await fund(service, { account, cents: 10_000 })
    const ids = [await pay(pair, 10, { account }), await pay(pair, 20, { account })] as const
    service.clock.advance(3 * 3_600)
    await service.write()
    await service.transmit()
    const traceOf = async (wanted: number) =>
      (await service.sent()).find(({ cents }) => cents === wanted)?.trace as string
    const entry = { code: 'R03', trace: await traceOf(1_000), direction: 'credit', cents: 1_000 } as const
    await service.receive('r.ach', bankFile([entry]))
    await exchange(service.deps)
    assert.equal(await fileOf(service, '20260302-B'), 'ACCEPTED')
    assert.equal(await statusOf(pair.sender, ids[1]), 'PAID')
    await acknowledge(service, '20260302-B', {
      status: 'FILE ACCEPTED WITH ITEM LEVEL ERRORS',
      errors: ['ED012-INVALID', `TRACE NUMBER: ${await traceOf(2_000)}`],
    })
    await service.assertLedger()
    assert.deepEqual(await legsOf(service, ids[1]), [['payment_push', 'RETURNED', false]])
    assert.equal(await statusOf(pair.sender, ids[1]), 'FAILED')
    for (let day = 0; day < 7; day++) await service.passDays(1)
    await service.openWindow()
    assert.equal(await statusOf(pair.sender, ids[1]), 'REFUNDED')
    assert.equal(await balanceOf(pair.sender, account), 100)
    assert.equal((await service.sent()).filter(({ cents }) => cents === 2_000).length, 1)
  })

  test('that reject a part of a file that was sent twice need manual review and move nothing', async (t) => {
    const service = await startFileService(t, { acknowledgements: REQUIRED })
    const { ids } = await payInFileB(service)
    await service.transmit()
    await inTransaction(service.deps, async (tx) => resendOutgoingFile(tx, await requireOutgoingFile(tx, '20260302-B')))
    await service.transmit()
    const trace = (await service.sent())[0]?.trace
    const change = { status: 'FILE ACCEPTED WITH ITEM LEVEL ERRORS', errors: ['ED012-X', `TRACE NUMBER: ${trace}`] }
    await acknowledge(service, '20260302-B', change)
    assert.deepEqual(await legsOf(service, ids[0] as string), [['payment_pull', 'SENT', false]])
    assert.match(await remitFiles(service, 'list'), /one of the two copies/)
  })

  test('that reject a part of a file that was sent twice stay undecided, even if a return proves that the bank has the file', async (t) => {
    const service = await startFileService(t, { acknowledgements: REQUIRED })
    const { pair, ids } = await payInFileB(service, [10, 20])
    await service.transmit()
    await remitFiles(service, 'resend 20260302-B', { yes: true })
    await service.transmit()
    const traceOf = async (cents: number) =>
      (await service.sent()).find((entry) => entry.cents === cents)?.trace as string
    const [rejected, returned] = [await traceOf(1_000), await traceOf(2_000)]
    const errors = ['ED012-X', `TRACE NUMBER: ${rejected}`]
    await acknowledge(service, '20260302-B', { status: 'FILE ACCEPTED WITH ITEM LEVEL ERRORS', errors })
    await service.receive('return.ach', bankFile([{ code: 'R01', trace: returned, direction: 'debit', cents: 2_000 }]))
    assert.equal(await fileOf(service, '20260302-B'), 'ACCEPTED')
    assert.match(await remitFiles(service, 'list'), /one of the two copies/)
    for (let window = 0; window < 10; window++) await service.openWindow()
    const payouts = async () =>
      (await service.sent()).filter(({ cents, code }) => cents === 1_000 && code === '22').length
    assert.equal(await payouts(), 0, 'no payout without a debit that the bank accepted')
    await remitFiles(service, 'reject 20260302-B', { trace: [rejected] })
    await exchange(service.deps)
    for (let window = 0; window < 6; window++) await service.openWindow()
    assert.equal(await payouts(), 0)
    // It had settled by its time, so the rejection counts as a return.
    assert.equal(await statusOf(pair.sender, ids[0] as string), 'FAILED')
    assert.equal(await statusOf(pair.sender, ids[1] as string), 'FAILED')
  })

  test('that do not name the rejected entries, and duplicates, need manual review and move nothing', async (t) => {
    const service = await startFileService(t, { acknowledgements: REQUIRED })
    const { ids } = await payInFileB(service)
    await service.transmit()
    for (const [status, notice] of [
      ['FILE ACCEPTED WITH ITEM LEVEL ERRORS', /does not name the rejected entries/],
      ['DUPLICATE FILE', /calls it a duplicate/],
      ['FILE PENDED', /the bank holds it/],
    ] as const) {
      await acknowledge(service, '20260302-B', { status, errors: ['ED012-INVALID'] })
      assert.equal(await fileOf(service, '20260302-B'), 'TRANSMITTED')
      assert.deepEqual(await legsOf(service, ids[0] as string), [['payment_pull', 'SENT', false]])
      assert.match(await remitFiles(service, 'list'), notice)
    }
    await remitFiles(service, 'accept 20260302-B')
    assert.equal(await fileOf(service, '20260302-B'), 'ACCEPTED')
    assert.doesNotMatch(await remitFiles(service, 'list'), /20260302-B/)
  })

  test('that call a file a duplicate after it was accepted in part: the operator names the rejected entries again', async (t) => {
    const service = await startFileService(t, { acknowledgements: REQUIRED })
    const { ids } = await payInFileB(service, [10, 20])
    const { trace } = (await service.sent()).find(({ cents }) => cents === 2_000) as { trace: string }
    await service.transmit()
    const reject = () => remitFiles(service, 'reject 20260302-B', { trace: [trace] })
    await reject()
    await acknowledge(service, '20260302-B', { status: 'DUPLICATE FILE' })
    assert.match(await remitFiles(service, 'list'), /calls it a duplicate/)
    await reject()
    assert.doesNotMatch(await remitFiles(service, 'list'), /20260302-B/)
    await exchange(service.deps)
    const statuses = await Promise.all(ids.map(async (id) => (await legsOf(service, id))[0]?.[1]))
    assert.deepEqual(statuses, ['ACCEPTED', 'WAITING'])
    await assert.rejects(reject, /these entries were rejected before/)
  })

  test('that call a file a duplicate after it was rejected: the operator rejects it again', async (t) => {
    const service = await startFileService(t, { acknowledgements: REQUIRED })
    await payInFileB(service)
    await service.transmit()
    await remitFiles(service, 'reject 20260302-B')
    await acknowledge(service, '20260302-B', { status: 'DUPLICATE FILE' })
    assert.match(await remitFiles(service, 'list'), /calls it a duplicate/)
    await remitFiles(service, 'reject 20260302-B')
    assert.doesNotMatch(await remitFiles(service, 'list'), /20260302-B/)
  })

  test('that accept a canceled file: the operator has the bank delete it, and rejects it', async (t) => {
    const service = await startFileService(t, { acknowledgements: REQUIRED })
    await payInFileB(service)
    const accepted = acknowledgment(await contentOf(service, '20260302-B.ach'))
    await remitFiles(service, 'cancel 20260302-B')
    await exchange(service.deps)
    const reject = () => remitFiles(service, 'reject 20260302-B')
    await assert.rejects(reject, /is CANCELED and cannot be rejected/)
    await service.receive('accepted.txt', accepted)
    assert.match(await remitFiles(service, 'list'), /the bank accepts a file that is CANCELED/)
    await assert.rejects(remitFiles(service, 'accept 20260302-B'), /is CANCELED and cannot be accepted/)
    assert.equal(await reject(), '20260302-B stays CANCELED. Its question is answered.')
    assert.doesNotMatch(await remitFiles(service, 'list'), /20260302-B/)
  })

  test('that are repeated, or arrive before the transfer was observed, change nothing more', async (t) => {
    const service = await startFileService(t, { acknowledgements: REQUIRED })
    const { ids } = await payInFileB(service)
    await acknowledge(service, '20260302-B')
    await acknowledge(service, '20260302-B', { time: '15:00' })
    await service.transmit()
    assert.equal(await fileOf(service, '20260302-B'), 'ACCEPTED')
    assert.deepEqual(await legsOf(service, ids[0] as string), [['payment_pull', 'ACCEPTED', false]])
    await acknowledge(service, '20260302-B', { status: 'FILE REJECTED' })
    assert.equal(await fileOf(service, '20260302-B'), 'ACCEPTED')
    assert.match(await service.reports(), /rejects a file that is ACCEPTED/)
  })

  test('a return proves that the bank accepted the file of its entry', async (t) => {
    const service = await startFileService(t, { acknowledgements: REQUIRED })
    const { pair, ids } = await payInFileB(service, [10, 20])
    await service.transmit()
    const { trace } = (await service.sent()).find(({ cents }) => cents === 1_000) as { trace: string }
    await service.receive('r.ach', bankFile([{ code: 'R01', trace, direction: 'debit', cents: 1_000 }]))
    await exchange(service.deps)
    assert.equal(await fileOf(service, '20260302-B'), 'ACCEPTED')
    const [returned, other] = ids as [string, string]
    assert.equal(await statusOf(pair.sender, returned), 'FAILED')
    assert.deepEqual(await legsOf(service, other), [['payment_pull', 'ACCEPTED', false]])
  })
})

suite('remit files', () => {
  test('cancels a file that is still in outbound/, but not one that may have been transferred', async (t) => {
    const service = await startFileService(t)
    const { ids } = await payInFileB(service)
    assert.match(await remitFiles(service, 'cancel 20260302-B.ach'), /20260302-B is CANCELED/)
    await exchange(service.deps)
    assert.deepEqual(await readdir(join(service.folder, 'outbound')), ['canceled', 'sent'])
    assert.deepEqual(await legsOf(service, ids[0] as string), [['payment_pull', 'WAITING', false]])
    await assert.rejects(remitFiles(service, 'cancel 20260302-B'), /Only a WRITTEN file can be canceled/)
    service.clock.advance(21 * 3_600)
    await service.write()
    assert.deepEqual(await amountsOf(service, '20260303-A'), [1_000])

    const [place, taken] = ['outbound/20260303-A.ach', 'taken.ach'].map((name) => join(service.folder, name)) as [
      string,
      string,
    ]
    await rename(place, taken)
    await assert.rejects(remitFiles(service, 'cancel 20260303-A'), /is no longer in outbound\//)
    assert.equal(await fileOf(service, '20260303-A'), 'WRITTEN')
    await rename(taken, join(service.folder, 'outbound/sent/20260303-A.ach'))
    await exchange(service.deps)
    assert.equal(await fileOf(service, '20260303-A'), 'TRANSMITTED')
  })

  test('a file canceled just before the process was killed is canceled by the next pass', async (t) => {
    const service = await startFileService(t)
    await payInFileB(service)
    await rename(
      join(service.folder, 'outbound/20260302-B.ach'),
      join(service.folder, 'outbound/canceled/20260302-B.ach'),
    )
    await exchange(service.deps)
    assert.equal(await fileOf(service, '20260302-B'), 'CANCELED')
  })

  test('resends the same bytes, only after confirmation', async (t) => {
    const service = await startFileService(t, { acknowledgements: REQUIRED })
    const { ids } = await payInFileB(service)
    const content = await contentOf(service, '20260302-B.ach')
    await assert.rejects(remitFiles(service, 'resend 20260302-B', { yes: true }), /Only a TRANSMITTED file/)
    await service.transmit()
    await assert.rejects(remitFiles(service, 'resend 20260302-B'), /process every entry twice.*--yes/)
    await remitFiles(service, 'resend 20260302-B', { yes: true })
    await exchange(service.deps)
    assert.equal(await fileOf(service, '20260302-B'), 'WRITTEN')
    assert.equal(await readFile(join(service.folder, 'outbound/20260302-B.ach'), 'latin1'), content)
    assert.deepEqual(await legsOf(service, ids[0] as string), [['payment_pull', 'SENT', false]])
    await service.transmit()
    await rm(join(service.folder, 'outbound/sent/20260302-B.ach')) // the transfer job cleans up
    await remitFiles(service, 'resend 20260302-B', { yes: true })
    await exchange(service.deps)
    assert.equal(await readFile(join(service.folder, 'outbound/20260302-B.ach'), 'latin1'), content)
  })

  test('leaves no part of an accepted or rejected file in outbound/, even after a resend', async (t) => {
    const service = await startFileService(t, { acknowledgements: REQUIRED })
    await payInFileB(service)
    await remitFiles(service, 'reject 20260302-B') // its entries go into the next file
    assert.deepEqual(await readdir(join(service.folder, 'outbound')), ['canceled', 'sent'])
    await service.openWindow()
    assert.deepEqual(await amountsOf(service, '20260303-A'), [1_000])
    await remitFiles(service, 'resend 20260303-A', { yes: true })
    await acknowledge(service, '20260303-A') // of the first copy
    assert.equal(await fileOf(service, '20260303-A'), 'ACCEPTED')
    assert.deepEqual(await readdir(join(service.folder, 'outbound')), ['canceled', 'sent'])
  })

  test('sends no entry again when the bank rejects one copy of a resent file, and asks the operator', async (t) => {
    const service = await startFileService(t, { acknowledgements: REQUIRED })
    const { ids } = await payInFileB(service)
    await service.transmit()
    await remitFiles(service, 'resend 20260302-B', { yes: true })
    await service.transmit()
    await acknowledge(service, '20260302-B', { status: 'FILE REJECTED', errors: ['FH114-DUPLICATE FILE'] })
    await service.openWindow()
    assert.equal(await fileOf(service, '20260302-B'), 'TRANSMITTED')
    assert.deepEqual(await legsOf(service, ids[0] as string), [['payment_pull', 'SENT', false]])
    assert.match(await remitFiles(service, 'list'), /one of the two copies/)
    await acknowledge(service, '20260302-B') // of the first copy
    assert.equal(await fileOf(service, '20260302-B'), 'ACCEPTED')
    assert.equal((await service.sent()).filter(({ cents }) => cents === 1_000).length, 1)
    assert.doesNotMatch(await remitFiles(service, 'list'), /20260302-B/)
  })

  test('leaves nothing in outbound/ even if the process ended during a resend', async (t) => {
    const service = await startFileService(t, { acknowledgements: REQUIRED })
    await payInFileB(service)
    await service.transmit()
    const crashed = inTransaction(service.deps, async (tx) => {
      await resendOutgoingFile(tx, await requireOutgoingFile(tx, '20260302-B'))
      throw new Error('the process ends')
    })
    await assert.rejects(crashed, { message: 'the process ends' })
    await exchange(service.deps)
    assert.deepEqual(await service.transmit(), [], 'the transfer job finds no second copy')
    assert.equal(await fileOf(service, '20260302-B'), 'TRANSMITTED')
    await remitFiles(service, 'reject 20260302-B') // the first copy
    await exchange(service.deps)
    assert.deepEqual(await readdir(join(service.folder, 'outbound')), ['canceled', 'sent'])
  })

  test('sends a file again once, even if the process ended while it wrote the file', async (t) => {
    const service = await startFileService(t, { acknowledgements: REQUIRED })
    const { deps, folder } = service
    await payInFileB(service)
    await service.transmit()
    await remitFiles(service, 'resend 20260302-B', { yes: true })
    const [first] = deps.connections.current().all
    await publishOutgoingFiles({ deps, connection: first as Connection, folder }) // and the process ends
    assert.deepEqual(await upload(folder), [], 'the transfer job ignores a file without its name')
    await exchange(deps)
    assert.equal(await fileOf(service, '20260302-B'), 'WRITTEN')
    assert.deepEqual(await service.transmit(), ['20260302-B.ach'])
    assert.equal(await fileOf(service, '20260302-B'), 'TRANSMITTED')

    await remitFiles(service, 'resend 20260302-B', { yes: true })
    await publishOutgoingFiles({ deps, connection: first as Connection, folder })
    await acknowledge(service, '20260302-B') // of the first copy
    assert.deepEqual(await readdir(join(folder, 'outbound')), ['canceled', 'sent'])
    assert.deepEqual(await readdir(join(folder, 'outbound/sent')), ['20260302-A.ach', '20260302-B.ach'])
  })

  test('a file stays in outbound/ if the process ended while the operator accepted it', async (t) => {
    const service = await startFileService(t)
    await payInFileB(service)
    const crashed = inTransaction(service.deps, async (tx) => {
      await acceptOutgoingFile(tx, await requireOutgoingFile(tx, '20260302-B'))
      assert.deepEqual(await upload(service.folder), [], 'the transfer job cannot take it meanwhile')
      throw new Error('the process ends')
    })
    await assert.rejects(crashed, { message: 'the process ends' })
    await exchange(service.deps)
    assert.equal(await fileOf(service, '20260302-B'), 'WRITTEN')
    assert.deepEqual(await service.transmit(), ['20260302-B.ach'])
  })

  test('does not cancel a file that was transmitted before, because the bank may have the first copy', async (t) => {
    const service = await startFileService(t, { acknowledgements: REQUIRED })
    const { ids } = await payInFileB(service)
    await service.transmit()
    await remitFiles(service, 'resend 20260302-B', { yes: true })
    await exchange(service.deps)
    await assert.rejects(remitFiles(service, 'cancel 20260302-B'), /was transmitted before/)
    await exchange(service.deps)
    assert.equal(await fileOf(service, '20260302-B'), 'WRITTEN')
    assert.deepEqual(await legsOf(service, ids[0] as string), [['payment_pull', 'SENT', false]])
    await remitFiles(service, 'reject 20260302-B')
    await exchange(service.deps)
    assert.deepEqual(await legsOf(service, ids[0] as string), [['payment_pull', 'WAITING', false]])
  })

  test('rejects a file, a batch or an entry at the operator’s request', async (t) => {
    const service = await startFileService(t, { acknowledgements: REQUIRED })
    const { ids } = await payInFileB(service, [10, 20])
    const { trace } = (await service.sent()).find(({ cents }) => cents === 2_000) as { trace: string }
    await service.transmit()
    await assert.rejects(remitFiles(service, 'reject 20260302-B', { batch: ['9'] }), /it has no batch 9/)
    await assert.rejects(remitFiles(service, 'reject 20260302-B', { trace: ['091000019999999'] }), /it has no entry/)
    await assert.rejects(remitFiles(service, 'reject 20260302-B', { trace: ['7'] }), /--trace must be/)
    await remitFiles(service, 'reject 20260302-B', { trace: [trace] })
    await exchange(service.deps)
    const again = remitFiles(service, 'reject 20260302-B', { trace: [trace] })
    await assert.rejects(again, /Nothing was changed in 20260302-B: these entries were rejected before/)
    const statuses = await Promise.all(ids.map(async (id) => (await legsOf(service, id))[0]?.[1]))
    assert.deepEqual(statuses, ['ACCEPTED', 'WAITING'])
    await service.openWindow()
    await remitFiles(service, 'reject 20260303-A')
    await exchange(service.deps)
    assert.equal(await fileOf(service, '20260303-A'), 'REJECTED')
    await service.openWindow()
    await remitFiles(service, 'reject 20260303-B', { batch: ['1'], by: 'Ada', why: 'the bank says so' })
    await exchange(service.deps)
    assert.equal((await legsOf(service, ids[1] as string))[0]?.[1], 'WAITING')
    await service.assertLedger()
    const { audit } = (await service.owner.get('/v3/audit')).body
    assert.deepEqual(
      audit
        .filter(({ action }: { action: string }) => action === 'bank_file_rejected')
        .map((one: { actor: string; action: string; subject: string }) => [one.actor, one.action, one.subject]),
      [
        ['operator', 'bank_file_rejected', '20260303-B: 1 of 1 entries: Ada: the bank says so'],
        ['operator', 'bank_file_rejected', '20260303-A'],
        ['operator', 'bank_file_rejected', '20260302-B: 1 of 2 entries'],
      ],
    )
  })

  test('works on the command line next to a running service', async (t) => {
    const service = await startFileService(t, { acknowledgements: REQUIRED })
    await payInFileB(service)
    const remit = (...args: string[]) =>
      runCommand(['files', ...args, '--environment', 'sandbox'], {
        DATABASE_URL: service.databaseUrl,
        REMIT_MASTER_KEYS: service.masterKey,
        REMIT_ENVIRONMENTS: 'sandbox',
      })
    const wrong = await remit('frobnicate')
    assert.deepEqual(
      [wrong.code, wrong.stderr.trim()],
      [1, "error: unknown command 'frobnicate'\nRun remit files --help for a list of commands."],
    )
    const nameless = await remit('accept')
    assert.deepEqual(
      [nameless.code, nameless.stderr.trim()],
      [1, "error: missing required argument 'name'\nRun remit files accept --help for its options."],
    )
  })
})

test('late files are reported once: in the log, the metrics and the audit trail', async (t) => {
  const service = await startFileService(t, { acknowledgements: REQUIRED })
  const reported: { connection: string; kind: string; late: string }[] = []
  const deps = {
    ...service.deps,
    meter: { ...service.deps.meter, bankFileLate: (one: (typeof reported)[0]) => void reported.push(one) },
  }
  await payInFileB(service)
  await remitFiles(service, 'accept 20260302-A')
  service.clock.advance(3_599)
  await exchangeBankFiles(deps)
  assert.deepEqual(reported, [])
  service.clock.advance(2)
  await exchangeBankFiles(deps)
  await exchangeBankFiles(deps)
  assert.deepEqual(reported, [{ connection: 'first', kind: 'ach', late: 'transmission' }])
  assert.match(await remitFiles(service, 'list'), /20260302-B .*not transmitted in its window/)
  await upload(service.folder)
  service.clock.advance(DAY)
  await exchangeBankFiles(deps)
  await exchangeBankFiles(deps)
  assert.deepEqual(reported.at(-1), { connection: 'first', kind: 'ach', late: 'acknowledgement' })
  assert.equal(reported.length, 2)
  const { audit } = (await service.owner.get('/v3/audit')).body
  assert.deepEqual(
    audit
      .filter(({ action }: { action: string }) => action === 'bank_file_late')
      .map(({ subject }: { subject: string }) => subject),
    ['20260302-B: acknowledgement', '20260302-B: transmission'],
  )
})

test('a platform whose legs cannot be updated delays no other platform, and is updated later', async (t) => {
  const service = await startFileService(t)
  const pair = await newPair(service)
  const { api: otherOwner, id: otherId } = await service.newOwner()
  const other = await service.newUser(undefined, otherOwner)
  const otherRecipient = await service.newUser(undefined, otherOwner)
  await addVerifiedBank(other)
  const otherPair = { sender: other, recipient: otherRecipient, account: await addBank(otherRecipient) }
  const [id, otherPayment] = [await pay(pair, 10), await pay(otherPair, 20)]
  service.clock.advance(3 * 3_600)
  await service.write()
  const { ownerSql: sql } = service
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'broken'; end $$`
  await sql.unsafe(`
    create trigger broken before update on legs for each row when (new.platform_id = '${otherId}' and new.status = 'ACCEPTED')
    execute function refuse()
  `)
  await service.transmit()
  service.clock.advance(DAY)
  await exchangeBankFiles(service.deps)
  await followBankFiles(service.deps)
  assert.deepEqual(await legsOf(service, id), [['payment_pull', 'ACCEPTED', false]])
  assert.deepEqual(await legsOf(service, otherPayment), [['payment_pull', 'SENT', false]])
  await sql.unsafe('drop trigger broken on legs')
  const restarted = { ...service.deps, failures: createFailures() }
  await followBankFiles(restarted)
  assert.deepEqual(await legsOf(service, otherPayment), [['payment_pull', 'ACCEPTED', false]])
  const { legs } = JSON.parse(await remitFiles(service, 'show 20260302-B'))
  assert.deepEqual(Object.keys(legs), ['ACCEPTED'], 'the file shows the entries of both platforms')
})

test('an entry that is rejected while a pass follows its file is sent again', async (t) => {
  const service = await startFileService(t, { acknowledgements: REQUIRED })
  const { deps, ownerSql } = service
  await pay(await newPair(service), 0.01)
  await copyPayments(deps.sql, { fromCents: 2, toCents: 700 }) // more than one transaction of the pass updates
  service.clock.advance(3 * 3_600)
  await service.write()
  await service.transmit()
  const traces = (await service.sent()).filter(({ file }) => file === '20260302-B.ach').map(({ trace }) => trace)
  const trace = traces.sort()[0] as string // in the first transaction of the pass
  const legOf = async () => {
    const [row] = await deps.sql<{ id: string; status: string }[]>`
      select l.id, l.status
      from ach_entries e
      join legs l on l.platform_id = e.platform_id and l.id = e.leg_id
      where e.trace_number = ${trace}
    `
    return row as { id: string; status: string }
  }
  const { id } = await legOf()
  await remitFiles(service, 'accept 20260302-B')
  const waits = async (count: number) => {
    const rows = await ownerSql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    `
    return rows.length === count
  }
  const [pass, rejection] = await ownerSql.begin(async (sql) => {
    await sql`select from legs where id = ${id} for update`
    const following = followBankFiles(deps)
    await waitUntil('the pass waits for the leg', () => waits(1))
    const rejecting = remitFiles(service, 'reject 20260302-B', { trace: [trace] })
    await waitUntil('the command waits for the pass', () => waits(2))
    return [following, rejecting].map((one) => one.catch(String))
  })
  await pass
  assert.match(String(await rejection), /is ACCEPTED without the rejected entries/)
  assert.equal((await legOf()).status, 'ACCEPTED', 'the pass updated the leg before the command')
  await followBankFiles(deps)
  assert.equal((await legOf()).status, 'WAITING')
  await service.assertLedger()
})

test('two concurrent workers process each file and each platform once', async (t) => {
  const service = await startFileService(t)
  const { ids } = await payInFileB(
    service,
    Array.from({ length: 40 }, (_, index) => index + 1),
  )
  const sql = connect(service.databaseUrl, { max: 6, applicationName: 'second worker' })
  t.after(() => sql.end({ timeout: 5 }))
  const workers = [service.deps, { ...service.deps, sql }]
  await service.transmit()
  service.clock.advance(DAY)
  for (let round = 0; round < 4; round++) {
    await Promise.all(workers.flatMap((deps) => [exchangeBankFiles(deps), followBankFiles(deps)]))
  }
  for (const id of ids) assert.deepEqual(await legsOf(service, id), [['payment_pull', 'ACCEPTED', false]])
  await service.assertLedger()
})

/** A payment whose payout was returned, and then its refund. */
async function refundComesBack(t: TestContext) {
  const service = await startFileService(t)
  const pair = await newPair(service)
  const id = await pay(pair, 10)
  const push = await untilPaid(service, pair.sender, id, 1_000)
  await service.receive('push.ach', bankFile([{ code: 'R03', trace: push.trace, direction: 'credit', cents: 1_000 }]))
  for (let window = 0; window < 14; window++) await service.openWindow()
  assert.equal(await statusOf(pair.sender, id), 'REFUNDED')
  const refund = (await service.sent()).find(({ description }) => description === 'REFUND') as { trace: string }
  await service.receive(
    'refund.ach',
    bankFile([{ code: 'R02', trace: refund.trace, direction: 'credit', cents: 1_000 }]),
  )
  return { service, pair, id }
}

test('a returned refund makes the payment FAILED, and only the operator sends it again', async (t) => {
  const { service, pair, id } = await refundComesBack(t)
  assert.deepEqual(await statusesOf(service, id), ['IN_PROCESS', 'PAID', 'FAILED', 'REFUNDED', 'FAILED'])
  assert.equal((await pair.sender.get(`/v3/check/${id}/fail`)).body.code, 'R02')

  for (let window = 0; window < 20; window++) await service.openWindow()
  assert.equal(await statusOf(pair.sender, id), 'FAILED', 'the payment is not refunded automatically')
  const account = await addBank(pair.recipient)
  const deposit = await pair.recipient.post(`/v3/check/deposit/${id}`, { account })
  assert.equal(deposit.body.code, 'not_depositable')
  const open = (await getExceptions(service.deps, {})).filter(({ kind }) => kind === 'refund_returned')
  assert.deepEqual([open.length, open[0]?.paymentId, open[0]?.cents], [1, id, 1_000])
  const exception = open[0]?.id as string
  const bank = await addBank(pair.sender)
  const resend = () => exceptionCommand({ bank }, ['resend', exception])(service.deps)
  await assert.rejects(exceptionCommand({ bank: account }, ['resend', exception])(service.deps), /cannot be sent/)
  assert.equal(await resend(), 'The refund was sent again.')
  await assert.rejects(resend(), /This exception is already closed/)
  assert.equal(await statusOf(pair.sender, id), 'REFUNDED')
  for (let window = 0; window < 4; window++) await service.openWindow()
  assert.equal((await service.sent()).filter(({ description }) => description === 'REFUND').length, 2)
  assert.deepEqual((await legsOf(service, id)).at(-1), ['payment_refund', 'SETTLED', false])
})

test('a returned refund that the operator paid by wire leaves the ledger when its exception is closed', async (t) => {
  const { service, pair, id } = await refundComesBack(t)
  const open = async () => (await getExceptions(service.deps, {})).filter(({ kind }) => kind === 'refund_returned')
  const exception = (await open())[0]?.id as string
  const close = (flags: object) => exceptionCommand({ note: 'called', ...flags }, ['close', exception])(service.deps)
  for (const flags of [{}, { paidBy: 'wire' }]) {
    await assert.rejects(
      close(flags),
      /^StartProblem: \$10\.00 of this payment is still here\. If you paid it, say how/,
    )
  }
  await assert.rejects(close({ paidBy: 'pigeon', reference: '1' }), /--paid-by must be wire, check, ach, other/)
  assert.equal((await open()).length, 1)
  assert.equal(await close({ paidBy: 'wire', reference: 'Fed 20260315' }), 'Closed.')
  assert.equal(await statusOf(pair.sender, id), 'REFUNDED')
  const [posted] = await service.deps.sql<{ debit: string; credit: string; cents: number }[]>`
    select debit, credit, cents from transfers where payment_id = ${id} and reason = 'paid_outside'
  `
  assert.deepEqual(posted, { debit: 'payable', credit: 'world', cents: 1_000 })
  await service.assertLedger()
  const all = await getExceptions(service.deps, { includesClosed: true })
  assert.equal(
    all.find((one) => one.id === exception)?.resolution,
    'paid $10.00 by wire, reference Fed 20260315: called',
  )
  await assert.rejects(close({ paidBy: 'wire', reference: 'Fed 20260315' }), /already closed/)
  for (let window = 0; window < 6; window++) await service.openWindow()
  assert.equal((await service.sent()).filter(({ description }) => description === 'REFUND').length, 1)
})

test('an exception of a payment that is in progress again cannot be paid by wire', async (t) => {
  const service = await startFileService(t)
  const pair = await newPair(service)
  const id = await pay(pair, 10)
  for (let window = 0; window < 3; window++) await service.openWindow()
  assert.deepEqual(await legsOf(service, id), [['payment_pull', 'SETTLED', false]], 'its payout comes later')
  const [row] = await service.deps.sql<{ platformId: string }[]>`select platform_id from payments where id = ${id}`
  const exception = {
    platformId: row?.platformId as string,
    kind: 'holder_gone',
    paymentId: id,
    note: 'a test',
  } as const
  await inTransaction(service.deps, (tx) => recordException(tx, exception))
  const [open] = await getExceptions(service.deps, {})
  const act = (verb: string, flags: object) =>
    exceptionCommand({ note: 'wire', ...flags }, [verb, open?.id as string])(service.deps)
  await assert.rejects(act('close', { paidBy: 'wire', reference: '1' }), /No money of this exception is here/)
  await assert.rejects(act('resend', {}), /cannot be sent/)
  await service.assertLedger()
})

suite('a debit returned while its payout is in transit', () => {
  test('is covered by the payout when its file is rejected, and the payout is not sent again', async (t) => {
    const service = await startFileService(t, { acknowledgements: REQUIRED })
    const { id, pull, file } = await payoutOnItsWay(service)
    await service.receive('late.ach', bankFile([{ code: 'R10', trace: pull, direction: 'debit', cents: 1_000 }]))
    await acknowledge(service, file, { status: 'FILE REJECTED' })
    assert.deepEqual(await legsOf(service, id), [
      ['payment_pull', 'RETURNED', false],
      ['payment_push', 'CANCELLED', false],
    ])
    await service.assertLedger()
    await service.openWindow()
    assert.equal((await service.sent()).filter(({ code, cents }) => code === '22' && cents === 1_000).length, 1)
    await assertNothingOwed(service, id)
  })

  test('is covered by the payout when that is also returned', async (t) => {
    const service = await startFileService(t, { acknowledgements: REQUIRED })
    const { id, pull, push } = await payoutOnItsWay(service)
    await service.receive('late.ach', bankFile([{ code: 'R10', trace: pull, direction: 'debit', cents: 1_000 }]))
    await service.receive('push.ach', bankFile([{ code: 'R03', trace: push, direction: 'credit', cents: 1_000 }]))
    await assertNothingOwed(service, id)
  })
})

test('a debit returned after its payout was returned leaves nothing to refund', async (t) => {
  const service = await startFileService(t, { acknowledgements: REQUIRED })
  const { id, pull, push } = await payoutOnItsWay(service)
  await service.receive('push.ach', bankFile([{ code: 'R03', trace: push, direction: 'credit', cents: 1_000 }]))
  await service.receive('late.ach', bankFile([{ code: 'R10', trace: pull, direction: 'debit', cents: 1_000 }]))
  for (let window = 0; window < 20; window++) await service.openWindow()
  assert.deepEqual(await legsOf(service, id), [
    ['payment_pull', 'RETURNED', false],
    ['payment_push', 'RETURNED', false],
  ])
  await assertNothingOwed(service, id)
  assert.deepEqual([...(service.deps.failures.get('run all due work')?.failures ?? [])], [])
})

/** A trusted debit, with its payout in a transmitted file. */
async function payoutOnItsWay(service: FileService) {
  const pair = await newPair(service)
  const id = await pay(pair, 10)
  const ofPush = async () => (await service.sent()).find(({ code, cents }) => code === '22' && cents === 1_000)
  for (let window = 0; window < 20 && !(await ofPush()); window++) {
    await service.openWindow()
    if (await ofPush()) break
    const open = Object.entries(await fileStatuses(service.deps.sql)).filter(([, status]) => status === 'TRANSMITTED')
    for (const [name] of open) await acknowledge(service, name)
  }
  const pull = (await service.sent()).find(({ code, cents }) => code === '27' && cents === 1_000)?.trace as string
  const push = (await ofPush())?.trace as string
  return { id, pull, push, file: Object.keys(await fileStatuses(service.deps.sql)).at(-1) as string }
}

async function assertNothingOwed({ deps }: FileService, id: string) {
  const [row] = await deps.sql<{ cents: number }[]>`
    select
      coalesce(sum(case when debit like 'receivable:%' then cents else -cents end), 0)::bigint as cents
    from transfers
    where payment_id = ${id} and (debit like 'receivable:%' or credit like 'receivable:%') and status = 'POSTED'
  `
  assert.equal(row?.cents, 0)
}
