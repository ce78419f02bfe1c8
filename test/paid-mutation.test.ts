import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { joined, type Mutation, mutationsBy } from './support/mutations.ts'
import { ACCOUNT, assertNothingLost, startPaidService, tryList } from './support/paid-lists.ts'
import { randomFrom, seedFrom } from './support/seed.ts'

// A valid list of 20 paid checks is changed in one place. Each of them must be PAID, or a case must hold its expiry.
// MUTATIONS is the number of changed lists, and MUTATION_SEED repeats a run.

const MUTATIONS = Number(process.env.MUTATIONS ?? 200)
const SEED = seedFrom('MUTATION_SEED')
const random = randomFrom(SEED)
const { below, pick, garbage, changeByte, changeLine, changeEncoding, changeLineEnds } = mutationsBy(random)

/** Some amounts are equal, so only the number distinguishes these checks. */
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
    () => changeLine(lines, { hasTotals }),
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

test(`${MUTATIONS} changed lists of 20 paid checks: each check is PAID, or a case holds its expiry (seed ${SEED})`, () =>
  assertNothingLost({
    ...{ rounds: MUTATIONS, seed: SEED, numbers: NUMBERS, usedShare: 0.6, mutate },
    tryChanged: ({ bytes }) => tryList(service.deps, bytes),
  }))
