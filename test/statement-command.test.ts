import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runRemit } from './support/process.ts'
import { bai2Lines, CSV_MAPPING, csvLines } from './support/statement-files.ts'

const folder = await mkdtemp(join(tmpdir(), 'remit-statement-'))
after(() => rm(folder, { recursive: true }))

const statement = {
  account: '123456789',
  openingCents: 100_000,
  lines: [
    { cents: 125_000, code: '142', reference: 'R1', text: 'ACH NET' },
    { cents: -5_025, code: '475', reference: '0001042', text: 'CHECK \u202e PAID' },
  ],
}

async function fileOf(name: string, lines: readonly string[]): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, lines.join('\n'))
  return path
}

const show = (...args: string[]) => runRemit(['statements', 'show', ...args], { home: folder })

test('a statement is shown with its lines and its equation, without the complete account number', async () => {
  const { code, stdout } = await show(await fileOf('good.bai', bai2Lines(statement)))
  assert.equal(code, 0, stdout)
  assert.equal(
    stdout.trim(),
    [
      'Account ending in 6789 · March 4, 2026 · USD',
      'BOOKED                 AMOUNT  KIND         CODE            REFERENCE                 TEXT',
      '2026-03-04           1,250.00  ach          142             customer R1               ACH NET',
      '2026-03-04             -50.25  check        475             check 1042                CHECK PAID',
      'Opening              1,000.00',
      'Credits              1,250.00',
      'Debits                 -50.25  in 2 lines',
      'Closing              2,199.75  ✓ adds up',
    ].join('\n'),
  )
})

test('problems are listed with their place, and the exit code is 1', async () => {
  const path = await fileOf(
    'bad.bai',
    bai2Lines(statement).join('\n').replace('16,142,125000', '16,142,125e3').split('\n'),
  )
  const { code, stdout } = await show(path)
  assert.equal(code, 1)
  assert.match(stdout, /✗ differs by 1,250\.00/)
  assert.match(stdout, /line 5: the amount has an exponent \(not read\)/)
})

test('CSV needs a mapping, whose faults are reported', async () => {
  const csv = await fileOf('good.csv', csvLines(statement))
  assert.match((await show(csv)).stdout, /CSV needs a mapping/)
  const mapping = await fileOf('mapping.json', [JSON.stringify(CSV_MAPPING)])
  assert.match((await show(csv, '--mapping', mapping)).stdout, /✓ adds up/)
  const wrong = await fileOf('wrong.json', ['{"columns": {"amount": "Amount"}}'])
  const { code, stderr } = await show(csv, '--mapping', wrong)
  assert.equal(code, 1)
  assert.match(stderr, /columns\.booked_on is missing/)
})

test('--json prints one object per line', async () => {
  const { stdout } = await show(await fileOf('json.bai', bai2Lines(statement)), '--json')
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    events.map(({ type }) => type),
    ['statement', 'line', 'line', 'end'],
  )
})

test('a missing file causes an error without a stack trace', async () => {
  const { code, stderr } = await show(join(folder, 'none'))
  assert.equal(code, 1)
  assert.match(stderr, /none does not exist\.$/m)
  assert.doesNotMatch(stderr, /at .*\.ts/)
})
