import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { readConnections } from '../src/connections/config/connections-actions.ts'
import { readLayout } from '../src/connections/config/layout-actions.ts'
import type { LayoutFile } from '../src/connections/config/layout-schema-rules.ts'
import { type CheckLayout, SHIPPED_LAYOUTS } from '../src/foundation/core/check-layout.ts'
import { type CheckForBank, renderCheckList } from '../src/payments/check/printing/check-list-rules.ts'
import { listedPayee } from '../src/payments/check/printing/listed-payee-rules.ts'
import { layoutFrom, layouts } from './support/check-layouts.ts'
import { connectionsFolder, twoBanks, writeConnections } from './support/connections.ts'
import { randomFrom, seedFrom } from './support/seed.ts'

const OWN = { account: '000555006789', stoppedOn: null } as const

/** The checks of the sample files. One is on a former account. */
const CHECKS: readonly CheckForBank[] = [
  { ...OWN, action: 'issue', number: 1001, cents: 125_000, issuedOn: '2026-03-02', payee: 'Grace Hopper' },
  { ...OWN, action: 'add', number: 1002, cents: 50, issuedOn: '2026-03-03', payee: 'Acme, "Best" Inc.' },
  {
    ...OWN,
    action: 'issue',
    number: 1003,
    cents: 9_999_999_999,
    issuedOn: '2026-03-03',
    payee: 'Núñez und Söhne Handelsgesellschaft mit beschränkter Haftung, Köln',
  },
  {
    account: '5550001112',
    action: 'void',
    number: 998,
    cents: 30_005,
    issuedOn: '2026-02-27',
    payee: "O'Neil & Co",
    stoppedOn: '2026-03-03',
  },
]
const STOPS = CHECKS.filter(({ action }) => action === 'void').map((one) => ({ ...one, action: 'stop' as const }))
const AT = { date: '2026-03-03', time: '140509' }

const issueFile = (layout: CheckLayout, checks = CHECKS) =>
  renderCheckList(layout, layout.issueFile, { checks, at: AT })

suite('the layouts that ship', () => {
  for (const name of SHIPPED_LAYOUTS) {
    test(`${name}, byte for byte as the sample files`, async () => {
      const layout = layouts[name]
      const end = layout.style.form === 'csv' ? 'csv' : 'txt'
      const sample = (part: string) =>
        readFile(new URL(`fixtures/bank/checks/${name}${part}.${end}`, import.meta.url), 'latin1')
      assert.equal(issueFile(layout).content.toString('latin1'), await sample(''))
      const stops = renderCheckList(layout, layout.stopFile, { checks: STOPS, at: AT })
      assert.equal(stops.content.toString('latin1'), await sample('-stops'))
    })
  }

  test('payees whose name differs on the list are reported', () => {
    const changed = (name: (typeof SHIPPED_LAYOUTS)[number]) =>
      issueFile(layouts[name]).payees.map(({ number, listed }) => `${number} ${listed}`)
    assert.deepEqual(changed('csv-with-headings'), [])
    assert.deepEqual(changed('csv-with-totals'), ['1003 NUNEZ UND SOHNE HANDELSGESELLSCHAFT MIT'])
    assert.deepEqual(changed('fixed-with-totals'), [
      '1002 ACME BEST INC',
      '1003 NUNEZ UND SOHNE HANDELSGESELLSCHAFT MIT BESCHRANKTER HAFTUNG',
      '998 O NEIL CO',
    ])
    assert.equal(listedPayee(layouts['fixed-with-totals'], 'Grace Hopper'), null)
  })
})

const lines = (...more: LayoutFile['issue_file']['lines']): LayoutFile['issue_file']['lines'] => [
  { field: 'number', width: 6 },
  { field: 'amount', width: 11 },
  { field: 'action', codes: { issue: '', void: 'V', stop: 'S' } },
  ...more,
]

suite('the settings of a layout', () => {
  const one = CHECKS.slice(0, 1)
  const textOf = (file: Partial<LayoutFile>, checks: readonly CheckForBank[] = one) =>
    issueFile(layoutFrom({ form: 'fixed', issue_file: { lines: lines() }, ...file }), checks).content.toString('latin1')

  test('a second column contains the rest of a payee', () => {
    const payee: LayoutFile['issue_file']['lines'] = [
      { field: 'payee', width: 16, too_long: 'cut_words', case: 'upper' },
      { field: 'payee_rest', width: 12, case: 'upper' },
    ]
    const layout = layoutFrom({ form: 'fixed', issue_file: { lines: lines(...payee) } })
    const { lines: written, payees } = issueFile(layout, [
      { ...(CHECKS[0] as CheckForBank), payee: 'Grace Brewster Murray Hopper' },
    ])
    assert.deepEqual(written, ['00100100001250.00 GRACE BREWSTER  MURRAY HOPPE'])
    assert.deepEqual(
      payees.map(({ listed }) => listed),
      ['GRACE BREWSTER MURRAY HOPPE'],
    )
  })

  test('characters that the bank cannot read are replaced', () => {
    const payee = (characters: 'latin-1' | 'ascii' | 'letters-digits', text: string) =>
      textOf({ characters, unknown: '_', issue_file: { lines: lines({ field: 'payee', width: 20 }) } }, [
        { ...(one[0] as CheckForBank), payee: text },
      ]).slice(18, 38)
    assert.equal(payee('latin-1', 'Ærø Œuvre & Ł 日'), 'Ærø Oeuvre & L _    ')
    assert.equal(payee('ascii', 'Ærø Œuvre & Ł 日'), 'Aero Oeuvre & L _   ')
    assert.equal(payee('letters-digits', 'A.B & C'), 'A_B _ C             ')
    const never = layoutFrom({ form: 'csv', quotes: 'never', issue_file: { lines: [...lines(), { field: 'payee' }] } })
    assert.equal(
      issueFile(never, CHECKS.slice(1, 2)).lines[0],
      '001002,00000000.50,,Acme Best Inc.'.replace('001002,00000000.50', '1002,0.50'),
    )
  })

  test('gaps between columns, the length of a line and its end', () => {
    const file: Partial<LayoutFile> = {
      length: 30,
      line_end: 'lf',
      issue_file: { lines: lines({ field: 'line_number', at: 22, width: 4, align: 'left', pad: ' ' }) },
    }
    assert.equal(textOf(file), '00100100001250.00    1        \n')
  })

  test('a number that does not fit its column is never cut', () => {
    const checks = [{ ...(one[0] as CheckForBank), number: 1_234_567 }]
    assert.throws(() => textOf({}, checks), /The column number .* holds 6 characters, and a value has 7/)
  })

  test('only an account can lose leading zeros', () => {
    const file = { issue_file: { lines: lines({ field: 'account' as const, width: 10 }) } }
    assert.equal(textOf(file), '00100100001250.00 0555006789\r\n')
    assert.throws(() => textOf({ issue_file: { lines: lines({ field: 'account', width: 8 }) } }), RangeError)
  })
})

/** Faults of layouts, with their places. Each value is merged into a valid layout. */
const faults: readonly { what: string; file: object; fault: string }[] = [
  {
    what: 'a column too narrow for the amount',
    file: { issue_file: { lines: [{ field: 'number', width: 6 }, { field: 'amount', width: 10 }, lines()[2]] } },
    fault: 'issue_file.lines[1].width: must be at least 11 to hold every amount',
  },
  {
    what: 'a sum too narrow for its checks',
    file: {
      checks_per_file: 100,
      issue_file: { lines: lines(), trailer: [{ field: 'sum', width: 11, decimals: 'implied' }] },
    },
    fault: 'issue_file.trailer[0].width: must be at least 12 to hold the sum of 100 checks',
  },
  {
    what: 'an unknown field',
    file: { issue_file: { lines: [...lines(), { field: 'payment' }] } },
    fault:
      'issue_file.lines[3].field: must be account or number or amount or issue_date or stop_date or payee or payee_rest or action or line_number or text',
  },
  {
    what: 'a sum without a column',
    file: { issue_file: { lines: [lines()[0], lines()[2]], trailer: [{ field: 'sum', width: 20 }] } },
    fault: 'issue_file.lines: needs a column amount; issue_file.trailer[0].field: needs a column amount in lines',
  },
  {
    what: 'columns that overlap',
    file: { issue_file: { lines: lines({ field: 'payee', at: 12, width: 20 }) } },
    fault: 'issue_file.lines[3].at: must be after 18, where the column before it ends',
  },
  {
    what: 'a column beyond the line',
    file: { length: 20, issue_file: { lines: lines({ field: 'payee', width: 20 }) } },
    fault: 'issue_file.lines[3].width: must end at 20 at the latest, the length of a line',
  },
  {
    what: 'no width',
    file: { issue_file: { lines: lines({ field: 'account' }) } },
    fault: 'issue_file.lines[3].width: is missing',
  },
  {
    what: 'a void that looks like an issue',
    file: {
      issue_file: { lines: [lines()[0], lines()[1], { field: 'action', codes: { issue: 'X', void: 'X', stop: 'S' } }] },
    },
    fault: 'issue_file.lines[2].codes.void: must be another code than those of issue and add',
  },
  {
    what: 'a stop that looks like an issue',
    file: {
      issue_file: {
        lines: [lines()[0], lines()[1], { field: 'action', width: 3, codes: { issue: 'X', void: 'V', stop: 'X ' } }],
      },
    },
    fault: 'issue_file.lines[2].codes.stop: must be another code than those of issue and add',
  },
  {
    what: 'a sign before a number',
    file: { issue_file: { lines: [lines()[0], { field: 'amount', width: 12, pad: '-' }, lines()[2]] } },
    fault: 'issue_file.lines[1].pad: must be 0, a space or *, because others change a number',
  },
  {
    what: 'no code of stop',
    file: { issue_file: { lines: [lines()[0], lines()[1], { field: 'action', codes: { issue: 'X', void: 'V' } }] } },
    fault: 'issue_file.lines[2].codes.stop: is missing',
  },
  {
    what: 'no action',
    file: { issue_file: { lines: [lines()[0], lines()[1]] } },
    fault:
      'issue_file.lines: needs a column action with issue and void; issue_file.lines: needs a column action with stop',
  },
  {
    what: 'digits after a number',
    file: { issue_file: { lines: [{ field: 'number', width: 6, align: 'left' }, lines()[1], lines()[2]] } },
    fault: 'issue_file.lines[0].align: must be right, because digits after a number change it',
  },
  {
    what: 'digits before a number',
    file: { issue_file: { lines: [{ field: 'number', width: 6, pad: '9' }, lines()[1], lines()[2]] } },
    fault: 'issue_file.lines[0].pad: must be 0, a space or *, because others change a number',
  },
  {
    what: 'an option of another field',
    file: { issue_file: { lines: lines({ field: 'payee', width: 9, date: 'MMDDYY' }) } },
    fault: 'issue_file.lines[3].date: must be left out for the field payee',
  },
  {
    what: 'an unknown key',
    file: { encoding: 'x' },
    fault:
      'encoding: is not a key here. Use $schema, description, form, separator, quotes, line_end, length, characters, unknown, checks_per_file, issue_file, stop_file, paid_list',
  },
  {
    what: 'a separator in a fixed form',
    file: { separator: ';' },
    fault: 'separator: must be left out in the form fixed',
  },
  {
    what: 'more bytes than characters',
    file: { characters: 'utf-8' },
    fault: 'characters: must not be utf-8 in the form fixed, where each character has one byte',
  },
  {
    what: 'a constant that would be two columns',
    file: {
      form: 'csv',
      quotes: 'never',
      separator: ';',
      issue_file: { lines: [...lines(), { field: 'text', text: 'a;b' }] },
    },
    fault: 'issue_file.lines[3].text: must not have the separator with "quotes": "never"',
  },
  {
    what: 'headings in a fixed form',
    file: { issue_file: { headings: true, lines: lines() } },
    fault: 'issue_file.headings: must be left out in the form fixed',
  },
  {
    what: 'a trailer of paid checks without a text',
    file: {
      paid_list: { form: 'csv', lines: [{ field: 'number' }, { field: 'amount' }], trailer: [{ field: 'count' }] },
    },
    fault: 'paid_list.trailer: needs a column text that distinguishes it from a check',
  },
  {
    what: 'a list of paid checks without numbers',
    file: { paid_list: { form: 'csv', lines: [{ field: 'amount' }, { field: 'amount' }] } },
    fault: 'paid_list.lines: needs a column number; paid_list.lines[1].field: is given twice',
  },
]

suite('faults of a layout', () => {
  for (const { what, file, fault } of faults) {
    test(what, async (t) => {
      const folder = await connectionsFolder(t)
      const path = join(folder, 'layout.json')
      await writeFile(path, JSON.stringify({ form: 'fixed', issue_file: { lines: lines() }, ...file }, null, 2))
      const reading = await readLayout(path)
      assert.ok(!reading.layout && 'faults' in reading)
      assert.equal(reading.faults.map(({ place, problem }) => `${place}: ${problem}`).join('; '), fault)
    })
  }

  test('connections.json names the file, the line and the place', async (t) => {
    const folder = await connectionsFolder(t)
    const broken = { form: 'fixed', issue_file: { lines: [lines()[0], { field: 'amount', width: 3 }, lines()[2]] } }
    await writeFile(join(folder, 'bank.json'), JSON.stringify(broken, null, 2))
    const banks = twoBanks()
    Object.assign(banks.connections[1]?.checks as object, { positive_pay: 'bank.json' })
    const path = await writeConnections(folder, banks)
    await assert.rejects(readConnections(path), (error: Error) => {
      assert.match(
        error.message,
        /line \d+ {2}connections\[1\]\.checks\.positive_pay: bank\.json, line 11, issue_file\.lines\[1\]\.width: must be at least 11 to hold every amount$/,
      )
      return true
    })
    const narrow = { form: 'fixed', issue_file: { lines: lines({ field: 'account', width: 9 }) } }
    await writeFile(join(folder, 'bank.json'), JSON.stringify(narrow))
    await assert.rejects(
      readConnections(path),
      /positive_pay: its column account holds 9 digits, and the account has 10$/,
    )
  })
})

// Random layouts and checks are read by a reader that knows only the JSON of the layout.

const SEED = seedFrom('MUTATION_SEED')
const ROUNDS = Number(process.env.MUTATIONS ?? 200)
const random = randomFrom(SEED)
const below = (limit: number) => Math.floor(random() * limit)
const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item
const shuffled = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)

type Column = LayoutFile['issue_file']['lines'][number]

function randomLayout(): LayoutFile {
  const form = pick(['csv', 'fixed'] as const)
  const isFixed = form === 'fixed'
  const width = (least: number) => (isFixed || random() < 0.3 ? { width: least + below(6) } : {})
  const decimals = pick(['point', 'implied'] as const)
  const columns = shuffled<Column>([
    { field: 'account', ...width(12) },
    { field: 'number', ...width(9) },
    { field: 'amount', decimals, ...width(11) },
    { field: 'issue_date', date: pick(['YYYY-MM-DD', 'MM/DD/YYYY', 'YYYYMMDD', 'MMDDYY'] as const) },
    { field: 'action', codes: { issue: 'I', add: 'A', void: 'V', stop: 'S' } },
    { field: 'payee', ...width(10), case: pick(['keep', 'upper'] as const) },
  ])
  let next = 1
  const placed = columns.map((column) => {
    const at = next + below(3)
    const own = column.date ? column.date.length : column.field === 'action' ? 1 : (column.width ?? 0)
    next = at + own
    return isFixed ? { ...column, at } : column
  })
  return {
    form,
    ...(isFixed
      ? {}
      : { separator: pick([',', ';', '\t', '|']), quotes: pick(['when_needed', 'always', 'never'] as const) }),
    line_end: pick(['crlf', 'lf'] as const),
    characters: pick(
      isFixed ? (['latin-1', 'ascii', 'letters-digits'] as const) : (['utf-8', 'latin-1', 'ascii'] as const),
    ),
    issue_file: {
      lines: placed,
      trailer: [
        { field: 'text', text: 'TRAILER ' },
        { field: 'count', width: 6 },
        { field: 'sum', width: 16, decimals: 'implied' },
      ],
    },
  }
}

const randomCheck = (): CheckForBank => ({
  action: pick(['issue', 'add', 'void'] as const),
  account: pick(['000555006789', '5550001112']),
  number: 1 + below(999_999_999),
  cents: 1 + below(9_999_999_999),
  issuedOn: `2026-0${1 + below(9)}-${10 + below(19)}`,
  payee:
    Array.from({ length: 1 + below(40) }, () => pick([...'abcXYZ  ,;|"\'&=éßŁ日Ω-0129']))
      .join('')
      .trim() || 'x',
  stoppedOn: null,
})

/** Returns the values of a line by their fields, without code of the writer. */
function readLine(
  line: string,
  columns: readonly Column[],
  { form, separator, quotes }: LayoutFile,
): Record<string, string> {
  const cells =
    form === 'csv'
      ? (
          (quotes === 'never'
            ? [line.split(separator ?? ',')]
            : parse(line, { delimiter: separator ?? ',' })) as string[][]
        )[0]
      : undefined
  let next = 1
  return Object.fromEntries(
    columns.map((column, index) => {
      const fixed = column.date?.length ?? column.text?.length ?? (column.codes ? 1 : 0)
      const width = column.width ?? fixed
      const at = column.at ?? next
      next = at + width
      return [column.field, cells ? (cells[index] as string) : line.slice(at - 1, at - 1 + width)]
    }),
  )
}

/** A date as YYYY-MM-DD. All dates are in this century. */
function isoDate(text: string, pattern: string): string {
  const part = (name: string) => text.slice(pattern.indexOf(name), pattern.indexOf(name) + name.length)
  const year = pattern.includes('YYYY') ? part('YYYY') : `20${part('YY')}`
  return `${year}-${part('MM')}-${part('DD')}`
}

test(`${ROUNDS} random layouts: another reader finds every check and the totals (seed ${SEED})`, () => {
  for (let round = 0; round < ROUNDS; round++) {
    const file = randomLayout()
    const checks = Array.from({ length: 1 + below(8) }, randomCheck)
    const { content } = issueFile(layoutFrom(file), checks)
    const text = content.toString(file.characters === 'utf-8' ? 'utf8' : 'latin1')
    const end = file.line_end === 'lf' ? '\n' : '\r\n'
    const context = `round ${round}, MUTATION_SEED=${SEED}: ${JSON.stringify(file)}\n${text}`
    const written = text.split(end)
    assert.equal(written.pop(), '', context)
    const trailer = readLine(written.pop() as string, file.issue_file.trailer ?? [], file)
    assert.equal(Number(trailer.count), checks.length, context)
    assert.equal(
      Number(trailer.sum),
      checks.reduce((sum, { cents }) => sum + cents, 0),
      context,
    )
    const decimals = file.issue_file.lines.find(({ field }) => field === 'amount')?.decimals
    const date = file.issue_file.lines.find(({ field }) => field === 'issue_date')?.date as string
    for (const [index, check] of checks.entries()) {
      const read = readLine(written[index] as string, file.issue_file.lines, file)
      assert.deepEqual(
        {
          account: BigInt(read.account as string),
          number: Number(read.number),
          cents: Math.round(Number(read.amount) * (decimals === 'implied' ? 1 : 100)),
          issuedOn: isoDate(read.issue_date as string, date),
          action: read.action,
        },
        {
          account: BigInt(check.account),
          number: check.number,
          cents: check.cents,
          issuedOn: check.issuedOn,
          action: { issue: 'I', add: 'A', void: 'V', stop: 'S' }[check.action],
        },
        context,
      )
    }
  }
})

/** Returns null if a column is too narrow for a number or an account, which are never cut. */
function linesOrRefusal(layout: CheckLayout, list: CheckLayout['issueFile']): string[] | null {
  try {
    return renderCheckList(layout, list, { checks: CHECKS, at: AT }).lines
  } catch (error) {
    assert.ok(error instanceof RangeError)
    return null
  }
}

test(`${ROUNDS} changed layouts: each is refused with a place, or writes every check completely (seed ${SEED})`, async (t) => {
  const folder = await connectionsFolder(t)
  const path = join(folder, 'layout.json')
  let usable = 0
  for (let round = 0; round < ROUNDS; round++) {
    const source = new URL(`../layouts/${pick(SHIPPED_LAYOUTS)}.json`, import.meta.url)
    const text = await readFile(source, 'utf8')
    const tokens = [...text.matchAll(/"[^"]*"|\d+|true|false|[[\]{},:]/g)]
    const values = [...text.matchAll(/(?<=: )("[^"]*"|\d+|true|false)/g)]
    const token = pick(random() < 0.7 ? values : tokens)
    const sameKind = values.filter((one) => /^\d/.test(one[0]) === /^\d/.test(token[0])).map(([value]) => value)
    const damage = ['0', '1', '9', '13', '200', '"payee"', '"amount"', '"x"', '""', 'true', 'null', '[]', '{}', ',']
    const other = pick(random() < 0.6 ? sameKind : damage)
    const changed = text.slice(0, token.index) + other + text.slice(token.index + token[0].length)
    await writeFile(path, changed)
    const context = `round ${round}, MUTATION_SEED=${SEED}: ${token[0]} became ${other} at ${token.index}`
    const reading = await readLayout(path)
    if (!reading.layout) {
      assert.ok('faults' in reading && reading.faults.length > 0, context)
      for (const { line, place, problem } of reading.faults) assert.ok(line >= 1 && place && problem, context)
      continue
    }
    usable++
    for (const list of [reading.layout.issueFile, reading.layout.stopFile]) {
      const written = linesOrRefusal(reading.layout, list)
      if (written === null) continue
      for (const { number, cents } of CHECKS) {
        const digits = new RegExp(
          `(?=.*${number})(?=.*${Math.floor(cents / 100) || ''}\\.?${String(cents % 100).padStart(2, '0')})`,
        )
        assert.ok(
          written.some((line) => digits.test(line)),
          `${context}\n${written.join('\n')}`,
        )
      }
    }
  }
  assert.ok(usable > ROUNDS / 10 && usable < ROUNDS, `${usable} of ${ROUNDS} changed layouts can be used`)
})
