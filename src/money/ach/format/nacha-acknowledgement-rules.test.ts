import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hasAcknowledgementLabel, parseNachaAcknowledgements, printedLines } from './nacha-acknowledgement-rules.ts'

/** Returns a report in the wording of the Federal Reserve's operator. */
const report = (status: string, change: (text: string) => string = (text) => text) =>
  change(`****** ACKNOWLEDGEMENT OF ACH FILE DEPOSITS ******
SERVICING FRB: FEDERAL RESERVE BANK   REPORT DATE AND TIME: 03/02/26 14:30:24
FILE STATUS: ${status}

IMMEDIATE ORIGIN NAME: REMIT INC
IMMEDIATE ORIGIN: 1123-4567-89       IMMEDIATE DESTINATION: 0910-0001-9
FILE CREATION DATE: 03/02/26  FILE CREATION TIME: 13:30   FILE ID MODIFIER: A
 BATCHES: 10,081        DEBIT:  $ 7,391,935.03
 ENTRY/ADDENDA: 10,384  CREDITS: $ 0.00
`)
const END = '************************** END OF ACKNOWLEDGEMENT *************************\n'

const file = { immediateOrigin: '1123456789', creationDate: '260302', fileIdModifier: 'A' }
const totals = { batchCount: 10_081, entryCount: 10_384, debitCents: 739_193_503, creditCents: 0 }

test('an acknowledgement gives the outcome of a file', () => {
  for (const [status, outcome] of [
    ['FILE ACCEPTED WITH NO ERRORS', 'accepted'],
    ['FILE ACCEPTED WITH ITEM LEVEL ERRORS', 'accepted_with_errors'],
    ['FILE PENDED WITH FILE LEVEL ERRORS', 'pending'],
    ['FILE REJECTED WITH FILE LEVEL ERRORS', 'rejected'],
    ['PENDED FILE ACCEPTED', 'accepted'],
    ['PENDED FILE REJECTED', 'rejected'],
    ['FILE PENDED FOR LEVEL 2 SECURITY', 'pending'],
    ['DUPLICATE FILE', 'duplicate'],
    ['FILE ACCEPTED WITH REJECTED ITEMS', 'accepted_with_errors'],
    ['FILE ACCEPTED WITH NO REJECTED ITEMS', 'accepted'],
    ['FILE PARTIALLY REJECTED', 'accepted_with_errors'],
    ['FILE PARTIALLY ACCEPTED', 'accepted_with_errors'],
    ['FILE NOT ACCEPTED', 'rejected'],
    ['File accepted with no errors', 'accepted'],
  ] as const) {
    assert.deepEqual(
      parseNachaAcknowledgements(report(status) + END),
      { acknowledgements: [{ outcome, file, totals, errors: [], rejected: null }], problems: [] },
      status,
    )
  }
})

test('several reports in a file are several acknowledgements, each with its errors', () => {
  const rejected = `${report('FILE REJECTED WITH FILE LEVEL ERRORS')}
FH238-INVALID IMMEDIATE ORIGIN NOT AUTHORIZED AS A SENDING POINT
IMMEDIATE ORIGIN = 1123456789
`
  const { acknowledgements } = parseNachaAcknowledgements(
    `${rejected}${END}${report('FILE ACCEPTED WITH NO ERRORS')}${END}`.replaceAll('\n', '\r\n'),
  )
  assert.deepEqual(
    acknowledgements.map(({ outcome, errors }) => [outcome, errors]),
    [
      ['rejected', ['FH238-INVALID IMMEDIATE ORIGIN NOT AUTHORIZED AS A SENDING POINT']],
      ['accepted', []],
    ],
  )
})

test('a partial acceptance names the entries and batches that were rejected', () => {
  const entry = `627091000019${'44001234'.padEnd(17)}0000001000${'ID'.padEnd(15)}${'NAME'.padEnd(22)}S 1091000010000007`
  for (const [lines, rejected] of [
    [[], null],
    [['ED012-INVALID AMOUNT'], null],
    [
      ['ED012-INVALID AMOUNT', 'TRACE NUMBER: 091000010000003'],
      { batchNumbers: [], traceNumbers: ['091000010000003'] },
    ],
    [['ED012-INVALID AMOUNT', entry, 'BATCH NUMBER: 2'], { batchNumbers: [], traceNumbers: ['091000010000007'] }],
    [
      ['BH130-BATCH REJECTED', 'BATCH NUMBER = 0000002', 'ED012-INVALID AMOUNT', 'TRACE NO. 091000010000003'],
      { batchNumbers: [2], traceNumbers: ['091000010000003'] },
    ],
    [['BH130-BATCH REJECTED', 'BATCH NUMBER: 2', 'ED012-INVALID AMOUNT'], null],
  ] as const) {
    const text = report('FILE ACCEPTED WITH ITEM LEVEL ERRORS', (plain) => `${plain}${lines.join('\n')}\n`)
    assert.deepEqual(parseNachaAcknowledgements(text + END).acknowledgements[0]?.rejected, rejected, lines.join(' | '))
  }
})

/** The sections of two batches, as the operator prints them below its report. The first batch has an error. */
const batchSections = (first: string, second: string) => `BATCH NUMBER:  0000001
  COMPANY NAME:          REMIT INC         COMPANY ID:  1123456789
ENTRY/ADDENDA:     99      DEBIT:   $        7,424.69
                           CREDIT:  $            0.00
BATCH STATUS:  ${first}

BH232-INVALID ORIGINATING DFI IDENTIFICATION NOT AUTHORIZED TO ORIGINATE
ORIGINATING DFI IDENTIFICATION = 091000019 IN BATCH 0000001

BATCH NUMBER:  0000002
ENTRY/ADDENDA:      1      DEBIT:   $            0.00
                           CREDIT:  $            1.00
BATCH STATUS:  ${second}

`

test('the section of a batch decides whether the batch is rejected', () => {
  for (const [sections, rejected] of [
    [batchSections('BATCH REJECTED', 'BATCH ACCEPTED'), { batchNumbers: [1], traceNumbers: [] }],
    [batchSections('PENDED BATCH REJECTED', 'BATCH REJECTED'), { batchNumbers: [1, 2], traceNumbers: [] }],
    [batchSections('BATCH REJECTED', 'BATCH PENDED FOR FURTHER PROCESSING'), null],
    [batchSections('BATCH REJECTED', 'BATCH'), null],
    [batchSections('BATCH ACCEPTED', 'BATCH ACCEPTED'), null],
    [
      `BH501-CANNOT ORIGINATE\nDFI 09100001 FOR BATCH 0000001\n${batchSections('BATCH REJECTED', 'BATCH ACCEPTED')}`,
      { batchNumbers: [1], traceNumbers: [] },
    ],
    [
      `BH501-CANNOT ORIGINATE\nDFI 09100001 FOR BATCH 0000002\n${batchSections('BATCH REJECTED', 'BATCH ACCEPTED')}`,
      null,
    ],
    [
      `${batchSections('BATCH REJECTED', 'BATCH ACCEPTED')}ED012-INVALID AMOUNT\nTRACE NUMBER: 091000010000003\n`,
      { batchNumbers: [1], traceNumbers: ['091000010000003'] },
    ],
  ] as const) {
    const text = report('FILE ACCEPTED WITH BATCH LEVEL ERRORS', (plain) => plain + sections)
    assert.deepEqual(parseNachaAcknowledgements(text + END).acknowledgements[0]?.rejected, rejected, sections)
  }
})

test('the pages of the operator’s own form have rows of 81 characters and no line ends', () => {
  const page = (rows: readonly string[], head = '        AJ001A01A08052  ') =>
    head + rows.map((row) => row.padEnd(81)).join('')
  const first = [
    '1          ******  ACKNOWLEDGEMENT OF ACH FILE DEPOSITS  ******',
    '4FILE STATUS: FILE REJECTED WITH FILE LEVEL ERRORS',
    'Z',
    '5IMMEDIATE ORIGIN NAME:  REMIT INC',
    '6IMMEDIATE ORIGIN:       1123-4567-89',
    '8FILE CREATION DATE:     03/02/26',
    '9FILE CREATION TIME:     13:30',
    'AFILE ID MODIFIER:       A',
    'D    BATCHES:      10,081  DEBIT:   $    7,391,935.03',
    'EENTRY/ADDENDA:    10,384  CREDITS: $            0.00',
    'GFILE STATUS: FILE REJECTED WITH FILE LEVEL ERRORS',
    'IFH238-INVALID IMMEDIATE ORIGIN',
  ]
  const second = ['Z', 'JIMMEDIATE ORIGIN = 1123456789', 'K', `L${END.trim()}`, 'Z']
  const expected = { outcome: 'rejected', file, totals, errors: ['FH238-INVALID IMMEDIATE ORIGIN'], rejected: null }
  const rows = [' AJ001A01A08052', ...first, ' AJ001A01A08052', ...second]
  for (const text of [
    `${page(first)}\n${page(second)}\n`,
    page(first) + page(second),
    `${page(first, 'AJ001A01A08052')}\r\n${page(second)}`,
    rows.join('\n'),
    rows.map((row) => row.slice(1)).join('\n'),
  ]) {
    const lines = printedLines(text)
    assert.ok(lines.some(hasAcknowledgementLabel), text)
    const { acknowledgements } = parseNachaAcknowledgements(lines.join('\n'))
    assert.deepEqual(acknowledgements, [expected], text)
  }
})

test('totals missing from the report are null', () => {
  const { acknowledgements } = parseNachaAcknowledgements(
    report('FILE ACCEPTED WITH NO ERRORS', (text) => text.replace(/^ ENTRY.*$/m, '')),
  )
  assert.deepEqual(acknowledgements, [{ outcome: 'accepted', file, totals: null, errors: [], rejected: null }])
})

test('a report without a file or an outcome is refused', () => {
  const accepted = report('FILE ACCEPTED WITH NO ERRORS')
  const missing = (line: number, number: number, label: string) => ({
    line,
    problem: `acknowledgment ${number} has no ${label}`,
  })
  for (const [text, problems] of [
    ['', [{ line: 1, problem: 'the file is empty' }]],
    [' \n', [{ line: 1, problem: 'the file is empty' }]],
    [report('LOOKED AT'), [missing(1, 1, 'status')]],
    [`\r\n\r\n${report('LOOKED AT').replaceAll('\n', '\r\n')}`, [missing(3, 1, 'status')]],
    [accepted.replace(/FILE ID MODIFIER: A/, ''), [missing(1, 1, 'file id modifier')]],
    [accepted.replace('03/02/26  FILE', 'YESTERDAY  FILE'), [missing(1, 1, 'creation date')]],
    [accepted.replace('IMMEDIATE ORIGIN: 1123-4567-89', ''), [missing(1, 1, 'immediate origin')]],
    [
      `${accepted}${END}and so on`,
      ['status', 'immediate origin', 'creation date', 'file id modifier'].map((label) => missing(11, 2, label)),
    ],
  ] as const) {
    assert.deepEqual(parseNachaAcknowledgements(text), { acknowledgements: [], problems: [...problems] })
  }
})

test('garbage never throws', () => {
  const piece = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...report('FILE ACCEPTED').split('\n'), END))
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const { acknowledgements, problems } = parseNachaAcknowledgements(pieces.join('\n'))
      assert.equal(acknowledgements.length === 0, problems.length > 0)
    }),
    { numRuns: 1000 },
  )
})
