import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { CHARACTER_SETS, CREDIT_TRANSFERS } from '../src/foundation/core/connections.ts'
import { buildCreditTransfer, orderProblems } from '../src/money/iso20022/message/credit-transfer-rules.ts'
import { openMessageSchemas } from '../src/money/iso20022/message/message-schema-actions.ts'
import type { CreditOrder, SentMessage } from '../src/money/iso20022/message/message-types.ts'
import { judgeReport } from '../src/money/iso20022/report/report-judgement-rules.ts'
import { readWholeReports } from '../src/money/iso20022/report/report-read-actions.ts'
import { legIdOf, sampleAccounts, sampleOrder, sampleTerms } from './support/iso-messages.ts'
import { recallAnswerLines, statusLines } from './support/iso-reports.ts'
import { ISO_SCHEMAS, withoutSchemas } from './support/iso-schemas.ts'
import { joined, type Mutation, mutationsBy } from './support/mutations.ts'
import { randomFrom, seedFrom } from './support/seed.ts'

// A valid answer about 20 orders is changed in one place. Each leg must have its former outcome, or none and a problem.
// MUTATIONS is the number of changed files of each format, and MUTATION_SEED repeats a run.

const MUTATIONS = Number(process.env.MUTATIONS ?? 200)
const SEED = process.env.MUTATIONS || process.env.MUTATION_SEED ? seedFrom('MUTATION_SEED') : 47
const { below, pick, garbage, changeByte, changeLine, changePiece, changeEncoding, changeLineEnds } = mutationsBy(
  randomFrom(SEED),
)

const orders = Array.from({ length: 20 }, (_, index) => ({
  legId: legIdOf(index * 7_919 + 1),
  cents: index * 1_013 + 1,
  currency: 'USD',
  uetr: null,
}))

const sent: SentMessage = {
  messageId: 'a1',
  messageName: 'pain.001.001.09',
  payments: [
    { paymentId: 'a1-1', orders: orders.slice(0, 12) },
    { paymentId: 'a1-2', orders: orders.slice(12) },
  ],
}

const answersOf = (codes: readonly string[], legs: readonly { legId: string }[]) =>
  Object.fromEntries(
    legs.map(({ legId }, index) => [legId, { code: codes[index % codes.length] as string, reason: 'AC04' }]),
  )

const FILES: Record<string, string[]> = {
  'pain.002': statusLines(sent, { orders: answersOf(['ACSC', 'RJCT', 'ACSP'], orders) }),
  'camt.029': recallAnswerLines(sent, {
    conclusion: 'PECR',
    orders: answersOf(['ACCR', 'RJCR', 'PDCR'], orders.slice(0, 12)),
  }),
}

async function read(bytes: Buffer) {
  const { reports, problems } = await readWholeReports(bytes)
  const judged = reports.map((report) => judgeReport(report, [sent]))
  return {
    outcomes: new Map(judged.flatMap((one) => one.outcomes.map(({ legId, meaning }) => [legId, meaning] as const))),
    problems: [...problems, ...judged.flatMap((one) => one.problems)],
  }
}

const mutate = (content: readonly string[]): Mutation =>
  pick([
    () => changeByte(joined(content)),
    () => changeByte(joined(content)),
    () => changeByte(joined(content)),
    () => changePiece(content, /(?=[<>])/),
    () => changePiece(content, /(?=[<>])/),
    () => changePiece(content, /(?=[<>])/),
    () => changeLine(content, { hasTotals: true }),
    () => changeEncoding(joined(content)),
    () => changeLineEnds(content),
  ])()

for (const [format, content] of Object.entries(FILES)) {
  const unchanged = await read(Buffer.from(joined(content)))

  test(`the unchanged ${format} file is read without problems`, () => {
    assert.deepEqual(unchanged.problems, [])
    assert.equal(unchanged.outcomes.size, format === 'pain.002' ? 20 : 12)
  })

  test(`${MUTATIONS} changed ${format} files: each outcome is unchanged, or there is a problem (seed ${SEED})`, async () => {
    let used = 0
    for (let round = 0; round < MUTATIONS; round++) {
      const { what, bytes } = mutate(content)
      const context = () => `round ${round}, MUTATION_SEED=${SEED}: ${what}\n${bytes.toString('latin1')}`
      const { outcomes, problems } = await read(bytes).catch((error) => {
        throw new Error(context(), { cause: error })
      })
      used += outcomes.size
      for (const [legId, meaning] of outcomes) assert.equal(meaning, unchanged.outcomes.get(legId), context())
      if (problems.length === 0) assert.deepEqual(outcomes, unchanged.outcomes, context())
    }
    assert.ok(used > MUTATIONS * unchanged.outcomes.size * 0.4, `most files are still used: ${used}`)
  })
}

/** Texts that people type, paste and import. */
const TEXTS = [
  '',
  ' ',
  'Łódź',
  'ß',
  'Ø & Co.',
  '王',
  '🎂',
  '<b>',
  ']]>',
  '&amp;',
  '\u0000',
  '\ud800',
  '\u202e',
  '-',
  '/',
  'a//b',
  'é',
  'x'.repeat(36),
  'ß'.repeat(71),
  '\ufffe',
  "'",
  'N/A',
  'DE',
  'US',
  'UK',
  '12.3',
  '021200025',
]

test(`${MUTATIONS} orders with unusual values: each is refused or results in a valid message (seed ${SEED})`, {
  skip: withoutSchemas,
}, async () => {
  const schemas = await openMessageSchemas(ISO_SCHEMAS)
  after(() => schemas.dispose())
  let written = 0
  for (let round = 0; round < MUTATIONS; round++) {
    const terms = { ...sampleTerms, creditTransfer: pick(CREDIT_TRANSFERS), characters: pick(CHARACTER_SETS) }
    const order = changedOrder(sampleOrder(round))
    const problems = orderProblems({ terms, order })
    const build = () =>
      buildCreditTransfer({ terms, accounts: sampleAccounts, messageId: 'a1', createdAt: new Date(0), orders: [order] })
    const context = `round ${round}: ${JSON.stringify(order)}`
    if (problems.length > 0) assert.throws(build, { name: 'UnwritableMessage' }, context)
    else {
      written++
      assert.doesNotThrow(() => schemas.validate(build().xml), context)
    }
  }
  assert.ok(written > MUTATIONS * 0.2, `${written} were written`)
})

/** Replaces one text of an order, at any depth. */
function changedOrder(order: CreditOrder): CreditOrder {
  const changed = structuredClone(order)
  const places: { parent: Record<string, unknown>; key: string }[] = []
  const visit = (parent: object) => {
    for (const [key, value] of Object.entries(parent)) {
      if (typeof value === 'object' && value !== null) visit(value)
      else if (!['rail', 'accountId', 'executeOn', 'cents'].includes(key))
        places.push({ parent: parent as Record<string, unknown>, key })
    }
  }
  visit(changed)
  const { parent, key } = pick(places)
  parent[key] = pick([...TEXTS, garbage(1 + below(40)), null])
  return changed
}
