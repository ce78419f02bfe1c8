import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readStatements, readWholeStatements } from './statement-read-actions.ts'

const TODAY = '2026-03-10'
const OPTIONS = { format: null, mapping: null, today: TODAY } as const

const read = (text: string | Buffer) => readWholeStatements(Buffer.from(text), OPTIONS)

const balance = (code: string, amount: string, indicator = 'CRDT') =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="USD">${amount}</Amt><CdtDbtInd>${indicator}</CdtDbtInd><Dt><Dt>2026-03-04</Dt></Dt></Bal>`

const entry = (
  amount: string,
  { sign = 'CRDT', more = '', status = '<Cd>BOOK</Cd>', currency = 'USD', code = 'PMNT/RCDT/ACDT' } = {},
) => {
  const [domain, family, subfamily] = code.split('/')
  return `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${sign}</CdtDbtInd><Sts>${status}</Sts><BookgDt><Dt>2026-03-04</Dt></BookgDt><ValDt><Dt>2026-03-05</Dt></ValDt><AcctSvcrRef>B1</AcctSvcrRef><BkTxCd><Domn><Cd>${domain}</Cd><Fmly><Cd>${family}</Cd><SubFmlyCd>${subfamily}</SubFmlyCd></Fmly></Domn></BkTxCd>${more}</Ntry>`
}

const statement = (content: string, { name = 'Stmt', id = 'S1', sequence = '12' } = {}) =>
  `<${name}><Id>${id}</Id><ElctrncSeqNb>${sequence}</ElctrncSeqNb><CreDtTm>2026-03-05T06:00:00</CreDtTm><Acct><Id><Othr><Id>123456789</Id></Othr></Id><Ccy>USD</Ccy></Acct>\n${content}\n</${name}>`

const CONTAINERS: Record<string, string> = {
  Stmt: 'BkToCstmrStmt',
  Rpt: 'BkToCstmrAcctRpt',
  Ntfctn: 'BkToCstmrDbtCdtNtfctn',
}
const MESSAGES: Record<string, string> = { Stmt: '053', Rpt: '052', Ntfctn: '054' }

const fileOf = (statements: string, { name = 'Stmt', version = '08' } = {}) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${MESSAGES[name]}.001.${version}"><${CONTAINERS[name]}><GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-03-05T06:00:00</CreDtTm></GrpHdr>\n${statements}\n</${CONTAINERS[name]}></Document>\n`

/** Returns a file of one statement that opens with a balance of 0 and closes with `closing`. */
const day = (entries: string, closing: string, indicator = 'CRDT') =>
  fileOf(statement(balance('OPBD', '0') + balance('CLBD', closing, indicator) + entries))

async function onlyLine(text: string) {
  const { statements, problems } = await read(text)
  assert.deepEqual(problems, [])
  assert.equal(statements[0]?.lines.length, 1)
  return statements[0]?.lines[0]
}

test('every version from 02 to 13 of camt.053, camt.052 and camt.054 is read', async () => {
  const kinds = { Stmt: 'statement', Rpt: 'interim', Ntfctn: 'notification' }
  for (const [name, kind] of Object.entries(kinds)) {
    for (let version = 2; version <= 13; version++) {
      const status = version < 8 ? 'BOOK' : '<Cd>BOOK</Cd>'
      const text = fileOf(statement(entry('12.30', { status }), { name }), {
        name,
        version: String(version).padStart(2, '0'),
      })
      const { statements, problems } = await read(text)
      assert.deepEqual(problems, [], `${name} ${version}`)
      assert.deepEqual([statements[0]?.kind, statements[0]?.lines[0]?.cents], [kind, 1230])
    }
  }
  const { problems } = await read(fileOf(statement(entry('1.00')), { version: '99' }))
  assert.deepEqual(
    [problems[0]?.scope, problems[0]?.message],
    ['field', 'version 99 of the message. Versions 2 to 13 are known'],
  )
})

test('several statements in a file are several statements, and an empty day is one as well', async () => {
  const empty = statement(balance('OPBD', '5.00') + balance('CLBD', '5.00'), { id: 'S2', sequence: '13' })
  const { statements, problems } = await read(fileOf(statement(entry('1.00')) + empty))
  assert.deepEqual(problems, [])
  assert.deepEqual(
    statements.map(({ id, sequence, day, lines, totals }) => [id, sequence, day, lines.length, totals.differenceCents]),
    [
      ['S1', 12, '2026-03-05', 1, null],
      ['S2', 13, '2026-03-04', 0, 0],
    ],
  )
})

test('any namespace prefix, and an envelope around the document, are read', async () => {
  const text = day(entry('1.00'), '1.00').replace(/^<\?xml.*\n/, '')
  const prefixed = text.replace(/<(\/?)(\w)/g, '<$1n0:$2').replace('xmlns=', 'xmlns:n0=')
  for (const form of [
    prefixed,
    `<Envelope xmlns="urn:x"><Head/><Body>${text}</Body></Envelope>`,
    `\n\n<?xml version="1.0"?>${text}`,
  ]) {
    const line = await onlyLine(form)
    assert.equal(line?.cents, 100)
  }
})

test('a batch entry is one line with its details, and the details of a notification have the same reference', async () => {
  const detail = (amount: string, id: string) =>
    `<TxDtls><Refs><EndToEndId>${id}</EndToEndId><ClrSysRef>T-${id}</ClrSysRef></Refs><Amt Ccy="USD">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><RltdPties><Cdtr><Pty><Nm>Payee ${id}</Nm></Pty></Cdtr></RltdPties><RmtInf><Ustrd>Invoice ${id}</Ustrd></RmtInf></TxDtls>`
  const more = `<NtryDtls><Btch><MsgId>FILE1</MsgId><PmtInfId>BATCH1</PmtInfId><NbOfTxs>2</NbOfTxs><TtlAmt Ccy="USD">3.00</TtlAmt></Btch>${detail('1.00', 'E1')}${detail('2.00', 'E2')}</NtryDtls>`
  const booked = await onlyLine(day(entry('3.00', { sign: 'DBIT', more }), '3.00', 'DBIT'))
  assert.deepEqual(
    [booked?.cents, booked?.batch, booked?.references],
    [-300, { count: 2, cents: -300 }, { bank: 'B1', file: 'FILE1', batch: 'BATCH1' }],
  )
  assert.deepEqual(
    booked?.details.map(({ cents, name, text, references }) => [cents, name, text, references]),
    [
      [-100, 'Payee E1', 'Invoice E1', { end_to_end: 'E1', trace: 'T-E1' }],
      [-200, 'Payee E2', 'Invoice E2', { end_to_end: 'E2', trace: 'T-E2' }],
    ],
  )
  const { statements } = await read(
    fileOf(statement(entry('3.00', { sign: 'DBIT', more }), { name: 'Ntfctn' }), { name: 'Ntfctn' }),
  )
  assert.equal(statements[0]?.kind, 'notification')
  assert.equal(statements[0]?.totals.differenceCents, null)
  assert.equal(statements[0]?.lines[0]?.references.batch, 'BATCH1')
})

test('an entry with one detail has the references of the detail, and NOTPROVIDED is none', async () => {
  const more =
    '<NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId><ChqNb>1042</ChqNb><UETR>U1</UETR></Refs><RltdPties><Dbtr><Nm>Old Form</Nm></Dbtr></RltdPties><RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf></TxDtls></NtryDtls>'
  const line = await onlyLine(day(entry('1.00', { more, code: 'PMNT/RCDT/RRTN' }), '1.00'))
  assert.deepEqual(line?.references, { bank: 'B1', check: '1042', uetr: 'U1' })
  assert.deepEqual([line?.name, line?.returnReason, line?.kind], ['Old Form', 'AC04', 'return'])
})

test('a transaction has the number of our account: of the creditor of a credit, and of both parties of a return', async () => {
  const parties = (reason = '') =>
    `<NtryDtls><TxDtls><RltdPties><DbtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></DbtrAcct><CdtrAcct><Id><Othr><Id>998866507937</Id></Othr></Id></CdtrAcct></RltdPties>${reason}</TxDtls></NtryDtls>`
  const accountsOf = async (options: Parameters<typeof entry>[1]) => {
    const line = await onlyLine(day(entry('1.00', options), '1.00', options?.sign))
    return line?.details[0]?.accounts
  }
  assert.deepEqual(await accountsOf({ more: parties() }), ['998866507937'])
  assert.deepEqual(await accountsOf({ sign: 'DBIT', more: parties() }), ['DE89370400440532013000'])
  const reason = '<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>'
  const both = ['998866507937', 'DE89370400440532013000']
  assert.deepEqual(await accountsOf({ sign: 'DBIT', more: parties(reason) }), both)
  assert.deepEqual(await accountsOf({ sign: 'DBIT', more: `<RvslInd>true</RvslInd>${parties()}` }), both)
})

test('the sign of a reversal is the one of the movement', async () => {
  const line = await onlyLine(day(entry('1.00', { more: '<RvslInd>true</RvslInd>' }), '1.00'))
  assert.deepEqual([line?.cents, line?.isReversal], [100, true])
})

test('charges inside an entry are named and never added, in the form of version 02 and of later ones', async () => {
  const charge = '<Amt Ccy="USD">0.25</Amt><CdtDbtInd>DBIT</CdtDbtInd>'
  for (const more of [
    `<Chrgs>${charge}</Chrgs>`,
    `<Chrgs><Rcrd>${charge}<ChrgInclInd>true</ChrgInclInd></Rcrd></Chrgs>`,
  ]) {
    const line = await onlyLine(day(entry('9.75', { more }), '9.75'))
    assert.deepEqual([line?.cents, line?.charges.map(({ cents }) => cents)], [975, [-25]])
  }
})

test('balances other than opening and closing are kept, and not used', async () => {
  const balances = balance('OPBD', '1.00') + balance('CLAV', '7.00') + balance('FWAV', '8.00') + balance('CLBD', '2.00')
  const { statements, problems } = await read(fileOf(statement(balances + entry('1.00'))))
  assert.deepEqual(problems, [])
  assert.deepEqual(
    statements[0]?.totals.balances.map(({ code, kind }) => `${code} ${kind}`),
    ['OPBD opening', 'CLAV available', 'FWAV other', 'CLBD closing'],
  )
})

test('a part of a day has interim balances (ITBD) at its ends', async () => {
  const parts: [string, number][] = [
    [balance('OPBD', '1.00') + balance('ITBD', '2.00'), 100],
    [balance('ITBD', '1.00') + balance('ITBD', '2.00'), 100],
    [balance('ITBD', '1.00') + balance('CLBD', '2.00'), 100],
  ]
  for (const [balances, opening] of parts) {
    const { statements } = await read(fileOf(statement(balances + entry('1.00'), { name: 'Rpt' }), { name: 'Rpt' }))
    assert.deepEqual([statements[0]?.totals.openingCents, statements[0]?.totals.differenceCents], [opening, 0])
  }
})

test('a day that does not add up is a problem that names the difference', async () => {
  const { problems } = await read(day(entry('1.00'), '1.50'))
  assert.deepEqual(problems, [
    {
      scope: 'statement',
      place: 'line 3: Document/BkToCstmrStmt/Stmt',
      message: 'the closing balance differs from the opening balance and the lines by $0.50',
    },
  ])
})

test('pending entries and information are lines that do not change the balance', async () => {
  const entries = entry('1.00', { status: '<Cd>PDNG</Cd>' }) + entry('2.00', { status: 'INFO' }) + entry('4.00')
  const { statements, problems } = await read(day(entries, '4.00'))
  assert.deepEqual(problems, [])
  assert.deepEqual(
    statements[0]?.lines.map(({ status }) => status),
    ['pending', 'information', 'booked'],
  )
})

const badEntries: [string, string, string][] = [
  ['negative zero', entry('-0.00'), 'the amount is a negative zero'],
  ['a sign', entry('-1.00'), 'the amount has a sign, but CdtDbtInd says credit or debit'],
  ['19 digits', entry('12345678901234567.89'), 'the amount has 19 digits, and at most 15 are possible'],
  ['an exponent', entry('1e3'), 'the amount has an exponent'],
  ['two decimals more', entry('1.2345'), 'the amount has 4 decimals, and its currency has 2'],
  ['no amount', entry(''), 'the amount is missing'],
  ['another currency', entry('1.00', { currency: 'EUR' }), 'the entry has another currency than its account'],
  ['no direction', entry('1.00', { sign: 'X' }), 'credit or debit (CdtDbtInd) is neither CRDT nor DBIT'],
  [
    'a date of next year',
    entry('1.00').replace('2026-03-04', '2027-03-04'),
    'the booking date, 2027-03-04, is in the future',
  ],
  [
    'a date that does not exist',
    entry('1.00').replace('2026-03-04', '2026-02-30'),
    'the date cannot be read: it should be YYYY-MM-DD',
  ],
]

test('an entry that cannot be read is a problem with its place, and the others are used', async () => {
  for (const [name, bad, message] of badEntries) {
    const { statements, problems } = await read(fileOf(statement(`${entry('1.00')}\n${bad}\n${entry('2.00')}`)))
    assert.deepEqual([problems.length, problems[0]?.scope, problems[0]?.message], [1, 'line', message], name)
    assert.match(problems[0]?.place ?? '', /^line 5: Document\/BkToCstmrStmt\/Stmt\/Ntry\[2\]/, name)
    assert.deepEqual(
      statements[0]?.lines.map(({ cents }) => cents),
      [100, 200],
      name,
    )
  }
})

test('further zeros are no decimals, and yen have none', async () => {
  assert.equal((await onlyLine(day(entry('1.2300'), '1.23')))?.cents, 123)
  const yen = fileOf(statement(entry('500', { currency: 'JPY' })).replace('<Ccy>USD', '<Ccy>JPY'))
  assert.equal((await onlyLine(yen))?.cents, 500)
})

test('the bank’s own totals of the entries are compared', async () => {
  const summary =
    '<TxsSummry><TtlNtries><NbOfNtries>2</NbOfNtries></TtlNtries><TtlCdtNtries><Sum>3</Sum></TtlCdtNtries></TxsSummry>'
  const { problems } = await read(fileOf(statement(summary + entry('1.00'))))
  assert.deepEqual(
    problems.map(({ message }) => message),
    ['the bank counts 2 lines, and 1 were read', 'the bank’s total of credits differs from the lines by $2.00'],
  )
})

test('a bomb of entities and an external entity are refused before anything is expanded', async () => {
  const levels = Array.from({ length: 10 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`)
  const bomb = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "ha">${levels.join('')}]><Document>&l10;</Document>`
  const external = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><Document>&e;</Document>'
  for (const text of [bomb, external]) {
    assert.deepEqual((await read(text)).problems, [
      { scope: 'file', place: 'line 1', message: 'a document type (DOCTYPE) is not allowed' },
    ])
  }
})

test('nesting, texts and documents without an element have bounds', async () => {
  const forms: [string, RegExp][] = [
    [`<a>`.repeat(100), /more than 64 elements are nested/],
    [`<Document><a>${'x'.repeat(1_200_000)}</a></Document>`, /a text is longer than 1,000,000 characters/],
    [`<!--${'x'.repeat(1_200_000)}`, /a text is longer than 1,000,000 characters/],
    ['<Document><Other/></Document>', /no camt.052, camt.053 or camt.054 message/],
    ['<Document><BkToCstmrStmt/></Document>', /the message contains no statement/],
  ]
  for (const [text, message] of forms) {
    const { statements, problems } = await read(text)
    assert.deepEqual([statements.length, problems.length, problems[0]?.scope], [0, 1, 'file'])
    assert.match(problems[0]?.message ?? '', message)
  }
})

test('a file that is cut off or damaged keeps the entries before it', async () => {
  const text = day(`${entry('1.00')}\n${entry('2.00')}\n${entry('4.00')}`, '7.00')
  for (const broken of [text.slice(0, text.indexOf('>4.00')), text.replace('>4.00</Amt>', '>4.00</Amx>')]) {
    const { statements, problems } = await read(broken)
    assert.deepEqual(
      statements[0]?.lines.map(({ cents }) => cents),
      [100, 200],
    )
    assert.equal(statements[0]?.totals.isComplete, false)
    assert.ok(
      problems.some(({ scope, message }) => scope === 'file' && message.startsWith('the file is not well-formed XML')),
    )
  }
})

test('an unknown entity in a text damages that text only', async () => {
  const { statements, problems } = await read(
    day(entry('1.00', { more: '<AddtlNtryInf>A &nbsp; B & C</AddtlNtryInf>' }), '1.00'),
  )
  assert.equal(statements[0]?.lines.length, 1)
  assert.ok(problems.length > 0 && problems.every(({ scope }) => scope === 'field'))
})

test('the encoding of the XML declaration is used', async () => {
  const text = day(entry('1.00', { more: '<AddtlNtryInf>Café</AddtlNtryInf>' }), '1.00')
  const forms = [
    Buffer.from(text.replace('UTF-8', 'ISO-8859-1'), 'latin1'),
    Buffer.from(`\ufeff${text.replace('UTF-8', 'UTF-16')}`, 'utf16le'),
    Buffer.from(text, 'latin1'),
  ]
  for (const form of forms) {
    const { statements, problems } = await read(form)
    assert.deepEqual(problems, [])
    assert.equal(statements[0]?.lines[0]?.text, 'Café')
  }
})

test('pieces of any size give the same result', async () => {
  const bytes = Buffer.from(day(entry('1.00', { more: '<AddtlNtryInf>Café</AddtlNtryInf>' }).repeat(3), '3.00'))
  const whole = await read(bytes)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7)
  }
  const events = await Array.fromAsync(readStatements(pieces(), OPTIONS))
  assert.deepEqual(
    events.flatMap((event) => (event.type === 'line' ? [event.line] : [])),
    whole.statements[0]?.lines,
  )
})
