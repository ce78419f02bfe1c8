import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { itemValidator } from '../src/foundation/http/validation.ts'
import { plainCell, protectedCell } from '../src/foundation/lib/text/sheet.ts'
import { readFile } from '../src/payments/payment/bulk/bulk-actions.ts'
import { type FileRow, type BulkRow as Row, rowsOfCsv } from '../src/payments/payment/bulk/bulk-rules.ts'
import { BulkRow } from '../src/payments/payment/bulk/bulk-schema.ts'
import { readSheetAmount } from '../src/payments/payment/bulk/sheet-amount-rules.ts'
import { guessMapping, readRows, readSource, type SourceFile, writeCsv } from '../web/src/pages/batches/batch-file.ts'

// Tests how the page Bulk reads the files of other programs.

const read = (content: string | Uint8Array<ArrayBuffer>) => readSource(new File([content], 'file.csv'))

async function rowsIn(content: string | Uint8Array<ArrayBuffer>) {
  const source = (await read(content)) as SourceFile
  assert.equal(typeof source, 'object', String(source))
  return readRows(source, guessMapping(source.heads)).map(({ cells }) => cells)
}

/** A text in UTF-16 with a byte order mark, little endian or big endian. */
function utf16(text: string, { isBig = false } = {}): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le')
  return new Uint8Array(isBig ? bytes.swap16() : bytes)
}

const FILE = 'Payee,Amount,Email\nJosé Müller,5,jose@example.com\n'
const ROW = { name: 'José Müller', amount: '5', email: 'jose@example.com' }

suite('a file', () => {
  test('is read in the encodings that spreadsheet programs save', async () => {
    const files = {
      'UTF-8': FILE,
      'UTF-8 with a byte order mark': `\uFEFF${FILE}`,
      'UTF-16': utf16(FILE),
      'UTF-16, big endian': utf16(FILE, { isBig: true }),
      'Windows-1252': new Uint8Array(Buffer.from(FILE, 'latin1')),
    }
    for (const [encoding, file] of Object.entries(files)) assert.deepEqual(await rowsIn(file), [ROW], encoding)
  })

  test('is read with semicolons or tabs, every line end, and line ends in quotes', async () => {
    for (const file of [
      FILE.replaceAll(',', ';'),
      FILE.replaceAll(',', '\t'),
      FILE.replaceAll('\n', '\r\n'),
      FILE.replaceAll('\n', '\r'),
      `\n${FILE}\n,,\n`,
    ]) {
      assert.deepEqual(await rowsIn(file), [ROW], JSON.stringify(file))
    }
    const [row] = await rowsIn('name,amount,email,description\nAnn,5,a@example.com,"Rent,\nMay"\n')
    assert.equal(row?.description, 'Rent,\nMay')
  })

  test('that is ambiguous is refused with its line', async () => {
    for (const [file, problem] of [
      ['', /has no rows/],
      ['name,amount,email\n', /has no rows/],
      [`name,amount\n${'Ann,5\n'.repeat(1_501)}`, /has 1,501 rows/],
      ['name,amount,email\nAnn,5,a@example.com\n"Bob,6,b@example.com\nCy,7,c@example.com\n', /row 2: .*quotation mark/],
      ['name,email,amount\nAnn,a@example.com,5\nBob,b@example.com,1,234.50\n', /row 2: .*more cells than/],
    ] as const) {
      assert.match((await read(file)) as string, problem)
    }
    assert.match((await read(new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0, 0, 0, 8, 0]))) as string, /not a CSV file/)
  })

  test('of any country has the same rows on the page and in the service, for every separator and line end', async () => {
    const american = [
      'name,amount,email,description',
      'José Müller,"$1,234.50",jose@example.com,Rent',
      'Ann,12.5,ann@example.com,"May, June"',
    ]
    const german = [
      'name;amount;email;description',
      'José Müller;1.234,50;jose@example.com;Rent',
      'Ann;12,5;ann@example.com;May, June',
    ]
    const swiss = [
      'name;amount;email;description',
      "José Müller;1'234.50;jose@example.com;Rent",
      'Ann;12.50;ann@example.com;May, June',
    ]
    const french = german.map((line) => line.replace('1.234,50', '1\u202f234,50 $'))
    const tabs = german.map((line) => line.replaceAll(';', '\t'))
    const files = [american, german, swiss, french, tabs, ['sep=;', ...german], ['"sep=,"', ...american]]
    const expected = [
      ['José Müller', 1234.5, 'jose@example.com', 'Rent'],
      ['Ann', 12.5, 'ann@example.com', 'May, June'],
    ]
    for (const lines of files) {
      for (const end of ['\n', '\r\n', '\r']) {
        const text = `\uFEFF${lines.join(end)}${end}`
        const source = (await read(text)) as SourceFile
        const written = writeCsv(readRows(source, guessMapping(source.heads)), source.separator)
        for (const content of [text, written, text.replace(end, '\n')]) {
          const { rows } = rowsOfCsv(content) as { rows: FileRow[] }
          const shown = rows.map(({ value, problem }) => {
            const { name, amount, address, description } = value as Row
            return [name, amount, address.address, description, ...(problem ? [problem] : [])]
          })
          assert.deepEqual(shown, expected, JSON.stringify(content))
        }
      }
    }
  })
})

suite('an amount', () => {
  const unreadable = 'must be dollars and cents, such as 1234.50'
  const comma = (meant: string) =>
    `has a comma before the cents, in a file whose columns are separated by commas. Write ${meant}`
  const either = 'can be $1,500.00 or $1.50. Write 1500.00 or 1.50'
  const scientific = 'is in scientific notation. In the spreadsheet, format the column as a number with two decimals'
  const rows: [text: string, amongCommas: number | string, amongSemicolons: number | string][] = [
    ['173,900', 173900, 'can be $173,900.00 or $173.90. Write 173900.00 or 173.90'],
    ['1.500', either, either],
    ['1,500', 1500, either],
    [
      '1.005',
      'can be $1,005.00 or $1.005. Write 1005.00 or 1.005',
      'can be $1,005.00 or $1.005. Write 1005.00 or 1.005',
    ],
    ['1,50', comma('1.50'), 1.5],
    ['1.234,50', comma('1234.50'), 1234.5],
    ['1 234,50 $', comma('1234.50'), 1234.5],
    ['5,', comma('5.00'), 5],
    ...(
      [
        ['$1,234.50', 1234.5],
        ['1,234,567', 1234567],
        ['1.234.567', 1234567],
        ["1'234.50", 1234.5],
        ['12.5', 12.5],
        ['5 USD', 5],
        ['.5', 0.5],
        ['1234.500', 1234.5],
        ['1,2345', unreadable],
        ['-5', unreadable],
        ['(5)', unreadable],
        ['12,34.50', unreadable],
        ['€5', unreadable],
        ['1234.567', unreadable],
        ['x', unreadable],
        ['1..5', unreadable],
        ['.', unreadable],
        ['1e3', scientific],
        ['1.23457E+11', scientific],
        ['1,23457E+11', scientific],
      ] as const
    ).map(([text, expected]): [string, number | string, number | string] => [text, expected, expected]),
  ]
  for (const [text, ...expected] of rows) {
    test(`an amount written as ${text} has one meaning, or an error lists the possible meanings`, () => {
      for (const [place, separator] of ([',', ';'] as const).entries()) {
        const { amount, problem } = readSheetAmount(text, separator)
        assert.equal(amount ?? problem, expected[place], separator)
      }
    })
  }
})

test('damage by a spreadsheet is reported, and characters that it added around a text are removed', () => {
  const file = [
    'name,amount,email,account_number,routing_number',
    '"=""Ann""",5,\'+ann@example.com,"=""0001234567""","=""021000021"""',
    'Bob,5,bob@example.com,1.23457E+11,21000021',
    'Cy;5;cy@example.com;;',
    'Di,5,di@example.com,1234 5678 90,021-000-021',
    'Ed,5,ed@example.com,1,2,3',
  ].join('\n')
  const [ann, bob, cy, di, ed] = readFile(file, itemValidator(BulkRow))
  assert.deepEqual(ann?.value, {
    name: 'Ann',
    account_number: '0001234567',
    routing_number: '021000021',
    amount: 5,
    address: { type: 'email', address: '+ann@example.com' },
  })
  assert.match(bob?.fields?.account_number?.[0] ?? '', /shortened by a spreadsheet/)
  assert.match(bob?.fields?.routing_number?.[0] ?? '', /zero at the start of 021000021/)
  assert.deepEqual(cy?.fields, { '': ['is separated by semicolons, and the first line by commas'] })
  assert.deepEqual([di?.value?.account_number, di?.value?.routing_number], ['1234567890', '021000021'])
  assert.match(ed?.fields?.['']?.[0] ?? '', /more fields than the header/)
})

test('an upload restores texts that an export protected from spreadsheets', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^['=+@ -]{0,4}[a-z]{1,3}$/), (text) => {
      assert.equal(plainCell(protectedCell(text.trim())), text.trim())
    }),
  )
})
