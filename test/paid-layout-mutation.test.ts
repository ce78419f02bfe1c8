import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { layouts } from './support/check-layouts.ts'
import { joined, type Mutation, mutationsBy } from './support/mutations.ts'
import { ACCOUNT, assertNothingLost, startPaidService, tryList } from './support/paid-lists.ts'
import { randomFrom, seedFrom } from './support/seed.ts'

// Valid lists of 12 paid checks in two layouts without headings are changed in one place. Each check must be PAID, or a
// case must hold its expiry. MUTATIONS is the number of changed lists, and MUTATION_SEED repeats a run.

const MUTATIONS = Number(process.env.MUTATIONS ?? 200)
const SEED = seedFrom('MUTATION_SEED')
const random = randomFrom(SEED)
const { below, pick, garbage, changeByte, changeLine, changeEncoding, changeLineEnds } = mutationsBy(random)

const AMOUNTS = [10.5, 20, 1250, 30.25, 30.25, 45, 99.99, 1, 7.77, 300, 2000, 18.4]
/** Outstanding checks that are not in the list. */
const OTHERS = [11, 21.5, 1251, 98.99]
const NUMBERS = AMOUNTS.map((_, index) => 1001 + index)
const CENTS = AMOUNTS.map((amount) => Math.round(amount * 100))
const SUM = CENTS.reduce((sum, cents) => sum + cents, 0)

const digits = (value: number | string, width: number) => String(value).padStart(width, '0')
const OWN = digits(ACCOUNT, 17)

/** Written by hand from the layouts. The column positions are those of the fixed form. */
const LISTS = {
  'fixed-with-totals': {
    lines: [
      `H${OWN}20260304`,
      ...CENTS.map((cents, index) => `D${OWN}${digits(1001 + index, 10)}${digits(cents, 12)}2026030${3 + (index % 2)}`),
      `T${OWN}${digits(CENTS.length, 10)}${digits(SUM, 14)}`,
    ],
    places: [0, 1, 18, 28, 40, 48],
  },
  'csv-with-totals': {
    lines: [
      ...CENTS.map((cents, index) =>
        [ACCOUNT, 1001 + index, (cents / 100).toFixed(2), `03/0${3 + (index % 2)}/2026`].join(','),
      ),
      `T,${CENTS.length},${(SUM / 100).toFixed(2)}`,
    ],
    places: [0, 13, 18],
  },
} as const

function changeColumn(lines: readonly string[], places: readonly number[]): Mutation {
  const at = below(lines.length)
  const column = below(places.length - 1)
  const [start = 0, end = 0] = [places[column], places[column + 1]]
  const line = lines[at] as string
  const value = line.slice(start, end)
  const how = pick(['blank', 'garbage', 'digits', 'of another line', 'shift'])
  const changed: Record<string, () => string> = {
    blank: () => ' '.repeat(value.length),
    garbage: () => garbage(value.length).replace(/[\r\n]/g, ' '),
    digits: () => String(below(10 ** Math.min(value.length, 9))).padStart(value.length, '0'),
    'of another line': () => pick(lines).slice(start, end),
    shift: () => value.slice(1) + value.slice(0, 1),
  }
  const text = line.slice(0, start) + changed[how]?.() + line.slice(end)
  return { what: `column ${column} of line ${at}: ${how}`, bytes: Buffer.from(joined(lines.with(at, text))) }
}

type Name = keyof typeof LISTS

function mutate(): Mutation & { name: Name } {
  const name = pick(Object.keys(LISTS) as Name[])
  const { lines, places } = LISTS[name]
  const text = joined(lines)
  const change = pick([
    () => changeByte(text),
    () => changeByte(text),
    () => changeByte(text),
    () => changeColumn(lines, places),
    () => changeColumn(lines, places),
    () => changeLine(lines, { hasTotals: true }),
    () => changeEncoding(text),
    () => changeLineEnds(lines),
  ])
  const { what, bytes } = change()
  return { what: `${name}: ${what}`, bytes, name }
}

const service = await startPaidService({ after })
await service.issue([...AMOUNTS, ...OTHERS])
await service.passDays(7)

const tryIn = (name: Name, bytes: Buffer) => tryList(service.deps, bytes, { layout: layouts[name].paidList })

test('the unchanged lists pay all their checks', async () => {
  for (const [name, { lines }] of Object.entries(LISTS)) {
    const { paid, cases } = await tryIn(name as Name, Buffer.from(joined(lines)))
    assert.deepEqual([paid, cases], [NUMBERS, []], name)
  }
})

test('truncated lists, and lists with moved lines, become cases', async () => {
  const { lines } = LISTS['fixed-with-totals']
  const { places } = LISTS['fixed-with-totals']
  const without = await tryIn('fixed-with-totals', Buffer.from(joined(lines.slice(0, -1))))
  assert.deepEqual([without.paid, without.cases], [[], ['file_unread 0 bank']])
  const first = lines[1] as string
  for (const [what, line] of [
    ['one character less in the account', first.slice(0, 5) + first.slice(6)],
    ['one character more in the account', `${first.slice(0, 5)}0${first.slice(5)}`],
    ['no record mark in the line', ` ${first.slice(1)}`],
    ['a date in another format', `${first.slice(0, places[4])}03032026`],
  ] as const) {
    const { paid, cases } = await tryIn('fixed-with-totals', Buffer.from(joined(lines.with(1, line))))
    assert.ok(paid.length === 0 || !paid.includes(1001), what)
    assert.ok(cases.length > 0, what)
  }
})

test(`${MUTATIONS} changed lists of 12 paid checks: each check is PAID, or a case holds its expiry (seed ${SEED})`, () =>
  assertNothingLost({
    ...{ rounds: MUTATIONS, seed: SEED, numbers: NUMBERS, usedShare: 0.4, mutate },
    tryChanged: ({ name, bytes }) => tryIn(name, bytes),
  }))
