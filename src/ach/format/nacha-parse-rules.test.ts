import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseNachaFiles } from './nacha-parse-rules.ts'

/**
 * A file as a bank sends it: two returned debits, a returned credit, notifications of change, and entries for manual
 * review.
 */
// biome-ignore format: lines of 94
const lines = [
  '1011123456789 0910000192603041015C094101REMIT INC              FIRST BANK                     ',
  '5225REMIT INC                           1123456789WEBPAYMENT         2603030631021000020000001',
  '626091000019123456789        0000150000INV-1          Jose Muller           S 1021000020000007',
  '799R01091000010000001      02100002                                            021000020000007',
  '63609100001977               9999999999INV-2          Ann Roe               S 1021000020000008',
  '799R10091000010000011      02100002CALLED BY PHONE                             021000020000008',
  '822500000400182000020100001499990000000000001123456789                         021000020000001',
  '5220REMIT INC                           1123456789PPDPAYMENT         2603030631011401530000002',
  '631091000019000998877        0000149950INV-1          Ana Lee                 1011401530000001',
  '799R1509100001000000226030101140153                                            011401530000001',
  '822000000200091000010000000000000000001499501123456789                         011401530000002',
  '5225REMIT INC                           1123456789CORPAYMENT         2603030631021000020000003',
  '626091000019123456789        0000000000INV-1          Jose Muller             1021000020000009',
  '798C01091000010000001      02100002987654321                                   021000020000009',
  '626091000019123456789        0000000000INV-1          Jose Muller             1021000020000010',
  '798C03091000010000012      02100002011401533   00055501                        021000020000010',
  '626091000019123456789        0000000000INV-1          Jose Muller             1021000020000011',
  '798C06091000010000013      0210000231415926            32                      021000020000011',
  '626091000019123456789        0000000000INV-1          Jose Muller             1021000020000012',
  '798C07091000010000014      0210000201140153331415926         27                021000020000012',
  '626091000019123456789        0000000000INV-1          Jose Muller             1021000020000013',
  '798C05091000010000015      0210000237                                          021000020000013',
  '626091000019123456789        0000000000INV-1          Jose Muller             1021000020000014',
  '798C13091000010000016      02100002                                            021000020000014',
  '626091000019123456789        0000000000INV-1          Jose Muller             1021000020000015',
  '798C02091000010000017      02100002not digits                                  021000020000015',
  '626091000019123456789        0000000000INV-1          Jose Muller             1021000020000016',
  '798C61091000010000018      02100002                                            021000020000016',
  '822500001600728000080000000000000000000000001123456789                         021000020000003',
  '5225REMIT INC                           1123456789WEBPAYMENT         2603030631122105150000004',
  '626091000019123456789        0000000100INV-3          Jose Muller           S 1122105150000001',
  '799R73091000010000019      12210515                                            122105150000001',
  '626091000019123456789        0000000200INV-4          Jose Muller           S 1122105150000002',
  '799R61091000010000020      12210515                                            122105150000002',
  '626091000019123456789        0000000300INV-5          Jose Muller           S 1122105150000003',
  '799R99091000010000021      12210515                                            122105150000003',
  '822500000600273000030000000006000000000000001123456789                         122105150000004',
  '9000004000004000000280127400014010000150599000000149950                                       ',
  '9999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999',
  '9999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999',]
const text = lines.join('\n')

/** Indexes of the lines that tests change. */
const [HEADER, FIRST_ENTRY, FIRST_ADDENDA, FIRST_CONTROL, FILE_CONTROL] = [0, 2, 3, 6, 37]

const withLine = (index: number, change: (line: string) => string): string =>
  lines.map((line, at) => (at === index ? change(line) : line)).join('\n')

const replaced = (line: string, position: number, by: string): string =>
  line.slice(0, position - 1) + by + line.slice(position - 1 + by.length)

function problemsOf(file: string): string[] {
  return parseNachaFiles(file).flatMap(({ content, problems }) => {
    assert.equal(content === null, problems.length > 0, 'nothing is taken from a file with problems')
    return problems.map(({ line, problem }) => `${line}: ${problem}`)
  })
}

function contentOf(file: string) {
  const [{ content, problems } = { content: null }, ...others] = parseNachaFiles(file)
  assert.deepEqual(problems, [])
  assert.deepEqual(others, [])
  assert.ok(content)
  return content
}

test('returns name their original entry', () => {
  const { header, returns, entries } = contentOf(text)
  assert.deepEqual(header, {
    immediateDestination: '1123456789',
    immediateOrigin: '091000019',
    creationDate: '260304',
    creationTime: '1015',
    fileIdModifier: 'C',
  })
  assert.deepEqual(entries, [])
  assert.deepEqual(returns[0], {
    line: 3,
    secCode: 'WEB',
    companyId: '1123456789',
    entryDescription: 'PAYMENT',
    settlementDay: 63,
    traceNumber: '021000020000007',
    direction: 'debit',
    accountKind: 'checking',
    routingNumber: '091000019',
    accountNumber: '123456789',
    amountCents: 150_000,
    receiverId: 'INV-1',
    receiverName: 'Jose Muller',
    remittances: [],
    returnCode: 'R01',
    originalTraceNumber: '091000010000001',
    originalRdfi: '02100002',
    dateOfDeath: null,
    information: '',
  })
  assert.deepEqual(
    returns.map((one) => [
      one.returnCode,
      one.originalTraceNumber,
      one.direction,
      one.accountKind,
      one.amountCents,
      one.dateOfDeath,
      one.information,
    ]),
    [
      ['R01', '091000010000001', 'debit', 'checking', 150_000, null, ''],
      ['R10', '091000010000011', 'debit', 'savings', 9_999_999_999, null, 'CALLED BY PHONE'],
      ['R15', '091000010000002', 'credit', 'savings', 149_950, '260301', ''],
    ],
  )
})

test('notifications of change give the corrected data', () => {
  const { corrections } = contentOf(text)
  assert.deepEqual(
    corrections.map(({ changeCode, originalTraceNumber, corrected }) => [changeCode, originalTraceNumber, corrected]),
    [
      ['C01', '091000010000001', { accountNumber: '987654321' }],
      ['C03', '091000010000012', { routingNumber: '011401533', accountNumber: '00055501' }],
      ['C06', '091000010000013', { accountNumber: '31415926', accountKind: 'savings' }],
      ['C07', '091000010000014', { routingNumber: '011401533', accountNumber: '31415926', accountKind: 'checking' }],
      ['C05', '091000010000015', { accountKind: 'savings' }],
      ['C13', '091000010000016', {}],
    ],
  )
})

test('entries that only the banks can resolve are recognized and set aside', () => {
  assert.deepEqual(
    contentOf(text).setAside.map(({ why, originalTraceNumber, amountCents }) => [
      why,
      originalTraceNumber,
      amountCents,
    ]),
    [
      ['notification of change C02 whose corrected data cannot be read', '091000010000017', 0],
      ['refused notification of change C61', '091000010000018', 0],
      ['contested return R73', '091000010000019', 100],
      ['dishonored return R61', '091000010000020', 200],
      ['unknown return code R99', '091000010000021', 300],
    ],
  )
})

const CTRL_Z = String.fromCharCode(0x1a)
const stripped = lines.map((line) => line.trimEnd())
const unfilled = lines.slice(0, FILE_CONTROL + 1)

test('a file is read the same however editors, mainframes and transfers have stored it', () => {
  const [{ content: wanted, contentHash } = { content: null }] = parseNachaFiles(text)
  assert.ok(wanted)
  for (const [name, same] of Object.entries({
    'CR LF': `${lines.join('\r\n')}\r\n`,
    CR: lines.join('\r'),
    'LF and empty lines at the end': `${text}\n\n`,
    'no line ends': lines.join(''),
    'no line ends but one at the end': `${lines.join('')}\r\n`,
    'a block of ten records to a line': text.replaceAll('\n', '').replace(/.{940}/g, '$&\n'),
    'every line end doubled by a transfer': lines.join('\r\r\n'),
    'no fill lines': unfilled.join('\n'),
    'blanks at the ends of lines stripped': stripped.join('\r\n'),
    'blanks at the end of the file stripped, without line ends': unfilled.join('').trimEnd(),
    'Ctrl-Z at the end': `${lines.join('\r\n')}\r\n${CTRL_Z}`,
    'Ctrl-Z after the last record': text + CTRL_Z,
    'Ctrl-Z up to the end of a sector': `${stripped.join('\r\n')}\r\n${CTRL_Z.repeat(77)}`,
    'Ctrl-Z, without line ends': lines.join('') + CTRL_Z,
    'Ctrl-Z and a line end': `${text}${CTRL_Z}\r\n`,
  })) {
    const [reading, ...others] = parseNachaFiles(same)
    assert.deepEqual(reading?.problems, [], name)
    assert.deepEqual([reading?.content, reading?.contentHash, others], [wanted, contentHash, []], name)
  }
})

test('a line is padded with blanks only where nothing else can be missing', () => {
  const shortestOf = (line: string) => {
    for (let length = 1; length < 94; length++) {
      const cut = lines.map((one) => (one === line ? one.slice(0, length).trimEnd().padEnd(length, ' ') : one))
      if (problemsOf(cut.join('\n')).length === 0) return length
    }
    return 94
  }
  const at = (index: number) => shortestOf(lines[index] as string)
  assert.deepEqual([at(FIRST_ENTRY), at(FIRST_ADDENDA), at(FIRST_CONTROL), at(FILE_CONTROL)], [94, 94, 94, 55])
  assert.equal(shortestOf(lines[1] as string), 94)
  const cutHeader = (length: number) => problemsOf(withLine(HEADER, (line) => line.slice(0, length)))
  assert.deepEqual([cutHeader(40), cutHeader(86)], [[], []])
  assert.deepEqual(problemsOf(withLine(FIRST_CONTROL, (line) => line.slice(0, 79))), ['7: 79 characters instead of 94'])
})

test('each of several files in a physical file is judged separately, with line numbers of the whole', () => {
  const readings = (all: string) =>
    parseNachaFiles(all).map(({ firstLine, lastLine, content, problems }) => {
      const found = content
        ? content.returns.map(({ line }) => line)
        : problems.map(({ line, problem }) => [line, problem])
      return [firstLine, lastLine, found]
    })
  const truncated = lines.slice(0, 5).join('\r\n')
  const broken = withLine(FIRST_ENTRY, (line) => replaced(line, 30, '00001500.0'))
  const good = (firstLine: number) => [firstLine, firstLine + 39, [3, 5, 9].map((line) => line + firstLine - 1)]
  assert.deepEqual(readings(`${text}\n${text}`), [good(1), good(41)])
  assert.deepEqual(readings(lines.join('') + lines.join('')), [good(1), good(41)])
  assert.deepEqual(readings(`${text}\n${CTRL_Z}\n\n${text}${CTRL_Z}`), [good(1), good(43)])
  assert.deepEqual(readings(`\n${truncated}\r\n${text}\n${broken}`), [
    [2, 6, [[6, 'truncated: the file control record is missing']]],
    good(7),
    [47, 86, [[49, 'amountCents (positions 30 to 39) must be digits']]],
  ])
  assert.deepEqual(readings(`${text}\n${truncated}`), [
    good(1),
    [41, 45, [[45, 'truncated: the file control record is missing']]],
  ])
})

test('an incomplete or contradictory file is refused with every reason', () => {
  const short = lines.slice(0, FILE_CONTROL)
  for (const [name, file, problems] of [
    ['empty', '', ['1: the file is empty']],
    ['blank', '\n\n', ['1: the file is empty']],
    ['truncated after a record', short.join('\n'), ['37: truncated: the file control record is missing']],
    ['truncated within a record', text.slice(0, 95 * 5 + 40), ['6: 40 characters instead of 94']],
    ['truncated fill', lines.slice(0, -1).join('\n'), ['39: truncated: 39 lines do not fill blocks of ten']],
    [
      'only fill',
      `${'9'.repeat(94)}\n`,
      ['1: truncated: the file control record is missing', '1: truncated: 1 lines do not fill blocks of ten'],
    ],
    ['oversized line', withLine(3, (line) => `${line} `), ['4: 95 characters instead of 94']],
    [
      'more than blanks cut off',
      withLine(FILE_CONTROL, (line) => line.slice(0, 54)),
      ['38: 54 characters instead of 94'],
    ],
    ['non-ASCII', withLine(2, (line) => line.replace('Jose', 'José')), ['3: a character outside ASCII at position 58']],
    ['a tab', withLine(2, (line) => line.replace('Jose ', 'Jose\t')), ['3: a character outside ASCII at position 59']],
    [
      'byte order mark',
      `\uFEFF${text}`,
      ['1: a character outside ASCII at position 1', '1: 95 characters instead of 94'],
    ],
    ['unknown record', withLine(4, (line) => replaced(line, 1, 'X')), ['5: unknown record type X']],
    [
      'no header',
      lines.slice(1, -1).join('\n'),
      ['1: begins with record type 5 instead of 1', '38: truncated: 38 lines do not fill blocks of ten'],
    ],
    [
      'an entry outside a batch',
      [lines[0], lines[2], ...lines.slice(1, 2), ...lines.slice(3)].join('\n'),
      ['2: record type 6 after 1'],
    ],
    ['two headers', [lines[0], ...lines].join('\n'), ['1: truncated: the file control record is missing']],
    [
      'something after the end',
      [...lines.slice(0, -1), lines[0]].join('\n'),
      ['39: truncated: 39 lines do not fill blocks of ten', '40: truncated: the file control record is missing'],
    ],
    ['a record after the end', [...lines.slice(0, -1), lines[1]].join('\n'), ['39: record type 9 after 9']],
    [
      'priority code',
      withLine(HEADER, (line) => replaced(line, 2, '02')),
      ['1: priorityCode (positions 2 to 3) must be 01'],
    ],
    [
      'record size',
      withLine(HEADER, (line) => replaced(line, 35, '095')),
      ['1: recordSize (positions 35 to 37) must be 094'],
    ],
    [
      'amount not digits',
      withLine(FIRST_ENTRY, (line) => replaced(line, 30, '00001500.0')),
      ['3: amountCents (positions 30 to 39) must be digits'],
    ],
    [
      'trace not digits',
      withLine(FIRST_ADDENDA, (line) => replaced(line, 7, ' ')),
      ['4: originalTraceNumber (positions 7 to 21) must be digits'],
    ],
    ['transaction code', withLine(FIRST_ENTRY, (line) => replaced(line, 2, '99')), ['3: unknown transaction code 99']],
    [
      'addenda not announced',
      withLine(FIRST_ENTRY, (line) => replaced(line, 79, '0')),
      ['3: addenda indicator 0 with 1 addenda records'],
    ],
    [
      'addenda of another entry',
      withLine(FIRST_ADDENDA, (line) => replaced(line, 94, '9')),
      ['4: the trace number is not that of the entry'],
    ],
    [
      'service class',
      withLine(1, (line) => replaced(line, 2, '220')),
      ['2: service class 220 with debits', '7: service class is 225, and should be 220'],
    ],
    [
      'unknown service class',
      lines.map((line, index) => ([1, FIRST_CONTROL].includes(index) ? replaced(line, 2, '999') : line)).join('\n'),
      ['2: service class 999 is unknown'],
    ],
    [
      'amount',
      withLine(FIRST_ENTRY, (line) => replaced(line, 39, '1')),
      [
        '7: debit total in cents is 10000149999, and should be 10000150000',
        '38: debit total in cents is 10000150599, and should be 10000150600',
      ],
    ],
    [
      'a credit for a debit',
      withLine(FIRST_ENTRY, (line) => replaced(line, 2, '21')),
      [
        '2: service class 225 with credits',
        '7: debit total in cents is 10000149999, and should be 9999999999',
        '7: credit total in cents is 0, and should be 150000',
        '38: debit total in cents is 10000150599, and should be 10000000599',
        '38: credit total in cents is 149950, and should be 299950',
      ],
    ],
    [
      'receiving bank',
      withLine(FIRST_ENTRY, (line) => replaced(line, 11, '2')),
      ['7: entry hash is 18200002, and should be 18200003', '38: entry hash is 127400014, and should be 127400015'],
    ],
  ] as const) {
    assert.deepEqual(problemsOf(file), [...problems], name)
  }
})

test('a trace number that repeats within a batch is refused, but may occur in another batch', () => {
  const twice = lines.map((line, index) => {
    if (index === 4) return replaced(line, 80, '021000020000007')
    return index === 5 ? replaced(line, 80, '021000020000007') : line
  })
  assert.deepEqual(problemsOf(twice.join('\n')), ['5: trace number 021000020000007 comes twice'])
  const elsewhere = lines.map((line, index) =>
    [12, 13].includes(index) ? replaced(line, 80, '021000020000007') : line,
  )
  assert.deepEqual(problemsOf(elsewhere.join('\n')), [])
})

test('every changed character of a control record is detected', () => {
  const reserved = { [FIRST_CONTROL]: [45, 79], [FILE_CONTROL]: [56, 94] }
  for (const index of [FIRST_CONTROL, FILE_CONTROL]) {
    const [from, to] = reserved[index] as [number, number]
    for (let position = 1; position <= 94; position++) {
      if (position >= from && position <= to) continue // company, authentication code, reserved: tested separately
      for (const by of '0123456789A -') {
        const file = withLine(index, (line) => replaced(line, position, by))
        if (file === text) continue
        assert.ok(problemsOf(file).length > 0, `line ${index + 1}, position ${position}: ${by}`)
      }
    }
  }
  assert.deepEqual(problemsOf(withLine(FIRST_CONTROL, (line) => replaced(line, 45, '1123456788'))), [
    '7: company id is 1123456788, and should be 1123456789',
  ])
})

/** A file with one entry and its addenda record that is not a return. */
const forward: string[] = [
  lines[0] as string,
  replaced(lines[7] as string, 51, 'CTX'),
  replaced(replaced(lines[8] as string, 2, '22'), 40, '               0001OTHER CO'),
  replaced('705'.padEnd(94), 84, '00010000001'),
  lines[10] as string,
  replaced(
    replaced(replaced(replaced(lines[FILE_CONTROL] as string, 2, '000001000001'), 14, '00000002'), 22, '0009100001'),
    32,
    '000000000000',
  ),
]

test('an entry of an unknown class, or with an addenda record of an unknown kind, is counted and set aside', () => {
  const content = contentOf(forward.join('\n'))
  assert.deepEqual(
    content.setAside.map(({ why, amountCents, originalTraceNumber }) => [why, amountCents, originalTraceNumber]),
    [['entry of class CTX', 149_950, null]],
  )
})

test('remittance addenda belong to the entry above them, in order', () => {
  const changed = (position: number, by: string) =>
    forward.map((line, index) => (index === 3 ? replaced(line, position, by) : line)).join('\n')
  assert.deepEqual(contentOf(forward.join('\n')).setAside[0]?.remittances, [''])
  assert.deepEqual(contentOf(changed(4, 'Invoice 7')).setAside[0]?.remittances, ['Invoice 7'])
  assert.deepEqual(problemsOf(changed(84, '0002')), ['4: addenda sequence is 2, and should be 1'])
  assert.deepEqual(problemsOf(changed(88, '0000002')), ['4: entry sequence is 0000002, and should be 0000001'])
  assert.deepEqual(problemsOf(changed(84, ' 001')), ['4: addendaSequence (positions 84 to 87) must be digits'])
})

test('the addenda records of an entry are counted from one', () => {
  const second = replaced(forward[3] as string, 84, '0002')
  const control = (line: string, position: number) => replaced(line, position, '3')
  const two = forward
    .toSpliced(4, 0, second)
    .map((line, index) => (index === 5 ? control(line, 10) : index === 6 ? control(line, 21) : line))
  assert.deepEqual(contentOf(two.join('\n')).setAside[0]?.remittances, ['', ''])
})

test('an empty file from a bank, without batches, has no entries', () => {
  const control = `9${'000000'}${'000001'}${'0'.repeat(8 + 10 + 12 + 12)}`.padEnd(94)
  const content = contentOf([lines[0], control, ...Array(8).fill('9'.repeat(94))].join('\n'))
  assert.deepEqual([content.entries, content.returns, content.corrections, content.setAside], [[], [], [], []])
})

test('every truncated file is refused, unless only fill lines and blanks are missing', () => {
  const wanted = contentOf(text)
  const whole = 95 * (FILE_CONTROL + 1) - 1
  const withoutBlanks = unfilled.join('\n').trimEnd().length
  for (let length = 0; length < text.length; length++) {
    const [{ content } = { content: null }] = parseNachaFiles(text.slice(0, length))
    if (content) {
      assert.ok(length >= withoutBlanks && length <= whole + 1, String(length))
      assert.deepEqual(content, wanted)
    }
  }
})

test('garbage never throws, and the list of problems is limited', () => {
  const line = fc.oneof(
    fc.constantFrom(...lines),
    fc.string({ unit: 'binary', maxLength: 120 }),
    fc.stringMatching(/^[1-9][ -~]{93}$/),
    fc
      .tuple(fc.constantFrom(...lines), fc.integer({ min: 1, max: 94 }), fc.string({ maxLength: 3 }))
      .map(([one, at, by]) => replaced(one, at, by)),
  )
  const file = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 2000 }),
    fc.array(line, { maxLength: 30 }).map((all) => all.join('\n')),
    fc
      .tuple(fc.array(line, { maxLength: 5 }), fc.nat(lines.length))
      .map(([some, at]) => lines.toSpliced(at, some.length, ...some).join('\n')),
  )
  fc.assert(
    fc.property(file, (garbage) => {
      for (const { content, problems } of parseNachaFiles(garbage)) {
        assert.equal(content === null, problems.length > 0)
        assert.ok(problems.length <= 50)
      }
    }),
    { numRuns: 5000 },
  )
  const [reading] = parseNachaFiles('x\n'.repeat(100_000))
  assert.ok(reading && !reading.content)
  assert.deepEqual([reading.problems.length, reading.problemCount], [50, 100_000])
})

test('flipped bytes never make the reader throw, and never change amounts in a file that is accepted', () => {
  const original = Buffer.from(lines.join('\r\n'), 'latin1')
  const wanted = contentOf(text)
  const money = (content: typeof wanted) =>
    [...content.entries, ...content.returns, ...content.corrections, ...content.setAside].reduce(
      (sum, { direction, amountCents }) => sum + (direction === 'debit' ? amountCents : amountCents * 1e9),
      0,
    )
  const flip = fc.record({ at: fc.nat(original.length - 1), by: fc.integer({ min: 1, max: 255 }) })
  fc.assert(
    fc.property(fc.array(flip, { minLength: 1, maxLength: 6 }), (flips) => {
      const bytes = Buffer.from(original)
      for (const { at, by } of flips) bytes[at] = (bytes[at] as number) ^ by
      for (const { content, problems, firstLine, lastLine } of parseNachaFiles(bytes.toString('latin1'))) {
        assert.equal(content === null, problems.length > 0)
        for (const { line } of problems) assert.ok(line >= firstLine && line <= lastLine)
        if (content) assert.equal(money(content), money(wanted))
      }
    }),
    { numRuns: 5000 },
  )
})

test('problems contain no account number and no name', () => {
  fc.assert(
    fc.property(
      fc.nat(lines.length - 1),
      fc.integer({ min: 1, max: 94 }),
      fc.constantFrom(...'09 AXé'),
      (index, position, by) => {
        const problems = problemsOf(withLine(index, (line) => replaced(line, position, by)))
        assert.doesNotMatch(JSON.stringify(problems), /Muller|Jose|31415926|987654321/)
      },
    ),
    { numRuns: 2000 },
  )
})
