import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  baselineInches,
  type Corner,
  glyphOutlines,
  MICR_GLYPHS,
  MICR_SYMBOLS,
  type MicrCharacter,
  type MicrOrder,
  micrLine,
  rightEdgeInches,
} from './micr-rules.ts'

const order: MicrOrder = {
  size: 'business',
  routingNumber: '021000021',
  accountNumber: '123456789012',
  checkNumber: '1001',
}

test('the line reads as banks print it, with each field in its positions', () => {
  const long = '123456789012345678'
  for (const [change, line] of [
    //                 65        55        45          43        33 32               14 13          1
    [{}, '             U001001U T021000021T 123456789012U                  '],
    [{ accountNumber: '1' }, '             U001001U T021000021T 1U                             '],
    [{ accountNumber: '12-345-6' }, '             U001001U T021000021T 12-345-6U                      '],
    [{ accountNumber: long.slice(1) }, `             U001001U T021000021T ${long.slice(1)}U             `],
    [{ accountNumber: long }, `             U001001U T021000021T${long}U             `],
    [{ checkNumber: '0001001' }, '            U0001001U T021000021T 123456789012U                  '],
    [{ checkNumber: '1'.repeat(19) }, `U${'1'.repeat(19)}U T021000021T 123456789012U                  `],
    [{ checkNumber: '1'.repeat(20) }, '                      T021000021T 123456789012U                  '],
    [{ checkNumber: 'A-1' }, '                      T021000021T 123456789012U                  '],
    [{ size: 'personal' }, '                      T021000021T 123456789012U 1001             '],
    [{ size: 'personal', checkNumber: '7' }, '                      T021000021T 123456789012U 0007             '],
    [{ size: 'personal', checkNumber: '12345' }, '                      T021000021T123456789012U 12345             '],
    [{ size: 'personal', checkNumber: 'A-1' }, '                      T021000021T 123456789012U                  '],
  ] as [Partial<MicrOrder>, string][]) {
    assert.equal(asText(micrLine({ ...order, ...change })), line, JSON.stringify(change))
  }
})

test('an invalid or oversized value is refused, and the message contains no number', () => {
  for (const change of [
    { routingNumber: '02100002' },
    { routingNumber: '0210000210' },
    { routingNumber: '02100002x' },
    { routingNumber: '٠٢١٠٠٠٠٢١' },
    { accountNumber: '' },
    { accountNumber: '--' },
    { accountNumber: '12 34' },
    { accountNumber: '1234567890123456789' },
    { size: 'personal', accountNumber: '123456789012345' },
  ] as Partial<MicrOrder>[]) {
    assert.throws(
      () => micrLine({ ...order, ...change }),
      (error: Error) => error instanceof RangeError && !/\d/.test(error.message),
      JSON.stringify(change),
    )
  }
})

test('positions are counted from the right edge, eight to the inch, and the line is in the middle of its band', () => {
  assert.equal(rightEdgeInches(1), 5 / 16)
  assert.equal(rightEdgeInches(9) - rightEdgeInches(1), 1)
  // The left transit symbol must be between 5 9/16 and 5 11/16 inches from the right edge in every line.
  assert.equal(rightEdgeInches(43), 5 + 9 / 16)
  assert.equal(baselineInches() + (9 * 0.013) / 2, 5 / 16)
})

test('every character fills its grid up to the right edge, and no two cells touch only at a corner', () => {
  assert.deepEqual(Object.keys(MICR_GLYPHS).sort(), [...MICR_SYMBOLS].sort())
  for (const symbol of MICR_SYMBOLS) {
    const rows = MICR_GLYPHS[symbol]
    assert.equal(rows.length, 9, symbol)
    for (const row of rows) assert.match(row, /^[.#]{7}$/, symbol)
    assert.ok(
      rows.some((row) => row.endsWith('#')),
      symbol,
    )
    for (let row = 1; row < 9; row++) {
      for (let column = 1; column < 7; column++) {
        const pair = [row - 1, row].map((y) => rows[y]?.slice(column - 1, column + 1)).join('/')
        assert.ok(pair !== '#./.#' && pair !== '.#/#.', `${symbol} at ${column},${row}`)
      }
    }
  }
})

test('outlines contain exactly the inked cells, and turn at each corner', () => {
  for (const symbol of MICR_SYMBOLS) {
    const outlines = glyphOutlines(symbol)
    const cells = MICR_GLYPHS[symbol].join('').replaceAll('.', '').length
    assert.equal(
      outlines.reduce((sum, outline) => sum + signedArea(outline), 0),
      cells,
      symbol,
    )
    for (const outline of outlines) {
      for (const [index, [x, y]] of outline.entries()) {
        const [beforeX, beforeY] = outline.at(index - 1) as Corner
        const [afterX, afterY] = outline[(index + 1) % outline.length] as Corner
        assert.ok((beforeX === x && y === afterY) || (beforeY === y && x === afterX), `${symbol} at ${x},${y}`)
      }
    }
  }
  const counts = Object.fromEntries(MICR_SYMBOLS.map((symbol) => [symbol, glyphOutlines(symbol).length]))
  assert.deepEqual(counts, {
    ...{ 0: 2, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 2, 7: 1, 8: 3, 9: 2 }, // a hole is a separate outline
    ...{ transit: 3, amount: 3, 'on-us': 3, dash: 3 },
  })
})

/** Returns the line from left to right, in the letters that banks use for the symbols: T transit, U on-us, A amount. */
function asText(characters: MicrCharacter[]): string {
  const letters: Record<string, string> = { transit: 'T', 'on-us': 'U', amount: 'A', dash: '-' }
  const cells = Array.from({ length: 65 }, () => ' ')
  for (const { position, symbol } of characters) cells[65 - position] = letters[symbol] ?? symbol
  return cells.join('')
}

/** Returns the sum of the outlined areas in cells (shoelace formula). Clockwise outlines add cells and holes subtract them. */
function signedArea(outline: Corner[]): number {
  return outline.reduce((sum, [x, y], index) => {
    const [nextX, nextY] = outline[(index + 1) % outline.length] as Corner
    return sum + (x * nextY - nextX * y) / 2
  }, 0)
}
