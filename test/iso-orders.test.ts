import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { MessageTerms } from '../src/foundation/core/connections.ts'
import { readCreditTransfer } from '../src/money/iso20022/message/credit-transfer-read-rules.ts'
import {
  buildCreditTransfer,
  orderProblems,
  UnwritableMessage,
  uetrOf,
} from '../src/money/iso20022/message/credit-transfer-rules.ts'
import {
  InvalidMessage,
  openMessageSchemas,
  UnusableSchema,
} from '../src/money/iso20022/message/message-schema-actions.ts'
import type { CreditOrder } from '../src/money/iso20022/message/message-types.ts'
import { RECALL_REASONS, type RecallReason } from '../src/money/iso20022/message/recall-rules.ts'
import {
  legIdOf,
  olderTerms,
  ourBank,
  sampleAccounts,
  sampleOrder,
  sampleRecall,
  sampleTerms,
} from './support/iso-messages.ts'
import { ISO_SCHEMAS, withoutSchemas } from './support/iso-schemas.ts'
import { keepMessage } from './support/kept-messages.ts'

const createdAt = new Date('2026-11-28T10:00:00.987Z')
const BOTH = [sampleTerms, olderTerms]

const messageOf = (terms: MessageTerms, orders: readonly CreditOrder[]) =>
  buildCreditTransfer({ terms, accounts: sampleAccounts, messageId: 'a1', createdAt, orders })

const count = (xml: string, element: string): number => xml.split(`<${element}>`).length - 1
const textsOf = (xml: string, element: string): string[] =>
  [...xml.matchAll(new RegExp(`<${element}(?: [^>]*)?>([^<]*)</${element}>`, 'g'))].map(([, text]) => text as string)

const schemas = withoutSchemas ? null : await openMessageSchemas(ISO_SCHEMAS)
after(() => schemas?.dispose())

/** Every message of the tests is validated if the schemas are available. */
function validOrder(terms: MessageTerms, orders: readonly CreditOrder[]) {
  const built = messageOf(terms, orders)
  schemas?.validate(keepMessage(built.xml))
  return built
}

const problemsOf = (changes: Partial<CreditOrder>, terms = sampleTerms) =>
  orderProblems({ terms, order: sampleOrder(1, changes) }).map(({ place, message }) => `${place} ${message}`)

test('the orders of a message can be read again, as a recovery after a restore does', () => {
  for (const terms of BOTH) {
    const orders = Array.from({ length: 60 }, (_, index) => sampleOrder(index))
    const days = new Map(orders.map(({ legId, executeOn }) => [legId, executeOn]))
    const { xml, sent } = validOrder(terms, orders)
    const written = sent.payments.flatMap(({ paymentId: payment, orders: own }) =>
      own.map((order) => ({ ...order, message: sent.messageName, payment, executeOn: days.get(order.legId) })),
    )
    assert.deepEqual(readCreditTransfer(xml), written)
    assert.equal(written.length, 60)
  }
})

test('orders of one account, rail and day share a payment, and each order has the id of its leg', () => {
  for (const terms of BOTH) {
    const orders = Array.from({ length: 60 }, (_, index) => sampleOrder(index))
    const { xml, sent } = validOrder(terms, orders)
    const groups = new Set(orders.map(({ rail, accountId, executeOn }) => `${rail} ${accountId} ${executeOn}`))
    assert.equal(count(xml, 'PmtInf'), groups.size)
    assert.deepEqual(textsOf(xml, 'EndToEndId').sort(), orders.map(({ legId }) => legId).sort())
    assert.deepEqual(textsOf(xml, 'NbOfTxs').slice(0, 1), ['60'])
    const cents = textsOf(xml, 'InstdAmt').map((text) => Number(text.replace('.', '')))
    assert.deepEqual(cents.sort(), orders.map((order) => order.cents).sort())
    const [whole, ...parts] = textsOf(xml, 'CtrlSum').map((text) => Number(text.replace('.', '')))
    assert.equal(
      whole,
      orders.reduce((sum, order) => sum + order.cents, 0),
    )
    assert.equal(
      whole,
      parts.reduce((sum, part) => sum + part, 0),
    )
    assert.deepEqual(
      sent.payments.flatMap((payment) => payment.orders.map(({ legId }) => legId)).sort(),
      orders.map(({ legId }) => legId).sort(),
    )
    assert.deepEqual(
      sent.payments.map(({ paymentId }) => paymentId),
      textsOf(xml, 'PmtInfId'),
    )
  }
})

test('both versions and all character sets result in valid messages', { skip: withoutSchemas }, () => {
  for (const terms of BOTH)
    for (const characters of ['swift', 'ascii', 'unicode'] as const)
      validOrder(
        { ...terms, characters },
        Array.from({ length: 30 }, (_, index) => sampleOrder(index)),
      )
})

test('amounts are exact, from one cent to the largest, in any currency', () => {
  const amountOf = (cents: number, currency: string) =>
    textsOf(validOrder(sampleTerms, [sampleOrder(1, { cents, currency })]).xml, 'InstdAmt')[0]
  assert.equal(amountOf(1, 'USD'), '0.01')
  assert.equal(amountOf(999_999_999_999_999, 'USD'), '9999999999999.99')
  assert.equal(amountOf(1_234, 'JPY'), '1234')
  assert.equal(amountOf(1_234, 'KWD'), '1.234')
  const sumOf = (orders: CreditOrder[]) => textsOf(validOrder(sampleTerms, orders).xml, 'CtrlSum')[0]
  assert.equal(
    sumOf([sampleOrder(1, { cents: 1, currency: 'KWD' }), sampleOrder(2, { cents: 1, currency: 'JPY' })]),
    '1.001',
  )
  assert.deepEqual(problemsOf({ cents: 0 }), ['Amt/InstdAmt must be a positive amount'])
  assert.deepEqual(problemsOf({ cents: -1 }), ['Amt/InstdAmt must be a positive amount'])
  assert.throws(() => problemsOf({ cents: 0.5 }), RangeError)
})

test('names are written with the characters of the bank, and a letter that cannot be replaced is reported', () => {
  const nameFor = (name: string, characters: MessageTerms['characters']) => {
    const order = sampleOrder(1, { creditor: { ...sampleOrder(1).creditor, name } })
    return textsOf(validOrder({ ...sampleTerms, characters }, [order]).xml, 'Nm').at(-1)
  }
  assert.equal(nameFor('Łódź & Ødegård “ß” @home', 'swift'), "Lodz + Odegard 'ss' .home")
  assert.equal(nameFor('Łódź & Ødegård “ß” @home', 'ascii'), 'Lodz &amp; Odegard &quot;ss&quot; @home')
  assert.equal(nameFor('Łódź 王', 'unicode'), 'Łódź 王')
  assert.equal(nameFor('Пётр\n\tИванов', 'swift'), 'Petr Ivanov')
  assert.equal(nameFor("a  <b> 'c'", 'unicode'), "a &lt;b&gt; 'c'")
  const creditor = { ...sampleOrder(1).creditor, name: 'Wang 王 🎂' }
  assert.deepEqual(problemsOf({ creditor }), [
    'Cdtr/Nm has a character that the bank cannot read: “王” (U+738B), “🎂” (U+1F382)',
  ])
  assert.deepEqual(problemsOf({ creditor: { ...creditor, name: ' .- ' } }), ['Cdtr/Nm must have a letter or a digit'])
})

test('an order that lacks data that its rail needs is refused, with the element named', () => {
  const { creditor } = sampleOrder(1)
  const address = { street: null, building: null, postalCode: null, town: '', region: null, country: 'UK' }
  const rows: [Partial<CreditOrder>, string[]][] = [
    [{ creditor: { ...creditor, address: null } }, ['Cdtr/PstlAdr/TwnNm is missing', 'Cdtr/PstlAdr/Ctry is missing']],
    [{ rail: 'RTP', creditor: { ...creditor, address: null } }, []],
    [
      { creditor: { ...creditor, address } },
      ['Cdtr/PstlAdr/TwnNm is missing', 'Cdtr/PstlAdr/Ctry is not the code of a country (ISO 3166)'],
    ],
    [{ creditor: { ...creditor, name: '' } }, ['Cdtr/Nm is missing']],
    [{ creditor: { ...creditor, name: 'ß'.repeat(71) } }, ['Cdtr/Nm has more than 140 characters']],
    [
      { creditor: { ...creditor, account: { iban: 'DE89370400440532013001' } } },
      ['CdtrAcct/Id/IBAN is not an IBAN: its check digits do not match'],
    ],
    [{ creditor: { ...creditor, account: { number: '' } } }, ['CdtrAcct/Id/Othr/Id is missing']],
    [{ creditorBank: { ...ourBank, bic: 'DEUT' } }, ['CdtrAgt/FinInstnId/BICFI is not a BIC']],
    [
      { creditorBank: { ...ourBank, bic: null, clearingNumber: null } },
      ['CdtrAgt/FinInstnId/ClrSysMmbId/MmbId is missing'],
    ],
    [
      { creditorBank: { ...ourBank, bic: null, clearingNumber: '091000018' } },
      ['CdtrAgt/FinInstnId/ClrSysMmbId/MmbId is not a routing number: its check digit does not match'],
    ],
    [
      { intermediaryBank: { ...ourBank, bic: null, clearingNumber: null } },
      ['IntrmyAgt1/FinInstnId/ClrSysMmbId/MmbId is missing'],
    ],
    [{ memo: 'x'.repeat(141) }, ['RmtInf/Ustrd has more than 140 characters']],
    [{ purpose: 'supplier' }, ['Purp/Cd must be a code of up to 4 capital letters and digits']],
    [
      { legId: 'a//b' },
      ['PmtId/InstrId', 'PmtId/EndToEndId'].map(
        (place) => `${place} must be an id of letters, digits and /-?:().,'+ without "//"`,
      ),
    ],
    [{ currency: 'usd' }, ['Amt/InstdAmt is missing']],
  ]
  for (const [changes, problems] of rows) assert.deepEqual(problemsOf(changes), problems)
})

test('data that an agreement requires is required: regulatory text, maximum name length, terms of a rail', () => {
  const withTerms = (rail: object): MessageTerms => ({
    ...sampleTerms,
    rails: { SWIFT: { ...sampleTerms.rails.SWIFT, ...rail } as never },
  })
  assert.deepEqual(problemsOf({ regulatoryText: null }, withTerms({ needsRegulatoryText: true })), [
    'RgltryRptg/Dtls/Inf is missing',
  ])
  assert.deepEqual(problemsOf({}, withTerms({ nameLength: 10 })), ['Cdtr/Nm has more than 10 characters'])
  assert.deepEqual(problemsOf({ rail: 'RTP' }, withTerms({})), ['PmtTpInf has no terms for RTP'])
  const long =
    'This text has several lines of thirty-five letters, and an-unbreakable-word-of-more-than-thirty-five-letters'
  const lines = textsOf(validOrder(sampleTerms, [sampleOrder(1, { regulatoryText: long })]).xml, 'Inf')
  assert.equal(lines.join('').replaceAll(' ', ''), long.replaceAll(' ', ''))
  assert.ok(lines.every((line) => line.length <= 35))
})

test('a message has each leg once, and none is written if one of its orders cannot be written', () => {
  assert.throws(() => messageOf(sampleTerms, [sampleOrder(1), sampleOrder(1)]), /a leg comes twice/)
  assert.throws(() => messageOf(sampleTerms, []), /at least one order/)
  assert.throws(
    () => messageOf(sampleTerms, [sampleOrder(1), sampleOrder(2, { accountId: 'closed' })]),
    /no account closed/,
  )
  assert.throws(() => messageOf(sampleTerms, [sampleOrder(1), sampleOrder(2, { cents: 0 })]), UnwritableMessage)
})

test('the UETR of a leg is always the same UUID of version 4, and only where the bank wants it', () => {
  assert.equal(uetrOf('a'), uetrOf('a'))
  assert.notEqual(uetrOf('a'), uetrOf('b'))
  const without = { ...sampleTerms, rails: { SWIFT: { ...sampleTerms.rails.SWIFT, hasUetr: false } as never } }
  for (const [terms, uetr] of [
    [sampleTerms, uetrOf(legIdOf(1))],
    [olderTerms, null],
    [without, null],
  ] as const) {
    const { xml, sent } = validOrder(terms, [sampleOrder(1)])
    assert.deepEqual(textsOf(xml, 'UETR'), uetr === null ? [] : [uetr])
    assert.equal(sent.payments[0]?.orders[0]?.uetr, uetr)
  }
})

test('a request to cancel names the order as it was sent', () => {
  for (const terms of BOTH) {
    for (const reason of Object.keys(RECALL_REASONS) as RecallReason[]) {
      const { xml, sent } = sampleRecall(terms, reason)
      assert.deepEqual(textsOf(xml, 'OrgnlEndToEndId'), [legIdOf(1)])
      assert.deepEqual(textsOf(xml, 'OrgnlPmtInfId'), ['a1-1'])
      assert.deepEqual(textsOf(xml, 'OrgnlMsgNmId'), [terms.creditTransfer])
      assert.deepEqual(textsOf(xml, 'OrgnlInstdAmt'), ['10.14'])
      assert.deepEqual(textsOf(xml, 'OrgnlUETR'), terms === olderTerms ? [] : [uetrOf(legIdOf(1))])
      assert.equal(textsOf(xml, 'Cd').at(-1), reason)
      assert.equal(sent.messageId, 'r1')
    }
  }
})

test('a message that a schema refuses is reported with the place and the leg, and without a value', {
  skip: withoutSchemas,
}, () => {
  const { xml } = messageOf(sampleTerms, [sampleOrder(1), sampleOrder(2)])
  const rows: [from: string, to: string, message: RegExp][] = [
    [
      '<Ctry>DE</Ctry>',
      '<Ctry>secret</Ctry>',
      /Cdtr\/PstlAdr\/Ctry: does not have the form \[A-Z\]\{2,2\} \(pain\.001\.001\.09\.xsd\)$/,
    ],
    ['<PmtMtd>TRF</PmtMtd>', '<PmtMtd>secret</PmtMtd>', /PmtInf\/PmtMtd: is none of the codes/],
    ['<Nm>Grosse Strasse Ost GmbH</Nm>', `<Nm>${'secret'.repeat(30)}</Nm>`, /Cdtr\/Nm: has more than 140 characters/],
    [
      '<CreDtTm>2026-11-28T10:00:00Z</CreDtTm>',
      '',
      /GrpHdr\/NbOfTxs: is not allowed here\. The schema expects CreDtTm/,
    ],
    ['InstdAmt Ccy="USD"', 'InstdAmt', /Amt\/InstdAmt: needs the attribute Ccy/],
    ['>10.14</InstdAmt', '>secret</InstdAmt', /Amt\/InstdAmt: is no ActiveOrHistoricCurrencyAndAmount_SimpleType/],
    ['>10.14</InstdAmt', '>10.1434567</InstdAmt', /Amt\/InstdAmt: has too many digits/],
  ]
  for (const [from, to, message] of rows) {
    assert.ok(xml.includes(from), from)
    assert.throws(
      () => schemas?.validate(xml.replace(from, to)),
      (error: InvalidMessage) => {
        assert.ok(error instanceof InvalidMessage)
        assert.match(error.message, message)
        assert.ok(!JSON.stringify([error.message, error.faults]).includes('secret'))
        const isInOrder = error.faults[0]?.place.includes('CdtTrfTxInf')
        assert.equal(error.faults[0]?.legId, isInOrder ? legIdOf(1) : null)
        return true
      },
    )
  }
  schemas?.validate(xml)
  assert.throws(() => schemas?.validate(xml.replaceAll('pain.001.001.09', 'pain.001.001.99')), /no schema for/)
})

test('each schema of a namespace must accept a message, and a file that is not a schema is refused', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'remit-schemas-'))
  t.after(() => rm(folder, { recursive: true }))
  const namespace = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09'
  const schemaOf = (content: string) =>
    `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="${namespace}" elementFormDefault="qualified">${content}</xs:schema>`
  const anything =
    '<xs:element name="Document"><xs:complexType><xs:sequence><xs:any processContents="skip"/></xs:sequence></xs:complexType></xs:element>'
  const { xml } = messageOf(sampleTerms, [sampleOrder(1)])
  await writeFile(join(folder, 'a.xsd'), schemaOf(anything))
  const one = await openMessageSchemas(folder)
  assert.deepEqual(one.namespaces, [namespace])
  one.validate(xml)
  one.dispose()
  await writeFile(join(folder, 'b.xsd'), schemaOf('<xs:element name="Document" type="xs:date"/>'))
  const both = await openMessageSchemas(folder)
  assert.throws(() => both.validate(xml), /\(b\.xsd\)$/)
  both.dispose()
  for (const text of [
    '',
    'no XML',
    '<a/>',
    schemaOf('<xs:element name="Document" type="missing"/>'),
    schemaOf('<xs:include schemaLocation="/etc/hostname"/>'),
  ]) {
    await writeFile(join(folder, 'c.xsd'), text)
    await assert.rejects(openMessageSchemas(folder), UnusableSchema)
  }
})
