import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { guessMapping, readSource, rowsOf, type SourceFile } from '../web/src/pages/batches/batch-file.ts'

// How the page of Bulk reads the files of other programs.

const read = (content: string | Uint8Array<ArrayBuffer>) => readSource(new File([content], 'file.csv'))

async function rowsIn(content: string | Uint8Array<ArrayBuffer>) {
  const source = (await read(content)) as SourceFile
  assert.equal(typeof source, 'object', String(source))
  return rowsOf(source, guessMapping(source.heads)).map(({ cells }) => cells)
}

/** A text in UTF-16 with a byte order mark, little endian or big endian. */
function utf16(text: string, { isBig = false } = {}): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le')
  return new Uint8Array(isBig ? bytes.swap16() : bytes)
}

const FILE = 'Payee,Amount,Email\nJosé Müller,5,jose@example.com\n'
const ROW = { name: 'José Müller', amount: '5', email: 'jose@example.com' }

suite('a file', () => {
  test('is read in the encodings that programs save', async () => {
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

  test('that cannot be read for certain is refused with its line', async () => {
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

  test('keeps amounts that could be read in two ways as they are, and the service refuses them', async () => {
    const amounts = [
      '$1,234.50',
      '1,234,567',
      '12.5',
      ' 7 ',
      '1,50',
      '1.234,50',
      '1,2345',
      '-5',
      '(5)',
      '5 USD',
      '1e3',
      '12,34.50',
    ]
    const file = `name;amount;email\n${amounts.map((amount) => `Ann;${amount};a@example.com\n`).join('')}`
    assert.deepEqual(
      (await rowsIn(file)).map(({ amount }) => amount),
      ['1234.50', '1234567', '12.5', '7', '1,50', '1.234,50', '1,2345', '-5', '(5)', '5 USD', '1e3', '12,34.50'],
    )
  })
})
