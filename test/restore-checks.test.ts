import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { STATEMENT_NAMES } from '../src/foundation/core/connections.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { getBankCases } from '../src/foundation/exception/bank-case-actions.ts'
import { getExceptions } from '../src/foundation/exception/exception-actions.ts'
import { lockLeg } from '../src/money/rail/leg-actions.ts'
import type { LegKey, LegRow } from '../src/money/rail/leg-store.ts'
import { holdForReview } from '../src/money/rail/restore-hold-actions.ts'
import { getWaitingLines } from '../src/money/reconciliation/decision/line-view-actions.ts'
import { matchBankStatements, readBankStatements } from '../src/money/reconciliation/statement-worker.ts'
import type { CommandFlags } from '../src/operation/cli/command-flags.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { filesCommand } from '../src/operation/cli/files-commands.ts'
import { followBankFiles } from '../src/operation/scheduler/bank-file-work.ts'
import { legHandlers } from '../src/operation/scheduler/leg-handlers.ts'
import { readStatementChecks } from '../src/payments/check/paid/statement-check-worker.ts'
import { readPaidChecks, writeCheckFiles } from '../src/payments/check/printing/print-worker.ts'
import { printCheckbooks } from '../src/payments/checkbook/checkbook-print-actions.ts'
import { exchange, fileStatuses, putInbound, upload } from './support/ach.ts'
import { legsOf, newPair, startFileService, statusOf } from './support/file-service.ts'
import { sendPayment } from './support/payments.ts'
import { backUp, recover } from './support/restore.ts'
import { addBank, newAccountNumber } from './support/service.ts'
import { bai2Lines } from './support/statement-files.ts'

// A database restored from a backup must not print checks that the printer already has.

const ACCOUNT = '000555006789'
const DAY = 24 * 3_600

async function startPrinting(t: TestContext) {
  const bank = { companyName: 'Remit Inc.', bankName: 'First Bank', routingNumber: '091000019', accountNumber: ACCOUNT }
  const operatorBank = { ...bank, fractionalRouting: null, firstCheckNumber: 1001 }
  const service = await startFileService(t, { operatorBank })
  const { deps, folder } = service
  service.secrets.add(ACCOUNT)
  const sender = await service.newUser()
  await newPair(service)
  const wallet: string = (await sender.post('/v3/account/wallet', { name: 'Cash' })).body.id
  await deps.sql`select post_transfers_v1(
    platform_id, ${deps.sql.json([{ id: wallet, mode: 'post', debit: 'world', credit: `wallet:${wallet}`, cents: 100_000, reason: 'fund' }])},
    null, null, ${service.clock.now()}
  ) from wallets where id = ${wallet}`
  const address = { line_1: '45 Navy Yard Ave', city: 'Arlington', state: 'VA', zip: '22201' }
  const mail = async (amount: number, name = 'Bea'): Promise<string> => {
    const { status, body, text } = await sender.post('/v3/check/physical', {
      ...{ amount, name, recipient: address, account: wallet },
    })
    assert.equal(status, 201, text)
    return body.id
  }
  const print = async () => {
    await exchange(deps)
    while ((await writeCheckFiles(deps, legHandlers)) > 0);
    await exchange(deps)
    await upload(folder, /./)
    await exchange(deps)
  }
  const namesOf = async (kind: string) =>
    (await readdir(join(folder, 'outbound/sent'))).filter((name) => name.startsWith(kind) && name.endsWith('.csv'))
  /** Returns the number and the amount of each check that the printer has, such as "1001 80.01". */
  const printed = async () => {
    const lists = await Promise.all(
      (await namesOf('print-')).map((name) => readFile(join(folder, 'outbound/sent', name), 'utf8')),
    )
    const cells = lists.flatMap((text) => text.trim().split(/\r?\n/).slice(1)).map((line) => line.split(','))
    return cells.map((fields) => `${fields[1]} ${fields[9]}`).sort()
  }
  const recoverNow = async (flags: CommandFlags = {}) => {
    const last = async (kind: string) => (await namesOf(kind)).sort().at(-1)?.replace('.csv', '') ?? 'none'
    const given = { lastAch: '20260302-A', lastPrint: await last('print-'), lastIssue: await last('issue-') }
    return recover(service, { ...given, ...flags })
  }
  const pay = async (number: number, amount: string) => {
    const date = service.clock.now().toISOString().slice(0, 10)
    await putInbound(
      folder,
      `paid-${number}.csv`,
      `account,number,amount,date\n${ACCOUNT},${number},${amount},${date}\n`,
    )
    await readPaidChecks(deps, legHandlers)
  }
  const held = async () => (await getExceptions(deps, {})).filter(({ kind }) => kind === 'maybe_at_bank')
  const decide = (id: string, verb: string, flags: CommandFlags = {}) =>
    exceptionCommand({ note: 'asked the printer', ...flags }, [verb, id])(deps)
  return { service, sender, wallet, mail, print, printed, namesOf, recoverNow, pay, held, decide }
}

test('a check that was printed after the backup is assigned to its payment, and its number is not used again', async (t) => {
  const { service, sender, mail, print, printed, recoverNow, pay } = await startPrinting(t)
  const before = await mail(80.01)
  const restore = await backUp(service, t)
  await print()
  await restore()
  await print()
  assert.deepEqual(await printed(), ['1001 80.01'], 'nothing is printed until the operator has named the last files')
  const report = await recoverNow()
  assert.doesNotMatch(report, /not assigned to a payment/)
  assert.deepEqual(await legsOf(service, before), [['payment_push', 'SENT', false]])
  const later = await mail(81.01)
  await print()
  service.clock.advance(DAY)
  await print()
  assert.deepEqual(await printed(), ['1001 80.01', '1002 81.01'])
  for (const id of [before, later]) assert.deepEqual(await legsOf(service, id), [['payment_push', 'ACCEPTED', false]])
  assert.equal(await statusOf(sender, before), 'MAILED')
  await pay(1001, '80.01')
  assert.equal(await statusOf(sender, before), 'PAID')
  assert.equal((await getBankCases(service.deps)).length + (await getExceptions(service.deps, {})).length, 0)
  await service.assertLedger()
})

test('a void after a recovery stops the check at the bank, and gives no money back for a check that the printer has', async (t) => {
  const { service, sender, mail, print, printed, recoverNow } = await startPrinting(t)
  const before = await mail(80.01)
  const restore = await backUp(service, t)
  await print()
  await restore()
  await recoverNow()
  assert.equal((await sender.del(`/v3/check/${before}`)).body.code, 'not_voidable', 'the printer has it')
  await print()
  const { status, text } = await sender.del(`/v3/check/${before}`)
  assert.equal(status, 200, text)
  assert.deepEqual(await legsOf(service, before), [['payment_push', 'STOPPING', false]])
  await print()
  assert.deepEqual(await printed(), ['1001 80.01'])
  await service.assertLedger()
})

test('a payment is held if the printer has a check of its amount and payee whose own payment is not repeated yet', async (t) => {
  const { service, sender, mail, print, printed, recoverNow, pay, held, decide } = await startPrinting(t)
  await mail(70)
  const restore = await backUp(service, t)
  await mail(80.01)
  await print()
  await restore()
  assert.match(await recoverNow(), /1 check at the printer is not assigned to a payment yet\.\n {2}Ask your clients/)
  const [repeated, other, otherPayee] = [await mail(80.01), await mail(81.01), await mail(80.01, 'Cleo')]
  await print()
  assert.deepEqual(await legsOf(service, repeated), [['payment_push', 'WAITING', true]])
  for (const id of [other, otherPayee]) assert.equal((await legsOf(service, id))[0]?.[1], 'ACCEPTED')
  assert.equal((await sender.del(`/v3/check/${repeated}`)).body.code, 'not_voidable')
  const [one, ...others] = await held()
  assert.ok(one && others.length === 0)
  assert.match(one.note, /^The printer has check 1002 in print-\w+, with the same amount and payee\./)
  const refusals: [CommandFlags, RegExp][] = [
    [{}, /Name a check that remit files recover added/],
    [{ number: '1001' }, /Name a check that remit files recover added/],
    [{ number: 'x' }, /Name a check that remit files recover added/],
    [{ trace: ['091000010000001'] }, /Name a check that remit files recover added/],
  ]
  for (const [flags, why] of refusals) await assert.rejects(decide(one.id, 'apply', flags), why)
  assert.deepEqual(await legsOf(service, repeated), [['payment_push', 'WAITING', true]], 'nothing has changed')
  assert.match(await decide(one.id, 'apply', { number: '1002' }), /has check 1002\. It is not printed again/)
  await print()
  assert.equal(await statusOf(sender, repeated), 'MAILED')
  assert.deepEqual(await printed(), ['1001 70.00', '1002 80.01', '1003 81.01', '1004 80.01'])
  await pay(1002, '80.01')
  assert.equal(await statusOf(sender, repeated), 'PAID')
  await service.assertLedger()
})

test('a list of paid checks that is read before its payment is known is applied when the check is assigned', async (t) => {
  for (const closesEarly of [false, true]) {
    const { service, sender, mail, print, recoverNow, pay, held, decide } = await startPrinting(t)
    const restore = await backUp(service, t)
    await mail(80.01)
    await print()
    await restore()
    await recoverNow()
    const repeated = await mail(80.01)
    await print()
    await pay(1001, '80.01')
    const [unknown, ...others] = await getBankCases(service.deps)
    assert.ok(unknown && others.length === 0)
    assert.match(unknown.note, /the payment of this check is not known/)
    if (closesEarly) await decide(unknown.id, 'close')
    const [one] = await held()
    await decide(one?.id ?? '', 'apply', { number: '1001' })
    assert.equal(await statusOf(sender, repeated), 'PAID')
    assert.equal((await getBankCases(service.deps)).length, 0)
    await print()
    assert.deepEqual(await legsOf(service, repeated), [['payment_push', 'SETTLED', false]])
    await service.assertLedger()
  }
})

test('a check that was paid with another amount stays with the operator when its payment is known', async (t) => {
  const { service, sender, mail, print, recoverNow, pay, held, decide } = await startPrinting(t)
  const restore = await backUp(service, t)
  await mail(80.01)
  await print()
  await restore()
  await recoverNow()
  const repeated = await mail(80.01)
  await print()
  await pay(1001, '80.10')
  const [one] = await held()
  await decide(one?.id ?? '', 'apply', { number: '1001' })
  assert.equal(await statusOf(sender, repeated), 'IN_PROCESS')
  assert.deepEqual(
    (await getBankCases(service.deps)).map(({ kind, paymentId }) => [kind, paymentId]),
    [['check_amount_differs', repeated]],
  )
  await service.assertLedger()
})

test('a statement that books a check before its payment is known is applied when the check is assigned', async (t) => {
  const { service, sender, mail, print, recoverNow, held, decide } = await startPrinting(t)
  const { deps, clock, folder } = service
  service.connection.statements = { format: null, names: STATEMENT_NAMES, csv: null, rules: [] }
  const restore = await backUp(service, t)
  await mail(80.01)
  await print()
  await restore()
  await recoverNow()
  const repeated = await mail(80.01)
  await print()
  clock.advance(DAY)
  const day = clock.now().toISOString().slice(0, 10)
  const line = { cents: -8_001, code: '475', reference: '1001', text: 'CHECK PAID' }
  await putInbound(
    folder,
    `statement-${day}`,
    bai2Lines({ account: ACCOUNT, openingCents: 0, lines: [line], day }).join('\n'),
  )
  await readBankStatements(deps)
  await matchBankStatements(deps, { legHandlers })
  await readStatementChecks(deps, legHandlers)
  const [open] = await getBankCases(deps)
  assert.match(open?.note ?? '', /^Line 1 of a bank statement was not used: .*the payment of this check is not known/)
  assert.equal(open?.isBankWide, false)
  const [{ parts = [] } = {}] = (await getWaitingLines(deps)).lines[0]?.proposals ?? []
  assert.deepEqual(parts, [{ name: 'lost_payments', cents: -8_001 }], 'if nobody repeats the payment')
  const [one] = await held()
  await decide(one?.id ?? '', 'apply', { number: '1001' })
  assert.equal(await statusOf(sender, repeated), 'PAID')
  assert.equal((await getBankCases(deps)).length, 0)
  await service.assertLedger()
})

test('a check that was printed again is recovered again after a second restore', async (t) => {
  const { service, mail, print, printed, recoverNow } = await startPrinting(t)
  const id = await mail(80.01)
  const first = await backUp(service, t)
  await print()
  await first()
  await recoverNow()
  const [name] = Object.entries(await fileStatuses(service.deps.sql)).find(([one]) => one.startsWith('print-')) ?? []
  await filesCommand({}, ['reject', name ?? ''])(service.deps)
  await followBankFiles(service.deps)
  assert.deepEqual(await legsOf(service, id), [['payment_push', 'WAITING', false]])
  const second = await backUp(service, t)
  service.clock.advance(60)
  await print()
  assert.deepEqual(await printed(), ['1001 80.01', '1001 80.01'])
  await second()
  await recoverNow()
  await print()
  assert.deepEqual(await printed(), ['1001 80.01', '1001 80.01'], 'the second print is not repeated')
  assert.deepEqual(await legsOf(service, id), [['payment_push', 'ACCEPTED', false]])
  await service.assertLedger()
})

test('a mailed check that is held after a restore expires when the operator has decided', async (t) => {
  const { service, sender, mail, print, namesOf, held, decide } = await startPrinting(t)
  const { deps, clock } = service
  const id = await mail(80.01)
  await print()
  await filesCommand({}, ['reject', (await namesOf('print-'))[0]?.replace('.csv', '') ?? ''])(deps)
  await followBankFiles(deps)
  const [key] = await deps.sql<LegKey[]>`select platform_id, id from legs where subject_id = ${id}`
  await inTransaction(deps, async (tx) => {
    const leg = await lockLeg(tx, legHandlers, key as LegKey)
    await holdForReview(tx, leg as LegRow, 'The printer may have it.')
  })
  await deps.sql`update payments set expires_at = ${clock.now()} where id = ${id}`
  await service.doDueWork()
  assert.equal(await statusOf(sender, id), 'MAILED')
  assert.deepEqual(
    [...deps.failures.values()].flatMap(({ failures }) => [...failures.keys()]),
    [],
  )
  await decide((await held())[0]?.id ?? '', 'close')
  clock.advance(DAY)
  await service.doDueWork()
  assert.equal(await statusOf(sender, id), 'EXPIRED')
  await service.assertLedger()
})

test('a check of a payment that was voided before the recovery is compared with later payments', async (t) => {
  const { service, sender, mail, print, recoverNow, held } = await startPrinting(t)
  const voided = await mail(80.01)
  const restore = await backUp(service, t)
  await print()
  await restore()
  assert.equal((await sender.del(`/v3/check/${voided}`)).status, 200)
  await recoverNow()
  const next = await mail(80.01)
  await print()
  assert.deepEqual(
    (await held()).map(({ paymentId }) => paymentId),
    [next],
  )
  await service.assertLedger()
})

test('a payment that the operator releases is printed, and a check of another amount is refused for it', async (t) => {
  const { service, mail, print, printed, recoverNow, held, decide } = await startPrinting(t)
  const restore = await backUp(service, t)
  await mail(80.01)
  await mail(90)
  await print()
  await restore()
  await recoverNow()
  const similar = await mail(80.01)
  await print()
  const [one] = await held()
  await assert.rejects(
    decide(one?.id ?? '', 'apply', { number: '1002' }),
    /Check 1002 at the printer is of \$90\.00, and this payment is of \$80\.01\./,
  )
  await decide(one?.id ?? '', 'close')
  service.clock.advance(DAY)
  await print()
  assert.deepEqual(await legsOf(service, similar), [['payment_push', 'ACCEPTED', false]])
  assert.deepEqual(await printed(), ['1001 80.01', '1002 90.00', '1003 80.01'])
  await service.assertLedger()
})

test('a check whose payment is not made again becomes a case after a week', async (t) => {
  const { service, mail, print, printed, recoverNow, decide } = await startPrinting(t)
  const restore = await backUp(service, t)
  await mail(80.01)
  await print()
  await restore()
  await recoverNow()
  service.clock.advance(7 * DAY - 60)
  await print()
  assert.equal((await getBankCases(service.deps)).length, 0)
  service.clock.advance(120)
  for (let pass = 0; pass < 2; pass++) await print()
  const [open, ...others] = await getBankCases(service.deps)
  assert.deepEqual(
    [open?.kind, open?.cents, open?.note, others.length],
    [
      'payment_missing',
      8_001,
      'The printer has check 1001 of $80.01 from before the restore, and nobody has repeated its payment.',
      0,
    ],
  )
  await assert.rejects(decide(open?.id ?? '', 'apply'), /Nothing can be applied/)
  await decide(open?.id ?? '', 'close')
  await mail(80.01)
  await print()
  assert.deepEqual(await printed(), ['1001 80.01', '1002 80.01'], 'after a week, a payment is not compared any more')
  await service.assertLedger()
})

test('a list of checks without its amounts is refused, and nothing changes', async (t) => {
  const { service, mail, print, recoverNow } = await startPrinting(t)
  const restore = await backUp(service, t)
  await mail(80.01)
  await print()
  await restore()
  const sent = join(service.folder, 'outbound/sent')
  const [name] = (await readdir(sent)).filter((one) => /^print-.*csv$/.test(one))
  const list = await readFile(join(sent, name as string), 'utf8')
  for (const broken of ['', 'payment,number\n1,2\n', list.replace('80.01', ''), list.replace(',1001,', ',x,')]) {
    await writeFile(join(sent, name as string), broken)
    await assert.rejects(recoverNow(), /is not a list of checks of this service/)
  }
  assert.equal((await service.deps.sql`select 1 from exchange_recoveries`).length, 0)
  await writeFile(join(sent, name as string), list)
  assert.match(await recoverNow(), /1 check at the printer is not assigned to a payment yet/)
})

test('a payment is held if a payee printed a check with its number before the recovery', async (t) => {
  const { service, sender, wallet, mail, print, printed, recoverNow, held, decide } = await startPrinting(t)
  const mailed = await mail(80.01)
  const restore = await backUp(service, t)
  await print()
  await restore()
  const atHome = (await sendPayment(sender, { amount: 80.01, name: 'Cleo', account: wallet })).id
  assert.equal((await sender.post(`/v3/check/print/${atHome}`, {})).status, 200)
  await recoverNow()
  assert.deepEqual(await legsOf(service, mailed), [['payment_push', 'WAITING', true]])
  assert.equal((await sender.del(`/v3/check/${mailed}`)).body.code, 'not_voidable', 'the printer has it')
  const [one, ...others] = await held()
  assert.ok(one && others.length === 0)
  assert.match(one.note, /^The printer has check 1001 of this payment, and another payment got the number 1001/)
  await assert.rejects(decide(one.id, 'apply', { number: '1001' }), /another payment got the number 1001/)
  assert.equal((await sender.del(`/v3/check/${atHome}`)).status, 200)
  await decide(one.id, 'close')
  await print()
  assert.deepEqual(await printed(), ['1001 80.01', '1002 80.01'])
  await service.assertLedger()
})

test('a print file that is missing since the backup is noticed, and so is a check number that is in use', async (t) => {
  const { service, mail, print, printed, recoverNow, namesOf } = await startPrinting(t)
  const first = await mail(80.01)
  const restore = await backUp(service, t)
  await print()
  await mail(90.01)
  await print()
  await restore()
  const sent = join(service.folder, 'outbound/sent')
  const elsewhere = await mkdtemp(join(tmpdir(), 'remit-printer-'))
  t.after(() => rm(elsewhere, { recursive: true, force: true }))
  const [older] = (await namesOf('print-')).sort()
  const copies = ['csv', 'pdf'].map((ending) => (older as string).replace('csv', ending))
  for (const name of copies) await rename(join(sent, name), join(elsewhere, name))
  await assert.rejects(recoverNow(), /shows that 1 more file was written since the backup\. Nothing was changed/)
  assert.deepEqual(await legsOf(service, first), [['payment_push', 'WAITING', false]])
  const file = copies.map((name) => join(elsewhere, name))
  await assert.rejects(recoverNow({ file, nextCheckNumber: '1002' }), /1002 is too low, because check 1002 exists/)
  assert.match(await recoverNow({ file, nextCheckNumber: '1003' }), /All files are known/)
  assert.deepEqual(await legsOf(service, first), [['payment_push', 'SENT', false]])
  assert.deepEqual(await printed(), ['1002 90.01'], 'the older file is not in the folder')
})

test('a checkbook whose list is lost is noticed, and is not printed a second time', async (t) => {
  const service = await startFileService(t)
  const user = await service.newUser()
  const account = newAccountNumber()
  service.secrets.add(account)
  const bank = await addBank(user, account)
  await user.post('/v3/bank/release', { account: bank })
  await service.openWindow()
  await user.post('/v3/bank/verify', { account: bank, amount_1: 0.07, amount_2: 0.15 })
  await service.deps.sql`update users set status = 'VERIFIED' where id = ${user.id}`
  const { status, text } = await user.post('/v3/checkbook', {
    ...{ account: bank, mail_type: 'USPS_FIRST_CLASS', number: 5001 },
    recipient: { name: 'Ann Payer', line_1: '1 Main St', city: 'Springfield', state: 'IL', zip: '62701' },
  })
  assert.equal(status, 201, text)
  const print = async () => {
    while ((await printCheckbooks(service.deps)) > 0);
    await exchange(service.deps)
    await upload(service.folder, /^checkbook-/)
    await exchange(service.deps)
    return (await service.list('outbound/sent')).filter((name) => /^checkbook-.*csv$/.test(name))
  }
  const restore = await backUp(service, t)
  service.clock.advance(3_600)
  const [list] = await print()
  assert.ok(list)
  await restore()
  const elsewhere = await mkdtemp(join(tmpdir(), 'remit-printer-'))
  t.after(() => rm(elsewhere, { recursive: true, force: true }))
  for (const name of [list, list.replace('csv', 'pdf')])
    await rename(join(service.folder, 'outbound/sent', name), join(elsewhere, name))
  const given = { lastAch: '20260302-A', lastCheckbook: list.replace('.csv', '') }
  await assert.rejects(recover(service, given), /a second book with its numbers must not be printed/)
  assert.match(await recover(service, { ...given, file: [join(elsewhere, list)] }), /All files are known/)
  assert.deepEqual(await print(), [])
})

test('a number on a list of issued checks that the database lost is not used again', async (t) => {
  const { service, sender, wallet, print, namesOf, recoverNow } = await startPrinting(t)
  const hand = async (amount: number, name: string) => {
    const { id } = await sendPayment(sender, { amount, name, account: wallet })
    assert.equal((await sender.post(`/v3/check/print/${id}`, {})).status, 200)
    const [row] = await service.deps.sql<{ serial: number }[]>`select serial from paper_checks where payment_id = ${id}`
    return row?.serial
  }
  const restore = await backUp(service, t)
  assert.equal(await hand(80.01, 'Cleo'), 1001)
  await print()
  const [list] = await namesOf('issue-')
  assert.ok(list)
  await restore()
  const path = join(service.folder, 'outbound/sent', list)
  const content = await readFile(path, 'utf8')
  await writeFile(path, content.replace('1001', 'one'))
  await assert.rejects(recoverNow(), /The check numbers in issue-\w+ cannot be read\. .* Add --next-check-number N/)
  await writeFile(path, content)
  await recoverNow()
  assert.equal(await hand(5, 'Dora'), 1002)
})
