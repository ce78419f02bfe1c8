import { createBai2Reader } from './bai2-read-rules.ts'
import { createCamtReader } from './camt-read-rules.ts'
import type { CsvMapping } from './csv-mapping-rules.ts'
import { createCsvReader } from './csv-read-rules.ts'
import type {
  Emit,
  ReadOptions,
  StatementEvent,
  StatementFormat,
  StatementProblem,
  StatementReader,
  WholeStatement,
} from './statement-types.ts'
import { FrameProblem } from './text-line-rules.ts'
import { createTextStream } from './text-stream-rules.ts'

/** The options for reading statements. `format`: null to detect it. `mapping`: the columns of CSV. */
export type ReadStatements = ReadOptions & { format: StatementFormat | null; mapping: CsvMapping | null }

/** The maximum number of problems. A file with more has another format, or comes from another bank. */
const MAX_PROBLEMS = 10_000

/**
 * Reads a file of statements in pieces, with limited memory. Never throws because of the content: a file that cannot be divided into its
 * parts gives one problem.
 */
export async function* readStatements(
  source: AsyncIterable<Buffer>,
  options: ReadStatements,
): AsyncGenerator<StatementEvent> {
  const events: StatementEvent[] = []
  const reading = createReading((event) => events.push(event), options)
  for await (const bytes of source) {
    reading.write(bytes)
    yield* events.splice(0)
    if (reading.isOver()) return
  }
  reading.end()
  yield* events.splice(0)
}

/** Reads a whole file from memory. */
export async function readWholeStatements(
  bytes: Buffer,
  options: ReadStatements,
): Promise<{ statements: WholeStatement[]; problems: StatementProblem[] }> {
  const statements: WholeStatement[] = []
  const problems: StatementProblem[] = []
  let open: Omit<WholeStatement, 'totals'> | null = null
  for await (const event of readStatements(piecesOf(bytes), options)) {
    if (event.type === 'problem') problems.push(event.problem)
    if (event.type === 'statement') open = { ...event.statement, lines: [] }
    if (event.type === 'line') open?.lines.push(event.line)
    if (event.type === 'end' && open) statements.push({ ...open, totals: event.totals })
  }
  return { statements, problems }
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

type Reading = { write(bytes: Buffer): void; end(): void; isOver(): boolean }

function createReading(emit: Emit, options: ReadStatements): Reading {
  const text = createTextStream()
  let begin = ''
  let reader: StatementReader | null = null
  let isOver = false
  let problems = 0
  const counted: Emit = (event) => {
    emit(event)
    if (event.type !== 'problem' || ++problems < MAX_PROBLEMS) return
    throw new FrameProblem(
      event.problem.place,
      `more than ${MAX_PROBLEMS.toLocaleString('en-US')} problems. The rest of the file was not read`,
    )
  }
  const guarded = (work: () => void) => {
    if (isOver) return
    try {
      work()
    } catch (error) {
      if (!(error instanceof FrameProblem)) throw error
      isOver = true
      emit({ type: 'problem', problem: { scope: 'file', place: error.place, message: error.message } })
    }
  }
  const take = (piece: string, { isLast }: { isLast: boolean }) => {
    if (!reader) {
      begin += piece
      if (begin.trim() === '' && !isLast) {
        begin = ''
        return
      }
      reader = openReader(begin, counted, options)
      reader.write(begin)
    } else reader.write(piece)
    if (isLast) reader.end()
  }
  return {
    write: (bytes) => guarded(() => take(text.write(bytes), { isLast: false })),
    end: () => guarded(() => take(text.end(), { isLast: true })),
    isOver: () => isOver,
  }
}

/** Chooses the reader by the first characters of the file. @throws FrameProblem */
function openReader(begin: string, emit: Emit, { format, mapping, today }: ReadStatements): StatementReader {
  const first = begin.trimStart()
  if (first === '') throw new FrameProblem('line 1', 'the file is empty')
  const chosen = format ?? (first.startsWith('<') ? 'camt' : /^0[123]\s*,/.test(first) ? 'bai2' : 'csv')
  if (chosen === 'camt') return createCamtReader(emit, { today })
  if (chosen === 'bai2') return createBai2Reader(emit, { today })
  if (mapping) return createCsvReader(emit, { today, mapping })
  throw new FrameProblem('line 1', 'the file is neither BAI2 nor XML, and CSV needs a mapping')
}
