import assert from 'node:assert/strict'
import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { makeExchangeFolders } from '../src/connections/exchange/exchange-folder-actions.ts'
import {
  cancelOutgoingFile,
  rejectOutgoingFile,
  requireOutgoingFile,
} from '../src/connections/exchange/outgoing-file-actions.ts'
import { connect } from '../src/foundation/db/connect.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { getBankCases } from '../src/foundation/exception/bank-case-actions.ts'
import { getExceptions } from '../src/foundation/exception/exception-actions.ts'
import { nextAchWindow } from '../src/foundation/lib/banking-day.ts'
import { csvForMachine, parseCsv } from '../src/foundation/lib/text/csv.ts'
import { readAchFiles, writeAchFiles } from '../src/money/ach/file/ach-file-worker.ts'
import { debtCommand } from '../src/operation/cli/debt-commands.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { filesCommand } from '../src/operation/cli/files-commands.ts'
import { exchangeBankFiles, followBankFiles } from '../src/operation/scheduler/bank-file-work.ts'
import { achHooks, legHandlers } from '../src/operation/scheduler/leg-handlers.ts'
import { issueChecks, printChecks, stopChecks } from '../src/payments/check/printing/print-file-actions.ts'
import { readPaidChecks, writeCheckFiles } from '../src/payments/check/printing/print-worker.ts'
import { decideUser } from '../src/people/user/operator-actions.ts'
import {
  type Acknowledged,
  achFolder,
  bankFile,
  connection,
  connectionsOf,
  drawnOn,
  exchange,
  fileSettings,
  putInbound,
  readOutbound,
  upload,
  withConnection,
} from './support/ach.ts'
import type { Api } from './support/api.ts'
import { micrText, type Page, readPages } from './support/check-pdf.ts'
import { assertBooks } from './support/money.ts'
import { sendPayment } from './support/payments.ts'
import { webhookBodies } from './support/rows.ts'
import { addVerifiedBank, startTestService } from './support/service.ts'

// Paper checks in production: print and stop files, issue lists, and paid checks.

const DAY = 24 * 3_600
const ADDRESS = { line_1: '45 Navy Yard Ave, "B"', line_2: 'Apt 3', city: 'Arlington', state: 'VA', zip: '22201' }
const ACCOUNT = '000555006789'
const operatorBank = {
  companyName: 'Remit Inc.',
  bankName: 'First Bank',
  routingNumber: '091000019',
  accountNumber: ACCOUNT,
  fractionalRouting: '7-1/910',
  firstCheckNumber: 1001,
}

async function startPrintService(
  t: TestContext,
  acknowledgements: Acknowledged = { ach: 'none', paper: 'none' },
  { verifiesBooks = true } = {},
) {
  const folder = await achFolder(t)
  const service = await startTestService(t, {
    environment: 'production',
    settings: { ...fileSettings, stateFolder: folder },
    connections: connectionsOf([connection({ folder, acknowledgements, operatorBank })]),
    verifiesBooks,
  })
  const { deps, clock, doDueWork, secrets, newUser } = service
  secrets.add(ACCOUNT)
  secrets.add(ACCOUNT.replace(/^0+/, ''))
  await makeExchangeFolders(folder)

  const assertLedger = () => assertBooks(deps)
  /** Runs the worker until it finds no work. */
  const write = async () => {
    await exchange(deps)
    await doDueWork()
    while ((await writeAchFiles(deps, achHooks)) + (await writeCheckFiles(deps, legHandlers)) > 0);
    await exchange(deps)
  }
  /** The transfer job delivers the waiting files. */
  const transmit = async () => {
    await upload(folder, /./)
    await exchange(deps)
  }
  const work = async () => {
    await write()
    await transmit()
  }
  const passDays = async (days: number) => {
    for (let day = 0; day < days; day++) {
      clock.advance(DAY)
      await work()
    }
  }
  const receive = async (name: string, content: string | Buffer) => {
    await putInbound(folder, name, content)
    await readAchFiles(deps, achHooks)
    await readPaidChecks(deps, legHandlers)
  }
  const list = (place: string) => readdir(join(folder, place))
  const outbound = async (pattern: RegExp) =>
    [...(await list('outbound')), ...(await list('outbound/sent'))].filter((name) => pattern.test(name)).sort()
  const readOutbound = async (name: string) =>
    readFile(join(folder, 'outbound/sent', name)).catch(() => readFile(join(folder, 'outbound', name)))
  const rowsOf = async (name: string) => {
    const { rows } = parseCsv((await readOutbound(name)).toString('utf8'))
    assert.ok(rows)
    return rows.map(({ fields }) => fields)
  }
  const linesOf = async (pattern: RegExp) =>
    (await Promise.all((await outbound(pattern)).map(rowsOf))).flatMap((rows) => rows.slice(1))
  const stops = () => linesOf(/^stop-/)
  const issues = () => linesOf(/^issue-/)
  const reports = async () => {
    const names = (await list('inbound/set-aside')).filter((name) => name.endsWith('.report.txt'))
    const texts = await Promise.all(names.map((name) => readFile(join(folder, 'inbound/set-aside', name), 'utf8')))
    return texts.join('\n')
  }
  /** Returns the check number in the last list about a payment. */
  const numberOf = async (paymentId: string) => {
    const [row] = await deps.sql<{ serial: number }[]>`
      select max(serial) as serial from paper_checks where payment_id = ${paymentId}
    `
    return row?.serial
  }
  /** A user whose wallet contains a thousand dollars. */
  const newPayer = async (by?: Api) => {
    const user = await newUser(undefined, by)
    const wallet: string = (await user.post('/v3/account/wallet', { name: 'Cash' })).body.id
    await deps.sql`select post_transfers_v1(
      platform_id, ${deps.sql.json([{ id: wallet, mode: 'post', debit: 'world', credit: `wallet:${wallet}`, cents: 100_000, reason: 'fund' }])},
      null, null, ${deps.clock.now()}
    ) from wallets where id = ${wallet}`
    return { user, wallet }
  }
  return {
    ...service,
    folder,
    assertLedger,
    write,
    transmit,
    readOutbound,
    work,
    passDays,
    receive,
    list,
    outbound,
    rowsOf,
    stops,
    issues,
    reports,
    newPayer,
    numberOf,
  }
}

type PrintService = Awaited<ReturnType<typeof startPrintService>>
type Payer = Awaited<ReturnType<PrintService['newPayer']>>

async function mail({ user, wallet }: Payer, amount: number, more: object = {}): Promise<string> {
  const order = { amount, name: 'Grace Hopper', recipient: ADDRESS, account: wallet, ...more }
  const { status, body, text } = await user.post('/v3/check/physical', order)
  assert.equal(status, 201, text)
  return body.id
}

const statusOf = async (user: Api, id: string): Promise<string> => (await user.get(`/v3/check/${id}`)).body.status

const statusesOf = async ({ deps }: PrintService, id: string) =>
  (await webhookBodies(deps.sql, id)).map((body) => (body as { status: string }).status)

const paid = (...lines: string[]) => ['account,number,amount,date', ...lines, ''].join('\r\n')

suite('checks by post', () => {
  test('from a bank: printed once the debit is trusted, MAILED then, and PAID when the bank says so, not before', async (t) => {
    const service = await startPrintService(t)
    const { clock, newUser, work, passDays, outbound, rowsOf, folder, receive, list, reports } = service
    const user = await newUser()
    await addVerifiedBank(user)
    const made = await user.post('/v3/check/physical', {
      amount: 125.5,
      name: 'Grace "Amazing" Hopper',
      recipient: ADDRESS,
      mail_type: 'TWO_DAY',
    })
    assert.equal(made.status, 201, made.text)
    const { id } = made.body
    clock.advance((nextAchWindow(clock.now()).getTime() - clock.now().getTime()) / 1_000)
    await work()
    assert.deepEqual(await outbound(/^print-/), [], 'the debit has not settled')
    await passDays(6)
    assert.deepEqual(await statusesOf(service, id), ['IN_PROCESS', 'MAILED'])

    const [manifest, pdf] = await outbound(/^print-[0-9a-f]{32}\.(csv|pdf)$/)
    assert.ok(manifest && pdf && (await outbound(/^print-/)).length === 2)
    const columns = 'payment,number,payee,line_1,line_2,city,state,zip,country,amount,mail_type,page'.split(',')
    const { line_1, line_2, city, state, zip } = ADDRESS
    const row = [id, '1001', 'Grace "Amazing" Hopper', line_1, line_2, city, state, zip, '', '125.50', 'TWO_DAY', '1']
    assert.deepEqual(await rowsOf(manifest), [columns, row])
    const text = (await service.readOutbound(manifest)).toString('utf8')
    assert.ok(text.includes('"Grace ""Amazing"" Hopper","45 Navy Yard Ave, ""B""",Apt 3,'), text)
    const [page] = readPages(await service.readOutbound(pdf))
    assert.ok(page)
    assert.equal(micrText(page), `U001001UT091000019T${ACCOUNT}U`)
    const shown = page.texts.map(({ text }) => text)
    assert.equal(shown.filter((text) => text === '001001').length, 2, 'on the face and on the voucher')
    assert.ok(shown.includes('First Bank') && shown.includes('7-1/910'), 'whose bank it is')
    assert.equal(shown[shown.indexOf('Reference') + 1], '1', 'the number of the payment')
    assert.ok(page.texts.some(({ text }) => text === '$**125.50**'))
    for (const name of [manifest, pdf]) {
      assert.equal((await stat(join(folder, 'outbound/sent', name))).mode & 0o777, 0o600)
    }

    await passDays(20)
    assert.equal(await statusOf(user, id), 'MAILED', 'no check is cashed automatically')
    await receive('paid-1.csv', paid(`${ACCOUNT},000001001,125.50,2026-03-20`))
    assert.deepEqual(await statusesOf(service, id), ['IN_PROCESS', 'MAILED', 'PAID'])
    const { tracking } = (await user.get(`/v3/check/${id}/tracking`)).body
    assert.deepEqual(
      tracking.map(({ location }: { location: string }) => location),
      ['Accepted by the printer', 'Handed to the post', 'Cashed'],
    )
    assert.deepEqual(await list('inbound/done'), ['paid-1.csv'])
    assert.equal(await reports(), '')
  })

  test('are in one PDF of a batch, each on the page that the list names', async (t) => {
    const service = await startPrintService(t)
    const payer = await service.newPayer()
    const advice = Array.from({ length: 50 }, (_, index) => ({ id: `INV-${index}`, date: '2026-03-01', amount: 1 }))
    const ids = [await mail(payer, 10), await mail(payer, 60, { remittance_advice: advice }), await mail(payer, 30)]
    await service.work()
    const [manifest, pdf, ...more] = await service.outbound(/^print-/)
    assert.ok(manifest && pdf && more.length === 0)
    const pages = readPages(await service.readOutbound(pdf))
    const rows = (await service.rowsOf(manifest)).slice(1)
    assert.deepEqual(rows.map(([id]) => id).sort(), ids.sort())
    for (const [, number, , , , , , , , amount, , page] of rows) {
      const at = pages[Number(page) - 1]
      assert.ok(
        at?.texts.some(({ text }) => text === `$**${amount}**`),
        `${amount} on page ${page}`,
      )
      assert.equal(micrText(at as Page), `U${number?.padStart(6, '0')}UT091000019T${ACCOUNT}U`)
    }
    assert.ok(pages.length > 3, 'the advice of one continues on the next page')
  })

  test('that the printer could not use are printed again with the same number', async (t) => {
    const service = await startPrintService(t, { ach: 'none', paper: 'required' })
    const payer = await service.newPayer()
    const [again, voided] = [await mail(payer, 10), await mail(payer, 20)]
    await service.work()
    const [name] = await service.outbound(/^print-.*csv$/)
    await filesCommand({}, ['reject', name as string])(service.deps)
    await exchange(service.deps)
    assert.equal(await statusOf(payer.user, again), 'MAILED')
    assert.equal((await payer.user.del(`/v3/check/${voided}`)).status, 200)
    await service.work()
    const files = await Promise.all((await service.outbound(/^print-.*csv$/)).map(service.rowsOf))
    const printed = files.map((rows) => rows.slice(1).map(([payment, number]) => [payment, number]))
    const numberOf = (id: string) => printed[0]?.find(([payment]) => payment === id)?.[1]
    assert.deepEqual(printed[1], [[again, numberOf(again)]])
    assert.deepEqual(await statusesOf(service, again), ['IN_PROCESS', 'MAILED'])
    const balance = async () => (await payer.user.get(`/v3/account/wallet/${payer.wallet}`)).body.balance
    assert.equal(await balance(), 970, 'the first print of the voided check may be in the mail')
    const [stop] = await service.outbound(/^stop-/)
    await filesCommand({}, ['accept', stop as string])(service.deps)
    await service.work()
    assert.equal(await balance(), 990)
  })

  test('that are cashed while they wait to be printed again are PAID when the operator applies their case', async (t) => {
    const service = await startPrintService(t)
    const payer = await service.newPayer()
    const id = await mail(payer, 10)
    await service.work()
    const [name] = await service.outbound(/^print-.*csv$/)
    await filesCommand({}, ['reject', name as string])(service.deps)
    while ((await followBankFiles(service.deps)) > 0);
    await service.receive('paid-1.csv', paid(`${ACCOUNT},${await service.numberOf(id)},10.00,2026-03-02`))
    const [found] = await getBankCases(service.deps)
    assert.deepEqual([found?.kind, found?.paymentId], ['entry_unread', id])
    await service.passDays(1)
    assert.equal((await service.outbound(/^print-.*csv$/)).length, 1, 'the case keeps it from being printed again')
    await exceptionCommand({ note: 'the bank paid the first print' }, ['apply', found?.id as string])(service.deps)
    assert.equal(await statusOf(payer.user, id), 'PAID')
    await service.passDays(1)
    assert.equal((await service.outbound(/^print-.*csv$/)).length, 1)
    await service.assertLedger()
  })

  test('that the printer rejected before a pass saw their file leave are MAILED, because they may be in the mail', async (t) => {
    const service = await startPrintService(t)
    const payer = await service.newPayer()
    const id = await mail(payer, 10)
    await service.write()
    await upload(service.folder, /./)
    await exchangeBankFiles(service.deps)
    const [name] = await service.outbound(/^print-.*csv$/)
    await filesCommand({}, ['reject', name as string])(service.deps)
    while ((await followBankFiles(service.deps)) > 0);
    assert.equal(await statusOf(payer.user, id), 'MAILED')
    assert.deepEqual(
      (await service.deps.sql`select status from legs`).map(({ status }) => status),
      ['WAITING'],
    )
  })

  test('that cannot be drawn wait an hour, and do not delay others', async (t) => {
    const service = await startPrintService(t)
    const payer = await service.newPayer()
    const [lost, fine] = [await mail(payer, 10), await mail(payer, 20)]
    const { sql } = service.deps
    await sql`update payments set mail_type = null, address = null where id = ${lost}`
    await service.work()
    assert.deepEqual([await statusOf(payer.user, lost), await statusOf(payer.user, fine)], ['IN_PROCESS', 'MAILED'])
    const [row] = await sql<
      { left: number }[]
    >`select count(*) as left from legs where subject_id = ${lost} and file_at > ${service.clock.now()}`
    assert.equal(row?.left, 1)
    await sql`update payments set mail_type = 'OVERNIGHT', address = ${sql.json(ADDRESS)} where id = ${lost}`
    service.clock.advance(3_601)
    await service.work()
    assert.equal(await statusOf(payer.user, lost), 'MAILED')
  })

  test('are written once: after a crash between commit and write, half written, written or taken away; by two workers', async (t) => {
    const service = await startPrintService(t)
    const { deps, folder, outbound, list } = service
    const payer = await service.newPayer()
    const unmark = () => deps.sql`update exchanges set published_at = null, status = 'WRITTEN', transmitted_at = null`
    const id = await mail(payer, 10)
    assert.equal(await printChecks(deps, legHandlers, 'first'), 1)
    assert.deepEqual(await outbound(/^print-/), [], 'committed, and the process has ended')
    assert.equal(await statusOf(payer.user, id), 'IN_PROCESS', 'MAILED once the printer has the file')
    const [row] = await deps.sql<{ id: string }[]>`select id from exchanges where kind = 'print'`
    const [pdf, manifest] = [`print-${row?.id}.pdf`, `print-${row?.id}.csv`]
    await writeFile(join(folder, 'outbound', `.${pdf}.part`), 'half of it')
    await service.write()
    assert.deepEqual(await outbound(/print-/), [manifest, pdf])
    const content = await readFile(join(folder, 'outbound', pdf))

    // The process was killed before the commit, when one file had its name, and the uploader took it.
    const hideManifest = () => rename(join(folder, 'outbound', manifest), join(folder, 'outbound', `.${manifest}.part`))
    await rename(join(folder, 'outbound', pdf), join(folder, 'outbound/sent', pdf))
    await hideManifest()
    await unmark()
    await service.write()
    assert.deepEqual(
      (await list('outbound')).filter((name) => /print-/.test(name)),
      [manifest],
    )
    assert.deepEqual(await list('outbound/sent'), [pdf])
    assert.deepEqual(await readFile(join(folder, 'outbound/sent', pdf)), content)

    await writeFile(join(folder, 'outbound', manifest), 'of another database')
    await unmark()
    await exchange(deps)
    assert.equal(await readFile(join(folder, 'outbound', manifest), 'utf8'), 'of another database')
    await hideManifest()
    deps.failures.clear() // another process does not wait
    await service.write()

    const sql = connect(service.databaseUrl, { max: 4, applicationName: 'second worker' })
    await Promise.all(Array.from({ length: 12 }, (_, index) => mail(payer, index + 1)))
    for (let round = 0; round < 4; round++) {
      await Promise.all([deps, { ...deps, sql }].map((one) => writeCheckFiles(one, legHandlers)))
    }
    await sql.end({ timeout: 5 })
    await service.work()
    const lines = await Promise.all((await outbound(/^print-.*csv$/)).map(service.rowsOf))
    const printed = lines.flatMap((rows) => rows.slice(1).map(([payment]) => payment))
    assert.deepEqual([printed.length, new Set(printed).size], [13, 13])
  })
})

suite('a cancellation that was interrupted between the PDF and its list', () => {
  const halfCanceled = async (t: TestContext) => {
    const service = await startPrintService(t)
    const id = await mail(await service.newPayer(), 10)
    await service.write()
    const [manifest, pdf] = (await service.outbound(/^print-/)) as [string, string]
    await rename(join(service.folder, 'outbound', pdf), join(service.folder, 'outbound/canceled', pdf))
    return { ...service, id, manifest, pdf }
  }

  test('is completed by the next pass, and the checks are printed again', async (t) => {
    const { deps, write, list, outbound, rowsOf, manifest, pdf, id } = await halfCanceled(t)
    await exchange(deps)
    assert.deepEqual(await list('outbound/canceled'), [manifest, pdf])
    await followBankFiles(deps)
    await write()
    const [again, ...more] = await outbound(/^print-.*csv$/)
    assert.deepEqual(more, [])
    assert.deepEqual(
      (await rowsOf(again as string)).slice(1).map(([payment]) => payment),
      [id],
    )
  })

  test('is undone if the transfer job has the list, so that the printer gets both', async (t) => {
    const { deps, folder, list, transmit, manifest, pdf } = await halfCanceled(t)
    await rename(join(folder, 'outbound', manifest), join(folder, 'outbound/sent', manifest))
    await exchange(deps)
    assert.deepEqual(await list('outbound/canceled'), [])
    await transmit()
    const [row] = await deps.sql<{ status: string }[]>`select status from exchanges where kind = 'print'`
    assert.deepEqual(
      [await list('outbound/sent'), row?.status].flat().filter((name) => /print|[A-Z]{5}/.test(name ?? '')),
      [manifest, pdf, 'TRANSMITTED'],
    )
  })
})

suite('check numbers belong to the account on which the check is drawn', () => {
  test('a printed check gets its number at the first request and keeps it', async (t) => {
    const service = await startPrintService(t)
    const { user, wallet } = await service.newPayer()
    const [first, second, untaken] = [
      (await sendPayment(user, { amount: 10, account: wallet })).id,
      (await sendPayment(user, { amount: 20, account: wallet })).id,
      (await sendPayment(user, { amount: 30, account: wallet })).id,
    ]
    const take = async (id: string) => {
      const headers = { authorization: user.credential }
      const response = await fetch(`${service.baseUrl}/v3/check/print/${id}`, { method: 'POST', headers })
      assert.equal(response.status, 200)
      const [page] = readPages(Buffer.from(await response.arrayBuffer()))
      return micrText(page as Page).slice(1, 7)
    }
    const order = { amount: 5, name: 'Grace', recipient: ADDRESS, account: wallet }
    assert.equal((await user.post('/v3/check/preview', order)).status, 200)
    assert.equal(await take(second), '001001', 'a preview takes no number')
    assert.deepEqual(await Promise.all([take(first), take(first), take(second)]), ['001002', '001002', '001001'])
    await service.work()
    assert.equal(await take(first), '001002')
    assert.equal((await user.del(`/v3/check/${untaken}`)).status, 200)
    await service.work()
    assert.deepEqual(await service.stops(), [], 'no check has that number')
  })

  test('a check for a suspended payee is not printed, and takes no number', async (t) => {
    const service = await startPrintService(t)
    const { user, wallet } = await service.newPayer()
    const payee = await service.newUser()
    const order = { amount: 20, account: wallet, recipient: payee.userId, deposit_options: ['PRINT'] }
    const { id } = await sendPayment(user, order)
    const [row] = await service.deps.sql<{ platformId: string }[]>`select platform_id from users where id = ${payee.id}`
    const decide = (decision: 'suspend' | 'verify') =>
      inTransaction(service.deps, (tx) =>
        decideUser(tx, { platformId: row?.platformId as string, userId: payee.id }, decision),
      )
    await decide('suspend')
    for (let time = 0; time < 2; time++) {
      const { status, body } = await user.post(`/v3/check/print/${id}`, {})
      assert.deepEqual([status, body.code], [400, 'check_not_ready'])
      await service.work()
    }
    assert.equal(await service.numberOf(id), null)
    await decide('verify')
    await service.work()
    assert.equal((await user.post(`/v3/check/print/${id}`, {})).status, 200)
    assert.equal(await service.numberOf(id), 1001)
  })

  test('a check that is stopped and resent gets a new number; the setting is the first number, and can be raised', async (t) => {
    const service = await startPrintService(t, undefined, { verifiesBooks: false })
    const payer = await service.newPayer()
    const id = await mail(payer, 10)
    await service.work()
    await service.assertLedger()
    const { sql } = service.deps
    // The state after the postal service returned it, and it was sent to a corrected address.
    await sql`update legs set status = 'CANCELLED' where subject_id = ${id}`
    await sql`update paper_checks set stopped_at = now() where payment_id = ${id}`
    await sql`
      insert into legs (platform_id, id, purpose, subject_id, user_id, rail, direction, cents, status, file_at, created_at)
      select platform_id, gen_random_uuid(), purpose, subject_id, user_id, rail, direction, cents, 'WAITING',
        ${service.clock.now()}, created_at
      from legs where subject_id = ${id}
    `
    assert.equal(await service.numberOf(id), 1001)
    await printChecks(service.deps, legHandlers, 'first')
    assert.equal(await service.numberOf(id), 1002)

    const raised = withConnection(service.deps, (one) => drawnOn(one, { ...operatorBank, firstCheckNumber: 5_000 }))
    const [a, b] = [await mail(payer, 20), await mail(payer, 30)]
    await printChecks(raised, legHandlers, 'first')
    assert.deepEqual([await service.numberOf(a), await service.numberOf(b)].sort(), [5_000, 5_001])
    const later = await mail(payer, 40)
    await printChecks(service.deps, legHandlers, 'first')
    assert.equal(await service.numberOf(later), 5_002)
  })
})

test('two platforms that draw on one account at the same time never share or skip a number', async (t) => {
  const service = await startPrintService(t)
  const { deps, baseUrl } = service
  const payers = [await service.newPayer(), await service.newPayer((await service.newOwner()).api)]
  const printable: { payer: Payer; id: string }[] = []
  for (const payer of payers) {
    for (let index = 0; index < 12; index++) {
      await mail(payer, index + 1)
      printable.push({ payer, id: (await sendPayment(payer.user, { amount: 1, account: payer.wallet })).id })
    }
  }
  const take = async ({ payer, id }: { payer: Payer; id: string }) => {
    const headers = { authorization: payer.user.credential }
    const print = () => fetch(`${baseUrl}/v3/check/print/${id}`, { method: 'POST', headers })
    let response = await print()
    while (response.status === 503) response = await print() // a busy machine refuses it, and a client sends it again
    assert.equal(response.status, 200)
    const [page] = readPages(Buffer.from(await response.arrayBuffer()))
    return Number(/^U(\d+)U/.exec(micrText(page as Page))?.[1])
  }
  const sql = connect(service.databaseUrl, { max: 4, applicationName: 'second worker' })
  const workers = [deps, { ...deps, sql }]
  const [numbers] = await Promise.all([
    Promise.all(printable.map(take)),
    ...workers.map(async (worker) => {
      for (let round = 0; round < 5; round++) await printChecks(worker, legHandlers, 'first')
    }),
  ])
  await sql.end({ timeout: 5 })
  await service.work()
  const rows = await deps.sql<{ platformId: string; serial: number; isMailed: boolean }[]>`
    select platform_id, serial, print_file_id is not null as is_mailed from paper_checks order by serial
  `
  assert.deepEqual(
    rows.map(({ serial }) => serial),
    Array.from({ length: 48 }, (_, index) => 1001 + index),
  )
  assert.deepEqual(
    numbers.sort((a, b) => a - b),
    rows.filter(({ isMailed }) => !isMailed).map(({ serial }) => serial),
    'the numbers on paper match the database',
  )
  assert.equal(new Set(rows.map(({ platformId }) => platformId)).size, 2)
})

suite('a check is stopped', () => {
  test('by void and by expiry, mailed or printed: one line each, written once; a later report that it was paid changes nothing', async (t) => {
    const service = await startPrintService(t)
    const { deps, work, stops, receive, reports, clock, outbound } = service
    const payer = await service.newPayer()
    const { user, wallet } = payer
    const balance = async () => (await user.get(`/v3/account/wallet/${wallet}`)).body.balance
    const waiting = await mail(payer, 5)
    assert.equal((await user.del(`/v3/check/${waiting}`)).status, 200)
    const mailed = await mail(payer, 10)
    await work()
    assert.equal((await user.del(`/v3/check/${mailed}`)).status, 200)
    assert.deepEqual(await stops(), [])
    assert.equal(await stopChecks(deps, 'first'), 1) // and the process crashes
    await work()
    await work()
    assert.deepEqual(await stops(), [[ACCOUNT, '1001', '2026-03-02', '10.00', 'Grace Hopper', '2026-03-02']])
    assert.equal(await balance(), 990, 'until the bank has accepted the stop')
    await service.passDays(1)
    assert.equal(await balance(), 1_000)

    const printed = (await sendPayment(user, { amount: 20, account: wallet })).id
    const justTaken = (await sendPayment(user, { amount: 30, account: wallet })).id
    for (const id of [printed, justTaken]) assert.equal((await user.post(`/v3/check/print/${id}`, {})).status, 200)
    assert.equal((await user.del(`/v3/check/${justTaken}`)).status, 200)
    const left = await mail(payer, 40)
    await work()
    assert.deepEqual((await stops()).slice(-1), [[ACCOUNT, '1003', '2026-03-03', '30.00', 'Recipient', '2026-03-03']])
    assert.equal(await statusOf(user, printed), 'PRINTED')
    clock.advance(91 * DAY)
    await work()
    assert.deepEqual([await statusOf(user, printed), await statusOf(user, left)], ['EXPIRED', 'EXPIRED'])
    assert.deepEqual((await stops()).map(([, number]) => number).sort(), ['1001', '1002', '1003', '1004'])
    await service.passDays(3)
    assert.equal(await balance(), 1_000)
    const written = await outbound(/^stop-/)
    assert.ok(written.length >= 3)

    await receive(
      'paid-late.csv',
      paid(`${ACCOUNT},1001,10.00,2026-06-01`, `${ACCOUNT},1002,20.00,2026-06-01`, `${ACCOUNT},1004,40.00,2026-06-01`),
    )
    assert.deepEqual([await statusOf(user, mailed), await statusOf(user, printed)], ['VOID', 'EXPIRED'])
    const report = await reports()
    assert.match(report, new RegExp(`line 2: .*check 1001 of payment ${mailed}, \\$10.00, was stopped 2026-03-02`))
    assert.match(report, new RegExp(`line 3: .*payment ${printed}, \\$20.00, was stopped 2026-06-02`))
    assert.match(report, /Used: 0 paid checks\./)
    const exceptions = await getExceptions(deps, {})
    assert.deepEqual(
      exceptions.map(({ kind }) => kind),
      Array(3).fill('stopped_check_paid'),
    )
    assert.equal((await user.get(`/v3/account/wallet/${wallet}`)).body.balance, 1_000)
  })
})

test('the debit of a voided payment is not sent again when the bank rejects its file', async (t) => {
  const service = await startPrintService(t, { ach: 'required', paper: 'none' })
  const { deps, clock } = service
  const toNextWindow = async () => {
    clock.advance((nextAchWindow(new Date(clock.now().getTime() + 1)).getTime() - clock.now().getTime()) / 1_000)
    await service.work()
  }
  const user = await service.newUser()
  await addVerifiedBank(user)
  await toNextWindow()
  const { id } = await sendPayment(user, { amount: 10, recipient: 'grace@example.com', deposit_options: ['PRINT'] })
  assert.equal((await user.post(`/v3/check/print/${id}`, {})).body.code, 'check_not_ready')
  await toNextWindow()
  const legs = async () =>
    (await deps.sql`select purpose, status from legs where subject_id = ${id}`).map(({ purpose, status }) => [
      purpose,
      status,
    ])
  assert.deepEqual(await legs(), [['payment_pull', 'SENT']])
  assert.equal((await user.del(`/v3/check/${id}`)).status, 200)
  const [file] = await deps.sql<
    { name: string }[]
  >`select name from exchanges where kind = 'ach' order by number desc limit 1`
  await inTransaction(deps, async (tx) => rejectOutgoingFile(tx, await requireOutgoingFile(tx, file?.name as string)))
  while ((await followBankFiles(deps)) > 0);
  await toNextWindow()
  assert.deepEqual(await legs(), [['payment_pull', 'CANCELLED']])
  assert.equal(await statusOf(user, id), 'VOID')
  await service.assertLedger()
})

suite('a stopped check', () => {
  test('that is cashed before the bank accepts the stop uses up the money, and the operator is notified', async (t) => {
    const service = await startPrintService(t)
    const payer = await service.newPayer()
    const { user, wallet } = payer
    const balance = async () => (await user.get(`/v3/account/wallet/${wallet}`)).body.balance
    const id = await mail(payer, 10)
    await service.work()
    assert.equal((await user.del(`/v3/check/${id}`)).status, 200)
    assert.equal(await statusOf(user, id), 'VOID')
    await service.work()
    const number = await service.numberOf(id)
    await service.receive('paid-1.csv', paid(`${ACCOUNT},${number},10.00,2026-03-02`))
    await service.passDays(5)
    assert.equal(await statusOf(user, id), 'VOID')
    assert.equal(await balance(), 990, 'the payee has the money')
    const [exception] = await getExceptions(service.deps, {})
    assert.deepEqual([exception?.kind, exception?.paymentId, exception?.cents], ['stopped_check_paid', id, 1_000])
    assert.deepEqual(await statusesOf(service, id), ['IN_PROCESS', 'MAILED', 'VOID'])
  })

  test('that was voided right after printing keeps its money until the bank has accepted the stop', async (t) => {
    const service = await startPrintService(t)
    const { user, wallet } = await service.newPayer()
    const balance = async () => (await user.get(`/v3/account/wallet/${wallet}`)).body.balance
    const ids = [30, 40].map(async (amount) => (await sendPayment(user, { amount, account: wallet })).id)
    const [cashed, other] = (await Promise.all(ids)) as [string, string]
    for (const id of [cashed, other]) {
      assert.equal((await user.post(`/v3/check/print/${id}`, {})).status, 200)
      assert.equal((await user.del(`/v3/check/${id}`)).status, 200)
    }
    assert.equal(await balance(), 930)
    const number = await service.numberOf(cashed)
    await service.receive('paid-1.csv', paid(`${ACCOUNT},${number},30.00,2026-03-02`))
    await service.work()
    await service.passDays(1)
    assert.equal(await balance(), 970, 'only the other one is returned')
    assert.deepEqual(
      (await getExceptions(service.deps, {})).map(({ kind, paymentId }) => [kind, paymentId]),
      [['stopped_check_paid', cashed]],
    )
  })

  test('that the printer rejected keeps its money until the bank has accepted the stop: its first print may be in the mail', async (t) => {
    const service = await startPrintService(t, { ach: 'none', paper: 'required' })
    const payer = await service.newPayer()
    const { user, wallet } = payer
    const balance = async () => (await user.get(`/v3/account/wallet/${wallet}`)).body.balance
    const [before, between, cashed] = [await mail(payer, 10), await mail(payer, 20), await mail(payer, 40)]
    await service.work()
    assert.equal((await user.del(`/v3/check/${before}`)).status, 200)
    const [name] = await service.outbound(/^print-.*csv$/)
    await filesCommand({}, ['reject', name as string])(service.deps)
    while ((await followBankFiles(service.deps)) > 0);
    for (const id of [between, cashed]) assert.equal((await user.del(`/v3/check/${id}`)).status, 200)
    await service.work()
    assert.deepEqual((await service.stops()).map(([, number]) => Number(number)).toSorted(), [
      await service.numberOf(before),
      await service.numberOf(between),
      await service.numberOf(cashed),
    ])
    await service.passDays(5)
    assert.equal(await balance(), 930)
    await service.receive('paid-1.csv', paid(`${ACCOUNT},${await service.numberOf(cashed)},40.00,2026-03-02`))
    for (const stop of await service.outbound(/^stop-/)) await filesCommand({}, ['accept', stop])(service.deps)
    await service.work()
    assert.equal(await balance(), 960, 'the payee of the cashed one has its money')
    assert.deepEqual(
      (await getExceptions(service.deps, {})).map(({ kind, paymentId }) => [kind, paymentId]),
      [['stopped_check_paid', cashed]],
    )
    assert.equal((await service.outbound(/^print-.*csv$/)).length, 1, 'none is printed again')
  })

  test('whose first print was rejected and whose second one was canceled keeps its money until the bank has accepted the stop', async (t) => {
    const service = await startPrintService(t)
    const payer = await service.newPayer()
    const { user, wallet } = payer
    const balance = async () => (await user.get(`/v3/account/wallet/${wallet}`)).body.balance
    const id = await mail(payer, 10)
    await service.work()
    const [first] = await service.outbound(/^print-.*csv$/)
    await filesCommand({}, ['reject', first as string])(service.deps)
    while ((await followBankFiles(service.deps)) > 0);
    await service.write()
    assert.equal((await user.del(`/v3/check/${id}`)).status, 200)
    const [second] = (await service.list('outbound')).filter((name) => /^print-.*csv$/.test(name))
    await filesCommand({}, ['cancel', second as string])(service.deps)
    await service.write()
    assert.equal(await balance(), 990, 'the first print may be in the mail')
    await service.receive('paid-1.csv', paid(`${ACCOUNT},${await service.numberOf(id)},10.00,2026-03-02`))
    await service.passDays(1)
    assert.equal(await balance(), 990, 'the payee has the money')
    assert.deepEqual(
      (await getExceptions(service.deps, {})).map(({ kind }) => kind),
      ['stopped_check_paid'],
    )
  })

  test('is listed again when its stop file is rejected or canceled, and the money waits', async (t) => {
    const service = await startPrintService(t)
    const payer = await service.newPayer()
    const { user, wallet } = payer
    const balance = async () => (await user.get(`/v3/account/wallet/${wallet}`)).body.balance
    const id = await mail(payer, 10)
    await service.work()
    await user.del(`/v3/check/${id}`)
    for (const verb of ['cancel', 'reject']) {
      await service.write()
      const [name] = (await service.list('outbound')).filter((one) => one.startsWith('stop-'))
      await filesCommand({}, [verb, name as string])(service.deps)
      await service.write()
    }
    assert.equal((await service.stops()).length, 2, 'the rejected file and the one after it')
    assert.equal(await balance(), 990)
    await service.transmit()
    await service.passDays(1)
    assert.equal(await balance(), 1_000)
  })

  test('is refunded only after the operator’s decision if acknowledgments are required', async (t) => {
    const service = await startPrintService(t, { ach: 'required', paper: 'required' })
    const payer = await service.newPayer()
    const { user, wallet } = payer
    const balance = async () => (await user.get(`/v3/account/wallet/${wallet}`)).body.balance
    const id = await mail(payer, 10)
    await service.work()
    assert.equal(await statusOf(user, id), 'MAILED', 'the printer has it')
    await user.del(`/v3/check/${id}`)
    await service.work()
    await service.passDays(30)
    assert.equal(await balance(), 990)
    const [name] = (await service.outbound(/^stop-/)) as [string]
    await filesCommand({}, ['accept', name])(service.deps)
    await service.work()
    assert.equal(await balance(), 1_000)
  })

  for (const [what, isVoided, paid] of [
    ['of a returned debit covers the sender’s debt', false, 0],
    ['that was voided before its debit was returned covers the sender’s debt', true, 0],
    ['of a returned debit waits for the operator while the sender’s debt is paid in part', false, 10],
    ['that was voided waits for the operator while the sender’s debt is paid in part', true, 10],
  ] as const) {
    test(what, async (t) => {
      const service = await startPrintService(t)
      const user = await service.newUser()
      await addVerifiedBank(user)
      await service.work()
      const order = { amount: 25, name: 'Grace Hopper', recipient: ADDRESS }
      const id = (await user.post('/v3/check/physical', order)).body.id
      for (let half = 0; half < 60 && (await statusOf(user, id)) !== 'MAILED'; half++) {
        const window = nextAchWindow(new Date(service.clock.now().getTime() + 1))
        service.clock.advance((window.getTime() - service.clock.now().getTime()) / 1000)
        await service.work()
      }
      assert.equal(await statusOf(user, id), 'MAILED')
      const entries = (await readOutbound(service.folder)).flatMap((file) => file.entries)
      const pull = entries.find(({ cents, code }) => cents === 2_500 && code === '27')
      const entry = { code: 'R10', trace: pull?.trace as string, direction: 'debit' as const, cents: 2_500 }
      if (isVoided) assert.equal((await user.del(`/v3/check/${id}`)).status, 200)
      await service.receive('late.ach', bankFile([entry]))
      assert.equal(await statusOf(user, id), isVoided ? 'VOID' : 'FAILED')
      const owed = async () => {
        const [row] = await service.deps.sql<{ cents: number }[]>`
        select coalesce(sum(case when debit like 'receivable:%' then cents else -cents end), 0)::bigint as cents
        from transfers
        where debit like 'receivable:%' or credit like 'receivable:%'
      `
        return row?.cents
      }
      assert.equal(await owed(), 2_500, 'the check is still outstanding')
      const [login] = await service.deps.sql<{ email: string }[]>`select email from logins`
      const settle = (amount: number) =>
        debtCommand(
          { owner: login?.email as string, user: user.userId, amount: String(amount), reference: `wire ${amount}` },
          ['settle'],
        )(service.deps)
      if (paid > 0) await settle(paid)
      await service.work()
      await service.passDays(3)
      assert.equal(await owed(), paid > 0 ? 2_500 - paid * 100 : 0, 'the check is stopped')
      await service.assertLedger()
      const exceptions = await getExceptions(service.deps, {})
      assert.deepEqual(
        exceptions.map(({ kind, cents }) => [kind, cents]),
        paid > 0 ? [['debt_paid_in_part', 2_500]] : [],
      )
      if (paid === 0) return
      await settle(25 - paid)
      await exceptionCommand({}, ['resend', exceptions[0]?.id as string])(service.deps)
      await service.passDays(3)
      await service.assertLedger()
    })
  }
})

suite('the bank gets lists of issued checks', () => {
  const PAYEES = [
    ['Grace Hopper', 'Grace Hopper'],
    ['Елена Щукина', 'Elena Shchukina'],
    ['Łukasz  Żółć\u200b', 'Łukasz Żółć'],
    ['=1+1 Inc.', '=1+1 Inc.'],
    ['@Home Services LLC', '@Home Services LLC'],
    ['+Plus Plumbing', '+Plus Plumbing'],
    ['-30- Press', '-30- Press'],
  ] as const

  test('mailed and printed ones, once each, with account, date and payee exactly as printed', async (t) => {
    const service = await startPrintService(t)
    const payer = await service.newPayer()
    const { user, wallet } = payer
    const printedIds: string[] = []
    for (const [name] of PAYEES) {
      await mail(payer, 10, { name })
      const { id } = await sendPayment(user, { amount: 20, account: wallet, name })
      assert.equal((await user.post(`/v3/check/print/${id}`, {})).status, 200)
      printedIds.push(id)
    }
    // The next day in UTC, but the same one in the time zone of the business.
    service.clock.advance(13 * 3_600)
    await service.work()
    await service.work()
    const [name, ...more] = await service.outbound(/^issue-[0-9a-f]{32}\.csv$/)
    assert.ok(name && more.length === 0, 'one file with all new checks')
    const [header, ...lines] = await service.rowsOf(name)
    assert.deepEqual(header, ['account', 'number', 'issue_date', 'amount', 'payee', 'record'])
    assert.deepEqual(
      lines.map(([account, number, date, , , record]) => [account, number, date, record]),
      lines.map((_, index) => [ACCOUNT, String(1001 + index), '2026-03-02', 'ISSUE']),
    )
    assert.deepEqual(lines.map(([, , , amount]) => amount).sort(), [
      ...PAYEES.map(() => '10.00'),
      ...PAYEES.map(() => '20.00'),
    ])

    const mailed = await service.outbound(/^print-.*pdf$/)
    const pdfs = await Promise.all(mailed.map((pdf) => readFile(join(service.folder, 'outbound/sent', pdf))))
    for (const id of printedIds) {
      const headers = { authorization: user.credential }
      const response = await fetch(`${service.baseUrl}/v3/check/print/${id}`, { method: 'POST', headers })
      pdfs.push(Buffer.from(await response.arrayBuffer()))
    }
    const faces = pdfs.flatMap(readPages).filter(({ texts }) => texts.some(({ text }) => text === 'Pay to the'))
    assert.equal(faces.length, 2 * PAYEES.length)
    for (const face of faces) {
      const number = /^U0*(\d+)U/.exec(micrText(face))?.[1]
      const [, , , , payee = ''] = lines.find((line) => line[1] === number) ?? []
      const texts = face.texts.map(({ text }) => text)
      assert.ok(texts.includes(payee), `${payee} in ${texts.join('|')}`)
      assert.ok(texts.includes('03/02/2026'))
    }
    assert.deepEqual(new Set(lines.map(([, , , , payee]) => payee)), new Set(PAYEES.map(([, as]) => as)))
    const [manifest] = await service.outbound(/^print-.*csv$/)
    assert.deepEqual(
      (await service.rowsOf(manifest as string))
        .slice(1)
        .map(([, , payee]) => payee)
        .sort(),
      PAYEES.map(([, as]) => as).sort(),
      'the printer gets the payees that are on the checks',
    )

    const columns = 'account,number,issue_date,amount,payee,stop_date'.split(',')
    const formula = PAYEES.findIndex(([name]) => name === '=1+1 Inc.')
    assert.equal((await user.del(`/v3/check/${printedIds[formula]}`)).status, 200)
    await service.work()
    const number = String(await service.numberOf(printedIds[formula] as string))
    const check = [ACCOUNT, number, '2026-03-02', '20.00', '=1+1 Inc.']
    const [stopFile] = await service.outbound(/^stop-/)
    assert.deepEqual(await service.rowsOf(stopFile as string), [columns, [...check, '2026-03-02']])
    const told = await service.issues()
    assert.equal(told.length, 2 * PAYEES.length + 1)
    assert.deepEqual(
      told.filter(([, , , , , record]) => record === 'VOID'),
      [[...check, 'VOID']],
    )
  })

  test('again when the bank rejects the file or an operator cancels it, and once with two workers', async (t) => {
    const service = await startPrintService(t)
    const { deps, write } = service
    const payer = await service.newPayer()
    const { user, wallet } = payer
    const { id } = await sendPayment(user, { amount: 10, account: wallet })
    assert.equal((await user.post(`/v3/check/print/${id}`, {})).status, 200)
    await mail(payer, 20)
    await write()
    assert.equal((await user.del(`/v3/check/${id}`)).status, 200)
    assert.deepEqual(
      (await service.issues()).map(([, number]) => number),
      ['1001', '1002'],
    )

    const [canceled] = await service.outbound(/^issue-/)
    await inTransaction(deps, async (tx) => {
      const file = await requireOutgoingFile(tx, canceled as string)
      await cancelOutgoingFile(tx, file)
    })
    await followBankFiles(deps)
    await service.work()
    const lines = async () => (await service.issues()).map(([, number, , , , record]) => `${number} ${record}`).sort()
    assert.deepEqual(await lines(), ['1001 ISSUE', '1001 VOID', '1002 ISSUE'])

    for (const name of await service.outbound(/^issue-/)) {
      await inTransaction(deps, async (tx) => rejectOutgoingFile(tx, await requireOutgoingFile(tx, name)))
    }
    await followBankFiles(deps)
    const sql = connect(service.databaseUrl, { max: 2, applicationName: 'second worker' })
    await Promise.all([deps, { ...deps, sql }].map((one) => issueChecks(one, 'first')))
    await sql.end({ timeout: 5 })
    await service.work()
    assert.deepEqual(await lines(), ['1001 ISSUE', '1001 ISSUE', '1001 VOID', '1001 VOID', '1002 ISSUE', '1002 ISSUE'])
  })

  test('without an acknowledgment, even if the bank acknowledges other lists', async (t) => {
    const service = await startPrintService(t, { ach: 'required', paper: 'required' })
    const { sql } = service.deps
    const { user, wallet } = await service.newPayer()
    const { id } = await sendPayment(user, { amount: 10, account: wallet })
    assert.equal((await user.post(`/v3/check/print/${id}`, {})).status, 200)
    await service.work()
    const statuses = async () => {
      const rows = await sql<{ kind: string; status: string; late: Date | null }[]>`
        select kind, status, acknowledgement_late_at as late from exchanges order by number
      `
      return rows.map(({ kind, status, late }) => `${kind} ${status}${late ? ' late' : ''}`)
    }
    assert.deepEqual(await statuses(), ['issue TRANSMITTED'])
    await service.passDays(4)
    assert.deepEqual(await statuses(), ['issue ACCEPTED'])
  })

  test('with the account that they were drawn on, even after the operator has changed it', async (t) => {
    const service = await startPrintService(t)
    const payer = await service.newPayer()
    const id = await mail(payer, 10)
    await service.work()
    assert.equal((await payer.user.del(`/v3/check/${id}`)).status, 200)
    service.secrets.add('5550001112')
    const other = { ...operatorBank, accountNumber: '5550001112' }
    const deps = withConnection(service.deps, (one) => drawnOn(one, other))
    assert.equal(await stopChecks(deps, 'first'), 1)
    await service.work()
    assert.deepEqual(
      (await service.stops()).map(([account]) => account),
      [ACCOUNT],
    )
  })
})

suite('paid checks', () => {
  test('include printed ones; lines that do not match are set aside with a report, and the others are applied', async (t) => {
    const service = await startPrintService(t)
    const { work, receive, reports, list, numberOf } = service
    const payer = await service.newPayer()
    const { user, wallet } = payer
    const printed = (await sendPayment(user, { amount: 1_00.5, account: wallet })).id
    assert.equal((await user.post(`/v3/check/print/${printed}`, {})).status, 200) // number 1001
    const [second, third, named] = [
      await mail(payer, 10),
      await mail(payer, 20),
      await mail(payer, 30, { number: 'A-17' }),
    ]
    await work()
    await work()
    const [two, three, four] = [await numberOf(second), await numberOf(third), await numberOf(named)]
    const file = [
      '\ufeffDate,"Number",ACCOUNT,Amount,Note',
      `03/02/2026,0001001,${ACCOUNT},$100.50,"two\nlines, ""quoted"""`,
      `2026-03-02,77,${ACCOUNT},10.00,`,
      `2026-03-02,${two},987654321,10.00,`,
      `2026-03-02,${two},${ACCOUNT},10.01,`,
      `2026-03-02,1001,${ACCOUNT},100.50,`,
      `2026-03-01,1001,${ACCOUNT},100.50,`,
      `2026-03-02,${two},${ACCOUNT},ten,`,
      `2026-02-30,${two},${ACCOUNT},10.00,`,
      `2026-03-02,${two},${ACCOUNT}`,
      `2026-03-02,A-17,${ACCOUNT},10.00,`,
      '',
      `2026-03-02,${three},${ACCOUNT},20.00,`,
      `2026-03-02,${four},${ACCOUNT},30.00,`,
    ].join('\n')
    await receive('paid-mixed.csv', file)
    assert.deepEqual(await Promise.all([printed, second, third, named].map((id) => statusOf(user, id))), [
      'PAID',
      'MAILED',
      'PAID',
      'PAID',
    ])
    const report = await reports()
    for (const line of [
      'Of paid-mixed.csv, which is in done/, these lines were set aside.',
      'line 4: account ending in 6789: no check of this number was drawn on this account',
      `line 5: account ending in 4321: no check was drawn on it, but one of this number and amount is out`,
      `line 6: account ending in 6789: $10.01: check ${two} of payment ${second}, $10.00, is out`,
      `line 7: account ending in 6789: check 1001 of payment ${printed}, $100.50, was paid by another line of this list`,
      `line 8: account ending in 6789: check 1001 of payment ${printed}, $100.50, was paid by another line of this list`,
      'line 9: the amount cannot be read',
      `line 10: check ${two} of payment ${second}, $10.00, is out: the date cannot be read`,
      'line 11: the amount cannot be read',
      'line 12: the number must be at most 15 digits',
      'Used: 3 paid checks.',
    ]) {
      assert.ok(report.includes(line), `${line} is not in:\n${report}`)
    }
    assert.ok(!report.includes(ACCOUNT) && !report.includes('987654321'))
    assert.deepEqual(await list('inbound/done'), ['paid-mixed.csv'])

    await receive('paid-mixed.csv', file)
    await receive('paid-again.csv', file)
    assert.match(await reports(), /Nothing was taken from paid-again\.csv.*the same content as paid-mixed\.csv/s)
    assert.deepEqual(await statusesOf(service, printed), ['PRINTED', 'PAID'])
  })

  test('dated tomorrow are set aside: the day is the business day', async (t) => {
    const service = await startPrintService(t)
    const { clock, deps, numberOf, receive, reports } = service
    const payer = await service.newPayer()
    const ids = [await mail(payer, 10), await mail(payer, 20), await mail(payer, 30)]
    await service.work()
    const line = async (index: number, date: string) =>
      `${ACCOUNT},${await numberOf(ids[index] as string)},${(index + 1) * 10}.00,${date}`
    // In the evening on the Pacific coast, when it is already the next day in UTC.
    clock.advance((new Date('2026-03-05T02:00:00Z').getTime() - clock.now().getTime()) / 1_000)
    const lines = [await line(0, '2026-03-04'), await line(1, '2026-03-05'), await line(2, '2027-03-04')]
    await receive('paid-future.csv', paid(...lines))
    const statuses = () => Promise.all(ids.map((id) => statusOf(payer.user, id)))
    assert.deepEqual(await statuses(), ['PAID', 'MAILED', 'MAILED'])
    assert.match(await reports(), /line 3: .*: the date 2026-03-05 is in the future, because today is 2026-03-04/)
    assert.match(await reports(), /line 4: .*: the date 2027-03-04 is in the future/)
    const [row] = await deps.sql<{ paid: number }[]>`select count(paid_on) as paid from paper_checks`
    assert.equal(row?.paid, 1)
    clock.advance(DAY)
    await receive('paid-future-2.csv', paid(await line(1, '2026-03-05')))
    assert.deepEqual(await statuses(), ['PAID', 'PAID', 'MAILED'])
  })

  test('that fail with a logged error do not block the others', async (t) => {
    const service = await startPrintService(t)
    const payer = await service.newPayer()
    const [lost, fine] = [await mail(payer, 10), await mail(payer, 20)]
    await service.work()
    await service.ownerSql`
      create function refuse() returns trigger language plpgsql as 'begin raise ''refused''; end'
    `
    await service.ownerSql.unsafe(
      `create trigger refuse before update on legs for each row when (new.status = 'SETTLED' and new.cents = 1000) execute function refuse()`,
    )
    await service.receive(
      'paid-a.csv',
      paid(
        `${ACCOUNT},${await service.numberOf(lost)},10.00,2026-03-02`,
        `${ACCOUNT},${await service.numberOf(fine)},20.00,2026-03-02`,
      ),
    )
    assert.deepEqual([await statusOf(payer.user, lost), await statusOf(payer.user, fine)], ['MAILED', 'PAID'])
    assert.match(await service.reports(), /line 2: it could not be used; the log says why/)
    assert.deepEqual(
      (await getBankCases(service.deps)).map(({ kind, line, isBankWide }) => [kind, line, isBankWide]),
      [['entry_unread', 2, true]],
    )
  })

  test('with the same number and amount from two senders are told apart, and so are stops', async (t) => {
    const service = await startPrintService(t)
    const [one, other] = [await service.newPayer(), await service.newPayer()]
    const [first, second] = [await mail(one, 10, { number: '7' }), await mail(other, 10, { number: '7' })]
    await service.work()
    const [a, b] = [await service.numberOf(first), await service.numberOf(second)]
    assert.deepEqual([a, b].sort(), [1001, 1002])
    assert.equal((await other.user.del(`/v3/check/${second}`)).status, 200)
    await service.work()
    assert.deepEqual(await service.stops(), [[ACCOUNT, String(b), '2026-03-02', '10.00', 'Grace Hopper', '2026-03-02']])
    await service.passDays(1)
    await service.receive('paid-a.csv', paid(`${ACCOUNT},${a},10.00,2026-03-02`, `${ACCOUNT},${b},10.00,2026-03-02`))
    assert.deepEqual([await statusOf(one.user, first), await statusOf(other.user, second)], ['PAID', 'VOID'])
    assert.match(await service.reports(), new RegExp(`line 3: .*check ${b} of payment ${second}, .* was stopped`))
  })

  test('in an unreadable file are not applied; a file without lines is done; ACH files are left for the ACH reader', async (t) => {
    const service = await startPrintService(t)
    const payer = await service.newPayer()
    await mail(payer, 10)
    await service.work()
    const broken: Record<string, [content: string | Buffer, problem: string]> = {
      'paid-bytes.csv': [Buffer.from([0x61, 0xff, 0x0a]), 'no line names the columns'],
      'paid-header.csv': ['account,number,value\n', 'no column for the amount of a check is known'],
      'paid-empty.csv': ['', 'the file is empty'],
      'paid-large.csv': [Buffer.alloc(16 * 1024 * 1024 + 1, 0x61), 'more than the 16777216 that a file may have'],
    }
    for (const [name, [content]] of Object.entries(broken)) await service.receive(name, content)
    const report = await service.reports()
    for (const [name, [, problem]] of Object.entries(broken)) {
      assert.match(report, new RegExp(`Nothing was taken from ${name}[^]*${problem}`))
    }
    const aside = (await service.list('inbound/set-aside')).filter((name) => !name.endsWith('.report.txt'))
    assert.deepEqual(aside.sort(), Object.keys(broken).sort())
    await service.receive('paid-none.csv', paid())
    await service.receive('paid-none-2.csv', paid())
    assert.deepEqual(await service.list('inbound/done'), ['paid-none-2.csv', 'paid-none.csv'])
    const cases = await getBankCases(service.deps)
    assert.deepEqual(cases.map(({ kind, fileName, isBankWide }) => [kind, fileName, isBankWide]).sort(), [
      ...Object.keys(broken)
        .sort()
        .map((name) => ['file_unread', name, true]),
    ])
    await service.receive('returns.ach', 'no file of ACH')
    const [row] = await service.deps.sql<
      { names: string }[]
    >`select string_agg(name, ' ') as names from ach_inbound_files`
    assert.equal(row?.names, 'returns.ach')
    assert.deepEqual(await service.list('inbound'), ['done', 'set-aside'])
  })

  test('racing with a void move money once, and one of them is refused', async (t) => {
    const service = await startPrintService(t)
    const payer = await service.newPayer()
    const ids: string[] = []
    for (let race = 0; race < 8; race++) ids.push(await mail(payer, race + 1))
    await service.work()
    for (const [race, id] of ids.entries()) {
      const file = paid(`${ACCOUNT},${await service.numberOf(id)},${race + 1}.00,2026-03-02`)
      const [voided] = await Promise.all([payer.user.del(`/v3/check/${id}`), service.receive(`paid-${race}.csv`, file)])
      assert.equal(await statusOf(payer.user, id), voided.status === 200 ? 'VOID' : 'PAID')
    }
    await service.work()
    const voided = (await Promise.all(ids.map((id) => statusOf(payer.user, id)))).filter((status) => status === 'VOID')
    assert.equal((await service.stops()).length, voided.length)
  })
})

test('rows of RFC 4180 are read back unchanged', () => {
  const rows = [
    ['a', 'b "c"', ''],
    ['', '', ''],
    ['two\r\nlines', ' edges ', 'comma, "quote"'],
    ['last', 'é', ''],
  ]
  // Other programs write line breaks within a field. Remit never does.
  const text = csvForMachine(rows).replace('two lines', '"two\r\nlines"')
  assert.equal(text.split('\r\n')[0], 'a,"b ""c""",')
  for (const given of [text, text.slice(0, -2)]) {
    const { rows: read } = parseCsv(given)
    assert.deepEqual(
      read?.map(({ fields }) => fields),
      rows,
    )
    assert.deepEqual(
      read?.map(({ line }) => line),
      [1, 2, 3, 5],
    )
  }
  for (const broken of ['"a', '"a"b,c', 'a"b', 'a,"b""']) assert.equal(parseCsv(broken).rows, null, broken)
})
