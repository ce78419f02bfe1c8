import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { readCsvMapping } from '../src/money/statement/csv-mapping-rules.ts'
import { readStatements } from '../src/money/statement/statement-read-actions.ts'
import type { StatementFormat } from '../src/money/statement/statement-types.ts'
import {
  bai2Lines,
  CAMT_TAIL,
  CSV_MAPPING,
  camtEntry,
  camtHead,
  csvLines,
  SAMPLE_DAY,
  type SampleLine,
} from '../test/support/statement-files.ts'

// npm run bench-statements: reads a large statement of each format, and prints seconds of CPU and the highest memory of the process.

const { values: flags } = parseArgs({ options: { megabytes: { type: 'string', default: '200' } } })
const targetBytes = Number(flags.megabytes) * 1_000_000
const folder = await mkdtemp(join(tmpdir(), 'remit-statements-'))

const line = (number: number): SampleLine => ({
  cents: number % 3 === 0 ? -(number % 99_991) - 1 : (number % 99_991) + 1,
  code: number % 3 === 0 ? '451' : '142',
  reference: `R${number}`,
  text: `ACH BATCH ${number} OF A LARGE STATEMENT`,
})

const NONE = { account: '123456789', openingCents: 0, lines: [] }

/** Writes a file line by line. Its totals are those of an empty statement. */
function* contentOf(format: StatementFormat): Generator<string> {
  const frames = { bai2: bai2Lines(NONE), camt: [...camtHead(NONE), ...CAMT_TAIL], csv: csvLines(NONE) }
  const tail = { bai2: 3, camt: CAMT_TAIL.length, csv: 1 }[format]
  const rows: Record<StatementFormat, (one: SampleLine) => string> = {
    bai2: ({ code, cents, reference, text }) => `16,${code},${Math.abs(cents)},Z,,${reference},${text}`,
    camt: (one) => camtEntry(one),
    csv: ({ cents, reference, text }) => `${SAMPLE_DAY},"${text}",${reference},${(cents / 100).toFixed(2)},`,
  }
  const frame = frames[format]
  yield `${frame.slice(0, -tail).join('\n')}\n`
  let bytes = 0
  for (let number = 0; bytes < targetBytes; number += 1000) {
    const text = Array.from({ length: 1000 }, (_, index) => `${rows[format](line(number + index))}\n`).join('')
    bytes += text.length
    yield text
  }
  yield `${frame.slice(-tail).join('\n')}\n`
}

const megabytes = (bytes: number): number => Math.round(bytes / 1_000_000)

try {
  for (const format of ['bai2', 'camt', 'csv'] as const) {
    const path = join(folder, format)
    await pipeline(Readable.from(contentOf(format)), createWriteStream(path))
    const { mapping } = readCsvMapping(CSV_MAPPING)
    const started = process.cpuUsage()
    let lines = 0
    let peak = 0
    for await (const event of readStatements(createReadStream(path), { format, mapping, today: '2026-03-10' })) {
      if (event.type !== 'line' || ++lines % 10_000 !== 0) continue
      peak = Math.max(peak, process.memoryUsage.rss())
    }
    const { user, system } = process.cpuUsage(started)
    const seconds = ((user + system) / 1_000_000).toFixed(1)
    console.log(
      `${format}: ${flags.megabytes} MB, ${lines} lines, ${seconds} s of CPU, at most ${megabytes(peak)} MB of memory`,
    )
    await rm(path)
  }
} finally {
  await rm(folder, { recursive: true })
}
