import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeInbound } from '../../../connections/exchange/inbound-text-rules.ts'
import { parseNachaFiles } from './nacha-parse-rules.ts'

/** A file from a bank: two returned debits, a returned credit, notifications of change, and entries for manual review. */
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

/** The indexes of the lines that tests change. */
const [HEADER, FIRST_ENTRY, FIRST_ADDENDA, FIRST_CONTROL, FILE_CONTROL] = [0, 2, 3, 6, 37]

const withLine = (index: number, change: (line: string) => string): string =>
  lines.map((line, at) => (at === index ? change(line) : line)).join('\n')

const replaced = (line: string, position: number, by: string): string =>
  line.slice(0, position - 1) + by + line.slice(position - 1 + by.length)

function problemsOf(file: string): string[] {
  return parseNachaFiles(file).flatMap(({ problems }) => problems.map(({ line, problem }) => `${line}: ${problem}`))
}

/** Returns the content of a complete file. */
function contentOf(file: string) {
  const [reading, ...others] = parseNachaFiles(file)
  assert.ok(reading)
  assert.deepEqual([reading.problems, others], [[], []])
  return reading.content
}

/** Returns the entries of a file without their line and text. */
const judged = (file: string) =>
  parseNachaFiles(file).flatMap(({ content: { returns, setAside } }) => [
    ...returns.map(({ returnCode, originalTraceNumber, amountCents }) => [
      returnCode,
      originalTraceNumber,
      amountCents,
    ]),
    ...setAside.map(({ kind, why }) => [kind, why]),
  ])

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
    records: [
      { number: 3, text: lines[2] },
      { number: 4, text: lines[3] },
    ],
    isCompanySure: true,
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
    contentOf(text).setAside.map(({ kind, why, originalTraceNumber, amountCents }) => [
      kind,
      why,
      originalTraceNumber,
      amountCents,
    ]),
    [
      ['correction_unread', 'notification of change C02 whose corrected data cannot be read', '091000010000017', 0],
      ['correction_unread', 'refused notification of change C61', '091000010000018', 0],
      ['contested', 'contested return R73', '091000010000019', 100],
      ['contested', 'dishonored return R61', '091000010000020', 200],
      ['unread', 'unknown return code R99', '091000010000021', 300],
    ],
  )
})

/** Returns an entry without its lines. */
const plain = <One extends { line: number; records: unknown }>({ line: _line, records: _records, ...one }: One) => one

const CTRL_Z = String.fromCharCode(0x1a)
const stripped = lines.map((line) => line.trimEnd())
const unfilled = lines.slice(0, FILE_CONTROL + 1)

test('a file is read the same however editors, mainframes and transfers have stored it', () => {
  const [{ content: wanted, contentHash } = { content: null }] = parseNachaFiles(text)
  assert.ok(wanted)
  const decoded = (bytes: Buffer | string) => decodeInbound(Buffer.from(bytes)).text
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
    'Ctrl-Z at the end': decoded(`${lines.join('\r\n')}\r\n${CTRL_Z}`),
    'Ctrl-Z after the last record': decoded(text + CTRL_Z),
    'Ctrl-Z up to the end of a sector': decoded(`${stripped.join('\r\n')}\r\n${CTRL_Z.repeat(77)}`),
    'Ctrl-Z, without line ends': decoded(lines.join('') + CTRL_Z),
    'Ctrl-Z and a line end': decoded(`${text}${CTRL_Z}\r\n`),
    'a byte order mark': decoded(`\uFEFF${text}`),
    'UTF-16': decoded(Buffer.from(`\uFEFF${text}`, 'utf16le')),
    'UTF-16 without a mark': decoded(Buffer.from(text, 'utf16le')),
    'NULs after the last line': decoded(Buffer.concat([Buffer.from(`${text}\n`), Buffer.alloc(512)])),
    'a blank after each line': text.replaceAll('\n', ' \n'),
    'a tab after each line': text.replaceAll('\n', '\t\n'),
    'blanks up to column 132': lines.map((line) => line.padEnd(132)).join('\n'),
    'blocks of nines without end': `${text}\n${`${'9'.repeat(94)}\n`.repeat(23)}`,
    'a block that is not full': lines.slice(0, -1).join('\n'),
  })) {
    const [reading, ...others] = parseNachaFiles(same)
    assert.deepEqual(reading?.problems, [], name)
    assert.deepEqual([reading?.content.returns.map(plain), others], [wanted.returns.map(plain), []], name)
    assert.deepEqual(reading?.contentHash, contentHash, name)
  }
})

test('a field that Remit does not use refuses nothing', () => {
  const wanted = judged(text)
  const [first, second, third] = ['R01', 'R10', 'R15']
  assert.deepEqual(wanted.map(([code]) => code).slice(0, 3), [first, second, third])
  for (const [name, file] of Object.entries({
    'an accent in the name of the bank': withLine(HEADER, (line) => replaced(line, 64, 'PREMIÈRE BANQUE')),
    'an accent in a name': withLine(FIRST_ENTRY, (line) => replaced(line, 55, 'NUÑEZ')),
    'a name whose bytes were counted': withLine(FIRST_ENTRY, (line) =>
      replaced(line, 55, 'NUÑEZ ').replace('NUÑEZ ', 'NUÑEZ'),
    ),
    'a blank check digit': withLine(FIRST_ENTRY, (line) => replaced(line, 12, ' ')),
    'a blank trace number of an addenda record': withLine(FIRST_ADDENDA, (line) => replaced(line, 80, ' '.repeat(15))),
    'another trace number in an addenda record': withLine(FIRST_ADDENDA, (line) => replaced(line, 94, '9')),
    'text instead of a date of death': withLine(FIRST_ADDENDA, (line) => replaced(line, 22, 'NONE  ')),
    'text in the date of an R61': lines
      .map((line) => (line.startsWith('799R61') ? replaced(line, 22, 'ABCDEF') : line))
      .join('\n'),
    'a return code in lower case': withLine(FIRST_ADDENDA, (line) => line.replace('R01', 'r01')),
    'the same own trace number twice': lines
      .map((line, index) => (index === 4 || index === 5 ? replaced(line, 80, '021000020000007') : line))
      .join('\n'),
    'an addenda indicator of zero': withLine(FIRST_ENTRY, (line) => replaced(line, 79, '0')),
    'another priority code': withLine(HEADER, (line) => replaced(line, 2, '02')),
    'another service class': withLine(1, (line) => replaced(line, 2, '999')),
    'another company in a control record': withLine(FIRST_CONTROL, (line) => replaced(line, 45, 'X123456788')),
    'another block count': withLine(FILE_CONTROL, (line) => replaced(line, 8, '999999')),
    'another batch number in a control record': withLine(FIRST_CONTROL, (line) => replaced(line, 94, '9')),
    'a tab in a name': withLine(FIRST_ENTRY, (line) => line.replace('Jose ', 'Jose\t')),
    'an entry that lost its last columns': withLine(FIRST_ENTRY, (line) => line.slice(0, 79)),
    'a damaged fill line': lines.map((line, index) => (index === 39 ? replaced(line, 7, 'x') : line)).join('\n'),
    'a fill line before the end': [...lines.slice(0, 7), '9'.repeat(94), ...lines.slice(7)].join('\n'),
    'a class of others': withLine(1, (line) => replaced(line, 51, 'CTX')),
  })) {
    assert.deepEqual([problemsOf(file), judged(file)], [[], wanted], name)
  }
})

test('unused fields that are not as Nacha defines them are remarks', () => {
  const remarks = (file: string) => parseNachaFiles(file)[0]?.remarks.map(({ line, problem }) => `${line}: ${problem}`)
  assert.deepEqual(remarks(text), [])
  assert.deepEqual(remarks(withLine(FIRST_ENTRY, (line) => replaced(line, 12, ' '))), [
    '3: checkDigit (positions 12 to 12) must be digits',
  ])
})

test('an entry that cannot be judged does not stop the others', () => {
  const others = judged(text).slice(1)
  for (const [name, file, setAside] of [
    ['its code', withLine(FIRST_ADDENDA, (line) => replaced(line, 4, 'Q01')), 'unknown return code Q01'],
    [
      'its code, beyond ASCII',
      withLine(FIRST_ADDENDA, (line) => replaced(line, 4, 'ñ01')),
      'unknown return code that cannot be read',
    ],
    [
      'its original trace number',
      withLine(FIRST_ADDENDA, (line) => replaced(line, 7, ' ')),
      'return R01 whose original trace number cannot be read',
    ],
    [
      'its amount',
      withLine(FIRST_ENTRY, (line) => replaced(line, 30, '00001500.0')),
      'return R01 whose amount or transaction code cannot be read',
    ],
    [
      'its transaction code',
      withLine(FIRST_ENTRY, (line) => replaced(line, 2, '99')),
      'return R01 whose amount or transaction code cannot be read',
    ],
    [
      'the type of its addenda record',
      withLine(FIRST_ADDENDA, (line) => replaced(line, 2, '9x')),
      'an addenda record of an unknown type',
    ],
    [
      'a return that became a notification of change',
      withLine(FIRST_ADDENDA, (line) => replaced(line, 2, '98')),
      'unknown change code R01',
    ],
    [
      'a return that became a remittance',
      withLine(FIRST_ADDENDA, (line) => replaced(line, 2, '05')).replace(/^626/m, '621'),
      'a return or a notification of change without its addenda record',
    ],
  ] as const) {
    const found = judged(file)
    assert.deepEqual(found.slice(0, 2), others.slice(0, 2), name)
    assert.deepEqual(found[2], ['unread', setAside], name)
  }
})

test('a file that does not add up, or ends early, is framed as far as it goes', () => {
  const readable = (file: string) =>
    parseNachaFiles(file).flatMap(({ content }) => content.returns.map(({ line }) => line))
  for (const [name, file, problems, returns] of [
    [
      'cut off',
      lines.slice(0, 5).join('\n'),
      ['2: the control record of this batch is missing', '5: cut off: the file control record is missing'],
      [3],
    ],
    [
      'a wrong entry count',
      withLine(FILE_CONTROL, (line) => replaced(line, 14, '00000027')),
      ['38: the entry and addenda count should be 28'],
      [3, 5, 9],
    ],
    [
      'a wrong hash',
      withLine(FIRST_CONTROL, (line) => replaced(line, 20, '3')),
      ['7: the entry hash should be 18200002'],
      [3, 5, 9],
    ],
    [
      'a wrong amount',
      withLine(FIRST_ENTRY, (line) => replaced(line, 39, '1')),
      ['7: the debit total in cents should be 10000150000', '38: the debit total in cents should be 10000150600'],
      [3, 5, 9],
    ],
    [
      'an entry that is missing',
      lines.toSpliced(FIRST_ENTRY, 2).join('\n'),
      [
        '5: the entry and addenda count should be 2',
        '5: the entry hash should be 9100001',
        '5: the debit total in cents should be 9999999999',
        '36: the entry and addenda count should be 26',
        '36: the entry hash should be 118300013',
        '36: the debit total in cents should be 10000000599',
      ],
      [3, 7],
    ],
    // Its addenda then belongs to the entry before it, which has two returns.
    ['an unknown record', withLine(4, (line) => replaced(line, 1, 'X')), null, [9]],
    ['no header', lines.slice(1).join('\n'), ['1: the file header record is missing'], [2, 4, 8]],
    ['more than 94 columns', withLine(3, (line) => `${line}X`), ['4: 95 characters instead of 94'], [3, 5, 9]],
    ['a batch without its header', lines.toSpliced(1, 1).join('\n'), ['2: an entry outside a batch'], [2, 4, 8]],
    [
      'a record after the end',
      [...lines.slice(0, 39), lines[2]].join('\n'),
      ['40: record type 6 after the file control record'],
      [3, 5, 9],
    ],
  ] as const) {
    const found = problemsOf(file)
    if (problems === null) assert.ok(found.length > 0, name)
    else assert.deepEqual(found, [...problems], name)
    assert.deepEqual(readable(file), [...returns], name)
  }
})

test('each of several files in a physical file is judged separately, with line numbers of the whole', () => {
  const readings = (all: string) =>
    parseNachaFiles(all).map(({ firstLine, lastLine, content, problems }) => [
      firstLine,
      lastLine,
      content.returns.map(({ line }) => line),
      problems.length,
    ])
  const cutOff = lines.slice(0, 5).join('\r\n')
  const good = (firstLine: number) => [firstLine, firstLine + 39, [3, 5, 9].map((line) => line + firstLine - 1), 0]
  assert.deepEqual(readings(`${text}\n${text}`), [good(1), good(41)])
  assert.deepEqual(readings(lines.join('') + lines.join('')), [good(1), good(41)])
  assert.deepEqual(readings(`\n${cutOff}\r\n${text}`), [[2, 6, [4], 2], good(7)])
  assert.deepEqual(readings(`${text}\n${cutOff}`), [good(1), [41, 45, [43], 2]])
})

test('a changed character of a control record is detected where a total needs it', () => {
  const totals = { [FIRST_CONTROL]: [5, 44], [FILE_CONTROL]: [14, 55] }
  for (const index of [FIRST_CONTROL, FILE_CONTROL]) {
    const [from, to] = totals[index] as [number, number]
    for (let position = from; position <= to; position++) {
      for (const by of '0123456789A-') {
        const file = withLine(index, (line) => replaced(line, position, by))
        if (file !== text) assert.ok(problemsOf(file).length > 0, `line ${index + 1}, position ${position}: ${by}`)
      }
    }
  }
})

/** A file with one entry and an addenda record that is not a return. */
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

test('money that somebody sent is an entry of its own', () => {
  const content = contentOf(forward.join('\n'))
  assert.deepEqual(
    content.entries.map(({ secCode, amountCents, remittances }) => [secCode, amountCents, remittances]),
    [['CTX', 149_950, ['']]],
  )
})

test('money that somebody sent may have the addenda records of a terminal or of an international entry', () => {
  const withAddenda = (secCode: string, addenda: string) =>
    forward.map((line, index) =>
      index === 1 ? replaced(line, 51, secCode) : index === 3 ? addenda + line.slice(3) : line,
    )
  for (const [secCode, addenda] of [
    ['POS', '702'],
    ['IAT', '710'],
    ['IAT', '718'],
  ] as const) {
    const content = contentOf(withAddenda(secCode, addenda).join('\n'))
    assert.deepEqual([content.entries.length, content.setAside], [1, []], `${secCode} ${addenda}`)
  }
  for (const [secCode, addenda] of [
    ['PPD', '710'],
    ['IAT', '719'],
    ['POS', '703'],
  ] as const) {
    const { entries, setAside } = contentOf(withAddenda(secCode, addenda).join('\n'))
    const found = setAside.map(({ kind, why }) => [kind, why])
    assert.deepEqual(
      [entries, found],
      [[], [['unread', 'an addenda record of an unknown type']]],
      `${secCode} ${addenda}`,
    )
  }
})

test('an entry with several returns or notifications of change is set aside', () => {
  const [header = '', batch = '', entry = '', addenda = '', control = '', end = ''] = forward
  const withAnswers = (codes: readonly string[]) => {
    const answers = codes.map((code) => {
      const type = code.startsWith('C') ? '98' : '99'
      return replaced(replaced(replaced(addenda, 2, type), 4, code), 7, '091000010000001')
    })
    const count = String(1 + codes.length).padStart(6, '0')
    return [header, batch, entry, ...answers, replaced(control, 5, count), replaced(end, 14, `00${count}`)].join('\n')
  }
  for (const [codes, kind] of [
    [['R07', 'R68', 'R71'], 'contested'],
    [['R03', 'C01'], 'unread'],
    [['R01', 'R01'], 'unread'],
  ] as const) {
    const { returns, corrections, setAside } = contentOf(withAnswers(codes))
    assert.deepEqual([returns, corrections], [[], []])
    assert.deepEqual(
      setAside.map((one) => [one.kind, one.why, one.originalTraceNumber]),
      [[kind, `several returns or notifications of change of one entry: ${codes.join(', ')}`, '091000010000001']],
    )
  }
})

test('an empty file from a bank, without batches, has no entries', () => {
  const control = `9${'000000'}${'000001'}${'0'.repeat(8 + 10 + 12 + 12)}`.padEnd(94)
  const content = contentOf([lines[0], control, ...Array(8).fill('9'.repeat(94))].join('\n'))
  assert.deepEqual([content.entries, content.returns, content.corrections, content.setAside], [[], [], [], []])
})

test('every file that is cut off has problems, unless only fill lines and fields without use are missing', () => {
  const wanted = contentOf(text).returns
  const lastTotal = 95 * FILE_CONTROL + 55
  for (let length = 0; length < text.length; length++) {
    const [reading] = parseNachaFiles(text.slice(0, length))
    if (!reading || reading.problems.length > 0) continue
    assert.ok(length >= lastTotal, String(length))
    assert.deepEqual(reading.content.returns, wanted)
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
      for (const { problems, problemCount } of parseNachaFiles(garbage)) {
        assert.equal(problems.length, Math.min(problemCount, 50))
      }
    }),
    { numRuns: 5000 },
  )
  const [reading] = parseNachaFiles('x\n'.repeat(100_000))
  assert.deepEqual([reading?.problems.length, reading?.problemCount], [50, 100_002])
})

test('flipped bytes never make the reader throw, and never lose money in a file without problems', () => {
  const original = Buffer.from(lines.join('\r\n'), 'latin1')
  const count = ({ entries, returns, corrections, setAside }: ReturnType<typeof contentOf>) =>
    entries.length + returns.length + corrections.length + setAside.length
  const wanted = contentOf(text)
  const flip = fc.record({ at: fc.nat(original.length - 1), by: fc.integer({ min: 1, max: 255 }) })
  fc.assert(
    fc.property(fc.array(flip, { minLength: 1, maxLength: 6 }), (flips) => {
      const bytes = Buffer.from(original)
      for (const { at, by } of flips) bytes[at] = (bytes[at] as number) ^ by
      for (const { content, problems, firstLine, lastLine } of parseNachaFiles(decodeInbound(bytes).text)) {
        for (const { line } of problems) assert.ok(line >= firstLine && line <= lastLine)
        // A damaged addenda record can look like an entry. One entry more is then set aside, and none is lost.
        if (problems.length === 0) assert.ok(count(content) >= count(wanted))
      }
    }),
    { numRuns: 5000 },
  )
})

test('corrected data is used only if it has exactly the layout of its code', () => {
  const corrected = (code: string, data: string) =>
    parseNachaFiles(
      [lines[0], lines[11], lines[12], replaced(`798${code}091000010000001      02100002`.padEnd(94), 36, data)].join(
        '\n',
      ),
    ).flatMap(({ content }) => content.corrections.map((one) => one.corrected))[0] ?? null
  for (const [code, data, wanted] of [
    ['C01', '1234567890', { accountNumber: '1234567890' }],
    ['C01', '12345678901234567', { accountNumber: '12345678901234567' }],
    ['C01', '12-345-6789', { accountNumber: '123456789' }],
    ['C01', '12345678901234567890', null], // 20 digits
    ['C01', '1234 567890', null],
    ['C01', '123', null],
    ['C01', '1234567890        X', null],
    ['C02', '122105155', { routingNumber: '122105155' }],
    ['C02', '122105155   1234567890', null], // another account follows
    ['C02', '12210515', null],
    ['C03', '122105155   1234567890', { routingNumber: '122105155', accountNumber: '1234567890' }],
    ['C03', '1221051551234567890', null], // no gap
    ['C03', '122105155 1234567890', null], // one blank
    ['C03', '122105155  1234567890', null],
    ['C03', '122105155', null],
    ['C03', `122105155   ${'1'.repeat(17)}`, { routingNumber: '122105155', accountNumber: '1'.repeat(17) }],
    ['C03', `122105155   ${'1'.repeat(18)}`, null],
    ['C05', '32', { accountKind: 'savings' }],
    ['C05', '32 1234567890', null],
    ['C05', '42', null],
    ['C06', '1234567890          22', { accountNumber: '1234567890', accountKind: 'checking' }],
    ['C06', '1234567890       ABC22', null], // text in 18 to 20
    ['C06', '1234567890 22', null],
    [
      'C07',
      '1221051551234567890       22',
      { routingNumber: '122105155', accountNumber: '1234567890', accountKind: 'checking' },
    ],
    ['C07', '122105155123456789022', null],
  ] as const) {
    assert.deepEqual(corrected(code, data), wanted, `${code} ${data}`)
  }
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
