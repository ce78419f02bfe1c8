import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { type Connection, STATEMENT_NAMES } from '../src/foundation/core/connections.ts'
import { findConnection } from '../src/foundation/core/operator-account.ts'
import { getBankCases } from '../src/foundation/exception/bank-case-actions.ts'
import { newId } from '../src/foundation/lib/ids.ts'
import { insertClosedMonth } from '../src/money/closing/month-store.ts'
import { verifyLedger } from '../src/money/ledger/verify-actions.ts'
import { readStatementFile } from '../src/money/reconciliation/statement-file-actions.ts'
import { matchBankStatements, readBankStatements } from '../src/money/reconciliation/statement-worker.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { filesCommand } from '../src/operation/cli/files-commands.ts'
import { monthCommand } from '../src/operation/cli/statement/month-command.ts'
import { reconcileCommand } from '../src/operation/cli/statement/reconcile-command.ts'
import { legHandlers } from '../src/operation/scheduler/leg-handlers.ts'
import { acknowledgment, bankFile, exchange, putInbound, type SentEntry } from './support/ach.ts'
import { DAY, legsOf, newPair, pay, startFileService } from './support/file-service.ts'
import { ACCOUNT, operatorBank } from './support/paid-lists.ts'
import { bai2Lines, camtLines, type SampleLine, type SampleStatement } from './support/statement-files.ts'

const rules = [{ text: 'service charge', code: null, sign: 'debit', account: 'fees' }] as const
const service = await startFileService(
  { after },
  { operatorBank, statements: { format: null, names: STATEMENT_NAMES, csv: null, rules } },
)
const { deps, folder, clock } = service
service.secrets.add(ACCOUNT.replace(/^0+/, ''))

const today = () => clock.now().toISOString().slice(0, 10)
let count = 0
let balanceCents = 1_000_000

const line = (cents: number, reference = '', text = '', code = cents > 0 ? '142' : '451'): SampleLine => ({
  cents,
  code,
  reference,
  text,
})

/** Writes the bank's statement of a day and lets Remit read it. */
async function receive(
  lines: readonly SampleLine[],
  { day = today(), openingCents = balanceCents, account = ACCOUNT, write = bai2Lines } = {},
) {
  await putInbound(folder, `statement-${++count}.bai`, write({ account, openingCents, lines, day }).join('\n'))
  await work()
  balanceCents = openingCents + lines.reduce((sum, { cents }) => sum + cents, 0)
}

async function work() {
  await readBankStatements(deps)
  await matchBankStatements(deps, { legHandlers })
  await service.assertLedger()
}

/** The statuses of the latest files of the bank. */
const latestFiles = async (limit: number) =>
  (
    await deps.sql<{ status: string }[]>`select status from exchanges order by created_at desc, id desc limit ${limit}`
  ).map(({ status }) => status)

const statuses = async () =>
  (await deps.sql<{ status: string }[]>`select status from bank_statements order by created_at, id`).map(
    ({ status }) => status,
  )

const lines = async () =>
  (
    await deps.sql<{ cents: number; status: string; by: string; legs: number }[]>`
      select l.cents, l.status, min(p.decided_by) as by, count(p.leg_id) as legs
      from statement_lines l
      join bank_statements s on s.id = l.statement_id
      join line_postings p on p.line_id = l.id and p.undone_at is null
      group by l.id, s.day, s.part, l.position, l.cents, l.status
      order by s.day, s.part, l.position
    `
  ).map(({ cents, status, by, legs }) => [cents, status, by, legs])

const ledgerOf = async (account: string): Promise<number> => {
  const [row] = await deps.sql<{ cents: number }[]>`
    select coalesce(sum(case when debit = ${account} then cents else -cents end), 0)::bigint as cents
    from transfers where ${account} in (debit, credit)
  `
  return row?.cents ?? 0
}

const cases = async () => (await getBankCases(deps)).map(({ kind, note }) => `${kind}: ${note}`)

test('a day is matched by references, by the net of a file and by rules, and the ledger has the closing balance', async () => {
  const pair = await newPair(service)
  await pay(pair, 100)
  await service.openWindow()
  const sent = await service.sent()
  const [micro] = [...Map.groupBy(sent, ({ file }) => file)]
  assert.ok(micro)
  const debit = sent.find(({ cents }) => cents === 10_000)
  assert.ok(debit)
  const [microName] = micro
  await receive([
    line(-22, microName.replace('.ach', ''), 'ACH CREDITS'),
    line(22, '', `ACH DEBITS OF ${microName.replace('.ach', '')}`),
    line(10_000, debit.trace, 'ACH DEBIT'),
    line(-1_500, '', 'MONTHLY SERVICE CHARGE', '698'),
    line(777, '', 'WHO KNOWS', '301'),
  ])
  assert.deepEqual(await lines(), [
    [-22, 'MATCHED', 'file', 2],
    [22, 'MATCHED', 'file', 1],
    [10_000, 'MATCHED', 'reference', 1],
    [-1_500, 'OWN', 'rule', 0],
    [777, 'SUSPENSE', 'nobody', 0],
  ])
  assert.equal(await ledgerOf('bank:first:checks'), balanceCents)
  assert.equal(await ledgerOf('suspense:first:checks'), -777)
  assert.equal(await ledgerOf('operator:fees'), 1_500)
  assert.deepEqual(await cases(), [])
})

test('a repeated statement is linked and changes nothing, in any format and order of lines', async () => {
  const before = await lines()
  const opening = balanceCents
  const day = [line(500, '', 'ONE'), line(-200, '', 'TWO')]
  clock.advance(DAY)
  await receive(day)
  await receive(day.toReversed(), { openingCents: opening, write: camtLines })
  await receive(day, { openingCents: opening })
  assert.deepEqual(
    await statuses(),
    ['PLACED', 'PLACED', 'DUPLICATE'],
    'a file with equal bytes has no statement of its own',
  )
  assert.equal((await lines()).length, before.length + 2)
  assert.equal(await ledgerOf('bank:first:checks'), balanceCents)
})

test('a gap becomes a case that names the difference and closes when the missing statement arrives', async () => {
  const [monday, opening] = [today(), balanceCents]
  clock.advance(2 * DAY)
  await receive([line(100)], { openingCents: opening + 4_000 })
  assert.match((await cases()).join(), /statement_gap: .*closed with \$10,095\.77: \$40\.00 in between/)
  assert.equal(await ledgerOf('bank:first:checks'), balanceCents, 'the difference is in suspense')
  const missing = new Date(`${monday}T00:00:00Z`)
  missing.setUTCDate(missing.getUTCDate() + 1)
  const last = balanceCents
  await receive([line(4_000)], { openingCents: opening, day: missing.toISOString().slice(0, 10) })
  balanceCents = last
  assert.deepEqual(await cases(), [])
  assert.equal(await ledgerOf('bank:first:checks'), balanceCents)
})

test('a gap of another amount is another case, although the operator has closed the first one', async () => {
  const [monday, opening] = [today(), balanceCents]
  const after = (days: number) => new Date(Date.parse(monday) + days * DAY * 1_000).toISOString().slice(0, 10)
  clock.advance(4 * DAY)
  await receive([line(100)], { openingCents: opening + 4_000 })
  const last = balanceCents
  const [first] = await getBankCases(deps)
  await exceptionCommand({ note: 'the bank looks for it' }, ['close', first?.id ?? ''])(deps)
  await receive([line(1_000)], { openingCents: opening, day: after(1) })
  const [open, ...others] = await cases()
  assert.match(open ?? '', /statement_gap: .*closed with .*: \$30\.00 in between/)
  assert.deepEqual(others, [])
  await receive([line(3_000)], { openingCents: opening + 1_000, day: after(2) })
  balanceCents = last
  assert.deepEqual(await cases(), [])
  assert.equal(await ledgerOf('bank:first:checks'), balanceCents)
})

test('an empty day is recorded, and an earlier statement moves the opening balance of the account', async () => {
  clock.advance(DAY)
  await receive([])
  const last = balanceCents
  await receive([line(1_000_000 - 5)], { openingCents: 5, day: '2026-01-05' })
  balanceCents = last
  assert.equal(await ledgerOf('opening:first:checks'), -5)
  assert.equal(await ledgerOf('bank:first:checks'), balanceCents)
  assert.deepEqual(await cases(), [])
})

test('another account, another currency, and a second version of a day become cases, and nothing in them is used', async () => {
  const before = [await lines(), balanceCents]
  const last = balanceCents
  await receive([line(1)], { account: '999' })
  await receive([line(2)], { write: (one) => bai2Lines(one).map((row) => row.replaceAll('USD', 'EUR')) })
  await receive([line(3)], { openingCents: 17 })
  await receive([line(4)], { day: '2027-03-04' })
  balanceCents = last
  assert.deepEqual([await lines(), balanceCents], before)
  const notes = await cases()
  assert.equal(notes.length, 4, notes.join('\n'))
  assert.match(notes[0] ?? '', /connections.json has no such account/)
  assert.match(notes[1] ?? '', /its currency is not USD/)
  assert.match(notes[2] ?? '', /another statement of this account and day has other content/)
  assert.match(notes[3] ?? '', /^statement_unread: .*: its day, 2027-03-04, is in the future\.$/)
  assert.deepEqual(await latestFiles(4), ['SET_ASIDE', 'SET_ASIDE', 'SET_ASIDE', 'SET_ASIDE'])
  assert.equal((await service.list('inbound/set-aside')).filter((name) => name.endsWith('.report.txt')).length, 4)
  for (const { id } of await getBankCases(deps)) await exceptionCommand({ note: 'asked the bank' }, ['close', id])(deps)
})

test('without balances, a statement repeats another one of its day only if its texts are equal too', async () => {
  const before = balanceCents
  const write = (one: SampleStatement) =>
    camtLines(one).map((row) => row.replace(/<Bal>.*<\/Bal>/, '').replaceAll('2026-03-05', today()))
  const receiveOf = (...lines: SampleLine[]) => receive(lines, { write })
  clock.advance(DAY)
  await receiveOf(line(5_000, 'FT-2026-0001', 'ACME'), line(-200, '', 'TWO'))
  await receiveOf(line(-200, '', 'TWO'), line(5_000, 'FT-2026-0001', 'ACME'))
  await receiveOf(line(5_000, 'FT-2026-0777', 'ACME'), line(-200, '', 'TWO'))
  assert.deepEqual((await statuses()).slice(-3), ['PLACED', 'DUPLICATE', 'SET_ASIDE'])
  const [one, ...others] = await getBankCases(deps)
  assert.deepEqual([one?.kind, others], ['statement_unread', []])
  await exceptionCommand({ note: 'asked the bank' }, ['close', one?.id ?? ''])(deps)
  balanceCents = before + 4_800
})

test('an unreadable line becomes a case, the others are used, and the difference is named', async () => {
  clock.advance(DAY)
  const write = (one: SampleStatement) => bai2Lines(one).map((row) => row.replace('16,142,55500,', '16,142,555e2,'))
  await receive([line(55_500, '', 'BROKEN'), line(300, '', 'GOOD')], { write })
  assert.equal((await lines()).at(-1)?.[0], 300)
  const notes = await cases()
  assert.match(notes.join('\n'), /statement_line_unread: .*line 5: the amount has an exponent/)
  assert.match(notes.join('\n'), /statement_difference: .* by \$555\.00/)
  assert.deepEqual(await latestFiles(1), ['READ'], 'a part of it was used')
  assert.equal(await ledgerOf('bank:first:checks'), balanceCents)
  for (const { id } of await getBankCases(deps)) await exceptionCommand({ note: 'asked the bank' }, ['close', id])(deps)
})

test('a file that is not a statement becomes one case that holds the bank', async () => {
  await putInbound(folder, `statement-${++count}.bai`, '01,broken')
  await work()
  const [open, ...others] = await getBankCases(deps)
  assert.deepEqual([open?.kind, open?.isBankWide, others], ['file_unread', true, []])
  assert.deepEqual(await latestFiles(1), ['SET_ASIDE'])
  assert.match(
    await filesCommand({}, ['list'])(deps),
    new RegExp(`^statement-${count}\\.bai .* SET_ASIDE .*an open exception$`, 'm'),
  )
  await exceptionCommand({ note: 'asked the bank' }, ['close', open?.id as string])(deps)
})

test('the case of a file or statement ends when it is read again and can be used', async () => {
  clock.advance(DAY)
  const day = today()
  const bytes = bai2Lines({ account: ACCOUNT, openingCents: balanceCents, lines: [line(400)], day }).join('\n')
  const connection = findConnection(deps.connections.current(), 'first')
  assert.ok(connection)
  const open = async () => Readable.from([Buffer.from(bytes)])
  const read = (one: Connection, isAgain: boolean) =>
    readStatementFile(deps, { connection: one, name: `again-${day}.bai`, open }, { isAgain })
  await read({ ...connection, statements: { format: 'csv', names: [], csv: null, rules: [] } }, false)
  const kinds = async () => (await getBankCases(deps)).map(({ kind }) => kind)
  assert.deepEqual(await kinds(), ['file_unread'])
  await read({ ...connection, accounts: [] }, true)
  assert.deepEqual(await kinds(), ['statement_unread'])
  await read(connection, true)
  balanceCents += 400
  assert.deepEqual(await kinds(), [])
  await work()
})

test('a return is booked to its leg, and a case reports that the bank has not sent it', async () => {
  const { trace, cents } = (await service.sent()).find((one) => one.cents === 10_000) as SentEntry
  clock.advance(DAY)
  await receive([line(-cents, trace, 'RETURN', '555'), line(cents, trace, 'AGAIN')])
  assert.deepEqual((await lines()).slice(-2), [
    [-cents, 'MATCHED', 'reference', 1],
    [cents, 'SUSPENSE', 'nobody', 0],
  ])
  const notes = (await cases()).join('\n')
  assert.match(notes, /it books the return of a movement, and the bank has sent no return/)
  assert.match(notes, /it books a movement that the line of .* has booked already/)
  await service.receive('returns.ach', bankFile([{ code: 'R01', trace, direction: 'debit', cents }]))
  await work()
  assert.doesNotMatch((await cases()).join('\n'), /has sent no return/, 'the bank confirmed it')
  for (const { id } of await getBankCases(deps)) await exceptionCommand({ note: 'asked the bank' }, ['close', id])(deps)
})

test('a line whose amount differs from its leg becomes a case, and the line waits in suspense', async () => {
  const pair = await newPair(service)
  await pay(pair, 33)
  await service.openWindow()
  const { trace } = (await service.sent()).find((one) => one.cents === 3_300) as SentEntry
  clock.advance(DAY)
  await receive([line(3_301, trace)])
  assert.deepEqual((await lines()).at(-1), [3_301, 'SUSPENSE', 'nobody', 0])
  assert.match((await cases()).join(), /its amount is \$33\.01, and that of the movement that it names is \$33\.00/)
})

test('an amount matches if exactly one leg of these days has it, and never if two do', async () => {
  const pair = await newPair(service)
  for (const amount of [41, 42, 42]) await pay(pair, amount)
  await service.openWindow()
  clock.advance(DAY)
  await receive([line(4_100, '', 'ACH'), line(4_200, '', 'ACH')])
  assert.deepEqual((await lines()).slice(-2), [
    [4_100, 'MATCHED', 'amount', 1],
    [4_200, 'SUSPENSE', 'nobody', 0],
  ])
})

test('two lines of one leg are booked together', async () => {
  const { trace } = (await service.sent()).find((one) => one.cents === 4_200) as SentEntry
  clock.advance(DAY)
  await receive([line(4_000, trace, 'PART'), line(200, trace, 'REST')])
  assert.deepEqual((await lines()).slice(-2), [
    [4_000, 'MATCHED', 'reference', 1],
    [200, 'MATCHED', 'reference', 1],
  ])
})

test('a batch entry books the leg of each of its details', async () => {
  const pair = await newPair(service)
  for (const amount of [51, 52]) await pay(pair, amount)
  await service.openWindow()
  clock.advance(DAY)
  const legs = await deps.sql<{ id: string; cents: number }[]>`
    select id, cents from legs where cents in (5100, 5200) and purpose = 'payment_pull' order by cents
  `
  const write = (one: SampleStatement) => {
    const text = camtLines(one).join('\n')
    const parts = legs.map(
      ({ id, cents }) =>
        `<TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs><Amt Ccy="USD">${(cents / 100).toFixed(2)}</Amt><CdtDbtInd>CRDT</CdtDbtInd></TxDtls>`,
    )
    return [text.replace(/<TxDtls>.*<\/TxDtls>/s, parts.join(''))]
  }
  await receive([line(10_300, 'BATCH')], { write })
  assert.deepEqual((await lines()).at(-1), [10_300, 'MATCHED', 'reference', 2])
})

test('a debit whose return is only on the statement is not paid out until the operator closes the case', async () => {
  const pair = await newPair(service)
  const id = await pay(pair, 77)
  await service.openWindow()
  const { trace } = (await service.sent()).find((one) => one.cents === 7_700) as SentEntry
  clock.advance(DAY)
  await receive([line(7_700, trace), line(-7_700, trace, 'ACH RETURN')])
  const isPaidOut = async () => (await service.sent()).some(({ cents, code }) => cents === 7_700 && code.endsWith('2'))
  for (let window = 0; window < 20; window++) await service.openWindow()
  assert.deepEqual([(await legsOf(service, id))[0]?.[2], await isPaidOut()], [true, false])
  for (const one of await getBankCases(deps))
    await exceptionCommand({ note: 'asked the bank' }, ['close', one.id])(deps)
  for (let window = 0; window < 20 && !(await isPaidOut()); window++) await service.openWindow()
  assert.deepEqual([(await legsOf(service, id))[0]?.[2], await isPaidOut()], [false, true])
})

test('a return without a statement line becomes a case after some banking days, and a line closes it', async () => {
  const pair = await newPair(service)
  await pay(pair, 88)
  await service.openWindow()
  const { trace, cents } = (await service.sent()).find((one) => one.cents === 8_800) as SentEntry
  clock.advance(DAY)
  await receive([line(cents, trace, 'ACH DEBIT')])
  await service.receive('returns-88.ach', bankFile([{ code: 'R01', trace, direction: 'debit', cents }]))
  const isTold = async () => (await cases()).some((one) => one.startsWith('return_not_booked'))
  for (let day = 0; day < 4; day++) {
    clock.advance(DAY)
    await receive([])
  }
  assert.equal(await isTold(), false, 'five banking days have not passed')
  clock.advance(10 * DAY)
  await work()
  assert.equal(await isTold(), false, 'days without a statement prove nothing')
  await receive([])
  assert.match((await cases()).join('\n'), /return_not_booked: The bank sent a return on .*, and no statement has it/)
  clock.advance(DAY)
  await receive([line(-cents, trace, 'ACH RETURN', '555')])
  assert.equal(await isTold(), false)
  const [own] = await deps.sql<{ id: string; legId: string }[]>`
    select return_line_id as id, id as leg_id from legs where cents = 8800 and return_line_id is not null
  `
  assert.ok(own)
  await reconcileCommand({}, ['undo', own.id])(deps)
  clock.advance(DAY)
  await receive([])
  assert.equal(await isTold(), true, 'the line was undone')
  await reconcileCommand({ leg: [own.legId] }, ['match', own.id])(deps)
  await work()
  assert.equal(await isTold(), false)
})

test('a case about an unbooked movement holds nothing after the line of the payment is decided', async () => {
  const pair = await newPair(service)
  const id = await pay(pair, 96)
  await service.openWindow()
  const { trace } = (await service.sent()).find((one) => one.cents === 9_600) as SentEntry
  clock.advance(DAY)
  await receive([line(9_601, trace)])
  const isHeld = async () => (await legsOf(service, id))[0]?.[2]
  assert.equal(await isHeld(), true)
  clock.advance(45 * DAY)
  await exchange(deps)
  const month = new Date(Date.parse(`${today().slice(0, 7)}-01`) - DAY).toISOString().slice(0, 7)
  await assert.rejects(monthCommand({ month, by: 'Ada Lovelace' }, ['close'])(deps))
  assert.match((await cases()).join('\n'), /movement_not_booked: .* books the ACH movement of \$96\.00/)
  const [own] = await deps.sql<{ id: string }[]>`select id from statement_lines where cents = 9601`
  await reconcileCommand({ why: 'a test of the bank', by: 'Ada Lovelace' }, ['ignore', own?.id ?? ''])(deps)
  assert.equal(await isHeld(), false)
  assert.match((await cases()).join('\n'), /movement_not_booked: .* books the ACH movement of \$96\.00/)
})

test('a movement that no line books is a case once the bank has its file, until a line books it', async () => {
  const pair = await newPair(service)
  await receive([])
  await pay(pair, 98)
  await service.openWindow()
  const { trace } = (await service.sent()).find((one) => one.cents === 9_800) as SentEntry
  clock.advance(45 * DAY)
  const month = new Date(Date.parse(`${today().slice(0, 7)}-01`) - DAY).toISOString().slice(0, 7)
  const close = () => assert.rejects(monthCommand({ month, by: 'Ada Lovelace' }, ['close'])(deps))
  await close()
  assert.doesNotMatch((await cases()).join('\n'), /movement of \$98\.00/, 'the bank may still reject the file')
  await exchange(deps)
  await close()
  assert.match((await cases()).join('\n'), /movement_not_booked: .* books the ACH movement of \$98\.00/)
  await receive([line(9_800, trace)])
  assert.doesNotMatch((await cases()).join('\n'), /movement of \$98\.00/)
})

test('the case about a movement that no line books ends when the bank rejects its entry, and no other one opens', async () => {
  const pair = await newPair(service)
  await receive([])
  await pay(pair, 99)
  await service.openWindow()
  const { trace, file } = (await service.sent()).find((one) => one.cents === 9_900) as SentEntry
  clock.advance(45 * DAY)
  await exchange(deps)
  const month = new Date(Date.parse(`${today().slice(0, 7)}-01`) - DAY).toISOString().slice(0, 7)
  const close = () => assert.rejects(monthCommand({ month, by: 'Ada Lovelace' }, ['close'])(deps))
  const isTold = async () => /movement of \$99\.00/.test((await cases()).join('\n'))
  await close()
  assert.equal(await isTold(), true)
  const content = await readFile(join(folder, 'outbound/sent', file), 'latin1')
  const change = { status: 'FILE ACCEPTED WITH ITEM LEVEL ERRORS', errors: ['ED012-INVALID', `TRACE NUMBER: ${trace}`] }
  await service.receive('late-acknowledgment.txt', acknowledgment(content, change))
  await exchange(deps)
  await work()
  assert.equal(await isTold(), false)
  await close()
  assert.equal(await isTold(), false)
})

/** A file with one debit, which a line of the statement names, and what becomes of both. */
const startNamedFile = async ({ dollars, lineCents }: { dollars: number; lineCents: number }) => {
  const pair = await newPair(service)
  await pay(pair, dollars)
  await service.openWindow()
  const sent = async () => (await service.sent()).filter((one) => one.cents === dollars * 100)
  const [{ trace, file }] = (await sent()) as [SentEntry]
  const name = file.replace('.ach', '')
  await receive([line(lineCents, '', `ACH SETTLEMENT ${name}`)])
  const [booked] = await deps.sql<{ id: string }[]>`select id from statement_lines where cents = ${lineCents}`
  const content = await readFile(join(folder, 'outbound/sent', file), 'latin1')
  return {
    ...{ sent, trace, name, lineId: booked?.id ?? '' },
    /** The bank answers. @returns the status of the file, and why it needs a decision */
    answer: async (change: Parameters<typeof acknowledgment>[1]) => {
      await deps.sql`update exchanges set attention = null where name = ${name}`
      await service.receive(`rejected-${++count}.txt`, acknowledgment(content, change))
      await exchange(deps)
      const [row] = await deps.sql<{ status: string; attention: string | null }[]>`
        select status, attention from exchanges where name = ${name}
      `
      return { status: row?.status, attention: row?.attention ?? '' }
    },
    reject: async (own: { trace?: string[] } = {}) => filesCommand(own, ['reject', name])(deps),
  }
}

const REJECTED = { status: 'FILE REJECTED', errors: ['FH103-INVALID'] }

test('entries that a line has booked are not sent again because the bank rejects them, before the operator decides', async () => {
  const { sent, trace, lineId, answer, reject } = await startNamedFile({ dollars: 61, lineCents: 6_100 })
  const inPart = {
    status: 'FILE ACCEPTED WITH ITEM LEVEL ERRORS',
    errors: ['ED012-INVALID', `TRACE NUMBER: ${trace}`],
  }
  for (const change of [inPart, REJECTED]) {
    const { status, attention } = await answer(change)
    assert.equal(status, 'TRANSMITTED')
    assert.match(attention, /the line .* of a bank statement books some of these entries/)
  }
  await service.openWindow()
  assert.equal((await sent()).length, 1)
  for (const own of [{}, { trace: [trace] }]) await assert.rejects(reject(own), /books some of these entries/)
  await reconcileCommand({}, ['undo', lineId])(deps)
  await assert.rejects(reject(), /names this file and waits/)
  await reconcileCommand({ why: 'the bank reversed it' }, ['ignore', lineId])(deps)
  await reject()
  await service.openWindow()
  assert.equal((await sent()).length, 2)
})

test('a file that a waiting line names is not sent again because the bank rejects it, before the operator decides', async () => {
  const { sent, lineId, answer, reject } = await startNamedFile({ dollars: 62, lineCents: 6_300 })
  const { status, attention } = await answer(REJECTED)
  assert.equal(status, 'TRANSMITTED')
  assert.match(attention, /the line .* of a bank statement names this file and waits/)
  await assert.rejects(reject(), /names this file and waits/)
  await service.openWindow()
  assert.equal((await sent()).length, 1)
  await reconcileCommand({ why: 'the bank reversed it' }, ['ignore', lineId])(deps)
  await reject()
  await service.openWindow()
  assert.equal((await sent()).length, 2)
})

test('a line that books entries which are in another file now holds their payments', async () => {
  const pair = await newPair(service)
  const ids = [await pay(pair, 65), await pay(pair, 66)]
  await service.openWindow()
  const [{ trace, file }] = (await service.sent()).filter((one) => one.cents === 6_500) as [SentEntry]
  const name = file.replace('.ach', '')
  await filesCommand({}, ['reject', name])(deps)
  await exchange(deps)
  const heldCount = async () => {
    const rows = await deps.sql`select from legs where subject_id = any (${ids}::uuid[]) and held_at is not null`
    return rows.length
  }
  for (const [own, expected] of [
    [line(6_500, trace), 1],
    [line(13_100, '', `ACH SETTLEMENT ${name}`), 2],
  ] as const) {
    await receive([own])
    assert.deepEqual((await lines()).at(-1)?.slice(0, 2), [own.cents, 'SUSPENSE'])
    const notes = (await cases()).filter((one) => /^line_contradicts: .*rejected or canceled/.test(one))
    assert.deepEqual([notes.length, await heldCount()], [expected, expected])
    const [booked] = await deps.sql<{ id: string }[]>`select id from statement_lines where cents = ${own.cents}`
    await reconcileCommand({ why: 'the bank reversed it' }, ['ignore', booked?.id ?? ''])(deps)
    assert.equal(await heldCount(), 0)
    clock.advance(DAY)
  }
})

test('a file whose net is zero has no line: its movements are not missing, but a return of them is', async () => {
  for (let window = 0; window < 20; window++) await service.openWindow()
  const former = new Set((await service.sent()).map(({ trace }) => trace))
  await newPair(service)
  const micro = (await service.sent()).filter(({ trace }) => !former.has(trace))
  const signed = micro.map(({ code, cents }) => (code.endsWith('7') ? cents : -cents))
  assert.deepEqual(signed.toSorted((a, b) => a - b).slice(-1), [22])
  assert.equal(
    signed.reduce((sum, cents) => sum + cents),
    0,
  )
  const { trace } = micro.find(({ cents }) => cents === 7) as SentEntry
  await service.receive('returns-micro.ach', bankFile([{ code: 'R03', trace, direction: 'credit', cents: 7 }]))
  clock.advance(45 * DAY)
  const month = new Date(Date.parse(`${today().slice(0, 7)}-01`) - DAY).toISOString().slice(0, 7)
  await assert.rejects(monthCommand({ month, by: 'Ada Lovelace' }, ['close'])(deps))
  const open = async () =>
    await deps.sql<{ kind: string; cents: number }[]>`
      select c.kind, c.cents
      from bank_cases c
      join ach_entries e on e.leg_id = c.leg_id
      where c.closed_at is null and e.trace_number = any (${micro.map((one) => one.trace)})
    `
  assert.deepEqual([...(await open())], [{ kind: 'return_not_booked', cents: 7 }])
  await receive([line(7, trace, 'ACH RETURN', '257')])
  assert.deepEqual([...(await open())], [])
})

test('a month with more waiting lines than are listed cannot be closed, and the number of the others is told', async () => {
  clock.advance(DAY)
  await receive(Array.from({ length: 1_010 }, (_, index) => line(100_000 + index, '', 'NOBODY KNOWS')))
  const month = today().slice(0, 7)
  const lastDay = new Date(Date.parse(`${month}-01`) - DAY).toISOString().slice(0, 10)
  await insertClosedMonth(deps.sql, {
    ...{ id: newId(deps), connectionId: 'first', accountId: 'checks', firstDay: '2026-01-01', lastDay },
    ...{ openingCents: 0, closingCents: 0, lineCount: 0, reportSealed: deps.keyRing.seal('{}', 'month report') },
    ...{ closedAt: clock.now(), closedBy: 'Ada Lovelace' },
  })
  clock.advance(31 * DAY)
  await assert.rejects(
    monthCommand({ month, by: 'Ada Lovelace' }, ['close'])(deps),
    / waits: .*\n.*Lines that wait and are not listed here: \d+/s,
  )
})

test('verify-ledger names a payment that its line does not book', async () => {
  const found = async () =>
    (await verifyLedger(deps)).flatMap(({ check, finding }) => (finding.offending.length > 0 ? [check] : []))
  assert.deepEqual(await found(), [])
  const [leg] = await deps.sql<{ id: string; lineId: string }[]>`
    select id, booked_line_id as line_id from legs where booked_line_id is not null limit 1
  `
  assert.ok(leg)
  await deps.sql`update legs set booked_line_id = null where id = ${leg.id}`
  assert.deepEqual(await found(), ['lines book payments with their amounts, once'])
  await deps.sql`update legs set booked_line_id = ${leg.lineId} where id = ${leg.id}`
})
