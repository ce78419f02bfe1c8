import assert from 'node:assert/strict'
import { readFile, rename, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { connect } from '../src/foundation/db/connect.ts'
import { NOTHING_SKIPPED } from '../src/foundation/db/skipped.ts'
import { getBankCases } from '../src/foundation/exception/bank-case-actions.ts'
import { nextAchWindow } from '../src/foundation/lib/banking-day.ts'
import { makeAchFile } from '../src/money/ach/file/ach-file-actions.ts'
import { readAchFiles, writeAchFiles } from '../src/money/ach/file/ach-file-worker.ts'
import type { LegHandler } from '../src/money/rail/leg-actions.ts'
import type { LegRow } from '../src/money/rail/leg-store.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { listDuePlatforms } from '../src/operation/scheduler/due-store.ts'
import { achHooks } from '../src/operation/scheduler/leg-handlers.ts'
import { bankFile, copyPayments, exchange, putInbound, readOutbound, type SentEntry, upload } from './support/ach.ts'
import type { Api } from './support/api.ts'
import { newEndpoint } from './support/endpoints.ts'
import { DAY, legsOf, newPair, pay, startFileService, statusesOf, statusOf, untilPaid } from './support/file-service.ts'
import { sendPayment } from './support/payments.ts'
import { addBank, addVerifiedBank, newAccountNumber } from './support/service.ts'

// ACH in production: files to and from the bank, in folders that the bank's transfer job empties and fills.

const auditOf = async (owner: Api): Promise<string[][]> =>
  (await owner.get('/v3/audit')).body.audit.map(({ action, actor, subject }: Record<string, string>) => [
    action,
    actor,
    subject,
  ])

suite('outbound', () => {
  test('legs waiting at a cut-off go into one file, an independent reader reads it, and the money follows it', async (t) => {
    const service = await startFileService(t)
    const { newUser, newOwner, clock, folder, openWindow, sent, secrets } = service
    const pair = await newPair(service)
    const elsewhere = (await newOwner()).api
    const other = await newUser(undefined, elsewhere)
    await addVerifiedBank(other)
    const shop = await newUser()
    const number = newAccountNumber()
    secrets.add(number)
    const shopBank = await shop.post('/v3/bank', { routing: '122105155', account: number, type: 'BUSINESS' })
    await openWindow() // the micro-deposits of the other bank
    const before = (await sent()).length
    const ids = [
      await pay(pair, 40.25, { name: 'José Müller', description: 'Invoice 7' }),
      await pay({ ...pair, recipient: shop, account: shopBank.body.id }, 99.99),
    ]
    const outside = await sendPayment(other, { amount: 12 })
    assert.equal(outside.status, 'UNPAID')
    await service.write()
    assert.equal((await sent()).length, before, 'no file is made before the cut-off')
    await openWindow()
    const pulls = (await sent()).filter(({ code, description }) => code === '27' && description === 'PAYMENT')
    assert.deepEqual(
      pulls.map(({ sec, cents, effective }) => [sec, cents, effective]),
      [
        ['WEB', 4_025, '260304'],
        ['WEB', 9_999, '260304'],
      ],
    )
    assert.ok(pulls.every(({ account }) => account.length > 4))
    for (let days = 0; days < 8; days++) {
      clock.advance(DAY / 2)
      await openWindow()
    }
    const pushes = (await sent()).filter(({ code, description }) => code === '22' && description === 'PAYMENT')
    pushes.sort((a, b) => a.cents - b.cents)
    assert.deepEqual(
      pushes.map(({ sec, routing, cents, name, addenda }) => [sec, routing, cents, name, addenda]),
      [
        ['PPD', '021000021', 4_025, 'Jose Muller', 'Invoice 7'],
        ['CCD', '122105155', 9_999, 'Recipient', null],
      ],
    )
    for (const id of ids) assert.deepEqual(await statusesOf(service, id), ['IN_PROCESS', 'PAID'])
    for (const { name } of await readOutbound(folder)) {
      assert.equal((await stat(join(folder, 'outbound/sent', name))).mode & 0o777, 0o600)
    }
    for (const place of ['outbound', 'outbound/sent', 'inbound', 'inbound/done', 'inbound/set-aside']) {
      assert.equal((await stat(join(folder, place))).mode & 0o777, 0o700)
    }
    const traces = (await sent()).map(({ trace }) => Number(trace.slice(8)))
    assert.deepEqual(
      traces.sort((a, b) => a - b),
      traces.map((_, index) => index + 1),
    )
  })

  test('names and numbers in other scripts are transliterated for the bank, and never become question marks', async (t) => {
    const service = await startFileService(t)
    const pair = await newPair(service)
    await pay(pair, 10, { name: 'Елена Щукина', number: 'Счёт-7', description: '发票' })
    const unreadable = await pay(pair, 20, { name: '王小明', number: '七' })
    await untilPaid(service, pair.sender, unreadable, 2_000)
    const pushes = (await service.sent()).filter(({ code, description }) => code === '22' && description === 'PAYMENT')
    const [leg] = await service.deps.sql<{ id: string }[]>`
      select id from legs where subject_id = ${unreadable} and purpose = 'payment_push'
    `
    const id = leg?.id.slice(-15)
    assert.deepEqual(
      pushes.map(({ name, id, addenda }) => [name, id, addenda]).sort(),
      [
        ['Elena Shchukina', 'Schet-7', null],
        [id, id, null],
      ].sort(),
    )
  })

  test('files of a day have consecutive modifiers, and legs that miss a cut-off by more than an hour wait for the next one', async (t) => {
    const service = await startFileService(t)
    const { clock, folder, openWindow, write, sent } = service
    const pair = await newPair(service)
    await pay(pair, 1)
    await openWindow() // 17:00 of the same day
    const files = await readOutbound(folder)
    assert.deepEqual(
      files.map(({ name, modifier }) => [name, modifier]),
      [
        ['20260302-A.ach', 'A'],
        ['20260302-B.ach', 'B'],
      ],
    )
    await pay(pair, 2)
    clock.advance(22 * 3_600 + 60) // 15:01 of the next day
    const before = (await sent()).length
    await write()
    assert.equal((await sent()).length, before)
    await openWindow()
    assert.equal((await sent()).at(-1)?.file, '20260303-A.ach')
    await service.assertLedger()
  })

  test('for banks that require it, each batch is balanced on the company’s account by an entry without a leg', async (t) => {
    const settlementAccount = { routingNumber: '091000019', accountNumber: '440012345', kind: 'checking' } as const
    const service = await startFileService(t, { own: { settlementAccount } })
    const pair = await newPair(service)
    await pay(pair, 10)
    await pay(pair, 20)
    await service.openWindow()
    for (const { debits, credits } of await readOutbound(service.folder)) assert.equal(debits, credits)
    const offset = (await service.sent()).find(({ account, cents }) => account === '440012345' && cents === 3_000)
    assert.deepEqual([offset?.code, offset?.name], ['22', 'REMIT INC'])
    await service.receive(
      'returns.ach',
      bankFile([{ code: 'R02', trace: offset?.trace as string, direction: 'credit', cents: 3_000 }]),
    )
    assert.match(await service.reports(), /return R02 of an entry that no file had/)
  })

  test('an entry that cannot be created does not stop the others', async (t) => {
    const service = await startFileService(t)
    const pair = await newPair(service)
    const [lost, fine] = [await pay(pair, 10), await pay(pair, 20)]
    await service.deps.sql`update legs set account_id = ${'f'.repeat(32)} where subject_id = ${lost}`
    await service.openWindow()
    const cents = (await service.sent()).map((entry) => entry.cents)
    assert.ok(cents.includes(2_000) && !cents.includes(1_000), fine)
    const [leg] = await service.deps.sql<{ status: string }[]>`select status from legs where subject_id = ${lost}`
    assert.equal(leg?.status, 'WAITING')
  })

  test('a payment voided before the cut-off is in no file, and one in a file cannot be voided', async (t) => {
    const service = await startFileService(t)
    const pair = await newPair(service)
    const [early, late] = [await pay(pair, 10), await pay(pair, 20)]
    assert.equal((await pair.sender.del(`/v3/check/${early}`)).status, 200)
    await service.openWindow()
    assert.ok(!(await service.sent()).some(({ cents }) => cents === 1_000))
    assert.equal((await pair.sender.del(`/v3/check/${late}`)).body.code, 'not_voidable')
  })

  test('an account on a disabled rail cannot be deposited into', async (t) => {
    const service = await startFileService(t)
    const { newUser, deps } = service
    const [sender, recipient] = [await newUser(), await newUser()]
    const wallet = (await sender.post('/v3/account/wallet', { name: 'Cash' })).body.id
    await deps.sql`select post_transfers_v1(
      platform_id, ${deps.sql.json([{ id: '1'.repeat(32), mode: 'post', debit: 'world', credit: `wallet:${wallet}`, cents: 10_000, reason: 'fund' }])},
      null, null, ${deps.clock.now()}
    ) from wallets where id = ${wallet}`
    for (const [kind, body] of [
      ['card', { card_number: '4242424242424242', expiration_date: '2099-12' }],
      ['paypal', { username: 'payee@example.com' }],
      ['wire', { name: 'Payee', routing: '021000021', account: '12345678901', type: 'CHECKING' }],
    ] as const) {
      const { id: account } = (await recipient.post(`/v3/account/${kind}`, body)).body
      const order = { amount: 1, name: 'Recipient', account: wallet }
      const direct = await sender.post('/v3/check/digital', { ...order, recipient: { id: recipient.userId, account } })
      assert.deepEqual([direct.status, direct.body.code], [400, 'invalid_deposit_option'])
      const { id } = (await sender.post('/v3/check/digital', { ...order, recipient: recipient.userId })).body
      const deposit = await recipient.post(`/v3/check/deposit/${id}`, { account })
      assert.deepEqual([deposit.status, deposit.body.code], [400, 'invalid_deposit_option'])
    }
    const account = await addBank(recipient)
    const toBank = await sendPayment(sender, { account: wallet, recipient: { id: recipient.userId, account } })
    assert.equal(toBank.status, 'IN_PROCESS')
    await service.openWindow()
    assert.equal(await statusOf(sender, toBank.id), 'IN_PROCESS')
    await service.passDays(1)
    assert.equal(await statusOf(sender, toBank.id), 'PAID', 'the bank has accepted the file')
    assert.deepEqual(
      (await service.sent()).map(({ sec, cents }) => [sec, cents]),
      [['PPD', 1_000]],
    )
  })

  // More than one batch for each step. The long run: TEST_ACH_LEGS=10000 node test/run.ts test/ach-file.test.ts
  const LEGS = Number(process.env.TEST_ACH_LEGS ?? 700)
  test(`${LEGS} payments are one file with the same entries and totals`, async (t) => {
    const service = await startFileService(t)
    const { folder, deps, clock } = service
    await pay(await newPair(service), 0.01)
    await copyPayments(deps.sql, { fromCents: 2, toCents: LEGS })
    clock.advance(3 * 3_600)
    const begin = performance.now()
    assert.equal(await writeAchFiles(deps, achHooks), LEGS)
    await service.write()
    t.diagnostic(`${LEGS} legs sent, committed and written in ${Math.round(performance.now() - begin)} ms`)
    const file = (await readOutbound(folder)).at(-1)
    assert.deepEqual(
      file?.entries.map(({ cents }) => cents).sort((a, b) => a - b),
      Array.from({ length: LEGS }, (_, index) => index + 1),
    )
    assert.deepEqual([file?.debits, file?.credits], [(LEGS * (LEGS + 1)) / 2, 0])
    const [row] = await deps.sql<{ sent: number }[]>`
      select count(*) as sent from legs where status = 'SENT' and purpose = 'payment_pull'
    `
    assert.equal(row?.sent, LEGS)
    await service.assertLedger()
  })
})

suite('a committed file is written once', () => {
  test('by two concurrent workers while an uploader takes files away', async (t) => {
    const service = await startFileService(t)
    const sql = connect(service.databaseUrl, { max: 4, applicationName: 'second worker' })
    const workers = [service.deps, { ...service.deps, sql }, service.deps, { ...service.deps, sql }]
    const pair = await newPair(service)
    let isOver = false
    const uploaded: string[] = []
    const uploader = (async () => {
      while (!isOver) {
        uploaded.push(...(await upload(service.folder)))
        await new Promise((resolve) => setImmediate(resolve))
      }
    })()
    for (let round = 1; round <= 8; round++) {
      await Promise.all(Array.from({ length: 30 }, (_, index) => pay(pair, round + index / 100)))
      const window = nextAchWindow(new Date(service.clock.now().getTime() + 1))
      service.clock.advance((window.getTime() - service.clock.now().getTime()) / 1000)
      await Promise.all(workers.map((deps) => writeAchFiles(deps, achHooks)))
      await service.write()
    }
    isOver = true
    await uploader
    await sql.end({ timeout: 5 })
    assert.ok(uploaded.length >= 8 && new Set(uploaded).size === uploaded.length, `${uploaded}`)
    const pulls = (await service.sent())
      .filter(({ code }) => code === '27')
      .filter(({ description }) => description === 'PAYMENT')
    assert.equal(pulls.length, 240)
    assert.equal(new Set(pulls.map(({ trace }) => trace)).size, 240)
    const [row] = await service.deps.sql<{ legs: number; files: number }[]>`
      select count(distinct leg_id) as legs, count(distinct file_id) as files from ach_entries
    `
    assert.equal(row?.legs, 243)
    assert.equal(row?.files, (await readOutbound(service.folder)).length)
    await service.assertLedger()
  })

  test('after a crash before it was written, or after it was written and taken away', async (t) => {
    const service = await startFileService(t)
    const { deps, connection, folder, list } = service
    const pair = await newPair(service)
    const unmark = () =>
      deps.sql`update exchanges set published_at = null, status = 'WRITTEN', transmitted_at = null where name like '%-B'`
    await pay(pair, 10)
    service.clock.advance(3 * 3_600)
    assert.equal(await makeAchFile(deps, achHooks, connection), 1)
    assert.deepEqual(await list('outbound'), ['canceled', 'sent'])
    await writeFile(join(folder, 'outbound/.20260302-B.ach.part'), 'half of it')
    await service.write()
    assert.deepEqual(await list('outbound'), ['20260302-B.ach', 'canceled', 'sent'])
    const content = await readFile(join(folder, 'outbound/20260302-B.ach'), 'latin1')

    await unmark() // the state after a kill before the commit
    await service.write()
    assert.equal(await readFile(join(folder, 'outbound/20260302-B.ach'), 'latin1'), content)

    await rename(join(folder, 'outbound/20260302-B.ach'), join(folder, 'outbound/sent/20260302-B.ach'))
    await unmark()
    await service.write()
    assert.deepEqual(await list('outbound'), ['canceled', 'sent'])

    await truncate(join(folder, 'outbound/sent/20260302-B.ach'), 100)
    await unmark()
    await service.write()
    assert.deepEqual(await list('outbound'), ['canceled', 'sent'], 'and another file with its name is kept')
    const [row] = await deps.sql<{ unwritten: string }[]>`
      select string_agg(name, ' ') as unwritten from exchanges where published_at is null
    `
    assert.equal(row?.unwritten, '20260302-B')
  })
})

suite('returns', () => {
  test('of a pull fail the payment if they are early, and create a debt of the sender if they are late', async (t) => {
    const service = await startFileService(t)
    const pair = await newPair(service)
    const [early, late] = [await pay(pair, 10), await pay(pair, 20)]
    await service.openWindow()
    const traceOf = async (cents: number) =>
      (await service.sent()).find((entry) => entry.cents === cents)?.trace as string
    await service.passDays(1)
    await service.receive(
      'early.ach',
      bankFile([{ code: 'R01', trace: await traceOf(1_000), direction: 'debit', cents: 1_000 }]),
    )
    assert.equal(await statusOf(pair.sender, early), 'FAILED')
    assert.equal((await pair.sender.get(`/v3/check/${early}/fail`)).body.code, 'R01')
    await untilPaid(service, pair.sender, late, 2_000)
    await service.passDays(20)
    const pull = (await service.sent()).find(({ cents, code }) => cents === 2_000 && code === '27')
    await service.receive(
      'late.ach',
      bankFile([{ code: 'R10', trace: pull?.trace as string, direction: 'debit', cents: 2_000 }]),
    )
    assert.deepEqual(await statusesOf(service, late), ['IN_PROCESS', 'PAID', 'FAILED'])
    assert.equal(
      (await pair.recipient.post(`/v3/check/deposit/${late}`, { account: pair.account })).body.code,
      'not_depositable',
    )
    assert.deepEqual(await service.list('inbound/done'), ['early.ach', 'late.ach'])
    assert.deepEqual(await service.list('inbound/set-aside'), [])
  })

  test('of a push with R03 fail the payment, and the money goes back to the sender in a file', async (t) => {
    const service = await startFileService(t)
    const pair = await newPair(service)
    const id = await pay(pair, 30)
    const push = await untilPaid(service, pair.sender, id, 3_000)
    await service.passDays(2)
    await service.receive(
      'returns.ach',
      bankFile([{ code: 'R03', trace: push.trace, direction: 'credit', cents: 3_000 }]),
    )
    assert.equal((await pair.sender.get(`/v3/check/${id}/fail`)).body.code, 'R03')
    await service.passDays(6)
    await service.openWindow()
    assert.deepEqual(await statusesOf(service, id), ['IN_PROCESS', 'PAID', 'FAILED', 'REFUNDED'])
    const refund = (await service.sent()).find(({ description }) => description === 'REFUND')
    assert.deepEqual([refund?.sec, refund?.code, refund?.cents], ['PPD', '22', 3_000])
    await service.passDays(3)
    await service.assertLedger()
  })

  test('that do not match are set aside with a report, and the others of their file are applied', async (t) => {
    const service = await startFileService(t)
    const { deps, secrets } = service
    const pair = await newPair(service)
    const ids = [await pay(pair, 10), await pay(pair, 20), await pay(pair, 30)]
    await service.openWindow()
    await service.passDays(1)
    const traces = new Map((await service.sent()).map(({ cents, trace }) => [cents, trace]))
    const entry = (cents: number, more: object = {}) => ({
      code: 'R01',
      trace: traces.get(cents) as string,
      direction: 'debit' as const,
      cents,
      ...more,
    })
    const file = bankFile([
      entry(1_000),
      entry(1_000, { code: 'R02' }),
      entry(2_000, { cents: 1_999 }),
      entry(2_000, { direction: 'credit' }),
      { code: 'R01', trace: '091000019999999', direction: 'debit', cents: 500 },
      entry(2_000, { code: 'R68' }),
      entry(3_000),
    ])
    await service.receive('returns.ach', file)
    assert.deepEqual(await Promise.all(ids.map((id) => statusOf(pair.sender, id))), ['FAILED', 'IN_PROCESS', 'FAILED'])
    const report = await service.reports()
    for (const line of [
      `trace number ${traces.get(1_000)}: return R02 that names the same entry as line 3`,
      `trace number ${traces.get(2_000)}: return R01 of $19.99: the entry was of $20.00`,
      `trace number ${traces.get(2_000)}: return R01 that names the same entry as line 7`,
      'trace number 091000019999999: return R01 of an entry that no file had',
      `trace number ${traces.get(2_000)}: dishonored return R68`,
      'Used: 2 returns, 0 corrections, 0 acknowledgements.',
    ]) {
      assert.ok(report.includes(line), `${line} is not in:\n${report}`)
    }
    const rows = await deps.sql<{ line: number }[]>`select line from ach_set_aside order by line`
    assert.deepEqual(
      rows.map(({ line }) => line),
      [5, 7, 9, 11, 13],
    )
    for (const { account } of await service.sent()) {
      secrets.add(account)
      assert.ok(!report.includes(account))
    }
    assert.deepEqual(await service.list('inbound'), ['done', 'set-aside'])

    // Repeats the file: under its own name as after a crash, and under another name.
    const before = await deps.sql`select * from legs order by id`
    await service.receive('returns.ach', file)
    await service.receive('again.ach', file)
    assert.deepEqual([...(await deps.sql`select * from legs order by id`)], [...before])
    assert.match(
      await service.reports(),
      /Nothing was taken from again\.ach.*the same content as returns\.ach, which was read before/s,
    )
    // Another file with a known name is read.
    await service.receive('returns.ach', bankFile([entry(2_000)]))
    assert.equal(await statusOf(pair.sender, ids[1] as string), 'FAILED')
    assert.equal((await service.list('inbound/done')).filter((name) => name.startsWith('returns.ach')).length, 3)
  })

  test('that are set aside hold the entry that their trace number names until the operator has reviewed it', async (t) => {
    const service = await startFileService(t)
    const { deps, openWindow, receive } = service
    const pair = await newPair(service)
    const [held, free] = [await pay(pair, 10), await pay(pair, 20)]
    await openWindow()
    const traces = new Map((await service.sent()).map(({ cents, trace }) => [cents, trace]))
    const trace = traces.get(1_000) as string
    await receive('wrong.ach', bankFile([{ code: 'R01', trace, direction: 'debit', cents: 999 }]))
    for (let window = 0; window < 16; window++) await openWindow()
    // The return may concern any debit, so no debit becomes trusted.
    assert.deepEqual(
      [await statusOf(pair.sender, held), await statusOf(pair.sender, free)],
      ['IN_PROCESS', 'IN_PROCESS'],
    )
    assert.deepEqual(await legsOf(service, held), [['payment_pull', 'SENT', true]])
    assert.ok(!(await service.sent()).some(({ cents, code }) => cents === 1_000 && code === '22'))
    const [exception] = await getBankCases(deps)
    assert.deepEqual(
      [exception?.kind, exception?.paymentId, exception?.cents, exception?.note],
      ['entry_unread', held, 1_000, 'return R01 of $9.99: the entry was of $10.00'],
    )
    const due = { now: service.clock.now(), hasMovableClock: false, silence: null, skipped: NOTHING_SKIPPED }
    assert.deepEqual((await listDuePlatforms(deps.sql, due)).platformIds, [])

    assert.equal(
      await exceptionCommand({ note: 'the bank took it back' }, ['close', exception?.id as string])(deps),
      'Closed.',
    )
    await untilPaid(service, pair.sender, held, 1_000)
    await untilPaid(service, pair.sender, free, 2_000)
  })

  test('of two micro-deposits that are set aside hold the bank until the operator has reviewed both', async (t) => {
    const service = await startFileService(t)
    const { deps, openWindow, receive } = service
    const user = await service.newUser()
    const bank = await addBank(user)
    await user.post('/v3/bank/release', { account: bank })
    await openWindow()
    const traces = new Map((await service.sent()).map(({ cents, trace }) => [cents, trace]))
    for (const cents of [7, 15]) {
      const trace = traces.get(cents) as string
      await receive(`wrong-${cents}.ach`, bankFile([{ code: 'R03', trace, direction: 'credit', cents: cents + 1 }]))
    }
    const isHeld = async () => new Set((await legsOf(service, bank)).map(([, , held]) => held))
    const [first, second] = await getBankCases(deps)
    const close = (id = '') => exceptionCommand({ note: 'talked to the bank' }, ['close', id])(deps)
    await close(first?.id)
    assert.deepEqual(await isHeld(), new Set([true]))
    await close(second?.id)
    assert.deepEqual(await isHeld(), new Set([false]))
  })

  test('that are set aside stop a payout that was not sent yet, and a later one of the same payment', async (t) => {
    const service = await startFileService(t)
    const { deps, doDueWork, passDays, receive, openWindow } = service
    const pair = await newPair(service)
    const id = await pay(pair, 10)
    await openWindow()
    const { trace } = (await service.sent()).find(({ cents }) => cents === 1_000) as SentEntry
    while ((await legsOf(service, id)).length === 1) {
      service.clock.advance(3_600)
      await exchange(deps)
      await doDueWork()
    }
    await receive('dishonored.ach', bankFile([{ code: 'R68', trace, direction: 'debit', cents: 1_000 }]))
    for (let window = 0; window < 6; window++) await openWindow()
    assert.deepEqual(await legsOf(service, id), [
      ['payment_pull', 'TRUSTED', true],
      ['payment_push', 'WAITING', true],
    ])
    await receive('returned.ach', bankFile([{ code: 'R01', trace, direction: 'debit', cents: 1_000 }]))
    assert.equal(await statusOf(pair.sender, id), 'FAILED', 'a return that matches is applied to a held entry')
    await passDays(1)
    assert.equal((await pair.recipient.post(`/v3/check/deposit/${id}`, { account: pair.account })).status, 201)
    for (let window = 0; window < 4; window++) await openWindow()
    assert.deepEqual((await legsOf(service, id)).at(-1), ['payment_pull', 'WAITING', true])
    const [exception] = await getBankCases(deps)
    await exceptionCommand({ note: 'talked to the bank' }, ['close', exception?.id as string])(deps)
    await untilPaid(service, pair.sender, id, 1_000)
  })

  test('of another company or from another bank are set aside and hold the entry', async (t) => {
    const service = await startFileService(t)
    const pair = await newPair(service)
    const ids = [await pay(pair, 10), await pay(pair, 20)]
    await service.openWindow()
    const traces = new Map((await service.sent()).map(({ cents, trace }) => [cents, trace]))
    const entry = (cents: number) => {
      return { code: 'R01', trace: traces.get(cents) as string, direction: 'debit' as const, cents }
    }
    await service.receive('company.ach', bankFile([entry(1_000)], { companyId: '1999999999' }))
    await service.receive('bank.ach', bankFile([{ ...entry(2_000), rdfi: '12210515' }]))
    const report = await service.reports()
    assert.match(report, /return R01 for company 1999999999: the entry was sent for company 1840275936/)
    assert.match(report, /return R01 from bank 12210515: the entry went to bank 02100002/)
    for (const id of ids) {
      assert.equal(await statusOf(pair.sender, id), 'IN_PROCESS')
      assert.deepEqual(await legsOf(service, id), [['payment_pull', 'SENT', true]])
    }
    assert.equal((await getBankCases(service.deps)).length, 2)
  })

  test('with another account number are applied, and the number is stored sealed', async (t) => {
    const service = await startFileService(t)
    const { deps, secrets } = service
    const pair = await newPair(service)
    const ids = [await pay(pair, 10), await pay(pair, 20)]
    await service.openWindow()
    const pulls = (await service.sent()).filter(({ description }) => description === 'PAYMENT')
    const reformatted = `00-${newAccountNumber()}`
    secrets.add(reformatted)
    const entries = pulls.map(({ trace, cents, account }) => {
      secrets.add(account)
      return {
        code: 'R01',
        trace,
        direction: 'debit' as const,
        cents,
        account: cents === 1_000 ? account : reformatted,
      }
    })
    await service.receive('returns.ach', bankFile(entries))
    for (const id of ids) assert.equal(await statusOf(pair.sender, id), 'FAILED')
    const rows = await deps.sql<
      { accountSealed: Buffer | null }[]
    >`select account_sealed from ach_returns order by line`
    assert.deepEqual(
      rows.map(({ accountSealed }) => accountSealed && deps.keyRing.openText(accountSealed, 'ach return')),
      [null, reformatted],
    )
  })

  test('that fail midway are retried without the failed ones, and nothing is applied twice', async (t) => {
    const service = await startFileService(t)
    const pair = await newPair(service)
    const ids = [await pay(pair, 10), await pay(pair, 20)]
    await service.openWindow()
    const pulls = (await service.sent()).filter(({ description }) => description === 'PAYMENT')
    const { payment_pull } = achHooks.handlers
    let calls = 0
    const handlers = {
      ...achHooks.handlers,
      payment_pull: withFault(payment_pull, (leg) => {
        calls++
        return leg.subjectId === ids[1]
      }),
    }
    const entries = pulls.map(({ trace, cents }) => ({ code: 'R01', trace, direction: 'debit' as const, cents }))
    await putInbound(service.folder, 'returns.ach', bankFile(entries))
    assert.equal(await readAchFiles(service.deps, { ...achHooks, handlers }), 1)
    assert.equal(calls, 4, 'once together, and once for each return alone')
    assert.deepEqual(await Promise.all(ids.map((id) => statusesOf(service, id))), [
      ['IN_PROCESS', 'FAILED'],
      ['IN_PROCESS'],
    ])
    assert.match(await service.reports(), /it could not be used; the log says why/)
    await service.assertLedger()
  })
})

test('failing entries cause at most one more attempt for other entries, and hold the entries that they name', async (t) => {
  const service = await startFileService(t)
  const { deps } = service
  const count = 300
  await pay(await newPair(service), 0.01)
  await copyPayments(deps.sql, { fromCents: 2, toCents: count })
  await service.openWindow()
  const debits = (await service.sent()).filter(({ code, description }) => code === '27' && description === 'PAYMENT')
  const { payment_pull } = achHooks.handlers
  let calls = 0
  const handlers = {
    ...achHooks.handlers,
    payment_pull: withFault(payment_pull, ({ cents }) => {
      calls++
      return cents % 50 === 0
    }),
  }
  const entries = debits.map(({ trace, cents }) => ({ code: 'R01', trace, direction: 'debit' as const, cents }))
  await putInbound(service.folder, 'returns.ach', bankFile(entries))
  assert.equal(await readAchFiles(deps, { ...achHooks, handlers }), 1)
  assert.ok(calls <= 2 * count, `${calls} calls`)
  const [row] = await deps.sql<{ failed: number; held: number; setAside: number }[]>`
    select
      (select count(*) from payments where status = 'FAILED') as failed,
      (select count(*) from legs where held_at is not null and cents % 50 = 0 and status <> 'RETURNED') as held,
      (select count(*) from ach_set_aside where reason = 'it could not be used; the log says why') as set_aside
  `
  assert.deepEqual(row, { failed: count - 6, held: 6, setAside: 6 })
  assert.equal((await getBankCases(deps)).length, 6)
  await service.assertLedger()
})

test('entries about one payment, and corrections of one bank, are applied in order', async (t) => {
  const service = await startFileService(t)
  const { deps, secrets } = service
  const pair = await newPair(service)
  await pay(pair, 10)
  await service.openWindow()
  const { trace } = (await service.sent()).find(({ cents }) => cents === 1_000) as SentEntry
  const account = newAccountNumber()
  secrets.add(account)
  const entry = { trace, direction: 'debit' as const, cents: 1_000 }
  await service.receive(
    'all.ach',
    bankFile([
      { ...entry, code: 'C01', cents: 0, corrected: account },
      { ...entry, code: 'R01' },
      { ...entry, code: 'R09' },
      { ...entry, code: 'C02', cents: 0, corrected: '122105155' },
    ]),
  )
  assert.match(await service.reports(), /return R09 that names the same entry as line 5/)
  const [bank] = (await pair.sender.get('/v3/bank')).body.banks
  assert.deepEqual([bank.routing, bank.account], ['122105155', account.slice(-4)], 'no correction is lost')
  const [leg] = await deps.sql<{ returnCode: string }[]>`select return_code from legs where cents = 1000`
  assert.equal(leg?.returnCode, 'R01')
})

suite('notifications of change', () => {
  test('are applied to the bank, so that the next entry is correct, unless the routing number is wrong', async (t) => {
    const service = await startFileService(t)
    const { deps, secrets, newUser } = service
    const pair = await newPair(service)
    const other = await newUser()
    await addVerifiedBank(other)
    await service.openWindow()
    await pay(pair, 10)
    await pay({ ...pair, sender: other }, 20)
    await service.openWindow()
    const traceOf = async (cents: number) =>
      (await service.sent()).find((entry) => entry.cents === cents)?.trace as string
    const account = newAccountNumber()
    secrets.add(account)
    const change = async (code: string, cents: number, corrected: string) => ({
      code,
      trace: await traceOf(cents),
      direction: 'debit' as const,
      cents: 0,
      corrected,
    })
    await service.receive(
      'changes.ach',
      bankFile([
        await change('C07', 1_000, `122105155${account.padEnd(17)}37`),
        await change('C02', 2_000, '122105156'),
        await change('C09', 2_000, 'ABC'),
        { ...(await change('C02', 2_000, '122105155')), rdfi: '12210515' },
        { ...(await change('C02', 2_000, '122105155')), trace: '091000019999999' },
      ]),
    )
    const report = await service.reports()
    assert.match(report, /notification of change C02: the corrected routing number has a wrong check digit/)
    assert.match(report, /notification of change C09: it is about the file, not the bank account/)
    assert.match(report, /notification of change C02 to an entry that no file had/)
    assert.match(report, /notification of change C02 from bank 12210515: the entry went to bank 02100002/)
    assert.ok(!report.includes(account) && !report.includes('122105156'))
    await pay(pair, 11)
    await pay({ ...pair, sender: other }, 21)
    await service.openWindow()
    const now = (await service.sent()).filter(({ cents }) => cents === 1_100 || cents === 2_100)
    assert.deepEqual(
      now.map(({ code, routing }) => [code, routing]),
      [['37', '122105155']],
      'the debit whose correction cannot be applied waits for a decision',
    )
    assert.equal(now[0]?.account, account)
    const [bank] = (await pair.sender.get('/v3/bank')).body.banks
    assert.deepEqual(
      [bank.routing, bank.account, bank.type, bank.status],
      ['122105155', account.slice(-4), 'SAVINGS', 'VERIFIED'],
    )
    const again = await pair.sender.post('/v3/bank', { routing: '122105155', account, type: 'SAVINGS' })
    assert.equal(again.body.code, 'bank_exists')
    const kept = await deps.sql<{ changeCode: string; isApplied: boolean }[]>`
      select change_code, is_applied from ach_corrections order by line
    `
    assert.deepEqual(
      kept.map(({ changeCode, isApplied }) => [changeCode, isApplied]),
      [
        ['C07', true],
        ['C02', false],
        ['C09', false],
        ['C02', false],
      ],
    )
  })
})

test('notifications of change cause one audit entry and one webhook per correction, without a number', async (t) => {
  const service = await startFileService(t)
  const { deps, owner, secrets } = service
  await newEndpoint(owner, 'https://hooks.example.com/', { event_types: ['BANK'] })
  const pair = await newPair(service)
  const bankId: string = (await pair.sender.get('/v3/bank')).body.banks[0].id
  await pay(pair, 10)
  await service.openWindow()
  const { trace } = (await service.sent()).find(({ cents }) => cents === 1_000) as SentEntry
  const account = newAccountNumber()
  secrets.add(account)
  const change = (code: string, corrected: string) => ({
    code,
    trace,
    direction: 'debit' as const,
    cents: 0,
    corrected,
  })
  await service.receive(
    'changes.ach',
    bankFile([
      change('C01', account),
      change('C01', account), // repeated for each entry sent in the meantime
      change('C07', `122105155${account.padEnd(17)}37`),
      change('C02', '122105156'),
    ]),
  )
  const corrections = (await auditOf(owner)).filter(([action]) => action === 'bank_corrected')
  assert.deepEqual(corrections, [
    ['bank_corrected', 'service', `${bankId}: routing number, type`],
    ['bank_corrected', 'service', `${bankId}: account number`],
  ])
  const events = await deps.sql<{ body: string }[]>`select body from events where subject_id = ${bankId} order by id`
  const bodies = [...new Set(events.map(({ body }) => body))]
  assert.equal(bodies.at(-1), `{"id":"${bankId}","status":"VERIFIED","type":"BANK"}`)
  assert.equal(events.length, 4, 'PENDING, VERIFIED, and one for each correction')
})

suite('micro-deposits', () => {
  test('are two credits and an offsetting debit in one file, and their total is zero', async (t) => {
    const service = await startFileService(t)
    const user = await service.newUser()
    await addVerifiedBank(user)
    const shop = (await user.post('/v3/bank', { routing: '122105155', account: newAccountNumber(), type: 'BUSINESS' }))
      .body.id
    assert.equal((await user.post('/v3/bank/release', { account: shop })).status, 201)
    await service.openWindow()
    const entries = await service.sent()
    assert.ok(entries.every(({ description }) => description === 'ACCTVERIFY'))
    const shape = (routing: string) =>
      entries.filter((entry) => entry.routing === routing).map(({ sec, code, cents }) => [sec, code, cents])
    assert.deepEqual(shape('021000021').sort(), [
      ['PPD', '22', 15],
      ['PPD', '22', 7],
      ['WEB', '27', 22],
    ])
    assert.deepEqual(shape('122105155').sort(), [
      ['CCD', '22', 15],
      ['CCD', '22', 7],
      ['CCD', '27', 22],
    ])
    await service.passDays(7)
    await service.assertLedger()
    const [cost] = await service.deps.sql<{ cents: number }[]>`
      select sum(case when debit = 'micro_deposits' then cents else -cents end)::bigint as cents
      from transfers
      where 'micro_deposits' in (debit, credit) and status = 'POSTED'
    `
    assert.equal(cost?.cents, 0)
  })

  test('that are returned revoke the verification, but a micro-deposit debit returned for insufficient funds does not', async (t) => {
    const service = await startFileService(t)
    const { newUser } = service
    const statusAfter = async (code: string, wanted: string) => {
      const user = await newUser()
      await addVerifiedBank(user)
      const before = new Set((await service.sent()).map(({ trace }) => trace))
      await service.openWindow()
      const entries = (await service.sent()).filter(({ trace }) => !before.has(trace))
      await service.passDays(2)
      const entry = entries.find((one) => one.code === wanted)
      const direction = wanted === '27' ? 'debit' : 'credit'
      await service.receive(
        `${code}-${wanted}.ach`,
        bankFile([{ code, trace: entry?.trace as string, direction, cents: entry?.cents as number }]),
      )
      await service.passDays(5)
      await service.assertLedger()
      return (await user.get('/v3/bank')).body.banks[0].status
    }
    assert.equal(await statusAfter('R03', '22'), 'DEPOSIT_ONLY')
    assert.equal(await statusAfter('R29', '27'), 'DEPOSIT_ONLY')
    assert.equal(await statusAfter('R01', '27'), 'VERIFIED')
  })
})

test('a waiting debit is left out of the file when its bank has lost its verification', async (t) => {
  const service = await startFileService(t)
  const pair = await newPair(service)
  const credit = (await service.sent()).find(({ code, cents }) => code === '22' && cents === 15)
  await service.passDays(2)
  const id = await pay(pair, 10)
  await service.receive(
    'verification.ach',
    bankFile([{ code: 'R17', trace: credit?.trace as string, direction: 'credit', cents: 15 }]),
  )
  await service.openWindow()
  assert.deepEqual(
    (await service.sent()).filter(({ cents }) => cents === 1_000),
    [],
  )
  assert.deepEqual(await statusesOf(service, id), ['IN_PROCESS', 'FAILED'])
  const { code } = (await pair.sender.get(`/v3/check/${id}/fail`)).body
  assert.equal(code, 'R901')
  const again = await pair.recipient.post(`/v3/check/deposit/${id}`, { account: pair.account })
  assert.equal(again.body.code, 'not_depositable')
})

suite('files from the bank', () => {
  test('that are unreadable are set aside as a whole, with the reason', async (t) => {
    const service = await startFileService(t)
    const pair = await newPair(service)
    const id = await pay(pair, 10)
    await service.openWindow()
    const pull = (await service.sent()).find(({ cents }) => cents === 1_000) as SentEntry
    const good = bankFile([{ code: 'R01', trace: pull.trace, direction: 'debit', cents: 1_000 }])
    const unreadable: [name: string, content: string | Buffer, reason: RegExp][] = [
      ['truncated.ach', good.slice(0, 440), /cut off: the file control record is missing/],
      ['no-control.ach', good.split('\n').slice(0, 5).join('\n'), /cut off: the file control record is missing/],
      ['empty.ach', '', /the file is empty/],
      ['totals.ach', good.replaceAll('000000001000', '000000002000'), /debit total in cents should be 1000/],
      [
        'garbage.ach',
        Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7_919) % 256)),
        /line 1: neither the header of a NACHA file/,
      ],
      ['oversized.ach', good + ' '.repeat(17 * 1024 * 1024), /bytes: more than the 16777216 that a file may have/],
      ['report.txt', '\nFILE STATUS: LOOKED AT', /line 2: acknowledgment 1 has no status/],
      ['rapport.txt', 'FILE STATUS: DÉFINITIF', /line 1: acknowledgment 1 has no status/],
      ['letter.txt', 'Dear customer,\nyour ACKNOWLEDGMENT is late.', /line 1: neither the header of a NACHA file/],
      ['x'.repeat(240), 'a long name', /line 1: neither the header of a NACHA file/],
    ]
    for (const [name, content, reason] of unreadable) {
      await service.receive(name, content)
      assert.match(await service.reports(), reason, name)
    }
    assert.deepEqual(await service.list('inbound'), ['done', 'set-aside'])
    assert.equal((await service.list('inbound/set-aside')).length, 2 * unreadable.length)
    assert.equal(await statusOf(pair.sender, id), 'IN_PROCESS', 'nothing was taken from any')
    await service.receive('good.ach', good)
    assert.equal(await statusOf(pair.sender, id), 'FAILED')
    for (const name of await service.list('inbound/set-aside')) {
      if (name.endsWith('.report.txt')) {
        assert.equal((await stat(join(service.folder, 'inbound/set-aside', name))).mode & 0o777, 0o600)
      }
    }
  })

  test('are recognized as returns even if a receiver is named like an acknowledgment', async (t) => {
    const service = await startFileService(t)
    const pair = await newPair(service)
    const ids = [await pay(pair, 10), await pay(pair, 20)]
    await service.openWindow()
    const pulls = (await service.sent()).filter(({ description }) => description === 'PAYMENT')
    const names = ['ACKNOWLEDGMENT LLC', 'FILE STATUS: ACCEPTED']
    const entries = pulls.map(({ trace, cents }, index) => {
      return { code: 'R01', trace, direction: 'debit' as const, cents, name: names[index] as string }
    })
    await service.receive('returns.ach', bankFile(entries))
    for (const id of ids) assert.equal(await statusOf(pair.sender, id), 'FAILED')
    assert.deepEqual(await service.list('inbound/set-aside'), [])
  })

  test('may contain several NACHA files: the valid ones are applied once, and the report names the lines of the others', async (t) => {
    const service = await startFileService(t)
    const pair = await newPair(service)
    const ids = [await pay(pair, 10), await pay(pair, 20), await pay(pair, 30)]
    await service.openWindow()
    const traces = new Map((await service.sent()).map(({ cents, trace }) => [cents, trace]))
    const returned = (cents: number) =>
      bankFile([{ code: 'R01', trace: traces.get(cents) as string, direction: 'debit', cents }])
    const [first, second, third] = [returned(1_000), returned(2_000), returned(3_000)]
    const broken = second.replaceAll('000000002000', '000000002001')
    await service.receive(
      'day.ach',
      [first, broken, third].join('').replaceAll('\n', '\r\n') + String.fromCharCode(0x1a),
    )
    const statuses = () => Promise.all(ids.map((id) => statusOf(pair.sender, id)))
    assert.deepEqual(await statuses(), ['FAILED', 'IN_PROCESS', 'FAILED'])
    const report = await service.reports()
    assert.match(
      report,
      /lines 11 to 20: nothing was taken from the file in these lines:\n {4}line 15: the debit total in cents/,
    )
    assert.match(report, /Used: 2 returns, 0 corrections/)
    assert.deepEqual(await service.list('inbound/done'), ['day.ach'])

    // The bank resends all of them, corrected.
    await service.receive('again.ach', [first, second, third].join(''))
    assert.deepEqual(await statuses(), ['FAILED', 'FAILED', 'FAILED'])
    assert.match(await service.reports(), /line 1: the same content as day\.ach, which was read before/)
    assert.match(await service.reports(), /line 21: the same content as day\.ach, which was read before/)
    assert.match(await service.reports(), /Used: 1 returns, 0 corrections/)
    for (const id of ids) assert.deepEqual(await statusesOf(service, id), ['IN_PROCESS', 'FAILED'])

    // An applied file is repeated alone, and twice in one file.
    await service.receive('second.ach', second.replaceAll('\n', ''))
    assert.match(await service.reports(), /Nothing was taken from second\.ach.*line 1: the same content as again\.ach/s)
    const fourth = bankFile([{ code: 'R01', trace: '091000019999999', direction: 'debit', cents: 1 }])
    await service.receive('twice.ach', fourth + fourth)
    assert.match(
      await service.reports(),
      /line 11: the same content as the file in lines 1 to 10, which was read before/,
    )
    // The file whose totals do not match, and the return of an entry that no file contained.
    assert.deepEqual(
      (await getBankCases(service.deps)).map(({ kind }) => kind),
      ['file_unread', 'entry_unread'],
    )
  })

  test('that are still uploading, folders and hidden files are ignored', async (t) => {
    const service = await startFileService(t)
    await writeFile(join(service.folder, 'inbound/new.ach'), 'the first half')
    await putInbound(service.folder, '.hidden.ach', 'x')
    assert.equal(await readAchFiles(service.deps, achHooks), 0)
    assert.deepEqual(await service.list('inbound'), ['.hidden.ach', 'done', 'new.ach', 'set-aside'])
  })

  test('are read once by two workers', async (t) => {
    const service = await startFileService(t)
    const pair = await newPair(service)
    const id = await pay(pair, 10)
    await service.openWindow()
    const pull = (await service.sent()).find(({ cents }) => cents === 1_000) as SentEntry
    await putInbound(
      service.folder,
      'r.ach',
      bankFile([{ code: 'R01', trace: pull.trace, direction: 'debit', cents: 1_000 }]),
    )
    await Promise.all(Array.from({ length: 4 }, () => readAchFiles(service.deps, achHooks)))
    await readAchFiles(service.deps, achHooks)
    assert.deepEqual(await statusesOf(service, id), ['IN_PROCESS', 'FAILED'])
    assert.deepEqual(await service.list('inbound/done'), ['r.ach'])
    assert.deepEqual(await service.list('inbound/set-aside'), [])
  })

  test('can acknowledge ours: rejected and unknown files need manual review', async (t) => {
    const service = await startFileService(t)
    await newPair(service)
    const acknowledgement = (status: string, modifier: string, date = '03/02/26') => `FILE STATUS: ${status}
IMMEDIATE ORIGIN: 1840-2759-36       IMMEDIATE DESTINATION: 0910-0001-9
FILE CREATION DATE: ${date}  FILE CREATION TIME: 14:00   FILE ID MODIFIER: ${modifier}
 BATCHES: 2        DEBIT:  $ 0.22
 ENTRY/ADDENDA: 3  CREDITS: $ 0.22
FH238-INVALID SOMETHING
*** END OF ACKNOWLEDGEMENT ***
`
    await service.receive('accepted.txt', acknowledgement('FILE ACCEPTED WITH NO ERRORS', 'A'))
    assert.equal(await service.reports(), '')
    await service.receive('rejected.txt', acknowledgement('FILE REJECTED WITH FILE LEVEL ERRORS', 'A'))
    await service.receive('unknown.txt', acknowledgement('FILE ACCEPTED WITH NO ERRORS', 'B'))
    await service.receive('no-day.txt', acknowledgement('FILE ACCEPTED WITH NO ERRORS', 'A', '02/31/26'))
    const report = await service.reports()
    assert.match(report, /20260302-A: the bank rejects a file that is ACCEPTED/)
    assert.match(report, /acknowledgment of a file B of 260302 that was not sent/)
    assert.match(report, /acknowledgment of a file A of 260231 that was not sent/)
    const rows = await service.deps.sql<
      { outcome: string }[]
    >`select outcome from ach_acknowledgements order by outcome`
    assert.deepEqual(
      rows.map(({ outcome }) => outcome),
      ['accepted', 'rejected'],
    )
  })
})

/** Makes some legs fail after the effects of an event. */
const withFault =
  (handler: LegHandler, isFaulty: (leg: LegRow) => boolean): LegHandler =>
  async (deps, legs) =>
    (await handler(deps, legs)).map(
      (subject) =>
        subject && {
          ...subject,
          applyEffects: async (leg, event, before) => {
            await subject.applyEffects(leg, event, before)
            if (isFaulty(leg)) throw new Error('a fault')
          },
        },
    )
