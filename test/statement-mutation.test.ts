import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCsvMapping } from '../src/money/statement/csv-mapping-rules.ts'
import { readWholeStatements } from '../src/money/statement/statement-read-actions.ts'
import type { StatementFormat } from '../src/money/statement/statement-types.ts'
import { joined, type Mutation, mutationsBy } from './support/mutations.ts'
import { randomFrom, seedFrom } from './support/seed.ts'
import { bai2Lines, CSV_MAPPING, camtLines, csvLines, type SampleLine } from './support/statement-files.ts'

// A valid statement of 20 lines is changed in one place. Each line must be read unchanged, or there must be a problem.
// MUTATIONS is the number of changed files of each format, and MUTATION_SEED repeats a run.

const MUTATIONS = Number(process.env.MUTATIONS ?? 200)
const SEED = seedFrom('MUTATION_SEED')
const random = randomFrom(SEED)
const { pick, changeByte, changeLine, changePiece, changeEncoding, changeLineEnds } = mutationsBy(random)

const CREDIT_CODES = ['142', '195', '165', '399', '158']
const DEBIT_CODES = ['451', '475', '495', '698', '555']

const lines: SampleLine[] = Array.from({ length: 20 }, (_, index) => {
  const isCredit = index % 3 !== 0
  const cents = (index + 1) * 1_013 + index ** 2
  return {
    cents: isCredit ? cents : -cents,
    code: (isCredit ? CREDIT_CODES : DEBIT_CODES)[index % 5] as string,
    reference: `R${1000 + index}`,
    text: ['ACH NET BATCH', 'O’Neil & Sons', 'INVOICE 12/2026, 50/50', 'Café Übersee'][index % 4] as string,
  }
})

const statement = { account: '123456789', openingCents: 5_000_000, lines }
const mapping = readCsvMapping(CSV_MAPPING).mapping

const FILES: Record<StatementFormat, string[]> = {
  bai2: bai2Lines(statement),
  camt: camtLines(statement),
  csv: csvLines(statement),
}

const AMOUNTS = lines.map(({ cents }) => cents).sort((a, b) => a - b)

async function readAmounts(bytes: Buffer, format: StatementFormat) {
  const { statements, problems } = await readWholeStatements(bytes, { format, mapping, today: '2026-03-10' })
  const read = statements.flatMap((one) => (one.action === 'new' ? one.lines : []))
  const amounts = read.filter(({ status }) => status === 'booked').map(({ cents }) => cents)
  return { amounts: amounts.sort((a, b) => a - b), problems }
}

const mutate = (content: readonly string[], { hasTotals }: { hasTotals: boolean }): Mutation =>
  pick([
    () => changeByte(joined(content)),
    () => changeByte(joined(content)),
    () => changeByte(joined(content)),
    () => changePiece(content, /(?=[,<>])/),
    () => changePiece(content, /(?=[,<>])/),
    () => changeLine(content, { hasTotals }),
    () => changeEncoding(joined(content)),
    () => changeLineEnds(content),
  ])()

for (const [format, content] of Object.entries(FILES) as [StatementFormat, string[]][]) {
  test(`the unchanged ${format} file is read without problems`, async () => {
    assert.deepEqual(await readAmounts(Buffer.from(joined(content)), format), { amounts: AMOUNTS, problems: [] })
  })

  test(`${MUTATIONS} changed ${format} files of 20 lines: each line is read, or there is a problem (seed ${SEED})`, async () => {
    let readCount = 0
    for (let round = 0; round < MUTATIONS; round++) {
      const { what, bytes } = mutate(content, { hasTotals: format !== 'csv' })
      const context = () => `round ${round}, MUTATION_SEED=${SEED}: ${what}\n${bytes.toString('latin1')}`
      const { amounts, problems } = await readAmounts(bytes, format).catch((error) => {
        throw new Error(context(), { cause: error })
      })
      readCount += amounts.length
      // The first balance of a CSV file follows its first line, so nothing proves the amount of that line.
      const isProvable = format !== 'csv' || bytes.includes(content[2] as string)
      if (isProvable && problems.every(({ scope }) => scope === 'field')) assert.deepEqual(amounts, AMOUNTS, context())
    }
    assert.ok(readCount > MUTATIONS * lines.length * 0.5, `most files are still used: ${readCount}`)
  })
}
