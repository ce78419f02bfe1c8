import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { SentEntry } from './support/ach.ts'
import { tryAchFile } from './support/ach-returns.ts'
import { type Pair, pay, startFileService } from './support/file-service.ts'
import { joined, type Mutation, mutationsBy } from './support/mutations.ts'
import { randomFrom, seedFrom } from './support/seed.ts'
import { addBank, addVerifiedBank } from './support/service.ts'

// One place of a valid file of 20 returns is changed. Each debit must be RETURNED, or a case must hold its payout.
// MUTATIONS is the number of changed files, and MUTATION_SEED repeats a run.

const MUTATIONS = Number(process.env.MUTATIONS ?? 200)
const SEED = seedFrom('MUTATION_SEED')
const random = randomFrom(SEED)
const { below, pick, garbage, changeByte, changeLine, changeEncoding, changeLineEnds } = mutationsBy(random)

/** Some amounts are equal, so only the trace number distinguishes these debits. */
const AMOUNTS = [
  10.5, 20, 1250, 30.25, 30.25, 45, 45, 99.99, 1, 7.77, 300, 12, 18.4, 1900, 5.05, 64, 81, 33.33, 150, 410,
]
/** Debits that were not returned. */
const OTHERS = [11, 21.5, 1251, 46, 98.99]
const CODES = ['R01', 'R02', 'R03', 'R04', 'R09', 'R10', 'R16', 'R20', 'R29']
const NAMES = ['Mary Sender', 'NUÑEZ GARCÍA', 'O’Neil & Sons', 'Acme, Inc.']

const service = await startFileService({ after })
const pairs: Pair[] = []
for (let nth = 0; nth < 4; nth++) {
  const [sender, recipient] = [await service.newUser(), await service.newUser()]
  await addVerifiedBank(sender)
  pairs.push({ sender, recipient, account: await addBank(recipient) })
}
await service.openWindow()
for (const [index, amount] of [...AMOUNTS, ...OTHERS].entries()) await pay(pairs[index % 4] as Pair, amount)
await service.openWindow()
const debits = (await service.sent()).filter(({ description }) => description === 'PAYMENT')
const isOther = ({ cents }: SentEntry) => OTHERS.some((amount) => Math.round(amount * 100) === cents)
const returned = debits.filter((entry) => !isOther(entry))
const traces = returned.map(({ trace }) => trace.slice(-2)).sort()
assert.deepEqual([debits.length, returned.length], [AMOUNTS.length + OTHERS.length, AMOUNTS.length])

const RDFI = '02100002'
const number = (value: number, length: number) => String(value).padStart(length, '0')

/** A file of returns in the format of the bank, with the receiver's name, number and account. */
function returnsFile(): string[] {
  const entries = returned.flatMap(({ routing, account, cents, id, trace }, index) => {
    const own = `${RDFI}${number(index + 1, 7)}`
    const name = (NAMES[index % NAMES.length] as string).padEnd(22)
    const code = CODES[index % CODES.length] as string
    return [
      `626${routing}${account.padEnd(17)}${number(cents, 10)}${id.padEnd(15)}${name}S 1${own}`,
      `799${code}${trace}${' '.repeat(6)}${RDFI}${(index % 3 === 0 ? 'CALLED BY PHONE' : '').padEnd(44)}${own}`,
    ]
  })
  const cents = returned.reduce((sum, entry) => sum + entry.cents, 0)
  const totals = `${number(returned.length * Number(RDFI), 10)}${number(cents, 12)}${number(0, 12)}`
  const lines = [
    `1011840275936 0910000192603040915A094101${'REMIT INC'.padEnd(23)}${'FIRST BANK'.padEnd(23)}${' '.repeat(8)}`,
    `5225${'REMIT INC'.padEnd(36)}1840275936WEB${'PAYMENT'.padEnd(16)}2603040631${RDFI}0000001`,
    ...entries,
    `8225${number(entries.length, 6)}${totals}1840275936${' '.repeat(25)}${RDFI}0000001`,
  ]
  const blocks = Math.ceil((lines.length + 1) / 10)
  lines.push(`9${number(1, 6)}${number(blocks, 6)}${number(entries.length, 8)}${totals}${' '.repeat(39)}`)
  while (lines.length % 10 !== 0) lines.push('9'.repeat(94))
  return lines
}

/** The start of each field, by record type (Appendix Three and Four). */
const FIELDS: Record<string, readonly number[]> = {
  '1': [1, 2, 4, 14, 24, 30, 34, 35, 38, 40, 41, 64, 87],
  '5': [1, 2, 5, 21, 41, 51, 54, 64, 70, 76, 79, 80, 88],
  '6': [1, 2, 4, 12, 13, 30, 40, 55, 77, 79, 80],
  '7': [1, 2, 4, 7, 22, 28, 36, 80],
  '8': [1, 2, 5, 11, 21, 33, 45, 55, 74, 80, 88],
  '9': [1, 2, 8, 14, 22, 32, 44, 56],
}

function changeField(lines: readonly string[]): Mutation {
  const at = below(lines.length)
  const line = lines[at] as string
  const starts = FIELDS[line.charAt(0)] as readonly number[]
  const field = below(starts.length)
  const [from, to] = [(starts[field] as number) - 1, (starts[field + 1] ?? 95) - 1]
  const old = line.slice(from, to)
  const fit = (text: string) => text.slice(0, old.length).padEnd(old.length)
  const how = pick([
    'blank',
    'zeros',
    'garbage',
    'digits',
    'shifted',
    'of another line',
    'reversed',
    'lower case',
    'removed',
  ])
  const changed: Record<string, () => string> = {
    blank: () => fit(''),
    zeros: () => '0'.repeat(old.length),
    garbage: () => fit(garbage(old.length).replace(/[\r\n]/g, ' ')),
    digits: () => Array.from(old, () => below(10)).join(''),
    shifted: () => fit(` ${old}`),
    'of another line': () => fit(pick(lines).slice(from, to)),
    reversed: () => [...old].reverse().join(''),
    'lower case': () => old.toLowerCase(),
    removed: () => '',
  }
  const text = line.slice(0, from) + (changed[how]?.() ?? '') + line.slice(to)
  return { what: `field at ${from + 1} of line ${at + 1}: ${how}`, bytes: Buffer.from(joined(lines.with(at, text))) }
}

const LINES = returnsFile()
const TEXT = joined(LINES)

const mutate = (): Mutation =>
  pick([
    () => changeByte(TEXT),
    () => changeByte(TEXT),
    () => changeByte(TEXT),
    () => changeField(LINES),
    () => changeField(LINES),
    () => changeField(LINES),
    () => changeLine(LINES, { hasTotals: true }),
    () => changeEncoding(TEXT),
    () => changeLineEnds(LINES),
  ])()

const tracesOf = (results: readonly string[]) => results.map((one) => one.slice(0, 2))

test('the unchanged file returns all its entries', async () => {
  assert.ok(LINES.every((line) => line.length === 94))
  const { returned, cases } = await tryAchFile(service.deps, Buffer.from(TEXT))
  assert.deepEqual([tracesOf(returned).sort(), cases], [traces, []])
})

test(`${MUTATIONS} changed files of 20 returns: each debit is RETURNED, or a case holds its payout (seed ${SEED})`, async () => {
  let returnedCount = 0
  for (let round = 0; round < MUTATIONS; round++) {
    const { what, bytes } = mutate()
    const context = () => `round ${round}, MUTATION_SEED=${SEED}: ${what}`
    const { returned, cases, report } = await tryAchFile(service.deps, bytes).catch((error) => {
      throw new Error(context(), { cause: error })
    })
    const came = tracesOf(returned)
    returnedCount += came.length
    const isHeld = (trace: string) => cases.some((one) => / bank\b/.test(one) || one.endsWith(` ${trace}`))
    const lost = traces.filter((trace) => !came.includes(trace) && !isHeld(trace))
    assert.deepEqual(lost, [], `${context()}\ncases ${cases.join('; ')}\n${report}\n${bytes.toString('latin1')}`)
    const wrong = came.filter((trace) => !traces.includes(trace))
    assert.deepEqual(wrong, [], `a debit without a return was returned: ${context()}\n${report}`)
  }
  assert.ok(returnedCount > MUTATIONS * traces.length * 0.4, `most files are still used: ${returnedCount}`)
})
