import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { STATEMENT_NAMES } from '../src/foundation/core/connections.ts'
import { NOTHING_SKIPPED } from '../src/foundation/db/skipped.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { getBankCases } from '../src/foundation/exception/bank-case-actions.ts'
import { matchLines } from '../src/money/reconciliation/decision/reconcile-actions.ts'
import { matchStatement } from '../src/money/reconciliation/match-actions.ts'
import { listUnmatched } from '../src/money/reconciliation/match-store.ts'
import { matchBankStatements, readBankStatements } from '../src/money/reconciliation/statement-worker.ts'
import type { CommandFlags } from '../src/operation/cli/command-flags.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { reconcileCommand } from '../src/operation/cli/statement/reconcile-command.ts'
import { legHandlers, reconcileHooks } from '../src/operation/scheduler/leg-handlers.ts'
import { bankFile, putInbound, type SentEntry } from './support/ach.ts'
import { DAY, legsOf, newPair, pay, statusOf as paymentStatusOf, startFileService } from './support/file-service.ts'
import { waitUntilWaiting } from './support/locks.ts'
import { ACCOUNT, operatorBank } from './support/paid-lists.ts'
import { bai2Lines, type SampleLine } from './support/statement-files.ts'

const statements = { format: null, names: STATEMENT_NAMES, csv: null, rules: [] }
const service = await startFileService({ after }, { operatorBank, statements })
const { deps, folder, clock } = service
service.secrets.add(ACCOUNT.replace(/^0+/, ''))

let openingCents = 0
let count = 0

type Booked = Pick<SampleLine, 'cents' | 'reference'>

/** Writes statement lines of ACH, or of deposits above $100, without a reference of ours. @returns their ids */
const receive = (...cents: number[]) => receiveLines(cents.map((one) => ({ cents: one, reference: '' })))

const codeOf = (cents: number) => (cents < 0 ? '451' : cents > 10_000 ? '301' : '142')

async function receiveLines(booked: Booked[]): Promise<string[]> {
  const ids = await readLines(booked)
  await matchBankStatements(deps, { legHandlers })
  await service.assertLedger()
  return ids
}

/** Reads a statement with these lines. They are not matched yet. @returns their ids */
async function readLines(booked: Booked[]): Promise<string[]> {
  clock.advance(DAY)
  const day = clock.now().toISOString().slice(0, 10)
  const lines = booked.map(
    (one): SampleLine => ({ ...one, code: codeOf(one.cents), text: `NO 123456789 ${one.cents}` }),
  )
  await putInbound(folder, `statement-${++count}`, bai2Lines({ account: ACCOUNT, openingCents, lines, day }).join('\n'))
  openingCents += booked.reduce((sum, { cents }) => sum + cents, 0)
  await readBankStatements(deps)
  const rows = await deps.sql<{ id: string }[]>`
    select l.id from statement_lines l join bank_statements s on s.id = l.statement_id where s.day = ${day}::date order by l.position
  `
  return rows.map(({ id }) => id)
}

async function reconcile(words: string[], flags: CommandFlags = {}): Promise<string> {
  const answer = await reconcileCommand(flags, words)(deps)
  await service.assertLedger()
  return answer
}

const statusOf = async (id: string) =>
  (await deps.sql<{ status: string }[]>`select status from statement_lines where id = ${id}`)[0]?.status

const ledgerOf = async (account: string): Promise<number> => {
  const [row] = await deps.sql<{ cents: number }[]>`
    select coalesce(sum(case when debit = ${account} then cents else -cents end), 0)::bigint as cents
    from transfers where ${account} in (debit, credit)
  `
  return row?.cents ?? 0
}

/** Sends two debits of this amount, so that no line matches one of them by itself. */
async function twoDebits(dollars: number): Promise<string[]> {
  const pair = await newPair(service)
  for (let payment = 0; payment < 2; payment++) await pay(pair, dollars)
  await service.openWindow()
  const sent = (await service.sent()).filter(({ cents }) => cents === dollars * 100) as SentEntry[]
  assert.equal(sent.length, 2)
  const rows = await deps.sql<{ id: string }[]>`
    select id from legs where purpose = 'payment_pull' and cents = ${dollars * 100} order by id
  `
  return rows.map(({ id }) => id)
}

/** Sends a debit. @returns the payment, the leg and the trace number of the debit */
async function oneDebit(dollars: number) {
  const pair = await newPair(service)
  const id = await pay(pair, dollars)
  await service.openWindow()
  const [leg] = await deps.sql<{ id: string }[]>`select id from legs where subject_id = ${id}`
  const sent = (await service.sent()).find(({ cents }) => cents === dollars * 100)
  const status = () => paymentStatusOf(pair.sender, id)
  return { id, sender: pair.sender, leg: leg?.id ?? '', trace: sent?.trace ?? '', status }
}

const openCases = async () =>
  (await getBankCases(deps)).map(({ kind, note }) => `${kind}: ${note.replace(/ \(.*\)/, '')}`)

const NOT_RETURNED =
  'line_contradicts: A line of a bank statement: it books the return of a movement, and the bank has sent no return.'

test('the operator matches a line with one of its proposals, and undoes the match', async () => {
  const [leg = '', other = ''] = await twoDebits(61)
  const [line = ''] = await receive(6_100)
  assert.match(await reconcile(['list']), new RegExp(line))
  const shown = JSON.parse(await reconcile(['show', line]))
  assert.equal(shown.text, 'NO *****6789 6100')
  assert.deepEqual(
    shown.proposals.map(({ command }: { command: string }) => command).toSorted(),
    [leg, other].map((one) => `remit reconcile match ${line} --leg ${one}`),
  )
  assert.match(shown.finding, /^2 open payments have this amount/)
  assert.equal(await reconcile(['match', line], { leg: [leg] }), 'The line is MATCHED.')
  assert.deepEqual([await statusOf(line), await ledgerOf('suspense:first:checks')], ['MATCHED', 0])
  await assert.rejects(reconcile(['match', line], { leg: [other] }), /is MATCHED\. Take that back first/)
  const [second = ''] = await receive(6_100)
  assert.equal(await statusOf(second), 'MATCHED', 'one candidate is left')
  await reconcile(['undo', line])
  assert.deepEqual([await statusOf(line), await ledgerOf('suspense:first:checks')], ['SUSPENSE', -6_100])
  await reconcile(['match', line], { leg: [leg] })
  const audited =
    await deps.sql`select from audit_entries where action = 'statement_line_decided' and actor = 'operator'`
  assert.equal(audited.length, 3)
})

test('different sums, unknown legs and booked legs are refused, and nothing changes', async () => {
  const [leg = ''] = await twoDebits(62)
  const [line = '', equal = ''] = await receive(6_201, 6_200)
  await assert.rejects(reconcile(['match', line], { leg: [leg] }), /sum up to 62\.01, and the legs to 62\.00/)
  await assert.rejects(reconcile(['match', line], { leg: [line] }), /No such leg was sent over first/)
  await assert.rejects(reconcile(['match', 'nonsense'], { leg: [leg] }), /is not the id of a line/)
  await assert.rejects(reconcile(['match', line], {}), /needs --leg/)
  await reconcile(['match', equal], { leg: [leg] })
  await assert.rejects(
    reconcile(['split', line], { part: [`${leg}=62.00`, 'fees=0.01'] }),
    /booked by another line already/,
  )
  assert.equal(await statusOf(line), 'SUSPENSE')
})

test('several lines book one leg, and one line several, and each match is undone as a whole', async () => {
  const [leg = '', other = ''] = await twoDebits(63)
  const [part = '', rest = '', both = ''] = await receive(6_000, 300, 12_600)
  await reconcile(['match', part, rest], { leg: [leg] })
  assert.deepEqual([await statusOf(part), await statusOf(rest)], ['MATCHED', 'MATCHED'])
  assert.match(await reconcile(['undo', rest]), /2 lines/)
  await reconcile(['match', both], { leg: [leg, other] })
  assert.equal(await statusOf(both), 'MATCHED')
  await reconcile(['undo', both])
})

test('a line is split between a leg and a fee', async () => {
  const [leg = ''] = await twoDebits(64)
  const [line = ''] = await receive(6_300)
  await assert.rejects(
    reconcile(['split', line], { part: [`${leg}=64.00`] }),
    /parts sum up to 64\.00, and the line is 63\.00/,
  )
  await assert.rejects(reconcile(['split', line], { part: ['fees=1e3'] }), /must be NAME=AMOUNT/)
  await reconcile(['split', line], { part: [`${leg}=64.00`, 'fees=-1.00'] })
  assert.deepEqual([await statusOf(line), await ledgerOf('operator:fees')], ['SPLIT', 100])
  await reconcile(['undo', line])
  assert.equal(await ledgerOf('operator:fees'), 0)
})

test('two parts of a line cannot book one leg', async () => {
  const [leg = '', other = ''] = await twoDebits(65)
  const [line = ''] = await receive(13_000)
  const twice = reconcile(['split', line], { part: [`${leg}=65.00`, `${leg}=65.00`] })
  await assert.rejects(twice, new RegExp(`Two parts book the leg ${leg}\\. Name each leg once\\.`))
  assert.equal(await statusOf(line), 'SUSPENSE')
  await reconcile(['split', line], { part: [`${leg}=65.00`, `${other}=65.00`] })
  assert.equal(await statusOf(line), 'SPLIT')
  await reconcile(['undo', line])
})

test('a line is ignored with a reason, which its history keeps', async () => {
  const [line = ''] = await receive(1)
  await assert.rejects(reconcile(['ignore', line], { why: ' ' }), /needs --why/)
  await reconcile(['ignore', line], { why: 'a test of the bank', by: 'Ada Lovelace' })
  const { status, decisions } = JSON.parse(await reconcile(['show', line]))
  const { action, why, by } = decisions[0]
  assert.deepEqual([status, action, why, by], ['IGNORED', 'ignore', 'a test of the bank', 'Ada Lovelace'])
  assert.deepEqual([...(await getBankCases(deps))], [])
})

test('a debit that a line takes back by the operator’s decision is not paid out, and its case closes when the bank returns it', async () => {
  const { id, leg, trace, status } = await oneDebit(66)
  await receive(6_600)
  const [line = ''] = await receive(-6_600)
  assert.match(await reconcile(['match', line], { leg: [leg] }), /MATCHED\. It contradicts .* its payment is held/)
  assert.deepEqual(await openCases(), [NOT_RETURNED])
  for (let window = 0; window < 10; window++) await service.openWindow()
  assert.deepEqual([await status(), await legsOf(service, id)], ['IN_PROCESS', [['payment_pull', 'ACCEPTED', true]]])
  await service.receive('return-66.ach', bankFile([{ code: 'R01', trace, direction: 'debit', cents: 6_600 }]))
  await matchBankStatements(deps, { legHandlers })
  assert.deepEqual([await status(), await openCases()], ['FAILED', []])
})

test('a debit whose return has another amount is held until the bank returns it, or the operator explains it', async () => {
  const { leg, trace, status } = await oneDebit(68)
  await receive(6_800)
  const [line = ''] = await receiveLines([{ cents: -6_700, reference: trace }])
  const { proposals } = JSON.parse(await reconcile(['show', line]))
  const part = [`${leg}=-68.00`, 'bank_errors=1.00']
  const command = `remit reconcile split ${line} ${part.map((one) => `--part ${one}`).join(' ')}`
  assert.equal(proposals[0].command, command)
  assert.match(await reconcile(['split', line], { part }), /its payment is held/)
  assert.deepEqual(await openCases(), [NOT_RETURNED], 'the decision closes the case about the amount')
  for (let window = 0; window < 10; window++) await service.openWindow()
  assert.equal(await status(), 'IN_PROCESS')

  // Another decision about the line is another case, even if a person has closed the first one.
  const [first] = await getBankCases(deps)
  await exceptionCommand({ note: 'the bank looks into it' }, ['close', first?.id ?? ''])(deps)
  await reconcile(['undo', line])
  await reconcile(['split', line], { part })
  assert.deepEqual(await openCases(), [NOT_RETURNED])
  const [second] = await getBankCases(deps)
  await exceptionCommand({ note: 'the bank has corrected its line' }, ['close', second?.id ?? ''])(deps)
  for (let window = 0; window < 10; window++) await service.openWindow()
  assert.equal(await status(), 'PAID')
})

const bookingsOf = async (leg: string) => [
  ...(await deps.sql<
    { lineId: string }[]
  >`select line_id from line_postings where leg_id = ${leg} and undone_at is null`),
]

test('a pass does not book a leg that the operator books at the same time', async () => {
  const { leg } = await oneDebit(67)
  const [line = '', other = ''] = await receive(6_700, 6_700)
  assert.deepEqual([await statusOf(line), await statusOf(other)], ['SUSPENSE', 'SUSPENSE'])
  const [next = ''] = await readLines([{ cents: 6_700, reference: '' }])
  const isBooked = Promise.withResolvers<void>()
  const mayCommit = Promise.withResolvers<void>()
  const decision = inTransaction(deps, async (tx) => {
    const by = { name: 'Ada', member: null }
    await matchLines(tx, { ...reconcileHooks, by }, { lineIds: [line], legIds: [leg] })
    isBooked.resolve()
    await mayCommit.promise
  })
  await isBooked.promise
  const pass = matchBankStatements(deps, { legHandlers })
  await waitUntilWaiting(deps.sql, 1)
  mayCommit.resolve()
  await Promise.all([decision, pass])
  assert.deepEqual(await bookingsOf(leg), [{ lineId: line }])
  assert.equal(await statusOf(next), 'SUSPENSE')
  await service.assertLedger()
})

test('two passes that match two statements do not book one leg twice', async () => {
  const { leg, trace } = await oneDebit(71)
  const lines = [...(await readLines([{ cents: 7_100, reference: trace }]))]
  lines.push(...(await readLines([{ cents: 7_100, reference: trace }])))
  const statements = await listUnmatched(deps.sql, { skipped: NOTHING_SKIPPED, limit: 2 })
  const passes = await deps.sql.begin(async (tx) => {
    await tx`select from legs where id = ${leg} for update`
    const started = statements.map((one) => matchStatement(deps, legHandlers, { ...one, accountId: 'checks' }))
    await waitUntilWaiting(deps.sql, 2)
    return { results: Promise.all(started) }
  })
  await passes.results
  const [booking, ...others] = await bookingsOf(leg)
  assert.ok(booking)
  assert.deepEqual(others, [])
  const waiting = lines.find((one) => one !== booking.lineId) as string
  assert.deepEqual([await statusOf(booking.lineId), await statusOf(waiting)], ['MATCHED', 'SUSPENSE'])
  assert.match((await openCases()).join(), /it books a movement that the line of .* has booked already/)
  await service.assertLedger()
  await reconcile(['ignore', waiting], { why: 'booked twice' })
  assert.deepEqual(await openCases(), [])
})
