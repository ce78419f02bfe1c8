import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvOf, parseCsv } from './print-csv-rules.ts'

test('a cell that a spreadsheet would run as a formula begins with an apostrophe', () => {
  for (const [cell, written] of [
    ['=1+1', "'=1+1"],
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
    ['+1 555', "'+1 555"],
    ['-Bob-', "'-Bob-"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', `'\t=1`],
    ['\r=1', `"'\r=1"`],
    ['a=1', 'a=1'],
    ["'=1", "'=1"],
    ['12.50', '12.50'],
    ['2026-03-02', '2026-03-02'],
  ] as const) {
    assert.equal(csvOf([[cell, 'x']]), `${written},x\r\n`)
  }
})

test('no cell that is written begins like a formula, and every other text comes back as it was', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2, maxLength: 5 })), (rows) => {
      const { rows: read } = parseCsv(csvOf(rows))
      for (const { fields } of read ?? []) for (const field of fields) assert.doesNotMatch(field, /^[=+\-@\t\r]/)
      assert.deepEqual(
        read?.map(({ fields }) => fields),
        rows.map((fields) => fields.map((field) => (/^[=+\-@\t\r]/.test(field) ? `'${field}` : field))),
      )
    }),
    { numRuns: 500 },
  )
})
