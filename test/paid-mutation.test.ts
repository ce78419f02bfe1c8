import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ACCOUNT, startPaidService, tryList } from './support/paid-lists.ts'
import { randomFrom, seedFrom } from './support/seed.ts'

// A good list of 20 paid checks is changed in one place. Each of them must be PAID, or a case must hold its expiry.
// MUTATIONS is the number of changed lists, and MUTATION_SEED repeats a run.

const MUTATIONS = Number(process.env.MUTATIONS ?? 200)
const SEED = seedFrom('MUTATION_SEED')
const random = randomFrom(SEED)
const below = (limit: number): number => Math.floor(random() * limit)
const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item

/** Some amounts are the same, so that only the number tells these checks apart. */
const AMOUNTS = [
  10.5, 20, 1250, 30.25, 30.25, 45, 45, 99.99, 1, 7.77, 300, 12, 18.4, 2000, 5.05, 64, 81, 33.33, 150, 410,
]
/** Checks that are out and not in the list. */
const OTHERS = [11, 21.5, 1251, 46, 98.99]
const NUMBERS = AMOUNTS.map((_, index) => 1001 + index)
const PAYEES = [
  'Grace Hopper',
  'Ada "Countess" Lovelace',
  'Núñez & Sons',
  'Total Wine',
  'Acme, Inc.',
  'Ann O’Neil',
  'Ben 24',
]

const quoted = (text: string) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
const HEADER = 'Account Number,Check Number,Payee,Amount,Paid Date'
const ROWS = AMOUNTS.map((amount, index) => {
  const date = index % 3 === 0 ? '03/03/2026' : '03/04/2026'
  return [
    ACCOUNT,
    String(1001 + index),
    quoted(`${PAYEES[index % PAYEES.length]} ${'ABCDEFGHIJKLMNOPQRSTU'[index]}`),
    amount.toFixed(2),
    date,
  ].join(',')
})
const TOTAL = `Total,20,,${AMOUNTS.reduce((sum, amount) => sum + amount, 0).toFixed(2)},`
const WITH_TOTALS = ['First Example Bank', '', HEADER, ...ROWS, TOTAL]
const WITHOUT_TOTALS = [HEADER, ...ROWS]

/** A changed list and what was done to it. */
type Mutation = { what: string; bytes: Buffer }

const joined = (lines: readonly string[], end = '\r\n'): string => lines.map((line) => line + end).join('')
const GARBAGE = ',,,;;;\t|""\'\'()-+$#*. 0123456789abcxyzÑ—\r\n\0\x1a\f'
const garbage = (length: number): string => Array.from({ length }, () => pick([...GARBAGE])).join('')

function changeByte(text: string): Mutation {
  const bytes = Buffer.from(text)
  const at = below(bytes.length)
  const how = pick(['replace', 'replace', 'swap digit', 'delete', 'insert'])
  const byte = how === 'swap digit' ? 0x30 + below(10) : below(256)
  const tail = bytes.subarray(how === 'insert' ? at : at + 1)
  const middle = how === 'delete' ? Buffer.alloc(0) : Buffer.from([byte])
  return { what: `${how} byte ${at} by ${byte}`, bytes: Buffer.concat([bytes.subarray(0, at), middle, tail]) }
}

function changeField(lines: readonly string[]): Mutation {
  const at = below(lines.length)
  const fields = (lines[at] as string).split(',')
  const field = below(fields.length)
  const other = below(fields.length)
  const old = fields[field] as string
  const how = pick(['blank', 'garbage', 'digits', 'swap', 'twice', 'cut', 'of another line', 'remove'])
  if (how === 'blank') fields[field] = ''
  if (how === 'garbage') fields[field] = garbage(1 + below(12)).replace(/[\r\n]/g, '')
  if (how === 'digits') fields[field] = String(below(3000))
  if (how === 'swap') [fields[field], fields[other]] = [fields[other] as string, old]
  if (how === 'twice') fields.splice(field, 0, old)
  if (how === 'cut') fields[field] = old.slice(0, below(old.length))
  if (how === 'of another line') fields[field] = pick(lines).split(',')[field] ?? ''
  if (how === 'remove') fields.splice(field, 1)
  return { what: `field ${field} of line ${at}: ${how}`, bytes: Buffer.from(joined(lines.with(at, fields.join(',')))) }
}

/** A line that is taken away can only be noticed in a list with totals. */
function changeLine(lines: readonly string[], hasTotals: boolean): Mutation {
  const at = below(lines.length)
  const other = below(lines.length)
  const line = lines[at] as string
  const hows = ['twice', 'swap', 'cut', 'insert', 'two in one', ...(hasTotals ? ['delete', 'blank', 'garbage'] : [])]
  const how = pick(hows)
  const changed: Record<string, () => string[]> = {
    twice: () => lines.toSpliced(at, 0, line),
    swap: () => lines.with(at, lines[other] as string).with(other, line),
    cut: () => lines.with(at, line.slice(0, 1 + below(line.length))),
    insert: () => lines.toSpliced(at, 0, garbage(below(60))),
    'two in one': () => lines.toSpliced(at, 2, `${line}${pick(['', ' ', ','])}${lines[at + 1] ?? ''}`),
    delete: () => lines.toSpliced(at, 1),
    blank: () => lines.with(at, ''),
    garbage: () => lines.with(at, garbage(1 + below(80))),
  }
  return { what: `line ${at}: ${how}`, bytes: Buffer.from(joined(changed[how]?.() ?? [])) }
}

function changeEncoding(text: string): Mutation {
  const utf16 = Buffer.from(text, 'utf16le')
  const encodings: Record<string, () => Buffer> = {
    'windows-1252': () => Buffer.from(text.replaceAll('’', '\x92'), 'latin1'),
    'utf-8 with mark': () => Buffer.from(`\ufeff${text}`),
    'utf-16': () => Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]),
    'utf-16 big': () => Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(utf16).swap16()]),
    'utf-16 without mark': () => utf16,
    'utf-16 without its first byte': () => utf16.subarray(1),
    'utf-16 without its last byte': () => utf16.subarray(0, -1),
    padded: () => Buffer.concat([Buffer.from(text), Buffer.from('\x1a'), Buffer.alloc(below(200))]),
  }
  const what = pick(Object.keys(encodings))
  return { what, bytes: encodings[what]?.() ?? Buffer.alloc(0) }
}

function changeLineEnds(lines: readonly string[]): Mutation {
  const ends = ['\r', '\n', '\r\n', '\r\r\n', '\n\n', '\n\r', '\f\r\n', ' \r\n', ',\r\n', '\t\r\n']
  const end = pick([...ends, 'mixed'])
  const text = end === 'mixed' ? lines.map((line) => line + pick(ends)).join('') : joined(lines, end)
  return { what: `line ends ${JSON.stringify(end)}`, bytes: Buffer.from(text) }
}

function mutate(): Mutation {
  const hasTotals = random() < 0.5
  const lines = hasTotals ? WITH_TOTALS : WITHOUT_TOTALS
  const text = joined(lines)
  const change = pick([
    () => changeByte(text),
    () => changeByte(text),
    () => changeByte(text),
    () => changeField(lines),
    () => changeField(lines),
    () => changeLine(lines, hasTotals),
    () => changeEncoding(text),
    () => changeLineEnds(lines),
  ])
  const { what, bytes } = change()
  return { what: `${what}, ${hasTotals ? 'with' : 'without'} totals`, bytes }
}

const service = await startPaidService({ after })
await service.issue([...AMOUNTS, ...OTHERS])
await service.passDays(7)

test('the unchanged lists pay all their checks', async () => {
  for (const lines of [WITH_TOTALS, WITHOUT_TOTALS]) {
    const { paid, cases } = await tryList(service.deps, Buffer.from(joined(lines)))
    assert.deepEqual([paid, cases], [NUMBERS, []])
  }
})

test(`${MUTATIONS} changed lists of 20 paid checks: each check is PAID, or a case holds its expiry (seed ${SEED})`, async () => {
  let paidCount = 0
  for (let round = 0; round < MUTATIONS; round++) {
    const { what, bytes } = mutate()
    const context = () => `round ${round}, MUTATION_SEED=${SEED}: ${what}\n${bytes.toString('latin1')}`
    const { paid, cases } = await tryList(service.deps, bytes).catch((error) => {
      throw new Error(context(), { cause: error })
    })
    paidCount += paid.length
    const isHeld = (number: number) => cases.some((one) => / bank\b/.test(one) || one.endsWith(` ${number}`))
    const lost = NUMBERS.filter((number) => !paid.includes(number) && !isHeld(number))
    assert.deepEqual(lost, [], `${context()}\npaid ${paid.join(' ')}\ncases ${cases.join('; ')}`)
    assert.deepEqual(
      paid.filter((number) => !NUMBERS.includes(number)),
      [],
      `a check that is not in the list was paid: ${context()}`,
    )
  }
  assert.ok(paidCount > MUTATIONS * NUMBERS.length * 0.6, `most lists are still used: ${paidCount}`)
})
