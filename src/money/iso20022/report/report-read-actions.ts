import { FrameProblem } from '../../statement/text-line-rules.ts'
import { createTextStream } from '../../statement/text-stream-rules.ts'
import { createReportReader } from './report-read-rules.ts'
import type { ReportEvent, ReportProblem, WholeReport } from './report-types.ts'

/** The maximum number of problems. A file with more has another format, or comes from another bank. */
const MAX_PROBLEMS = 10_000

/**
 * Reads a file of answers in pieces, in any encoding and with limited memory. Never throws because of the content: if the end of a file
 * cannot be read, there is a problem with the scope `file`.
 */
export async function* readReports(source: AsyncIterable<Buffer>): AsyncGenerator<ReportEvent> {
  const events: ReportEvent[] = []
  const text = createTextStream()
  let problems = 0
  const reader = createReportReader((event) => {
    events.push(event)
    if (event.type !== 'problem' || ++problems < MAX_PROBLEMS) return
    throw new FrameProblem(event.problem.place, 'the file has too many problems. The rest of it was not read')
  })
  try {
    for await (const bytes of source) {
      reader.write(text.write(bytes))
      yield* events.splice(0)
    }
    reader.write(text.end())
    reader.end()
    yield* events.splice(0)
  } catch (error) {
    yield* events.splice(0)
    if (!(error instanceof FrameProblem)) throw error
    yield { type: 'problem', problem: { scope: 'file', place: error.place, message: error.message } }
  }
}

/** Reads a whole file from memory. */
export async function readWholeReports(bytes: Buffer): Promise<{ reports: WholeReport[]; problems: ReportProblem[] }> {
  const reports: WholeReport[] = []
  const problems: ReportProblem[] = []
  let open: WholeReport | null = null
  for await (const event of readReports(piecesOf(bytes))) {
    if (event.type === 'problem') problems.push(event.problem)
    if (event.type === 'report') {
      open = { ...event.report, statuses: [], isComplete: false }
      reports.push(open)
    }
    if (event.type === 'status') open?.statuses.push(event.status)
    if (event.type === 'end' && open) open.isComplete = true
  }
  return { reports, problems }
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
