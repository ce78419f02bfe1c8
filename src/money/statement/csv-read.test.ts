import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCsvMapping } from './csv-mapping-rules.ts'
import { readWholeStatements } from './statement-read-actions.ts'

const TODAY = '2026-03-10'

function read(text: string, json: object) {
  const { mapping, problems } = readCsvMapping(json)
  assert.equal(problems, null)
  return readWholeStatements(Buffer.from(text), { format: 'csv', mapping, today: TODAY })
}

const SIGNED = {
  account: '123456789',
  date_format: 'MM/DD/YYYY',
  columns: { booked_on: 'Posting Date', amount: 'Amount', text: 'Description', balance: 'Balance', check: 'Check #' },
  ignored_lines: ['Total'],
}

const LINES = [
  'First Example Bank',
  'Posting Date,Description,Amount,Check #,Balance',
  '03/04/2026,"ACH ""NET"", BATCH 7","1,250.00",,"2,250.00"',
  '03/05/2026,CHECK,-50.25,1042,2199.75',
  'Total,2,1199.75,,',
]

test('columns are found by name, and the balance column proves that the lines add up', async () => {
  const { statements, problems } = await read(LINES.join('\r\n'), SIGNED)
  assert.deepEqual(problems, [])
  assert.deepEqual(
    statements[0]?.lines.map(({ bookedOn, cents, text, references }) => [bookedOn, cents, text, references]),
    [
      ['2026-03-04', 125000, 'ACH "NET", BATCH 7', {}],
      ['2026-03-05', -5025, 'CHECK', { check: '1042' }],
    ],
  )
  const { openingCents, closingCents, differenceCents } = statements[0]?.totals ?? {}
  assert.deepEqual([openingCents, closingCents, differenceCents], [100000, 219975, 0])
})

test('a line without an amount is ignored by its text, and a movement is not', async () => {
  const [bank = '', header = '', first = '', second = ''] = LINES
  const opening = '03/04/2026,Total balance as of 03/04/2026,,,"1,000.00"'
  const movement = '03/05/2026,Total Fitness,-10.00,,2189.75'
  const { statements, problems } = await read([bank, header, opening, first, second, movement].join('\n'), SIGNED)
  assert.deepEqual(problems, [])
  assert.deepEqual(
    statements[0]?.lines.map(({ cents }) => cents),
    [125000, -5025, -1000],
  )
})

test('a file with the newest line first adds up as well', async () => {
  const [bank = '', header = '', first = '', second = ''] = LINES
  const { statements, problems } = await read([bank, header, second, first].join('\n'), SIGNED)
  assert.deepEqual([problems, statements[0]?.totals.differenceCents], [[], 0])
})

test('debits and credits can have columns of their own, or a word', async () => {
  const columns = await read('D;Soll;Haben\n01.03.2026;1.250,50;\n02.03.2026;;7,00\n', {
    ...{ account: '1', separator: ';', decimal: ',', date_format: 'DD.MM.YYYY' },
    columns: { booked_on: 'D', debit: 'Soll', credit: 'Haben' },
  })
  assert.deepEqual([columns.problems, columns.statements[0]?.lines.map(({ cents }) => cents)], [[], [-125050, 700]])
  const words = await read('D,A,S\n2026-03-01,5.00,DR\n2026-03-01,6.00,CR\n2026-03-01,7.00,XX\n', {
    ...{ account: '1', debit_words: ['DR'], credit_words: ['CR'] },
    columns: { booked_on: 'D', amount: 'A', sign: 'S' },
  })
  assert.deepEqual(
    words.statements[0]?.lines.map(({ cents }) => cents),
    [-500, 600],
  )
  assert.deepEqual(words.problems, [
    { scope: 'line', place: 'line 4', message: 'the word for credit or debit is not in the mapping' },
  ])
})

test('each account of a file is a statement', async () => {
  const { statements } = await read('A,D,X\n1,2026-03-01,1\n1,2026-03-01,2\n2,2026-03-01,3\n', {
    columns: { account: 'A', booked_on: 'D', amount: 'X' },
  })
  assert.deepEqual(
    statements.map(({ account, lines }) => [account, lines.length]),
    [
      ['1', 2],
      ['2', 1],
    ],
  )
})

test('a line that cannot be read is a problem with its place, and the others are used', async () => {
  const bad: Record<string, string> = {
    '2026-02-30,1': 'the date cannot be read: it should be YYYY-MM-DD',
    '2027-03-01,1': 'the date, 2027-03-01, is in the future',
    '2026-03-01,-0': 'the amount is a negative zero',
    '2026-03-01,1e5': 'the amount has an exponent',
    '2026-03-01,1.234': 'the amount has 3 decimals, and its currency has 2',
    '2026-03-01,12345678901234567.89': 'the amount has 19 digits, and at most 15 are possible',
    '2026-03-01': 'the line has 1 fields, and the header has 2',
    '2026-03-01,1,2': 'the line has 3 fields, and the header has 2',
    '"2026-03-01,1': 'the date cannot be read: it should be YYYY-MM-DD',
  }
  for (const [line, message] of Object.entries(bad)) {
    const { statements, problems } = await read(`D,X\n2026-03-01,1\n${line}\n2026-03-01,2\n`, {
      account: '1',
      columns: { booked_on: 'D', amount: 'X' },
    })
    assert.deepEqual(problems, [{ scope: 'line', place: 'line 3', message }], line)
    assert.deepEqual(
      statements[0]?.lines.map(({ cents }) => cents),
      [100, 200],
      line,
    )
  }
})

test('a file without the columns of the mapping is one problem', async () => {
  const { problems } = await read('A,B\n1,2\n', { columns: { booked_on: 'D', amount: 'X' } })
  assert.deepEqual(problems, [
    { scope: 'file', place: 'line 1', message: 'no line in the first 50 has all columns of the mapping: D, X' },
  ])
})

test('a mapping with faults names each of them', () => {
  const { problems } = readCsvMapping({ colums: {}, separator: 'x', columns: { amont: 'X', text: 1 } })
  assert.equal(problems?.length, 6)
  assert.match(
    problems?.join('\n') ?? '',
    /colums is unknown[\s\S]*columns.amont is unknown[\s\S]*booked_on is missing[\s\S]*separator must be one of/,
  )
})
