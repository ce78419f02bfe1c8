import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { CHARACTER_SETS, type MessageTerms } from '../src/foundation/core/connections.ts'
import { writeText } from '../src/money/iso20022/message/character-set-rules.ts'
import { buildCreditTransfer } from '../src/money/iso20022/message/credit-transfer-rules.ts'
import type { CreditOrder } from '../src/money/iso20022/message/message-types.ts'
import { decimalText } from '../src/money/iso20022/message/value-format-rules.ts'
import { readWholeReports } from '../src/money/iso20022/report/report-read-actions.ts'
import { olderTerms, sampleAccounts, sampleOrder, sampleRecall, sampleTerms } from './support/iso-messages.ts'
import { recallAnswerLines, statusLines } from './support/iso-reports.ts'
import { ISO_SCHEMAS } from './support/iso-schemas.ts'

// npm run foreign-orders: orders, requests to cancel and answers of each version are read by PyPI's pyiso20022 and by Python's own reader of
// XML, and validated by xmllint and PyPI's xmlschema, where there is a schema. With a FOLDER, all messages in it too: TEST_MESSAGES=FOLDER node test/run.ts test/orders.test.ts
// keeps those that the bank of a test has read. PYTHON is the Python that has both packages:
// python3 -m venv DIR && DIR/bin/pip install pyiso20022==1.6.2 xsdata==26.2 xmlschema==4.3.2

const ORDERS = 200
const createdAt = new Date('2026-11-28T10:00:00Z')

/** A message, with the reference, amount, currency and payee of each order. */
type Sample = { name: string; xml: string; rows: unknown[][] }

function orderSample(terms: MessageTerms): Sample {
  const orders = Array.from({ length: ORDERS }, (_, index) => sampleOrder(index))
  const { xml, sent } = buildCreditTransfer({ terms, accounts: sampleAccounts, messageId: 'a1', createdAt, orders })
  const inOrder = sent.payments.flatMap((payment) => payment.orders.map(({ legId }) => legId))
  const rowOf = ({ legId, cents, currency, creditor }: CreditOrder) => [
    legId,
    decimalText(cents, 2),
    currency,
    writeText(creditor.name, terms.characters).text,
  ]
  const rows = inOrder.map((id) => rowOf(orders.find(({ legId }) => legId === id) as CreditOrder))
  return { name: `${terms.creditTransfer}-${terms.characters}`, xml, rows }
}

function recallSample(terms: MessageTerms): Sample {
  const { xml, sent } = sampleRecall(terms)
  const [order] = sent.payments.flatMap(({ orders }) => orders)
  return { name: terms.recall, xml, rows: [[order?.legId, decimalText(order?.cents ?? 0, 2), order?.currency, null]] }
}

/** An answer from the tests. Both readers must find the same content. */
async function answerSample(name: string, lines: readonly string[]): Promise<Sample> {
  const xml = lines.join('\n')
  const { reports } = await readWholeReports(Buffer.from(xml))
  const statuses = reports.flatMap((report) => report.statuses).filter(({ level }) => level === 'transaction')
  return { name, xml, rows: statuses.map(({ endToEndId, code }) => [endToEndId, code]) }
}

function answerSamples(): Promise<Sample[]> {
  const orders = Array.from({ length: ORDERS }, (_, index) => sampleOrder(index))
  const { sent } = buildCreditTransfer({
    terms: sampleTerms,
    accounts: sampleAccounts,
    messageId: 'a1',
    createdAt,
    orders,
  })
  const codesOf = (codes: readonly string[]) =>
    Object.fromEntries(
      orders.map(({ legId }, index) => [legId, { code: codes[index % codes.length] as string, reason: 'AC04' }]),
    )
  return Promise.all([
    ...['03', '10', '12', '14'].map((version) =>
      answerSample(
        `pain.002.001.${version}`,
        statusLines(sent, { orders: codesOf(['ACSC', 'RJCT', 'PDNG']) }, version),
      ),
    ),
    ...['03', '09'].map((version) =>
      answerSample(
        `camt.029.001.${version}`,
        recallAnswerLines(sent, { conclusion: 'PECR', orders: codesOf(['ACCR', 'RJCR']) }, version),
      ),
    ),
  ])
}

const messages = [sampleTerms, olderTerms].flatMap((terms) => [
  ...CHARACTER_SETS.map((characters) => orderSample({ ...terms, characters })),
  recallSample(terms),
])

/** A message that a test stored. The rows are parsed from its text. */
async function keptSample(path: string): Promise<Sample> {
  const xml = await readFile(path, 'utf8')
  const rows = xml.includes('<CstmrPmtCxlReq>')
    ? partsOf(xml, 'TxInf').map((one) => rowOfText(one, 'Orgnl'))
    : partsOf(xml, 'CdtTrfTxInf').map((one) => rowOfText(one, ''))
  return { name: basename(path, '.xml'), xml, rows }
}

/** The contents of all elements with a name. */
const partsOf = (xml: string, name: string): string[] =>
  xml.split(`<${name}>`).flatMap((part, index) => (index === 0 ? [] : (part.split(`</${name}>`)[0] ?? [])))

/** Reads one order. Each pattern is short and looks for one thing, because a pattern for all of them takes minutes if one is missing. */
function rowOfText(order: string, prefix: string): unknown[] {
  const [, reference] = new RegExp(`<${prefix}EndToEndId>([^<]*)<`).exec(order) ?? []
  const [, currency, amount] = new RegExp(`<${prefix}InstdAmt Ccy="(\\w+)">([^<]*)<`).exec(order) ?? []
  const [, name] = /<Cdtr>\s*<Nm>([^<]*)</.exec(order) ?? []
  return [reference, amount, currency, prefix === '' ? unescaped(name ?? '') : null]
}

const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')

const [keptFolder] = process.argv.slice(2)
const kept = keptFolder ? (await readdir(keptFolder)).sort().map((name) => keptSample(join(keptFolder, name))) : []

const samples = [...messages, ...(await answerSamples()), ...(await Promise.all(kept))]

const folder = await mkdtemp(join(tmpdir(), 'remit-orders-'))
const pathOf = ({ name }: Sample) => join(folder, `${name}.xml`)
for (const sample of samples) await writeFile(pathOf(sample), sample.xml)

const script = new URL('./foreign/read-orders.py', import.meta.url).pathname
const lines = execFileSync(process.env.PYTHON ?? 'python3', [script, ISO_SCHEMAS, ...samples.map(pathOf)], {
  encoding: 'utf8',
  maxBuffer: 2 ** 28,
})

const schemaOf = ({ name }: Sample): string => join(ISO_SCHEMAS, `${name.replace(/-.*/, '')}.xsd`)

/** The paths of the messages that xmllint accepts. It runs once for each schema, because reading a schema takes most of its time. */
const accepted = new Set(
  [...Map.groupBy(samples, schemaOf)].flatMap(([schema, some]) => {
    if (!existsSync(schema)) return []
    const { stderr } = spawnSync('xmllint', ['--nonet', '--noout', '--schema', schema, ...some.map(pathOf)], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    })
    const lines = stderr.split('\n')
    for (const line of lines.filter((one) => one.includes(' error ')).slice(0, 10)) console.log(line.slice(0, 500))
    return lines.flatMap((line) => /^(.*) validates$/.exec(line)?.[1] ?? [])
  }),
)

/** Whether xmllint accepts a message, or null without a schema. */
const lint = (sample: Sample): boolean | null => (existsSync(schemaOf(sample)) ? accepted.has(pathOf(sample)) : null)

let faults = 0
let orderCount = 0
const ownCount = samples.length - kept.length
const words = (isValid: boolean | null) => (isValid === null ? 'no schema' : isValid ? 'valid' : 'INVALID')
for (const [index, line] of lines.trim().split('\n').entries()) {
  const sample = samples[index] as Sample
  const { rows, validated, error } = JSON.parse(line)
  const isValid = lint(sample)
  const isSame = isDeepStrictEqual(rows, sample.rows)
  const isWrong = error || !isSame || isValid === false
  if (isWrong) faults++
  if (index >= ownCount) orderCount += sample.rows.length
  if (index >= ownCount && !isWrong) continue
  const result = error ?? `${rows.length} orders, ${isSame ? 'no difference' : 'DIFFERENT'}`
  console.log(
    `${sample.name}: pyiso20022: ${result}; xmllint: ${words(isValid)}; xmlschema: ${words(validated || null)}`,
  )
}
if (keptFolder) console.log(`${kept.length} messages of tests with ${orderCount} orders: ${faults} faults`)
await rm(folder, { recursive: true })
process.exitCode = faults > 0 ? 1 : 0
