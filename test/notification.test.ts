import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { STATEMENT_NAMES } from '../src/foundation/core/connections.ts'
import { getBankCases } from '../src/foundation/exception/bank-case-actions.ts'
import { newId } from '../src/foundation/lib/ids.ts'
import { insertClosedMonth, updateReopened } from '../src/money/closing/month-store.ts'
import { matchBankStatements, readBankStatements } from '../src/money/reconciliation/statement-worker.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { reconcileCommand } from '../src/operation/cli/statement/reconcile-command.ts'
import { legHandlers } from '../src/operation/scheduler/leg-handlers.ts'
import { putInbound, type SentEntry } from './support/ach.ts'
import { DAY, newPair, pay, startFileService } from './support/file-service.ts'
import { ACCOUNT, operatorBank } from './support/paid-lists.ts'
import { CAMT_TAIL, camtHead } from './support/statement-files.ts'

// A bank books several payments as one line of a camt.053, and lists them in a camt.054.

const statements = { format: null, names: STATEMENT_NAMES, csv: null, rules: [] }
const service = await startFileService({ after }, { operatorBank, statements })
const { deps, folder, clock } = service
service.secrets.add(ACCOUNT.replace(/^0+/, ''))

const today = () => clock.now().toISOString().slice(0, 10)
let openingCents = 0
let count = 0

/** A line of the bank. `payments`: the payments that it books. */
type Entry = { reference: string; payments: readonly Pick<SentEntry, 'cents' | 'trace'>[] }

const sumOf = ({ payments }: Entry): number => payments.reduce((sum, { cents }) => sum + cents, 0)

const amountOf = (cents: number) =>
  `<Amt Ccy="USD">${(Math.abs(cents) / 100).toFixed(2)}</Amt><CdtDbtInd>${cents < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`

const detailOf = ({ cents, trace }: Entry['payments'][number]) =>
  `<TxDtls><Refs><ClrSysRef>${trace}</ClrSysRef></Refs>${amountOf(cents)}</TxDtls>`

const entryOf = (entry: Entry, details: string) =>
  `<Ntry>${amountOf(sumOf(entry))}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${today()}</Dt></BookgDt><AcctSvcrRef>${entry.reference}</AcctSvcrRef><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ATXN</SubFmlyCd></Fmly></Domn></BkTxCd><NtryDtls><Btch><NbOfTxs>${entry.payments.length}</NbOfTxs></Btch>${details}</NtryDtls></Ntry>`

const entryWithDetails = (entry: Entry) => entryOf(entry, entry.payments.map(detailOf).join(''))

async function receive(content: string): Promise<void> {
  await putInbound(folder, `statement-${++count}`, content)
  await readBankStatements(deps)
  await matchBankStatements(deps, { legHandlers })
  await service.assertLedger()
}

/** Writes the bank's statement of today, with each entry as one line. `detailed`: with its payments. */
async function book(entries: readonly Entry[], detailed: readonly Entry[] = []): Promise<void> {
  const lines = [...entries, ...detailed].map((entry) => ({ cents: sumOf(entry), code: '', reference: '', text: '' }))
  const head = camtHead({ account: ACCOUNT, openingCents, lines, day: today() })
  openingCents += lines.reduce((sum, { cents }) => sum + cents, 0)
  const own = [...entries.map((entry) => entryOf(entry, '')), ...detailed.map(entryWithDetails)]
  await receive([...head, ...own, ...CAMT_TAIL].join('\n'))
}

/** Writes the bank's notification with the payments of the entries. */
const notify = (entries: readonly Entry[], id = 'N1') =>
  receive(
    [
      '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.08"><BkToCstmrDbtCdtNtfctn>',
      `<Ntfctn><Id>${id}</Id><CreDtTm>${today()}T06:00:00Z</CreDtTm><Acct><Id><Othr><Id>${ACCOUNT}</Id></Othr></Id><Ccy>USD</Ccy></Acct>`,
      ...entries.map(entryWithDetails),
      '</Ntfctn></BkToCstmrDbtCdtNtfctn></Document>',
    ].join('\n'),
  )

/** Sends debits of three amounts. @returns those of the first two, whose sum is not the total of a file */
async function sendThree(dollars: number): Promise<SentEntry[]> {
  const pair = await newPair(service)
  for (const more of [0, 1, 2]) await pay(pair, dollars + more)
  await service.openWindow()
  const amounts = [dollars * 100, dollars * 100 + 100]
  const sent = (await service.sent()).filter(({ cents }) => amounts.includes(cents))
  assert.equal(sent.length, 2)
  return sent
}

type Booked = { id: string; status: string; legs: number; cents: number }

/** The lines of statements of today, in order. */
const linesOfToday = () => deps.sql<Booked[]>`
  select l.id, l.status, l.cents, count(p.leg_id) as legs
  from statement_lines l
  join bank_statements s on s.id = l.statement_id and s.status = 'PLACED'
  left join line_postings p on p.line_id = l.id and p.undone_at is null
  where s.day = ${today()}::date
  group by l.id
  order by l.position
`

const statesOfToday = async () => (await linesOfToday()).map(({ status, legs }) => [status, legs])

const balanceOf = async (account: string): Promise<number> => {
  const [row] = await deps.sql<{ cents: number }[]>`
    select coalesce(sum(case when debit = ${account} then cents else -cents end), 0)::bigint as cents
    from transfers where ${account} in (debit, credit)
  `
  return row?.cents ?? 0
}

test('a notification before its statement: the line books each payment, and the money counts once', async () => {
  const payments = await sendThree(100)
  const entry = { reference: 'BANK-0001', payments }
  await notify([entry])
  assert.equal(await balanceOf('bank:first:checks'), 0, 'a notification changes no balance')
  await book([entry])
  assert.deepEqual(await statesOfToday(), [['MATCHED', 2]])
  assert.deepEqual([await balanceOf('bank:first:checks'), await balanceOf('suspense:first:checks')], [openingCents, 0])
})

test('a notification after its statement: the waiting line is matched, and a second notification changes nothing', async () => {
  clock.advance(DAY)
  const payments = await sendThree(200)
  const entry = { reference: 'BANK-0002', payments }
  await book([entry])
  assert.deepEqual(await statesOfToday(), [['SUSPENSE', 0]])
  await notify([entry])
  assert.deepEqual(await statesOfToday(), [['MATCHED', 2]])
  assert.deepEqual([await balanceOf('bank:first:checks'), await balanceOf('suspense:first:checks')], [openingCents, 0])
  await notify([entry], 'N2')
  assert.deepEqual(await statesOfToday(), [['MATCHED', 2]])
})

test('a notification with another reference or amount adds no details, and neither does one that fits two lines', async () => {
  clock.advance(DAY)
  const payments = await sendThree(300)
  const [first] = payments
  assert.ok(first)
  const twin = { reference: 'BANK-0003', payments }
  await book([twin, twin])
  await notify([twin])
  await notify([{ ...twin, reference: 'BANK-0004' }], 'N3')
  await notify([{ ...twin, payments: [first] }], 'N4')
  assert.deepEqual(await statesOfToday(), [
    ['SUSPENSE', 0],
    ['SUSPENSE', 0],
  ])
})

test('later details change no line that the operator decided, and none of a closed month', async () => {
  clock.advance(DAY)
  const payments = await sendThree(400)
  const [one, other] = payments
  assert.ok(one && other)
  const entries = [one, other].map((payment, index) => ({
    reference: `BANK-001${index}`,
    payments: [
      { ...payment, cents: payment.cents - 10 },
      { cents: 33, trace: '' },
    ],
  }))
  await book(entries)
  const [decided] = await linesOfToday()
  assert.equal(decided?.status, 'SUSPENSE')
  await reconcileCommand({ why: 'agreed' }, ['ignore', decided.id])(deps)
  await reconcileCommand({}, ['undo', decided.id])(deps)
  const id = newId(deps)
  await insertClosedMonth(deps.sql, {
    ...{ id, connectionId: 'first', accountId: 'checks', firstDay: '2026-01-01', lastDay: today() },
    ...{ openingCents: 0, closingCents: 0, lineCount: 0, reportSealed: deps.keyRing.seal('{}', 'month report') },
    ...{ closedAt: clock.now(), closedBy: 'Ada Lovelace' },
  })
  const isLinked = async () =>
    (
      await deps.sql<{ isLinked: boolean }[]>`
      select l.detail_line_id is not null as is_linked
      from statement_lines l join bank_statements s on s.id = l.statement_id and s.status = 'PLACED'
      where s.day = ${today()}::date order by l.position
    `
    ).map((row) => row.isLinked)
  await notify(entries)
  assert.deepEqual(await isLinked(), [false, false])
  await updateReopened(deps.sql, id, { at: clock.now(), by: 'Ada Lovelace', why: 'a test' })
  await notify(entries, 'N5')
  assert.deepEqual(await isLinked(), [false, true])
  assert.deepEqual(await statesOfToday(), [
    ['SUSPENSE', 0],
    ['SUSPENSE', 0],
  ])
})

test('a statement that is matched again does not hold a payment whose case was closed', async () => {
  clock.advance(DAY)
  const payments = await sendThree(500)
  const [first] = payments
  assert.ok(first)
  const entry = { reference: 'BANK-0005', payments }
  const back = { reference: 'BANK-0006', payments: [{ ...first, cents: -first.cents }] }
  const isHeld = () => deps.sql`select from legs where cents = ${first.cents} and held_at is not null`.anyRow()
  await book([entry], [back])
  assert.equal(await isHeld(), true, 'the bank has sent no return')
  const { id = '' } = (await getBankCases(deps)).at(-1) ?? {}
  await exceptionCommand({ note: 'the bank corrects it' }, ['close', id])(deps)
  assert.equal(await isHeld(), false)
  await notify([entry])
  assert.deepEqual(await statesOfToday(), [
    ['MATCHED', 2],
    ['MATCHED', 1],
  ])
  assert.equal(await isHeld(), false)
})
