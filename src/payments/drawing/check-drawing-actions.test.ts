import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type Box,
  CHECK_INCHES,
  inkOf,
  isInBand,
  micrShapes,
  micrText,
  type Page,
  type PlacedText,
  readFonts,
  readPages,
  type Shape,
} from '../../../test/support/check-pdf.ts'
import { JPEG, png } from '../../../test/support/images.ts'
import { fractionalRouting } from '../../foundation/core/routing-number.ts'
import { beginChecks, drawCheck } from './check-drawing-actions.ts'
import { MICR_GLYPHS, type MicrSymbol } from './micr-rules.ts'
import { type PaperCheck, payeeText } from './paper-check-rules.ts'

const check: PaperCheck = {
  number: '1001',
  reference: null,
  date: '2026-01-31',
  amountCents: 125_50,
  sender: { name: 'Widgets Inc.', address: ['1234 N 1st St Ste 100', 'Portland, OR 97201'] },
  recipient: { name: 'Grace Hopper', address: ['45 Navy Yard Ave', 'Apt 3', 'Arlington, VA 22201'] },
  memo: 'Invoice 4711',
  listedPayee: null,
  bank: {
    name: 'First Example Bank',
    routingNumber: '021000021',
    accountNumber: '123456789012',
    fractionalRouting: null,
  },
  signature: null,
  voidAfterDays: 90,
  remittanceAdvice: [
    { id: 'INV-4711', date: '2026-01-02', amountCents: 1_000_00, description: 'Widgets, blue' },
    { id: 'CM-12', date: null, amountCents: -874_50, description: null },
  ],
  mark: null,
  createdAt: new Date('2026-01-31T12:00:00Z'),
}

test('the MICR line in the PDF is where ANSI X9.100-160 requires it, cell by cell', async () => {
  const [page] = readPages(await drawCheck(check)) as [Page]
  const characters = micrShapes(page)
  const expected = [
    ...at(52, ['on-us', '0', '0', '1', '0', '0', '1', 'on-us']),
    ...at(43, ['transit', '0', '2', '1', '0', '0', '0', '0', '2', '1', 'transit']),
    ...at(31, ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '1', '2', 'on-us']),
  ]
  assert.equal(characters.length, expected.length)
  for (const [index, { position, symbol }] of expected.entries()) {
    const { box, outlines, color } = characters[index] as Shape
    assert.equal(color, '0 0 0')
    const right = CHECK_INCHES.width - box.right
    assertNear(right, 5 / 16 + (position - 1) / 8, `right edge of position ${position}`)
    const [left, top] = [box.right - 7 * 0.013, CHECK_INCHES.height - (5 / 16 + 4.5 * 0.013)]
    assert.deepEqual(inkOf(outlines, { left, top }), MICR_GLYPHS[symbol], `${symbol} at ${position}`)
    for (const [x, y] of outlines.flat()) {
      assertNear((x - left) / 0.013, Math.round((x - left) / 0.013), 'columns')
      assertNear((y - top) / 0.013, Math.round((y - top) / 0.013), 'rows')
    }
    const [low, high] = [CHECK_INCHES.height - box.bottom, CHECK_INCHES.height - box.top]
    assert.ok(low >= 3 / 16 && high <= 7 / 16, `position ${position} between ${low} and ${high}`)
  }
})

test('each character of any account number is drawn as in the glyph table', async () => {
  const bank = { ...check.bank, name: null, routingNumber: '345678902', accountNumber: '67-89012345' }
  const [page] = readPages(await drawCheck({ ...check, bank, number: '98765432109876' })) as [Page]
  const drawn = micrShapes(page).map(({ box, outlines }) =>
    inkOf(outlines, { left: box.right - 7 * 0.013, top: CHECK_INCHES.height - (5 / 16 + 4.5 * 0.013) }).join('\n'),
  )
  const symbols: MicrSymbol[] = [
    ...(['on-us', ...'98765432109876', 'on-us'] as MicrSymbol[]),
    ...(['transit', ...'345678902', 'transit'] as MicrSymbol[]),
    ...(['6', '7', 'dash', ...'89012345', 'on-us'] as MicrSymbol[]),
  ]
  assert.deepEqual(
    drawn,
    symbols.map((symbol) => MICR_GLYPHS[symbol].join('\n')),
  )
})

test('the clear band contains only the MICR line', async () => {
  for (const mark of [null, 'SPECIMEN', 'NOT NEGOTIABLE'] as const) {
    const [page] = readPages(await drawCheck({ ...check, mark, signature: png(300, 100) })) as [Page]
    assertClearBand(page)
  }
})

test('all other text can be extracted', async () => {
  const texts = (await textsOf(check)).flat()
  for (const text of [
    'Widgets Inc.',
    '1234 N 1st St Ste 100',
    'First Example Bank',
    '2/210',
    '001001',
    '01/31/2026',
    'Grace Hopper',
    '$**125.50**',
    'Invoice 4711',
    'Signature on file',
    'Void after 90 days',
    'INV-4711',
    '01/02/2026',
    'Widgets, blue',
    '1,000.00',
    'CM-12',
    '-874.50',
  ]) {
    assert.ok(texts.includes(text), text)
  }
  const whole = texts.join('\n')
  assert.doesNotMatch(whole, /SPECIMEN|NOT NEGOTIABLE|\d{9}/, 'the numbers of the bank are in the MICR line only')
})

test('the amount in words fills its line', async () => {
  for (const [amountCents, words] of [
    [125_50, 'One hundred twenty-five and 50/100'],
    [
      77_777_777_77,
      'Seventy-seven million seven hundred seventy-seven thousand seven hundred seventy-seven and 77/100',
    ],
  ] as const) {
    const [page] = readPages(await drawCheck({ ...check, amountCents })) as [Page]
    const line = page.texts.find(({ text }) => text.startsWith(words)) as PlacedText
    assert.match(line.text.slice(words.length), /^ \*{3,}$/)
    const next = page.texts.find(({ text }) => text === 'Dollars') as PlacedText
    assert.ok(next.box.left - line.box.right < 0.35, 'a digit more would not fit')
  }
})

test('a preview has its mark printed across it', async () => {
  for (const mark of ['SPECIMEN', 'NOT NEGOTIABLE'] as const) {
    const [texts = []] = await textsOf({ ...check, mark })
    assert.equal(texts.filter((text) => text === mark).length, 1)
  }
})

test('a signature is drawn above its line, and an unreadable one is replaced by "Signature on file"', async () => {
  for (const [name, signature] of Object.entries({ png: png(300, 100), tall: png(20, 900), jpeg: JPEG })) {
    const [page] = readPages(await drawCheck({ ...check, signature })) as [Page]
    const [box, ...more] = page.images as [Box]
    assert.deepEqual(more, [], name)
    assert.ok(box.left >= 5.2 && box.right <= 8.15 && box.top >= 2 && box.bottom <= 2.66, JSON.stringify(box))
    assert.ok(!page.texts.some(({ text }) => text === 'Signature on file'), name)
  }
  for (const signature of [Buffer.from('no image'), JPEG.subarray(0, 20)]) {
    assert.ok((await textsOf({ ...check, signature })).flat().includes('Signature on file'))
  }
})

test('fifty lines of remittance advice continue on further pages, each line once', async () => {
  const remittanceAdvice = Array.from({ length: 50 }, (_, index) => ({
    id: `INV-${index}-${'x'.repeat(50)}`,
    date: '2026-01-02',
    amountCents: 99_999_999_99 - index,
    description: 'lorem ipsum dolor '.repeat(10),
  }))
  const pages = readPages(await drawCheck({ ...check, remittanceAdvice, memo: 'W'.repeat(1_024) }))
  assert.ok(pages.length > 1)
  const texts = pages.flatMap((page) => page.texts.map(({ text }) => text))
  for (const index of remittanceAdvice.keys()) {
    assert.equal(texts.filter((text) => text.startsWith(`INV-${index}-`)).length, 1)
  }
  assert.equal(texts.filter((text) => text.includes('Continued on the next page')).length, pages.length - 2)
  assert.ok(texts.includes('Check 001001 of 01/31/2026, $125.50, page 2'))
  for (const page of pages) assertTidy(page)
})

test('remittance advice can be plain text', async () => {
  const text = `First line\r\n\r\n\r\n${'second '.repeat(500)}\n`
  const pages = await textsOf({ ...check, remittanceAdvice: text })
  assert.ok(pages[0]?.includes('First line'))
  assert.equal(pages.flat().join(' ').split('second').length - 1, 500)
  const endless = await textsOf({ ...check, remittanceAdvice: 'a\n'.repeat(1_995) })
  assert.ok(endless.length <= 4 && endless.flat().includes('…'))
})

test('a long payee name is printed in full on two lines', async () => {
  const name = `The Society of ${'Very Long Names and '.repeat(8)}Co`
  const [page] = readPages(await drawCheck({ ...check, recipient: { name, address: [] } })) as [Page]
  const payee = page.texts.filter(({ box }) => box.top > 1.1 && box.bottom < 1.43 && box.left > 1 && box.right < 6.4)
  assert.equal(payee.map(({ text }) => text).join(' '), name)
  assertTidy(page)
})

test('the widest payee name that the API accepts is printed in full', async () => {
  const name = 'W'.repeat(180)
  const [page] = readPages(await drawCheck({ ...check, recipient: { name, address: [] } })) as [Page]
  const lines = page.texts.filter(({ text, box }) => /^W+$/.test(text) && box.bottom < 1.43)
  assert.equal(lines.map(({ text }) => text).join(''), name)
  assertTidy(page)
})

test('the check shows the payee in Latin letters, and the voucher shows the name as it was written', async () => {
  const recipient = { name: 'Łukasz Щукин 王', address: ['Kärntner Straße 5'] }
  const [texts = []] = await textsOf({ ...check, recipient, memo: 'a\u0000b\n🎉' })
  for (const text of ['Łukasz Shchukin ?', 'Łukasz Щукин ?', 'Kärntner Straße 5', 'a b ?']) {
    assert.ok(texts.includes(text), text)
  }
})

test('the voucher and a copy name a payee that the bank’s list has otherwise', async () => {
  const note = ['Payee on the bank’s list', 'GRACE HOP']
  const [issued = []] = await textsOf({ ...check, listedPayee: 'GRACE HOP' })
  assert.deepEqual(
    note.map((text) => issued.filter((one) => one === text).length),
    [1, 1],
  )
  const [copy = []] = await textsOf({ ...check, listedPayee: 'GRACE HOP', mark: 'NOT NEGOTIABLE' })
  assert.ok(copy.includes('Payee on the bank’s list: GRACE HOP'))
  const [plain = []] = await textsOf(check)
  assert.ok(!plain.join().includes('bank’s list'))
})

test('no text leaves the page, overlaps other text or enters the clear band', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.string({ unit: 'grapheme', maxLength: 1_024 }),
    fc.integer({ min: 1, max: 1_024 }).map((length) => 'W'.repeat(length)),
  )
  const party = fc.record({ name: text, address: fc.array(text, { maxLength: 6 }) })
  const item = fc.record({
    id: fc.option(text),
    date: fc.option(text),
    amountCents: fc.option(fc.integer({ min: -99_999_999_99, max: 99_999_999_99 })),
    description: fc.option(text),
  })
  const odd = fc.record({
    number: text,
    date: text,
    amountCents: fc.integer({ min: 0, max: 99_999_999_99 }),
    sender: party,
    recipient: party,
    memo: fc.option(text),
    listedPayee: fc.option(text),
    bankName: fc.option(text),
    voidAfterDays: fc.nat(100_000),
    remittanceAdvice: fc.option(fc.oneof(text, fc.array(item, { maxLength: 5 }))),
  })
  await fc.assert(
    fc.asyncProperty(odd, async ({ bankName, ...rest }) => {
      const isSerial = /^\d+$/.test(rest.number)
      const number = isSerial ? rest.number.slice(0, 19) : rest.number
      const pages = readPages(await drawCheck({ ...check, ...rest, number, bank: { ...check.bank, name: bankName } }))
      assertClearBand(pages[0] as Page)
      for (const page of pages) assertTidy(page)
    }),
    { numRuns: 30 },
  )
})

test('every font that a check uses is embedded as a subset', async () => {
  for (const mark of [null, 'SPECIMEN'] as const) {
    const recipient = { name: 'Łukasz Щукин', address: [] }
    const fonts = readFonts(await drawCheck({ ...check, recipient, memo: 'Σήμερα, сегодня', mark }))
    assert.deepEqual(fonts.map(({ name }) => name).sort(), [
      'IBMPlexSans-Italic',
      'IBMPlexSans-Regular',
      'IBMPlexSans-SemiBold',
    ])
    for (const font of fonts) assert.ok(font.isEmbedded && font.isSubset, JSON.stringify(font))
  }
})

test('the printed number has the same digits as the MICR line', async () => {
  for (const [number, printed] of [
    ['7', '000007'],
    ['1001', '001001'],
    ['12345678', '12345678'],
    ['A-17', 'A-17'],
  ] as const) {
    const [page] = readPages(await drawCheck({ ...check, number })) as [Page]
    const texts = page.texts.map(({ text }) => text)
    assert.equal(texts.filter((text) => text === printed).length, 2, 'on the check and on its voucher')
    assert.equal(/^U(\d+)U/.exec(micrText(page))?.[1], number === 'A-17' ? undefined : printed)
  }
})

test("a check shows the bank's own fraction, or one derived from the routing number", async () => {
  assert.equal(fractionalRouting('021200025'), '2/212')
  assert.equal(fractionalRouting('000012345'), '1234/0')
  const bank = { ...check.bank, fractionalRouting: '1-2/210' }
  assert.ok((await textsOf({ ...check, bank })).flat().includes('1-2/210'))
})

const LIMIT = 'Do not write, stamp or sign below this line'

test('the back of a check has its endorsement area within 1.5 inches of the trailing edge, and nothing outside it', async () => {
  const [front, back] = readPages(await drawCheck(check)) as [Page, Page]
  assert.ok(!front.texts.some(({ text }) => text === LIMIT))
  const onCheck = back.texts.filter(({ box }) => box.top < CHECK_INCHES.height)
  const inArea = onCheck.filter(({ box }) => box.left >= CHECK_INCHES.width - 1.5)
  for (const text of ['Endorse here', LIMIT, 'Do not cash if altered, copied or older than 90 days.']) {
    assert.ok(
      inArea.some((placed) => placed.text === text),
      text,
    )
  }
  const beyond = onCheck.filter((placed) => !inArea.includes(placed)).map(({ text }) => text)
  assert.deepEqual(beyond, ['Reserved for financial institutions'])
  const line = back.shapes.find(({ box }) => box.bottom - box.top > 3.4) as Shape
  assertNear((line.box.left + line.box.right) / 2, CHECK_INCHES.width - 1.5, 'the line')
  assertTidy(back)
})

test('the back of a check that must not be cashed has a warning and no endorsement area', async () => {
  const [, back] = readPages(await drawCheck({ ...check, mark: 'SPECIMEN' })) as [Page, Page]
  const texts = back.texts.map(({ text }) => text)
  assert.ok(texts.includes('Do not cash') && texts.includes('SPECIMEN. This is not a check.'))
  assert.ok(!texts.includes('Endorse here'))
})

test('for a printer, each check starts a new sheet with its back on the reverse, without instructions for printing at home', async () => {
  const items = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      id: `INV-${index}`,
      date: null,
      amountCents: 1_00,
      description: null,
    }))
  const checks = [0, 60, 150].map((count, index) => ({
    ...check,
    number: `${index + 1}`,
    remittanceAdvice: items(count),
  }))
  const drawing = beginChecks(new Date(0))
  const starts = checks.map((each) => drawing.add(each))
  const pages = readPages(await drawing.end())
  const textsOn = (page: number) => pages[page - 1]?.texts.map(({ text }) => text) ?? []
  assert.equal(pages.length % 2, 0)
  for (const [index, start] of starts.entries()) {
    assert.equal(start % 2, 1, 'on the front of a sheet')
    assert.ok(textsOn(start).includes(`00000${index + 1}`))
    assert.ok(textsOn(start + 1).includes(LIMIT))
  }
  assert.equal(pages.filter(({ texts }) => texts.some(({ text }) => text === LIMIT)).length, checks.length)
  assert.ok(!pages.some(({ texts }) => texts.some(({ text }) => text.startsWith('Back of check'))))
  assert.ok((await textsOf(check)).flat().includes('Back of check 001001'))
})

test("a payee name that grows when transliterated is cut the same way on the check and in the bank's lists", async () => {
  const name = 'Щ'.repeat(180)
  const payee = payeeText(name)
  assert.equal(payee, 'Shch'.repeat(45))
  const [face] = await textsOf({ ...check, recipient: { ...check.recipient, name } })
  assert.ok(face?.join('').replaceAll(/\s/g, '').includes(payee))
})

test('a value that a check cannot show is refused', async () => {
  await assert.rejects(drawCheck({ ...check, amountCents: 100_000_000_00 }), RangeError)
  await assert.rejects(drawCheck({ ...check, bank: { ...check.bank, routingNumber: '1' } }), RangeError)
  await assert.rejects(drawCheck({ ...check, bank: { ...check.bank, accountNumber: '1'.repeat(19) } }), RangeError)
})

test('the same check gives the same bytes', async () => {
  const full: PaperCheck = { ...check, signature: png(300, 100), mark: 'SPECIMEN' }
  const [first, ...others] = (await Promise.all(Array.from({ length: 5 }, () => drawCheck(full)))) as [
    Buffer,
    ...Buffer[],
  ]
  for (const other of others) assert.ok(first.equals(other))
  assert.ok(!first.equals(await drawCheck({ ...full, createdAt: new Date(0) })))
})

// ——— Measuring

/** Symbols by position, starting with the leftmost one. */
const at = (leftmost: number, symbols: MicrSymbol[]) =>
  symbols.map((symbol, index) => ({ position: leftmost - index, symbol }))

function assertClearBand(page: Page): void {
  const others = [...page.texts, ...page.images.map((box) => ({ box, text: 'image' }))].filter(isInBand)
  assert.deepEqual(others, [])
  for (const shape of micrShapes(page)) {
    assert.ok(shape.isFilled && shape.box.right - shape.box.left <= 7 * 0.013 + 1e-6, JSON.stringify(shape))
    assert.ok(shape.box.right <= CHECK_INCHES.width - 5 / 16 - 12 / 8, 'positions 1 to 12 are blank')
  }
}

function assertTidy({ texts }: Page): void {
  for (const [index, { text, box }] of texts.entries()) {
    const { left, right, top, bottom } = box
    assert.ok(left >= 0.37 && right <= 8.13 && top >= 0.25 && bottom <= 10.75, `${text} ${JSON.stringify(box)}`)
    const touched = texts
      .slice(index + 1)
      .find(({ box: other }) => left < other.right && other.left < right && top < other.bottom && other.top < bottom)
    assert.equal(touched, undefined, `${text} ${JSON.stringify(box)}`)
  }
}

function assertNear(actual: number, expected: number, what: string): void {
  assert.ok(Math.abs(actual - expected) < 1e-4, `${what}: ${actual} instead of ${expected}`)
}

const textsOf = async (check: PaperCheck) =>
  readPages(await drawCheck(check)).map((page) => page.texts.map(({ text }) => text))
