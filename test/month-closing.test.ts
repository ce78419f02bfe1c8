import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { STATEMENT_NAMES } from '../src/foundation/core/connections.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { recordBankCase } from '../src/foundation/exception/bank-case-actions.ts'
import { isBankingDay } from '../src/foundation/lib/banking-day.ts'
import { newId } from '../src/foundation/lib/ids.ts'
import { matchBankStatements, readBankStatements } from '../src/money/reconciliation/statement-worker.ts'
import type { CommandFlags } from '../src/operation/cli/command-flags.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { monthCommand } from '../src/operation/cli/statement/month-command.ts'
import { reconcileCommand } from '../src/operation/cli/statement/reconcile-command.ts'
import { legHandlers } from '../src/operation/scheduler/leg-handlers.ts'
import { writeCheckFiles } from '../src/payments/check/printing/print-worker.ts'
import { bankFile, exchange, putInbound, type SentEntry, upload } from './support/ach.ts'
import { DAY, newPair, pay, startFileService } from './support/file-service.ts'
import { ACCOUNT, operatorBank } from './support/paid-lists.ts'
import { bai2Lines, type SampleLine } from './support/statement-files.ts'

// A month of payments with twelve kinds of bank errors. The program names each error, and documented commands close the
// month. MONTH_PAYMENTS=500 is `npm run month`.

const PAYMENTS = Number(process.env.MONTH_PAYMENTS ?? 22)

const statements = { format: null, names: STATEMENT_NAMES, csv: null, rules: [] }
const service = await startFileService({ after }, { operatorBank, statements })
const { deps, clock, folder } = service
service.secrets.add(ACCOUNT.replace(/^0+/, ''))
const reports = await mkdtemp(join(tmpdir(), 'remit-month-'))
after(() => rm(reports, { recursive: true, force: true }))

const today = () => clock.now().toISOString().slice(0, 10)
const centsOf = (index: number) => 10_000 + 137 * index

/** The banking days of March, and the first one of April. */
const days = Array.from({ length: 31 }, (_, index) => new Date(Date.UTC(2026, 2, index + 2)))
  .filter((day) => isBankingDay(day))
  .map((day) => day.toISOString().slice(0, 10))

type Book = Map<string, SampleLine[]>

/** The expected bookings of the bank, by day: each entry of a file on the day of the file. */
function bookOf(sent: readonly SentEntry[]): Book {
  const book: Book = new Map(days.map((day) => [day, []]))
  for (const { file, code, cents, trace } of sent) {
    const day = `${file.slice(0, 4)}-${file.slice(4, 6)}-${file.slice(6, 8)}`
    const isDebit = /^[23]7$/.test(code)
    book
      .get(day)
      ?.push({ cents: isDebit ? cents : -cents, code: isDebit ? '142' : '451', reference: trace, text: 'ACH' })
  }
  return book
}

/** Mails a check from a wallet and lets the printer take it. @returns its number */
async function mailCheck(dollars: number): Promise<number> {
  const user = await service.newUser()
  const wallet: string = (await user.post('/v3/account/wallet', { name: 'Cash' })).body.id
  await deps.sql`select post_transfers_v1(
    platform_id, ${deps.sql.json([{ id: wallet, mode: 'post', debit: 'world', credit: `wallet:${wallet}`, cents: 100_000, reason: 'fund' }])},
    null, null, ${clock.now()}
  ) from wallets where id = ${wallet}`
  const recipient = { line_1: '45 Navy Yard Ave', city: 'Arlington', state: 'VA', zip: '22201' }
  const order = { amount: dollars, name: 'Grace Hopper', recipient, account: wallet }
  assert.equal((await user.post('/v3/check/physical', order)).status, 201)
  await service.doDueWork()
  while ((await writeCheckFiles(deps, legHandlers)) > 0);
  await exchange(deps)
  await upload(folder, /./)
  await exchange(deps)
  await service.doDueWork()
  const [row] = await deps.sql<{ serial: number }[]>`select serial from check_numbers`
  assert.ok(row)
  return row.serial
}

const lineOf = (cents: number, code: string, text: string, reference = ''): SampleLine => ({
  cents,
  code,
  reference,
  text,
})

/** Returns the statement line of an entry, and its day. */
function find(
  book: Book,
  { cents, trace }: { cents: number; trace?: string },
): { day: string; lines: SampleLine[]; at: number } {
  for (const [day, lines] of book) {
    const at = lines.findIndex((one) => one.cents === cents && (trace === undefined || one.reference === trace))
    if (at >= 0) return { day, lines, at }
  }
  throw new Error(`no line of ${cents}`)
}

type Return = { index: number; isBooked: boolean }

/** Creates the differences. Returns the text by which the program must name each. */
function plant(
  book: Book,
  { returns, serial }: { returns: readonly Return[]; serial: number },
): Record<string, RegExp> {
  const on = (day: string) => book.get(day) as SampleLine[]
  for (const { index, isBooked } of returns) {
    const { day, lines, at } = find(book, { cents: centsOf(index) })
    const after = days[days.indexOf(day) + 1] as string
    if (isBooked) on(after).push(lineOf(-centsOf(index), '451', 'ACH RETURN', (lines[at] as SampleLine).reference))
  }
  on('2026-03-05').push(lineOf(-1_234, '698', 'CASH MANAGEMENT'))
  const doubled = find(book, { cents: centsOf(0) })
  doubled.lines.push({ ...(doubled.lines[doubled.at] as SampleLine) })
  on('2026-03-20').push(lineOf(-9_117, '475', 'CHECK PAID', String(serial)))
  const push = find(book, { cents: -centsOf(3) })
  push.lines[push.at] = lineOf(centsOf(3), '142', 'ACH')
  const transposed = find(book, { cents: centsOf(4) })
  transposed.lines[transposed.at] = lineOf(10_584, '142', 'ACH')
  on('2026-03-18').push(lineOf(377, '354', 'INTEREST'))
  const late = find(book, { cents: centsOf(PAYMENTS - 1) })
  on('2026-04-01').push(...late.lines.splice(late.at, 1))
  on('2026-03-11').push(lineOf(77_777, '195', 'WIRE IN'))
  return {
    fee: /\$12\.34 waits: A fee of the bank that no rule explains/,
    doubled: /it books a movement that the line of 2026-03-\d\d has booked already/,
    'missing return': /The bank sent a return on 2026-03-\d\d, and no statement has it/,
    'check paid at another amount': /\$91\.17/,
    'swapped sign': /\$104\.11 waits: The sign may be wrong/,
    'another account': /connections.json has no such account/,
    'wrong balance': /closing balance of 2026-03-16 differs .* by \$90\.00/,
    'missing day': /The statement of 2026-03-24 is missing/,
    'transposed amount': /\$105\.84 waits: Two digits may be swapped: an open payment is for \$105\.48/,
    interest: /\$3\.77 waits: Interest that no rule explains/,
    'unknown credit': /\$777\.77 waits: An unknown credit/,
  }
}

/** Writes the bank's statement of each day. @returns the files by day */
function write(book: Book): Map<string, string> {
  let openingCents = 5_000_000
  const files = new Map<string, string>()
  for (const [day, lines] of book) {
    const closingCents = openingCents + lines.reduce((sum, { cents }) => sum + cents, 0)
    const content = bai2Lines({ account: ACCOUNT, openingCents, lines, day }).join('\n')
    files.set(
      day,
      day === '2026-03-16' ? content.replace(`,015,${closingCents},`, `,015,${closingCents + 9_000},`) : content,
    )
    openingCents = closingCents
  }
  files.set(
    'another account',
    bai2Lines({
      account: '998877665',
      openingCents: 0,
      lines: [lineOf(5_500, '195', 'WIRE IN')],
      day: '2026-03-12',
    }).join('\n'),
  )
  return files
}

async function read(files: Iterable<[string, string]>) {
  for (const [day, content] of files) await putInbound(folder, `statement-${day.replaceAll(' ', '-')}.bai`, content)
  while ((await readBankStatements(deps)) > 0);
  await matchBankStatements(deps, { legHandlers })
  await service.assertLedger()
}

const reconcile = (words: string[], flags: CommandFlags = {}) => reconcileCommand(flags, words)(deps)
const months = async (verb: string, flags: CommandFlags = {}) =>
  monthCommand({ month: '2026-03', output: reports, ...flags }, [verb])(deps)
const decide = (id: string, note: string) => exceptionCommand({ note, by: 'Grace Hopper' }, ['close', id])(deps)

/** Returns the problems that keep the month open, as printed by the command. */
async function openItems(): Promise<string> {
  const error = await months('close', { by: 'Ada Lovelace' }).then(
    () => null,
    (problem: Error) => problem,
  )
  assert.ok(error, 'the month must not be closed')
  return error.message
}

/** Records that no statement shows a return that is not an open movement of March. @returns the id of the case */
async function recordLaterReturn(note: string): Promise<string> {
  await inTransaction(deps, (tx) =>
    recordBankCase(tx, {
      ...{ kind: 'return_not_booked', connectionId: 'first', source: 'statement', isBankWide: false, line: 0 },
      ...{ file: { id: newId(tx), name: 'bank statement' }, leg: null, cents: 100, note, content: { lines: [] } },
    }),
  )
  const [row] = await deps.sql<{ id: string }[]>`select id from bank_cases where note = ${note}`
  assert.ok(row)
  return row.id
}

/** Runs a command that another one printed. */
async function run(command: string): Promise<void> {
  const [, , verb = '', line = '', ...rest] = command.split(' ')
  const values = rest.filter((word) => !word.startsWith('--'))
  await reconcile([verb, line], { by: 'Ada Lovelace', ...(rest[0] === '--leg' ? { leg: values } : { part: values }) })
}

let files = new Map<string, string>()
let planted: Record<string, RegExp> = {}

test('a month of payments is sent, and the bank books it with twelve differences', async () => {
  const pair = await newPair(service)
  const serial = await mailCheck(91.71)
  const returns: Return[] = [
    { index: 1, isBooked: false },
    { index: 2, isBooked: true },
  ]
  const isReturned = new Set<number>()
  let paid = 0
  while (today() <= '2026-04-02') {
    const share = Math.min(1, (days.indexOf(today()) + 1) / (days.length - 1))
    while (days.includes(today()) && paid < Math.max(Math.min(5, PAYMENTS), Math.floor(PAYMENTS * share)))
      await pay(pair, centsOf(paid++) / 100)
    await service.openWindow()
    for (const { index } of returns) {
      const sent = (await service.sent()).find(({ cents, code }) => cents === centsOf(index) && code === '27')
      if (!sent || isReturned.has(index)) continue
      isReturned.add(index)
      const entry = { code: 'R01', trace: sent.trace, direction: 'debit', cents: sent.cents } as const
      await service.receive(`return-${index}.ach`, bankFile([entry]))
    }
    clock.advance(DAY / 6)
  }
  assert.deepEqual([paid, isReturned.size], [PAYMENTS, 2])
  const book = bookOf(await service.sent())
  planted = plant(book, { returns, serial })
  files = write(book)
  const delivered = [...files].filter(([day]) => day !== '2026-03-24')
  await read(delivered)
})

test('the command that closes a month names all differences', async () => {
  const open = await openItems()
  for (const [what, pattern] of Object.entries(planted)) assert.match(open, pattern, what)
  assert.equal(Object.keys(planted).length, 11, 'the twelfth is an open item of the report')
  assert.deepEqual(await months('months'), 'No month is closed.')
})

test('documented commands close the month', async () => {
  await read([['2026-03-24', files.get('2026-03-24') as string]])
  assert.doesNotMatch(await openItems(), /The statement of 2026-03-24 is missing/, 'the statement came')
  const waiting: { id: string; cents: number }[] = JSON.parse(await reconcile(['list'], { json: true }))
  for (const { id, cents } of waiting) {
    const { proposals } = JSON.parse(await reconcile(['show', id])) as { proposals: { command: string }[] }
    if (proposals[0]) await run(proposals[0].command)
    else await reconcile(['split', id], { part: [`unknown_credits=${(cents / 100).toFixed(2)}`], by: 'Ada Lovelace' })
  }
  const later = await recordLaterReturn('The bank sent a return in April.')
  const left = await openItems()
  assert.doesNotMatch(left, /in April\./, 'it is open in April only')
  await decide(later, 'It is on the statement of April.')
  assert.doesNotMatch(left, / waits: /)
  const cases = [...left.matchAll(/remit exceptions close (\w+) --note TEXT/g)].map(([, id = '']) => id)
  for (const id of cases) await decide(id, 'Reported to the bank, which corrects it in April.')
  const done = await months('close', { by: 'Ada Lovelace' })
  assert.match(done, /^2026-03 of first:checks is closed\. Its report is in /)
  await service.assertLedger()

  const name = join(reports, 'reconciliation-first-checks-2026-03')
  assert.equal((await readFile(`${name}.pdf`)).subarray(0, 5).toString(), '%PDF-')
  const csv = await readFile(`${name}.csv`, 'utf8')
  const amount = (centsOf(PAYMENTS - 1) / 100).toFixed(2)
  assert.match(csv, new RegExp(`open item,2026-03-31,ACH sent: booked on 2026-04-01,,,,${amount},`))
  assert.match(csv, /opening balance,,,,,,50000\.00/)
  assert.match(csv, /decision,.*Ada Lovelace/)
  assert.match(csv, /case,.*90\.00.*,Grace Hopper,"Reported to the bank/)
  const pdf = await readFile(`${name}.pdf`)
  await months('report')
  assert.ok(pdf.equals(await readFile(`${name}.pdf`)), 'a report does not change')
})

test('a closed month cannot change until it is reopened', async () => {
  const [line] = await deps.sql<{ id: string }[]>`
    select line_id as id from line_decisions where action = 'split' order by decided_at limit 1
  `
  assert.ok(line)
  await assert.rejects(reconcile(['undo', line.id]), /2026-03 is closed for first:checks\. Reopen it first/)
  await assert.rejects(months('close'), /2026-03 is closed already/)
  await read([['2026-03-24', `${files.get('2026-03-24')}\n`]])
  const later = bai2Lines({ account: ACCOUNT, openingCents: 1, lines: [lineOf(5, '195', 'LATE')], day: '2026-03-07' })
  await read([['2026-03-07', later.join('\n')]])
  const [late, ...others] = await deps.sql<{ id: string; note: string }[]>`
    select id, note from bank_cases where closed_at is null
  `
  assert.match(late?.note ?? '', /it is of 2026-03-07, and 2026-03 is closed for first:checks/)
  assert.deepEqual(others, [], 'a statement that repeats another one opens no case')
  await assert.rejects(months('reopen'), /needs --why/)
  assert.match(await months('reopen', { why: 'a line was booked wrongly', by: 'Ada Lovelace' }), /is open again/)
  await reconcile(['undo', line.id])
  assert.match(await openItems(), /waits: /)
  const { proposals } = JSON.parse(await reconcile(['show', line.id])) as { proposals: { command: string }[] }
  if (proposals[0]) await run(proposals[0].command)
  else await reconcile(['ignore', line.id], { why: 'agreed' })
  await decide(late?.id ?? '', 'The bank sent it by mistake.')
  await months('close')
  assert.match(await months('months'), /by Ada Lovelace: a line was booked wrongly/)
  await assert.rejects(months('close', { month: '2026-05' }), /has not ended at the bank first/)
  await assert.rejects(months('close', { month: '2026-13' }), /must be a month such as 2026-03/)
  await assert.rejects(months('report', { account: 'first:savings' }), /--account must be one of first:checks/)
})
