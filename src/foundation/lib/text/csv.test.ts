import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvForMachine, csvForPeople, parseCsv } from './csv.ts'
import { neutralText } from './plain-text.ts'

test('a cell that a spreadsheet would run as a formula begins with an apostrophe', () => {
  for (const [cell, written] of [
    ['=1+1', "'=1+1"],
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
    ['+1 555', "'+1 555"],
    ['-Bob-', "'-Bob-"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "' =1"],
    ['\r=1', "' =1"],
    ['  =1', "'  =1"],
    ['\u202E=1', "' =1"],
    ['＝1', "'＝1"],
    ['Ada\r\nLovelace', 'Ada Lovelace'],
    ['Ada\u202Ecod.exe', 'Ada cod.exe'],
    ['\u001B[31mAda', '" [31mAda"'],
    ['a=1', 'a=1'],
    ['Ada;=1+1', '"Ada;=1+1"'],
    ["'=1", "''=1"],
    ['12.50', '12.50'],
    ['2026-03-02', '2026-03-02'],
  ] as const) {
    assert.equal(csvForPeople([[cell, 'x']]), `${written},x\r\n`)
  }
})

test('a cell for a program of the bank is literal, on one line and without marks that change how it is shown', () => {
  for (const [cell, written] of [
    ['@Home Services LLC', '@Home Services LLC'],
    ['+Plus Plumbing', '+Plus Plumbing'],
    ['-30- Press', '-30- Press'],
    ['=1+1 "Inc."', '"=1+1 ""Inc."""'],
    ["'Tis Inc.", "'Tis Inc."],
    ['\t=1', '" =1"'],
    ['Ada\r\nLovelace', 'Ada Lovelace'],
    ['Ada\u202Ecod.exe', 'Ada cod.exe'],
  ] as const) {
    assert.equal(csvForMachine([[cell, 'x']]), `${written},x\r\n`)
  }
})

test('no cell for people starts like a formula or reverses the text direction, and every other text is read back unchanged', () => {
  const grapheme = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('\u202E', '=', '\t', '\n', ' '))
  const cell = fc.array(grapheme, { maxLength: 4 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 5 })), (rows) => {
      const { rows: read } = parseCsv(csvForPeople(rows))
      for (const { fields } of read ?? []) {
        for (const field of fields)
          assert.doesNotMatch(field, /^\s*[=+\-@＝＋－＠]|[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
      }
      assert.deepEqual(
        read?.map(({ fields }) => fields),
        rows.map((fields) =>
          fields.map(neutralText).map((field) => (/^'*\s*[=+\-@＝＋－＠]/.test(field) ? `'${field}` : field)),
        ),
      )
    }),
    { numRuns: 500 },
  )
})

test('a row has the number of its first line, and a misplaced quotation mark is reported with its line', () => {
  assert.deepEqual(parseCsv('a,b\r\n\r\n"1\n2",3\n4,5,6'), {
    rows: [
      { line: 1, fields: ['a', 'b'] },
      { line: 3, fields: ['1\n2', '3'] },
      { line: 5, fields: ['4', '5', '6'] },
    ],
  })
  const problem = (line: number) => ({ rows: null, problem: `line ${line}: a quotation mark where none can be` })
  assert.deepEqual(parseCsv('a,b\n1,2"3\n4,5'), problem(2))
  assert.deepEqual(parseCsv('a,b\n"1"2,3\n4,5'), problem(2))
  assert.deepEqual(parseCsv('a,b\n1,"2\n3,4\n5,6'), problem(2))
})
