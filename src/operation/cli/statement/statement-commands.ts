import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { addDays, formatDate } from '../../../foundation/lib/clock.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { neutralText } from '../../../foundation/lib/text/plain-text.ts'
import { type CsvMapping, readCsvMapping } from '../../../money/statement/csv-mapping-rules.ts'
import { readStatements } from '../../../money/statement/statement-read-actions.ts'
import type { StatementEvent, StatementFormat } from '../../../money/statement/statement-types.ts'
import type { CommandFlags } from '../command-flags.ts'
import { createStatementPrinter } from './statement-printer.ts'

/** Runs `remit statements show FILE`, which needs no database. @returns 1 if a value is in doubt @throws StartProblem */
export async function runShowStatement(
  { format, mapping, json }: CommandFlags,
  [, path = '']: string[],
): Promise<number> {
  const options = {
    format: (format ?? null) as StatementFormat | null,
    mapping: mapping === undefined ? null : await readMapping(mapping),
    // In the time zone of the bank, it may already be the next day.
    today: formatDate(addDays(new Date(), 1)),
  }
  const printer = createStatementPrinter()
  const textOf = json ? (event: StatementEvent) => `${neutralText(JSON.stringify(event))}\n` : printer.print
  let hasProblem = false
  leaveQuietlyOnClosedPipe()
  for await (const event of readStatements(openFile(path), options)) {
    hasProblem ||= event.type === 'problem'
    await write(textOf(event))
  }
  if (!json) await write(printer.end())
  return hasProblem ? 1 : 0
}

async function* openFile(path: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new StartProblem(code === 'ENOENT' ? `${path} does not exist.` : `${path} cannot be read (${code}).`)
  }
}

async function readMapping(path: string): Promise<CsvMapping> {
  const text = await readFile(path, 'utf8').catch(({ code }) => {
    throw new StartProblem(`The mapping ${path} cannot be read (${code}).`)
  })
  const { mapping, problems } = readCsvMapping(parseJson(text))
  if (problems)
    throw new StartProblem([`The mapping ${path} has faults:`, ...problems.map((one) => `  ${one}`)].join('\n'))
  return mapping
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Writes text, and waits while the reader of the output is slower than the file. */
async function write(text: string): Promise<void> {
  if (text !== '' && !process.stdout.write(text)) await once(process.stdout, 'drain')
}

/** Ends the process without an error if the output pipe is closed, as programs such as `head` do. */
function leaveQuietlyOnClosedPipe(): void {
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(0)
  })
}
