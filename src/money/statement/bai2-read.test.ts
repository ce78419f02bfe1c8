import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWholeStatements } from './statement-read-actions.ts'

const TODAY = '2026-03-10'

const read = (text: string | Buffer) =>
  readWholeStatements(Buffer.from(text), { format: 'bai2', mapping: null, today: TODAY })

/** Returns a file of one account with correct trailers. `records`: the records between 02 and 49. */
function fileOf(
  records: readonly string[],
  { version = '2', total = 0, currency = 'USD', modifier = '2' } = {},
): string {
  const count = records.length + 1
  return [
    `01,091000019,REMIT,260305,0600,7,,,${version}/`,
    `02,REMIT,091000019,1,260304,2359,${currency},${modifier}/`,
    ...records,
    `49,${total},${count}/`,
    `98,${total},1,${count + 2}/`,
    `99,${total},1,${count + 4}/`,
    '',
  ].join('\r\n')
}

/** Returns a file of one account with these transactions. */
const withDetails = (details: readonly string[], total: number, options = {}) =>
  fileOf(['03,123456789,,010,0,,,/', ...details], { total, ...options })

async function onlyLine(details: readonly string[], total: number) {
  const { statements, problems } = await read(withDetails(details, total))
  assert.deepEqual(problems, [])
  assert.equal(statements[0]?.lines.length, 1)
  return statements[0]?.lines[0]
}

test('a statement is read with its balances, lines, references and equation', async () => {
  const { statements, problems } = await read(
    fileOf(
      [
        '03,123456789,,010,+100000,,,015,95500,,,100,3000,1,,400,7500,2,/',
        '16,142,3000,Z,BR1,CR1,ACH SETTLEMENT',
        '16,475,2500,,,0000001042,',
        '16,698,5000,,BR3,,WIRE FEE',
      ],
      { total: 216500 },
    ),
  )
  assert.deepEqual(problems, [])
  const [statement] = statements
  assert.equal(statement?.account, '123456789')
  assert.equal(statement?.day, '2026-03-04')
  assert.deepEqual(
    statement?.lines.map(({ cents, kind, references, text }) => [cents, kind, references, text]),
    [
      [3000, 'ach', { bank: 'BR1', customer: 'CR1' }, 'ACH SETTLEMENT'],
      [-2500, 'check', { check: '1042' }, ''],
      [-5000, 'fee', { bank: 'BR3' }, 'WIRE FEE'],
    ],
  )
  const { openingCents, closingCents, differenceCents, isComplete } = statement?.totals ?? {}
  assert.deepEqual([openingCents, closingCents, differenceCents, isComplete], [100000, 95500, 0, true])
})

test('continuations are joined by field before amounts are read: a type code ends a line, its amount is in the 88', async () => {
  const { statements, problems } = await read(
    fileOf(['03,123456789,USD,010,500000,,,190/', '88,500000,,,110/', '88,4000,,,015/', '88,500000,,/'], {
      total: 1504000,
    }),
  )
  assert.deepEqual(problems, [])
  assert.deepEqual(
    statements[0]?.totals.balances.map(({ code, cents }) => [code, cents]),
    [
      ['010', 500000],
      ['015', 500000],
    ],
  )
})

test('a comma too many before a continuation, and a missing last field, do not shift the amounts after it', async () => {
  const extra = ['03,123456789,USD,010,500,,,,/', '88,015,500,,/']
  const missing = ['03,123456789,USD,010,500,/', '88,,015,500,,/']
  for (const records of [extra, missing]) {
    const { statements, problems } = await read(fileOf(records, { total: 1000 }))
    assert.deepEqual(problems, [])
    assert.deepEqual([statements[0]?.totals.openingCents, statements[0]?.totals.closingCents], [500, 500])
  }
})

test('funds types S, V, D and Z are skipped with their extra fields', async () => {
  const lines = {
    S: '16,195,600,S,100,200,300,BR,CR,TEXT',
    V: '16,195,600,V,260306,,BR,CR,TEXT',
    D: '16,195,600,D,2,0,100,1,500,BR,CR,TEXT',
    Z: '16,195,600,Z,BR,CR,TEXT',
    '': '16,195,600,,BR,CR,TEXT',
  }
  for (const [type, line] of Object.entries(lines)) {
    const read = await onlyLine([line], 600)
    assert.deepEqual([read?.cents, read?.references, read?.text], [600, { bank: 'BR', customer: 'CR' }, 'TEXT'], type)
    assert.equal(read?.valueOn, type === 'V' ? '2026-03-06' : null)
  }
})

test('the fields of a funds type and the text may continue in an 88', async () => {
  const line = await onlyLine(
    ['16,115,600,S,100,200,300/', '88,BR,CR,AMALGAMATED CORP. LOCKBOX', '88,DEPOSIT, MISC'],
    600,
  )
  assert.deepEqual(
    [line?.references, line?.text],
    [{ bank: 'BR', customer: 'CR' }, 'AMALGAMATED CORP. LOCKBOX DEPOSIT, MISC'],
  )
})

test('`,/` is an empty field at the end', async () => {
  const line = await onlyLine(['16,475,600,,,1001,/'], 600)
  assert.deepEqual([line?.references, line?.text], [{ check: '1001' }, ''])
})

test('slashes and commas in a text or a reference are part of it', async () => {
  const line = await onlyLine(['16,195,600,,AB/12,CR/1,INVOICE 12/2026, 50/50 A/B'], 600)
  assert.deepEqual([line?.references, line?.text], [{ bank: 'AB/12', customer: 'CR/1' }, 'INVOICE 12/2026, 50/50 A/B'])
})

test('a 03 with several amounts keeps each balance', async () => {
  const { statements } = await read(
    fileOf(['03,1,USD,010,1,,,015,1,,,040,2,,,045,3,,,060,4,,,072,5,,/'], { total: 16 }),
  )
  const { balances = [] } = statements[0]?.totals ?? {}
  assert.deepEqual(
    balances.map(({ kind, cents }) => [kind, cents]),
    [
      ['opening', 1],
      ['closing', 1],
      ['available', 2],
      ['available', 3],
      ['available', 4],
      ['other', 5],
    ],
  )
})

test('padded lines, `+000` and padded amounts are read', async () => {
  const text = fileOf(['03,1,USD,010,+000,,,015,000000000600,,/', '16,195,000000000600,Z,,,TEXT'], { total: 1200 })
  const padded = text
    .split('\r\n')
    .map((line) => line.padEnd(80))
    .join('\r\n')
  const { statements, problems } = await read(padded)
  assert.deepEqual(problems, [])
  assert.equal(statements[0]?.totals.differenceCents, 0)
})

test('records that share a line are read as if each had its own', async () => {
  const text = fileOf(['03,1,USD,010,0,,,015,600,,/', '16,195,500,Z,,,PAYPAL/', '16,195,100,Z,,,BANK/'], {
    total: 1200,
  })
  for (const gap of [' ', '   ', '\t']) {
    const { statements, problems } = await read(text.trim().replaceAll('\r\n', gap))
    assert.deepEqual(problems, [])
    assert.deepEqual(
      statements[0]?.lines.map(({ cents, text }) => [cents, text]),
      [
        [500, 'PAYPAL'],
        [100, 'BANK'],
      ],
    )
  }
})

test('a text that is wrapped to a second line stays one text', async () => {
  const line = await onlyLine(['16,195,600,Z,,,ACH SETL 111\n222 333/'], 600)
  assert.equal(line?.text, 'ACH SETL 111 222 333')
})

test('unknown type codes take their sign from the range, are set aside, and refuse nothing', async () => {
  const signs = { '199': 1, '699': -1, '599': -1, '935': 1, '965': -1 }
  for (const [code, sign] of Object.entries(signs)) {
    const line = await onlyLine([`16,${code},600,Z,,,X`], 600)
    assert.equal(line?.cents, 600 * sign, code)
    if (code !== '699') assert.equal(line?.kind, 'unknown', code)
  }
  const { statements, problems } = await read(withDetails(['16,805,600,Z,,,X', '16,195,100,Z,,,Y'], 700))
  assert.equal(statements[0]?.lines.length, 1)
  assert.equal(problems[0]?.message, 'the type code 805 does not say whether it is a credit or a debit')
  assert.deepEqual([problems[0]?.scope, problems[0]?.place], ['line', 'line 4'])
})

test('a message without money (890) is a line of zero', async () => {
  const line = await onlyLine(['16,890,,,,,detail reports will be delayed'], 0)
  assert.deepEqual([line?.cents, line?.kind], [0, 'information'])
})

test('version 3 is read, with dates of eight digits and without a default currency', async () => {
  const text = withDetails(['16,195,600,Z,,,X'], 600, { version: '3', currency: '' }).replace('260304', '20260304')
  const { statements, problems } = await read(text)
  assert.equal(statements[0]?.day, '2026-03-04')
  assert.deepEqual(
    problems.map(({ message }) => message),
    ['the currency of the account is missing or no code of three letters'],
  )
})

const badAmounts: Record<string, string> = {
  '-0': 'the amount is a negative zero',
  '-5': 'the amount has a sign, but its type code already says credit or debit',
  '1234567890123456789': 'the amount has 19 digits, and at most 15 are possible',
  '1e5': 'the amount has an exponent',
  '12.50': 'the amount has a decimal point where only whole cents are possible',
  '12A': 'the amount is not a number',
  '': 'the amount is missing',
}

test('an amount that is no number of cents is a problem of its line, and the other lines are used', async () => {
  for (const [amount, message] of Object.entries(badAmounts)) {
    const { statements, problems } = await read(withDetails([`16,195,${amount},Z,,,X`, '16,195,100,Z,,,Y'], 100))
    assert.deepEqual([problems[0]?.scope, problems[0]?.place, problems[0]?.message], ['line', 'line 4', message])
    assert.equal(statements[0]?.lines.length, 1, amount)
  }
})

test('trailers that do not add up are problems with the difference, and every line is used', async () => {
  const good = withDetails(['16,195,600,Z,,,X'], 600)
  const wrong = good.replace('49,600,3', '49,650,4')
  const { statements, problems } = await read(wrong)
  assert.equal(statements[0]?.lines.length, 1)
  assert.deepEqual(
    problems.map(({ message }) => message),
    [
      'the control total differs from the amounts by $0.50',
      '3 records were read, and the trailer has another number',
      'the control total differs from the amounts by -$0.50',
    ],
  )
})

test('a truncated file has a problem, and its lines are used', async () => {
  const { statements, problems } = await read(withDetails(['16,195,600,Z,,,X'], 600).split('49,')[0] ?? '')
  assert.equal(statements[0]?.lines.length, 1)
  assert.equal(statements[0]?.totals.isComplete, false)
  assert.ok(problems.some(({ scope, message }) => scope === 'file' && message.startsWith('the file has no end (99)')))
})

test('a date of next year is a problem, and a day that is not over is an interim statement', async () => {
  const future = await read(withDetails([], 0).replace('260304', '270304'))
  assert.deepEqual(
    [future.statements[0]?.day, future.problems[0]?.message],
    [null, 'its day, 2027-03-04, is in the future'],
  )
  const interim = await read(withDetails([], 0, { modifier: '3' }))
  assert.equal(interim.statements[0]?.kind, 'interim')
})

test('deletions, corrections and tests are marked', async () => {
  const actions = { '2': 'deletion', '3': 'correction', '4': 'test' }
  for (const [status, action] of Object.entries(actions)) {
    const { statements } = await read(withDetails([], 0).replace(',1,260304', `,${status},260304`))
    assert.equal(statements[0]?.action, action)
  }
})

test('any encoding, line ends and padding are read', async () => {
  const text = withDetails(['16,195,600,Z,,,CAFÉ'], 600)
  const forms = [
    Buffer.from(text),
    Buffer.from(`\ufeff${text}`),
    Buffer.from(text, 'latin1'),
    Buffer.from(`\ufeff${text}`, 'utf16le'),
    Buffer.from(text, 'utf16le').swap16(),
    Buffer.from(text.replaceAll('\r\n', '\r')),
    Buffer.from(text.replaceAll('\r\n', '\n')),
    Buffer.concat([Buffer.from(text), Buffer.from([0x1a]), Buffer.alloc(300)]),
  ]
  for (const [index, form] of forms.entries()) {
    const { statements, problems } = await read(form)
    assert.deepEqual(problems, [], String(index))
    assert.equal(statements[0]?.lines[0]?.text, 'CAFÉ', String(index))
  }
})

test('a file of another format, and an empty file, are one problem', async () => {
  for (const text of ['', '\n \n', 'x\n'.repeat(50), 'x'.repeat(1_200_000)]) {
    const { statements, problems } = await read(text)
    assert.deepEqual([statements.length, problems.length, problems[0]?.scope], [0, 1, 'file'])
  }
})

test('problems contain no value of the file', async () => {
  const { problems } = await read(withDetails(['16,195,9876543210987654321,Z,,,SECRET', '9876543210,x'], 100))
  assert.ok(problems.length > 1)
  assert.doesNotMatch(JSON.stringify(problems), /98765|SECRET/)
})
