import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { exportJournal } from '../src/money/ledger/journal-actions.ts'
import { accountName, readAccountNames } from '../src/money/ledger/journal-rules.ts'
import { runCommand } from './support/run-command.ts'
import { startTestService } from './support/service.ts'

const NAMES = readAccountNames({
  wallet: '2100 Customer balances',
  clearing: '1059 Other clearing',
  'clearing:ACH': '1050 ACH clearing',
  world: '1000 "Bank", checking',
}).names

type Line = Record<'date' | 'entry' | 'account' | 'debit' | 'credit' | 'reason' | 'payment' | 'platform', string>

suite('the journal', () => {
  test('contains a debit and a credit of each posted transfer of its days, in the business time zone', async (t) => {
    const { deps } = await startTestService(t, { settings: { timeZone: 'America/Los_Angeles' } })
    const platformId = randomUUID()
    /** 2026-03-03 ends in Los Angeles at 08:00 UTC on March 4. */
    const rows = [
      ['world', 'wallet:a', 1_250_00, 'POSTED', '2026-03-03T07:59:59Z', null],
      ['wallet:a', 'payable', 10_50, 'POSTED', '2026-03-01T12:00:00Z', '2026-03-03T08:00:00Z'],
      ['payable', 'clearing:ACH', 10_50, 'POSTED', '2026-03-04T07:59:59Z', null],
      ['payable', 'clearing:RTP', 1, 'POSTED', '2026-03-04T08:00:00Z', null],
      ['wallet:a', 'payable', 77, 'PENDING', '2026-03-03T12:00:00Z', null],
      ['wallet:a', 'payable', 78, 'VOIDED', '2026-03-03T12:00:00Z', '2026-03-03T13:00:00Z'],
    ] as const
    for (const [debit, credit, cents, status, createdAt, endedAt] of rows) {
      await deps.sql`
        insert into transfers (platform_id, id, debit, credit, cents, status, reason, created_at, ended_at)
        values (${platformId}, gen_random_uuid(), ${debit}, ${credit}, ${cents}, ${status}, 'fund', ${new Date(createdAt)}, ${endedAt && new Date(endedAt)})
      `
    }
    const read = async (from: string, to: string, of: string | null = platformId) => {
      let text = ''
      const given = { from: new Date(from), to: new Date(to), platformId: of, names: NAMES }
      const totals = await exportJournal(deps, given, async (part) => {
        text += part
      })
      return { totals, lines: parse(text, { columns: true }) as Line[] }
    }
    const { totals, lines } = await read('2026-03-03', '2026-03-03')
    assert.deepEqual(totals, { count: 2, cents: 21_00 })
    assert.deepEqual(
      lines.map(({ date, account, debit, credit }) => [date, account, debit, credit]),
      [
        ['2026-03-03', '2100 Customer balances', '10.50', ''],
        ['2026-03-03', 'payable', '', '10.50'],
        ['2026-03-03', 'payable', '10.50', ''],
        ['2026-03-03', '1050 ACH clearing', '', '10.50'],
      ],
    )
    const month = await read('2026-03-01', '2026-03-31')
    assert.deepEqual(month.totals, { count: 4, cents: 1_271_01 })
    assert.deepEqual(
      [month.lines[0]?.account, month.lines.at(-1)?.account],
      ['1000 "Bank", checking', '1059 Other clearing'],
    )
    assert.equal((await read('2026-03-01', '2026-03-31', randomUUID())).totals.count, 0)
    assert.equal((await read('2026-03-01', '2026-03-31', null)).totals.count, 4)
  })

  test('of many entries is written in parts, and its sums balance', async (t) => {
    const { deps } = await startTestService(t)
    const platformId = randomUUID()
    await deps.sql`
      insert into transfers (platform_id, id, debit, credit, cents, status, reason, created_at)
      select ${platformId}, gen_random_uuid(), 'world', 'payable', n, 'POSTED', 'fund', '2026-03-03T12:00:00Z'
      from generate_series(1, 5001) n
    `
    const parts: string[] = []
    const day = new Date('2026-03-03')
    const totals = await exportJournal(deps, { from: day, to: day, platformId, names: NAMES }, async (part) => {
      parts.push(part)
    })
    assert.deepEqual(totals, { count: 5_001, cents: (5_001 * 5_002) / 2 })
    assert.deepEqual(
      parts.map((part) => part.split('\r\n').length - 1),
      [1, 4_000, 4_000, 2_002],
    )
    const lines = parse(parts.join(''), { columns: true }) as Line[]
    const sum = (side: 'debit' | 'credit') =>
      lines.reduce((total, line) => total + Math.round(Number(line[side]) * 100), 0)
    assert.deepEqual([sum('debit'), sum('credit')], [totals.cents, totals.cents])
    assert.equal(new Set(lines.map(({ entry }) => entry)).size, 5_001)
  })
})

test('an account has its own name, the name of its kind, or its name in the ledger', () => {
  const { names } = readAccountNames({ bank: 'B', 'bank:first:checks': 'C', 'clearing:ACH': 'A' })
  const named = ['bank:first:operating', 'bank:first:checks', 'bank', 'clearing:ACH', 'clearing:ACHX', 'payable']
  assert.deepEqual(
    named.map((account) => accountName(account, names)),
    ['B', 'C', 'B', 'A', 'clearing:ACHX', 'payable'],
  )
})

test('wrong days and names are refused before the database is opened', async () => {
  const refused = async (...args: string[]) => (await runCommand(['ledger', 'export', ...args], {})).stderr
  assert.equal(await refused('--to', '2026-11-30'), '--from must be a day such as 2026-11-30.\n')
  assert.equal(
    await refused('--from', '2026-02-30', '--to', '2026-03-01'),
    '--from must be a day such as 2026-11-30.\n',
  )
  assert.equal(await refused('--from', '2026-11-30', '--to', '2026-11-01'), '--from must not be after --to.\n')
  const days = ['--from', '2026-11-01', '--to', '2026-11-30']
  assert.match(await refused(...days, '--accounts', '/nowhere.json'), /cannot be read \(ENOENT\)/)
  assert.deepEqual(readAccountNames({ wallet: '', 'Clearing ACH': 'x' }).problems, [
    'wallet: must have a name of at most 200 characters',
    'Clearing ACH: is not a ledger account such as clearing:ACH',
  ])
  assert.deepEqual(readAccountNames([]).problems, ['it must be an object such as {"wallet": "2100 Customer balances"}'])
})
