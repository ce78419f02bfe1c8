import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { openMessageSchemas } from '../src/money/iso20022/message/message-schema-actions.ts'
import type { SentMessage } from '../src/money/iso20022/message/message-types.ts'
import { mayConcernCopy } from '../src/money/iso20022/order/order-rules.ts'
import { judgeReport, messageIdsOf } from '../src/money/iso20022/report/report-judgement-rules.ts'
import { readReports, readWholeReports } from '../src/money/iso20022/report/report-read-actions.ts'
import { paymentStatusCodes, recallStatusCodes, returnCodeOf } from '../src/money/iso20022/report/status-code-rules.ts'
import { legIdOf } from './support/iso-messages.ts'
import { recallAnswerLines, statusLines } from './support/iso-reports.ts'
import { ISO_SCHEMAS, withoutSchemas } from './support/iso-schemas.ts'

const schemas = withoutSchemas ? null : await openMessageSchemas(ISO_SCHEMAS)
after(() => schemas?.dispose())

const orderOf = (index: number) => ({ legId: legIdOf(index), cents: index * 100 + 7, currency: 'USD', uetr: null })

/** Three orders in one payment, and two in another. */
const sent: SentMessage = {
  messageId: 'a1',
  messageName: 'pain.001.001.09',
  payments: [
    { paymentId: 'a1-1', orders: [1, 2, 3].map(orderOf) },
    { paymentId: 'a1-2', orders: [4, 5].map(orderOf) },
  ],
}

async function judge(text: string, messages: readonly SentMessage[] = [sent]) {
  const { reports, problems } = await readWholeReports(Buffer.from(text))
  const judged = reports.map((report) => judgeReport(report, messages))
  const outcomes = judged.flatMap((one) => one.outcomes)
  return {
    reports,
    outcomes,
    meanings: Object.fromEntries(outcomes.map(({ legId, meaning }) => [Number.parseInt(legId, 16), meaning])),
    problems: [...problems, ...judged.flatMap((one) => one.problems)].map(({ message }) => message),
  }
}

const statusOf = (answer: Parameters<typeof statusLines>[1], version?: string) =>
  judge(statusLines(sent, answer, version).join('\n'))

const all = (code: string) => Object.fromEntries([1, 2, 3, 4, 5].map((index) => [legIdOf(index), { code }]))

test('each code of an order has its meaning, in each version', async () => {
  for (const version of ['03', '08', '10', '12', '14']) {
    for (const [code, { meaning }] of Object.entries(paymentStatusCodes)) {
      const { meanings, problems } = await statusOf({ orders: all(code), group: null }, version)
      const expected = code === 'PART' ? {} : { 1: meaning, 2: meaning, 3: meaning, 4: meaning, 5: meaning }
      assert.deepEqual(meanings, expected, code)
      assert.equal(problems.length, code === 'PART' ? 5 : 0)
    }
  }
})

test('the answers of these tests are valid messages', { skip: withoutSchemas }, () => {
  const orders = { [legIdOf(1)]: { code: 'RJCT', reason: 'AC04' }, [legIdOf(2)]: { code: 'ACSC' } }
  for (const version of ['03', '12', '14'])
    schemas?.validate(statusLines(sent, { orders, payments: { 'a1-2': 'ACCP' } }, version).join('\n'))
  schemas?.validate(
    recallAnswerLines(sent, { conclusion: 'PECR', orders: { [legIdOf(1)]: { code: 'ACCR' } } }, '14').join('\n'),
  )
})

test('the status of the message or of a payment applies to its orders, unless they have their own', async () => {
  const rows: [Parameters<typeof statusLines>[1], Record<string, string>][] = [
    [{ group: 'RJCT' }, { 1: 'rejected', 2: 'rejected', 3: 'rejected', 4: 'rejected', 5: 'rejected' }],
    [{ group: 'ACTC' }, { 1: 'received', 2: 'received', 3: 'received', 4: 'received', 5: 'received' }],
    [{ payments: { 'a1-2': 'ACSC' } }, { 4: 'paid', 5: 'paid' }],
    [
      { group: 'ACCP', payments: { 'a1-1': 'RJCT' } },
      { 1: 'rejected', 2: 'rejected', 3: 'rejected', 4: 'accepted', 5: 'accepted' },
    ],
    [{ payments: { 'a1-1': 'PART' }, orders: { [legIdOf(2)]: { code: 'RJCT' } } }, { 2: 'rejected' }],
    [
      { payments: { 'a1-1': 'ACSP' }, orders: { [legIdOf(2)]: { code: 'RJCT' } } },
      { 1: 'accepted', 2: 'rejected', 3: 'accepted' },
    ],
    [
      { payments: { 'a1-1': 'ACSP' }, orders: { [legIdOf(2)]: { code: null } }, isCounted: false },
      { 1: 'accepted', 2: 'accepted', 3: 'accepted' },
    ],
    [{ group: null }, {}],
  ]
  for (const [answer, expected] of rows) {
    const { meanings, problems } = await statusOf(answer)
    assert.deepEqual({ meanings, problems }, { meanings: expected, problems: [] })
  }
})

test('reasons, the reference of the bank and the place are returned with the status', async () => {
  const { outcomes, reports } = await statusOf({ orders: { [legIdOf(2)]: { code: 'RJCT', reason: 'AC04' } } })
  assert.deepEqual(outcomes, [
    {
      legId: legIdOf(2),
      meaning: 'rejected',
      code: 'RJCT',
      reasons: [{ code: 'AC04', text: 'See reason' }],
      bankReference: 'B0002',
      place: 'line 10: Document/CstmrPmtStsRpt/OrgnlPmtInfAndSts/TxInfAndSts',
    },
  ])
  assert.deepEqual(reports.flatMap(messageIdsOf), ['a1'])
})

test('the guide lists each code with its meaning', async () => {
  const guide = await readFile(new URL('../docs/iso20022.md', import.meta.url), 'utf8')
  for (const [code, { meaning, text }] of Object.entries({ ...paymentStatusCodes, ...recallStatusCodes }))
    assert.ok(guide.includes(`| ${code} | ${meaning} | ${text} |`), code)
})

test('a rejected order has the first reason that is a return code, or the code that matches a reason in words', () => {
  const codeOf = (...codes: (string | null)[]) => returnCodeOf(codes.map((code) => ({ code, text: '' })))
  assert.equal(codeOf('AC04', 'AM04'), 'AC04')
  assert.equal(codeOf('own code', 'R03'), 'R03')
  assert.equal(codeOf('own code', null), 'NARR')
  assert.equal(codeOf(), 'NARR')
})

test('a rejection because the bank already has the order may be about a copy', () => {
  const rejection = (code: string, text: string) =>
    mayConcernCopy({ meaning: 'rejected', reasons: [{ code, text }] }, { isSentTwice: false })
  assert.ok(rejection('AM05', ''))
  assert.ok(rejection('NARR', 'Duplicate reference'))
  assert.ok(rejection('NARR', 'Instruction ID 4711 already exist'))
  assert.ok(!rejection('NARR', 'The account does not exist'))
})

test('a status that contradicts another one or the sent order gives no outcome and a problem', async () => {
  const lines = statusLines(sent, { orders: all('ACSC'), group: 'ACSP' })
  const text = lines.join('\n')
  const leg = (index: number) => legIdOf(index)
  const rows: [changed: string, missing: number[], problem: string][] = [
    [text.replace('<GrpSts>ACSP', '<GrpSts>RJCT'), [1, 2, 3, 4, 5], 'the report contradicts itself'],
    [text.replace(`EndToEndId>${leg(2)}<`, `EndToEndId>${leg(3)}<`), [3], 'the ids of the order contradict each other'],
    [text.replaceAll(`>${leg(2)}<`, '>X<'), [2], 'the order is not in the message'],
    [text.replace(/InstdAmt Ccy="USD">2\.07/, 'InstdAmt Ccy="USD">2.70'), [2], 'the amount is different'],
    [text.replace(/InstdAmt Ccy="USD">2\.07/, 'InstdAmt Ccy="CAD">2.07'), [2], 'the amount is different'],
    [text.replace('<TxSts>ACSC', '<TxSts>ACXX'), [1], 'the code of the status is unknown'],
    [text.replace('<TxSts>ACSC', '<TxSts>ACSP'), [1], 'the bank counts more or fewer orders of a status than it lists'],
    [
      text.replace('<OrgnlMsgId>a1', '<OrgnlMsgId>a2'),
      [1, 2, 3, 4, 5],
      'the report is about a message that was not sent',
    ],
    [
      text.replace('</CstmrPmtStsRpt>', ''),
      [1, 2, 3, 4, 5],
      'the end of the report is missing, so nothing of it is used',
    ],
  ]
  for (const [changed, missing, problem] of rows) {
    assert.notEqual(changed, text)
    const { meanings, problems } = await judge(changed)
    assert.ok(problems.includes(problem), `${problem}: ${problems}`)
    assert.deepEqual(
      Object.keys(meanings).map(Number),
      [1, 2, 3, 4, 5].filter((index) => !missing.includes(index)),
      problem,
    )
  }
})

test('one order with two answers, or in another payment, gives no outcome', async () => {
  const answer = { orders: { [legIdOf(1)]: { code: 'ACSC' }, [legIdOf(2)]: { code: 'ACSC' } }, isCounted: false }
  const lines = statusLines(sent, answer)
  const at = lines.findIndex((line) => line.includes(legIdOf(1)))
  const again = lines.toSpliced(at, 0, (lines[at] as string).replace('ACSC', 'RJCT'))
  assert.deepEqual((await judge(again.join('\n'))).meanings, { 2: 'paid' })
  const same = lines.toSpliced(at, 0, lines[at] as string)
  assert.deepEqual((await judge(same.join('\n'))).meanings, { 1: 'paid', 2: 'paid' })
  const elsewhere = await judge(lines.join('\n').replace('<OrgnlPmtInfId>a1-1', '<OrgnlPmtInfId>a1-2'))
  assert.deepEqual(elsewhere.meanings, {})
  assert.ok(elsewhere.problems.includes('the order was sent in another payment'))
})

test('a status of a message with another number of orders does not apply to its orders', async () => {
  const lines = statusLines(sent, { group: 'RJCT' }).join('\n')
  const { meanings, problems } = await judge(lines.replace('<OrgnlNbOfTxs>5', '<OrgnlNbOfTxs>50'))
  assert.deepEqual(
    { meanings, problems },
    { meanings: {}, problems: ['the number of orders is not the one that was sent'] },
  )
})

test('a report is read with any prefix, envelope and encoding, and in pieces', async () => {
  const lines = statusLines(sent, { orders: all('ACSC'), group: null })
  const expected = { 1: 'paid', 2: 'paid', 3: 'paid', 4: 'paid', 5: 'paid' }
  const text = lines.slice(1).join('\n')
  const prefixed = text.replaceAll('xmlns=', 'xmlns:p=').replaceAll(/<(\/?)(?=[A-Z])/g, '<$1p:')
  const enveloped = `\n<Envelope><Head>x</Head>${text}</Envelope>`
  for (const changed of [prefixed, enveloped, lines.join('\r\n'), `\ufeff${text}`])
    assert.deepEqual((await judge(changed)).meanings, expected)
  const utf16 = await readWholeReports(Buffer.from(text, 'utf16le'))
  assert.equal(utf16.reports[0]?.statuses.length, 8)
  async function* bytes() {
    for (const byte of Buffer.from(text)) yield Buffer.from([byte])
  }
  const events = await Array.fromAsync(readReports(bytes()))
  assert.equal(events.filter(({ type }) => type === 'status').length, 8)
  assert.equal(events.at(-1)?.type, 'end')
})

test('orders that are listed without ids and status have the status of their payment', async () => {
  const details =
    '<TxInfAndSts><OrgnlTxRef><Amt><InstdAmt Ccy="USD">1.07</InstdAmt></Amt><Dbtr><Nm>Remit</Nm></Dbtr></OrgnlTxRef></TxInfAndSts>'
  const withDetails = (extra: string) =>
    statusLines(sent, { payments: { 'a1-1': 'ACCP' }, group: null })
      .join('\n')
      .replace('</OrgnlPmtInfAndSts>', `${extra}</OrgnlPmtInfAndSts>`)
  const listed = await judge(withDetails(details.repeat(3)))
  assert.deepEqual(listed.meanings, { 1: 'accepted', 2: 'accepted', 3: 'accepted' })
  assert.deepEqual(listed.problems, [])
  for (const telling of ['<TxSts>RJCT</TxSts>', '<OrgnlEndToEndId>other</OrgnlEndToEndId>']) {
    const doubtful = await judge(withDetails(details.replace('<TxInfAndSts>', `<TxInfAndSts>${telling}`)))
    assert.deepEqual([doubtful.meanings, doubtful.problems], [{}, ['the order is not in the message']], telling)
  }
})

test('an order that the bank names only by its UETR is found', async () => {
  const uetr = '8a562c67-ca16-48ba-b074-65581be6f011'
  const orders = [{ ...orderOf(1), uetr }, orderOf(2)]
  const message: SentMessage = { ...sent, payments: [{ paymentId: 'a1-1', orders }] }
  const status = (ids: string) =>
    statusLines(message, { payments: { 'a1-1': 'PART' }, group: null })
      .join('\n')
      .replace('</OrgnlPmtInfAndSts>', `<TxInfAndSts>${ids}<TxSts>ACSC</TxSts></TxInfAndSts></OrgnlPmtInfAndSts>`)
  const found = await judge(
    status(`<OrgnlEndToEndId>NOTPROVIDED</OrgnlEndToEndId><OrgnlUETR>${uetr.toUpperCase()}</OrgnlUETR>`),
    [message],
  )
  assert.deepEqual({ meanings: found.meanings, problems: found.problems }, { meanings: { 1: 'paid' }, problems: [] })
  const other = await judge(status(`<OrgnlEndToEndId>other</OrgnlEndToEndId><OrgnlUETR>${uetr}</OrgnlUETR>`), [message])
  assert.deepEqual([other.meanings, other.problems], [{}, ['the order is not in the message']])
})

test('two reports in one file are judged separately', async () => {
  const paid = statusLines(sent, { orders: { [legIdOf(1)]: { code: 'ACSC' } } }).slice(1)
  const refused = statusLines(sent, { orders: { [legIdOf(2)]: { code: 'RJCT' } } }).slice(1)
  const { meanings, problems } = await judge(['<Envelope>', ...paid, ...refused, '</Envelope>'].join('\n'))
  assert.deepEqual({ meanings, problems }, { meanings: { 1: 'paid', 2: 'rejected' }, problems: [] })
})

test('files that are not reports cause a problem', async () => {
  const doctype = '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><Document/>'
  for (const text of ['', 'text', '<Document/>', '<a><b></a>', doctype, '<a/>'.repeat(2)]) {
    const { reports, problems } = await readWholeReports(Buffer.from(text))
    assert.deepEqual(reports, [])
    assert.equal(problems.at(-1)?.scope, 'file', text)
  }
  const unknown = await judge(statusLines(sent, { group: 'ACTC' }, '99').join('\n'))
  assert.deepEqual(unknown.problems, ['version 99 of the message. Versions 3 to 15 are known'])
  assert.equal(unknown.outcomes.length, 5)
})

test('the answer to a request to cancel is judged by its orders, or as a whole', async () => {
  const recall: SentMessage = {
    ...sent,
    messageId: 'r1',
    messageName: 'camt.055.001.08',
    payments: [{ paymentId: 'a1-1', orders: [orderOf(1)] }],
  }
  for (const version of ['03', '06', '09', '14']) {
    for (const [code, { meaning }] of Object.entries(recallStatusCodes)) {
      const whole = await judge(recallAnswerLines(sent, { conclusion: code }, version).join('\n'), [sent, recall])
      assert.deepEqual(whole.meanings, meaning === 'mixed' ? {} : { 1: meaning }, code)
      assert.equal(whole.problems.length, meaning === 'mixed' ? 1 : 0)
    }
    const orders = { [legIdOf(1)]: { code: 'ACCR' }, [legIdOf(2)]: { code: 'RJCR', reason: 'NOAS' } }
    const answer = await judge(recallAnswerLines(sent, { conclusion: 'PECR', orders }, version).join('\n'), [
      sent,
      recall,
    ])
    assert.deepEqual(answer.meanings, { 1: 'canceled', 2: 'kept' })
    assert.deepEqual(answer.outcomes[1]?.reasons, [{ code: 'NOAS', text: 'See reason' }])
    assert.deepEqual(answer.problems, [])
    assert.deepEqual(answer.reports.flatMap(messageIdsOf), ['r1', 'a1'])
  }
  for (const conclusion of ['MODI', 'XXXX', null]) {
    const other = await judge(recallAnswerLines(sent, { conclusion }).join('\n'), [sent, recall])
    assert.deepEqual({ ...other.meanings, problems: other.problems.length }, { problems: 1 })
  }
  for (const [conclusion, expected] of [
    ['CNCL', { 1: 'canceled' }],
    ['RJCR', { 1: 'kept' }],
    ['PECR', {}],
  ] as const) {
    // Many banks name the order and the reason, and give the result only for the whole request.
    const named = recallAnswerLines(sent, { conclusion, orders: { [legIdOf(1)]: { code: 'ACCR', reason: 'LEGL' } } })
      .filter((line) => !line.startsWith('<NbOfTxsPerCxlSts>'))
      .map((line) => line.replace('<TxCxlSts>ACCR</TxCxlSts>', ''))
    // The bank may leave out our message and payment.
    for (const lines of [
      named,
      named.map((line) => line.replace(/<OrgnlPmtInfAndSts>.*/, '').replace('</OrgnlPmtInfAndSts>', '')),
    ]) {
      const answer = await judge(lines.join('\n'), [sent, recall])
      assert.deepEqual(answer.meanings, expected, lines.join('\n'))
      assert.equal(answer.problems.length, conclusion === 'PECR' ? 1 : 0)
      if (conclusion !== 'PECR') assert.deepEqual(answer.outcomes[0]?.reasons, [{ code: 'LEGL', text: 'See reason' }])
    }
  }
  const unknown = await judge(recallAnswerLines(sent, { conclusion: 'CNCL', caseId: 'r2' }).join('\n'), [sent, recall])
  assert.deepEqual({ ...unknown.meanings, problems: unknown.problems.length }, { problems: 1 })
})
