import { execFileSync } from 'node:child_process'
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

// npm run foreign-orders: PyPI's pyiso20022 reads orders, requests to cancel and answers of each version. xmllint and
// PyPI's xmlschema validate them if there is a schema. With a FOLDER, also reads all messages in it:
// TEST_MESSAGES=FOLDER node test/run.ts test/orders.test.ts writes the messages of a test there. PYTHON is the Python
// that has both packages: python3 -m venv DIR && DIR/bin/pip install pyiso20022==1.6.2 xsdata==26.2 xmlschema==4.3.2

const ORDERS = 1_000
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
  const orders = xml.includes('<CstmrPmtCxlReq>')
    ? [...xml.matchAll(/<OrgnlEndToEndId>(.*?)<.*?<OrgnlInstdAmt Ccy="(\w+)">(.*?)</gs)].map(
        ([, reference, currency, amount]) => [reference, amount, currency, null],
      )
    : [...xml.matchAll(/<EndToEndId>(.*?)<.*?<InstdAmt Ccy="(\w+)">(.*?)<.*?<Cdtr><Nm>(.*?)</gs)].map(
        ([, reference, currency, amount, name]) => [reference, amount, currency, unescaped(name ?? '')],
      )
  return { name: basename(path, '.xml'), xml, rows: orders }
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

/** Whether xmllint accepts a message, or null without a schema. */
function lint(sample: Sample): boolean | null {
  const schema = join(ISO_SCHEMAS, `${sample.name.replace(/-.*/, '')}.xsd`)
  if (!existsSync(schema)) return null
  try {
    execFileSync('xmllint', ['--nonet', '--noout', '--schema', schema, pathOf(sample)], { stdio: 'pipe' })
    return true
  } catch (error) {
    console.log(String((error as { stderr?: Buffer }).stderr ?? error).slice(0, 500))
    return false
  }
}

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
