import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { origin as company } from '../../../../test/support/ach.ts'
import { chooseEntryClass } from './nacha-authorization-rules.ts'
import { buildNachaFile } from './nacha-build-rules.ts'
import {
  type Direction,
  type NachaBatch,
  type NachaEntry,
  offsetEntry,
  traceNumberOf,
  traceSequenceAfter,
} from './nacha-entry-rules.ts'
import type { NachaOrigin } from './nacha-origin-rules.ts'
import { type NachaReading, parseNachaFiles } from './nacha-parse-rules.ts'

const origin: NachaOrigin = {
  ...company,
  settlementAccount: { routingNumber: '091000019', accountNumber: '4400', kind: 'checking' },
}
const createdAt = new Date('2026-03-02T21:30:00Z') // 13:30 Pacific time
const timeZone = 'America/Los_Angeles'
const effectiveEntryDate = new Date('2026-03-03T13:30:00Z')

const cafe = {
  account: { routingNumber: '122105155', accountNumber: '55512', kind: 'checking' },
  receiverId: 'BANK-9',
  receiverName: 'Blue Café LLC',
} as const

const entry = (change: Partial<NachaEntry> = {}): NachaEntry => ({
  ...cafe,
  direction: 'credit',
  amountCents: 100,
  traceSequence: 1,
  ...change,
})
const batch = (entries: NachaEntry[], change: Partial<NachaBatch> = {}): NachaBatch => ({
  secCode: 'PPD',
  entryDescription: 'PAYMENT',
  effectiveEntryDate,
  entries,
  ...change,
})
const build = (...batches: NachaBatch[]) =>
  buildNachaFile({ origin, createdAt, timeZone, fileIdModifier: 'A', batches })
const buildOne = (change: Partial<NachaEntry>) => build(batch([entry(change)]))

/** The expected file, written by hand from Appendix Three: 14 records, padded to two blocks of ten. */
// biome-ignore format: lines of 94
const expected = [
  '101 09100001918402759362603021330A094101FIRST BANK             REMIT INC                      ',
  '5225REMIT INC                           1840275936WEBPAYMENT         260303   1091000010000001',
  '627021000021123456789        0000150000INV-1          Jose Muller           S 0091000010000001',
  '822500000100021000020000001500000000000000001840275936                         091000010000001',
  '5220REMIT INC                           1840275936PPDPAYMENT         260303   1091000010000002',
  '632011401533000998877        0000149950INV-1          Ana Lee                 1091000010000002',
  '705Invoice 1 of March                                                              00010000002',
  '822000000200011401530000000000000000001499501840275936                         091000010000002',
  '5200REMIT INC                           1840275936CCDACCTVERIFY      260303   1091000010000003',
  '62212210515555512            0000000007BANK-9         Blue Cafe LLC           0091000010000003',
  '62212210515555512            0000000015BANK-9         Blue Cafe LLC           0091000010000004',
  '62712210515555512            0000000022BANK-9         Blue Cafe LLC           0091000010000005',
  '820000000300366315450000000000220000000000221840275936                         091000010000003',
  '9000003000002000000060039871700000000150022000000149972                                       ',
  '9999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999',
  '9999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999',
  '9999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999',
  '9999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999',
  '9999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999',
  '9999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999',]

const parseNachaFile = (text: string) => parseNachaFiles(text)[0] as NachaReading

test('a file follows the rules character for character', () => {
  const text = build(
    batch(
      [
        entry({
          direction: 'debit',
          account: { routingNumber: '021000021', accountNumber: '123456789', kind: 'checking' },
          amountCents: 150_000,
          receiverId: 'INV-1',
          receiverName: 'José Müller',
        }),
      ],
      { secCode: 'WEB' },
    ),
    batch([
      entry({
        account: { routingNumber: '011401533', accountNumber: '000998877', kind: 'savings' },
        amountCents: 149_950,
        receiverId: 'INV-1',
        receiverName: 'Ana Lee',
        traceSequence: 2,
        remittance: 'Invoice 1 of March',
      }),
    ]),
    batch(
      [
        entry({ amountCents: 7, traceSequence: 3 }),
        entry({ amountCents: 15, traceSequence: 4 }),
        entry({ amountCents: 22, traceSequence: 5, direction: 'debit' }),
      ],
      { secCode: 'CCD', entryDescription: 'ACCTVERIFY' },
    ),
  )
  assert.deepEqual(text.split('\r\n'), [...expected, ''])
})

test('texts are cut and converted to ASCII, stay within their fields, and have a fallback when no letter is left', () => {
  for (const [name, written] of [
    ['Łukasz Øre-Straße', 'Lukasz Ore-Strasse    '],
    ['“O’Neil” – Ünal', '"O\'Neil" - Unal       '],
    ['Елена Щукина', 'Elena Shchukina       '],
    ['Ήλιος Παπαδόπουλος', 'Ilios Papadopoulos    '],
    ['株式会社', 'BANK-9                '],
    ['株式会社 Acme', 'Acme                  '],
    ['???', 'BANK-9                '],
    ['…', 'BANK-9                '],
    ['', 'BANK-9                '],
    ['a\tb\nc\u0000d', 'a b c d               '],
    ['ﬁnance Ltd ①', 'finance Ltd 1         '],
    ['😀 Inc', 'Inc                   '],
    ['Wolfeschlegelsteinhausenberger', 'Wolfeschlegelsteinhaus'],
    ['é'.repeat(40), 'e'.repeat(22)],
  ] as const) {
    const line = buildOne({ receiverName: name }).split('\r\n')[2] as string
    assert.equal(line.slice(54, 76), written)
    assert.equal(line.length, 94)
  }
  const long = build(
    batch([entry({ remittance: 'x'.repeat(200), receiverId: 'y'.repeat(40) })], {
      entryDescription: 'payment of rent',
    }),
  )
  const lines = long.trimEnd().split('\r\n')
  assert.ok(lines.every((line) => line.length === 94))
  assert.equal(lines[1]?.slice(53, 63), 'PAYMENT OF')
  assert.equal(lines[3]?.slice(3, 87), `${'x'.repeat(80)}0001`)
})

test('amounts up to $99,999,999.99 are accepted, and larger ones refused', () => {
  const line = buildOne({ amountCents: 9_999_999_999 }).split('\r\n')[2] as string
  assert.equal(line.slice(29, 39), '9999999999')
  for (const amountCents of [10_000_000_000, 0, -1, 0.5, Number.NaN, 2 ** 60]) {
    assert.throws(() => buildOne({ amountCents }), RangeError, String(amountCents))
  }
})

test('a total of $9,999,999,999.99 fits, and one cent more is refused', () => {
  const hundred = Array.from({ length: 100 }, (_, index) =>
    entry({ amountCents: 9_999_999_999, traceSequence: index + 1 }),
  )
  const rest = (amountCents: number) => batch([entry({ amountCents, traceSequence: 5000 })])
  const control = build(batch(hundred), rest(99))
    .split('\r\n')
    .find((line) => line.startsWith('9'))
  assert.equal(control?.slice(43, 55), '9'.repeat(12))
  assert.throws(() => build(batch(hundred), rest(100)), RangeError)
})

test('a value that must not be cut is refused, and the error does not reveal it', () => {
  const account = { routingNumber: '122105155', accountNumber: '123456789012345678', kind: 'checking' } as const
  for (const wrong of [
    account,
    { ...account, accountNumber: '12é45' },
    { ...account, accountNumber: '' },
    { ...account, accountNumber: '55512', routingNumber: '12210515' },
    { ...account, accountNumber: '55512', routingNumber: '1221051555' },
    { ...account, accountNumber: '55512', routingNumber: '12210515x' },
  ]) {
    assert.throws(
      () => buildOne({ account: wrong }),
      (error) => error instanceof RangeError && !error.message.includes(wrong.accountNumber || '§'),
    )
  }
  assert.throws(
    () =>
      buildNachaFile({
        origin: { ...origin, odfiRoutingNumber: '0910' },
        createdAt,
        timeZone,
        fileIdModifier: 'A',
        batches: [batch([entry()])],
      }),
    RangeError,
  )
  for (const fileIdModifier of ['', 'a', 'AB', '-', 'É']) {
    assert.throws(
      () => buildNachaFile({ origin, createdAt, timeZone, fileIdModifier, batches: [batch([entry()])] }),
      /modifier/,
    )
  }
  assert.throws(() => build(), /at least one batch/)
  assert.throws(() => build(batch([])), /at least one entry/)
})

test('trace numbers restart after 9,999,999, ascend within a batch, and never repeat in a file', () => {
  assert.deepEqual(
    [0, 1, 9_999_998, 9_999_999, 10_000_000, 19_999_997].map(traceSequenceAfter),
    [1, 2, 9_999_999, 1, 2, 9_999_999],
  )
  assert.equal(traceNumberOf(origin, 9_999_999), '091000019999999')
  for (const sequence of [0, -1, 1.5, 10_000_000, Number.NaN])
    assert.throws(() => traceNumberOf(origin, sequence), RangeError)
  const wrapped = build(batch([9_999_998, 9_999_999, 1, 2].map((traceSequence) => entry({ traceSequence }))))
  assert.deepEqual(
    read(wrapped).batches[0]?.entries.map(({ trace }) => trace),
    ['091000010000001', '091000010000002', '091000019999998', '091000019999999'],
  )
  assert.throws(() => build(batch([entry(), entry()])), /twice/)
  assert.throws(() => build(batch([entry()]), batch([entry()])), /twice/)
})

test('debits of consumers are WEB, their credits are PPD, and entries of businesses are CCD', () => {
  for (const [holder, direction, code] of [
    ['consumer', 'debit', 'WEB'],
    ['consumer', 'credit', 'PPD'],
    ['business', 'debit', 'CCD'],
    ['business', 'credit', 'CCD'],
  ] as const) {
    assert.equal(chooseEntryClass({ holder, direction }).secCode, code)
  }
})

test('a debit that a check authorizes is ARC, whoever holds the account, without addenda and of at most $25,000', () => {
  for (const holder of ['consumer', 'business'] as const) {
    const { secCode, hasAddenda, maxCents } = chooseEntryClass({ holder, direction: 'debit', isCheck: true })
    assert.deepEqual([secCode, hasAddenda, maxCents], ['ARC', false, 2_500_000])
  }
  assert.equal(chooseEntryClass({ holder: 'consumer', direction: 'credit', isCheck: true }).secCode, 'PPD')
})

test('a remittance text without writable characters has no addenda record', () => {
  const lines = buildOne({ remittance: '株式会社' }).split('\r\n')
  assert.deepEqual([lines[2]?.slice(78, 79), lines[3]?.slice(0, 1)], ['0', '8'])
  assert.equal(lines[4]?.slice(13, 21), '00000001', 'and is not counted')
  assert.match(buildOne({ remittance: 'Счёт 7' }), /\r\n705Schet 7 /)
})

test('a balanced batch has an entry on the company’s own account that brings it to zero', () => {
  const credits = [entry({ amountCents: 700 }), entry({ amountCents: 50, direction: 'debit', traceSequence: 2 })]
  const offset = offsetEntry(origin, credits)
  assert.deepEqual(offset && [offset.direction, offset.amountCents, offset.account], [
    'debit',
    650,
    origin.settlementAccount,
  ])
  const debits = offsetEntry(origin, [entry({ direction: 'debit' })])
  assert.deepEqual(debits && [debits.direction, debits.amountCents], ['credit', 100])
  assert.equal(offsetEntry(origin, [...credits, offset as NachaEntry]), null)
  assert.equal(offsetEntry({ ...origin, settlementAccount: null }, credits), null)
})

/** Reads a file independently of the code under test, by the positions of Appendix Three. Adds up all totals itself. */
function read(text: string) {
  assert.match(text, /^([ -~]{94}\r\n)+$/)
  const lines = text.split('\r\n').slice(0, -1)
  assert.equal(lines.length % 10, 0)
  type Line = {
    code: string
    routing: string
    account: string
    cents: bigint
    id: string
    name: string
    trace: string
    remittance: string | null
  }
  type Batch = {
    sec: string
    serviceClass: string
    entries: Line[]
    count: bigint
    hash: bigint
    debits: bigint
    credits: bigint
    number: string
  }
  const batches: Batch[] = []
  const file = { count: 0n, hash: 0n, debits: 0n, credits: 0n }
  let control = ''
  const isCredit = (code: string) => '01234'.includes(code.charAt(1))
  for (const line of lines) {
    const last = batches.at(-1) as Batch
    if (line[0] === '5') {
      batches.push({
        sec: line.substring(50, 53),
        serviceClass: line.substring(1, 4),
        entries: [],
        count: 0n,
        hash: 0n,
        debits: 0n,
        credits: 0n,
        number: line.substring(87),
      })
    } else if (line[0] === '6') {
      const [code, cents] = [line.substring(1, 3), BigInt(line.substring(29, 39))]
      last.entries.push({
        code,
        routing: line.substring(3, 12),
        account: line.substring(12, 29).trimEnd(),
        cents,
        id: line.substring(39, 54).trimEnd(),
        name: line.substring(54, 76).trimEnd(),
        trace: line.substring(79),
        remittance: null,
      })
      last.count++
      last.hash += BigInt(line.substring(3, 11))
      if (isCredit(code)) last.credits += cents
      else last.debits += cents
    } else if (line[0] === '7') {
      const of = last.entries.at(-1) as Line
      of.remittance = line.substring(3, 83).trimEnd()
      assert.equal(line.substring(83), `0001${of.trace.substring(8)}`)
      last.count++
    } else if (line[0] === '8') {
      const serviceClass = last.debits === 0n ? '220' : last.credits === 0n ? '225' : '200'
      assert.equal(last.serviceClass, serviceClass)
      const stated = `8${serviceClass}${digits(last.count, 6)}${digits(last.hash, 10)}${digits(last.debits, 12)}${digits(last.credits, 12)}`
      assert.equal(line.substring(0, 44), stated)
      assert.equal(line.substring(87), last.number)
      file.count += last.count
      file.hash += last.hash
      file.debits += last.debits
      file.credits += last.credits
    } else if (line[0] === '9' && control === '') control = line
    else assert.ok(line[0] === '1' ? line === lines[0] : line === '9'.repeat(94), line)
  }
  const blocks = BigInt(lines.length / 10)
  assert.equal(
    control.substring(0, 55),
    `9${digits(BigInt(batches.length), 6)}${digits(blocks, 6)}${digits(file.count, 8)}${digits(file.hash, 10)}${digits(file.debits, 12)}${digits(file.credits, 12)}`,
  )
  return { batches, ...file }
}

const digits = (value: bigint, length: number) => value.toString().slice(-length).padStart(length, '0')

const codes = { checking: { credit: '22', debit: '27' }, savings: { credit: '32', debit: '37' } }

/** Returns what `read` should return for an entry whose texts are ASCII and fit into their fields. */
const seen = (one: NachaEntry) => ({
  code: codes[one.account.kind][one.direction],
  routing: one.account.routingNumber,
  account: one.account.accountNumber,
  cents: BigInt(one.amountCents),
  id: one.receiverId.trimEnd(),
  name: one.receiverName.trimEnd(),
  trace: `09100001${String(one.traceSequence).padStart(7, '0')}`,
  remittance: one.remittance?.trimEnd() || null,
})

const digitText = (min: number, max: number) => fc.stringMatching(new RegExp(`^[0-9]{${min},${max}}$`))
const anyEntry = (text: (max: number) => fc.Arbitrary<string>): fc.Arbitrary<NachaEntry> =>
  fc.record({
    direction: fc.constantFrom<Direction>('credit', 'debit'),
    account: fc.record({
      routingNumber: digitText(9, 9),
      accountNumber: digitText(1, 17),
      kind: fc.constantFrom('checking', 'savings'),
    }),
    amountCents: fc.integer({ min: 1, max: 9_999_999_999 }),
    receiverId: text(15),
    receiverName: text(22),
    traceSequence: fc.constant(0),
    remittance: text(80),
  })
const anyBatches = (text: (max: number) => fc.Arbitrary<string>) =>
  fc.array(fc.array(anyEntry(text), { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 6 }).map((groups) => {
    let sent = 0
    return groups.map((group) => batch(group.map((one) => ({ ...one, traceSequence: traceSequenceAfter(sent++) }))))
  })

test('an independent reader and ours read a built file the same way', () => {
  const printable = (max: number) =>
    fc.stringMatching(new RegExp(`^[A-Za-z0-9]( ?[!-~]){0,${Math.floor(max / 2) - 1}}$`))
  fc.assert(
    fc.property(anyBatches(printable), (batches) => {
      const text = build(...batches)
      const found = read(text)
      assert.deepEqual(
        found.batches.map(({ entries }) => entries),
        batches.map(({ entries }) => entries.map(seen)),
      )
      const ours = parseNachaFile(text)
      assert.deepEqual(ours.problems, [])
      assert.deepEqual(
        ours.content?.entries.map((one) => [
          one.traceNumber,
          one.direction,
          one.accountKind,
          one.amountCents,
          one.routingNumber,
          one.accountNumber,
        ]),
        batches
          .flatMap(({ entries }) => entries)
          .map((one) => [
            traceNumberOf(origin, one.traceSequence),
            one.direction,
            one.account.kind,
            one.amountCents,
            one.account.routingNumber,
            one.account.accountNumber,
          ]),
      )
    }),
    { numRuns: 1000, verbose: 1 },
  )
})

test('any Unicode text produces a file of ASCII lines of 94 characters that reads back the same', () => {
  const unicode = (max: number) => fc.string({ unit: 'binary', maxLength: max * 2 })
  fc.assert(
    fc.property(anyBatches(unicode), (batches) => {
      const text = build(...batches)
      assert.equal(read(text).batches.length, batches.length)
      assert.deepEqual(parseNachaFile(text).problems, [])
    }),
    { numRuns: 300 },
  )
})

test('an independent reader and ours read 10,000 entries the same way', () => {
  const entries = Array.from({ length: 10_000 }, (_, index) =>
    entry({
      account: {
        routingNumber: index % 3 ? '021000021' : '322271627',
        accountNumber: String(1e9 + index * 7919),
        kind: index % 5 ? 'checking' : 'savings',
      },
      direction: index % 2 ? 'credit' : 'debit',
      amountCents: 1 + ((index * 104_729) % 90_000_000),
      traceSequence: index + 1,
      ...(index % 4 === 0 && { remittance: `Invoice ${index}` }),
      receiverName: 'Blue Cafe LLC',
    }),
  )
  const text = build(batch(entries.slice(0, 6000), { secCode: 'CCD' }), batch(entries.slice(6000), { secCode: 'CCD' }))
  const found = read(text)
  assert.deepEqual(
    found.batches.flatMap((one) => one.entries),
    entries.map(seen),
  )
  const sum = (direction: Direction) =>
    entries.filter((one) => one.direction === direction).reduce((total, one) => total + BigInt(one.amountCents), 0n)
  assert.deepEqual([found.count, found.debits, found.credits], [12_500n, sum('debit'), sum('credit')])
  const ours = parseNachaFile(text)
  assert.equal(ours.content?.entries.length, 10_000)
  assert.deepEqual(
    ours.content?.entries.map((one) => BigInt(one.amountCents)),
    entries.map((one) => BigInt(one.amountCents)),
  )
})
