import { formatDollars } from '../../core/money.ts'
import {
  hasAcknowledgementLabel,
  type NachaAcknowledgement,
  parseNachaAcknowledgements,
} from '../format/nacha-acknowledgement-rules.ts'
import type { Direction } from '../format/nacha-entry-rules.ts'
import { isFileHeader, type NachaProblem, textLines } from '../format/nacha-line-rules.ts'
import {
  type NachaContent,
  type NachaReading,
  parseNachaFiles,
  type ReadCorrection,
  type ReadReturn,
} from '../format/nacha-parse-rules.ts'

/** The content of a file from the bank, or every reason to reject it. Of several NACHA files, at least one is valid. */
export type InboundReading =
  | { kind: 'nacha'; files: NachaReading[] }
  | { kind: 'acknowledgement'; acknowledgements: NachaAcknowledgement[] }
  | { kind: null; problems: string[] }

/**
 * Reads a file from the bank. Never throws. The structure decides the kind of file, because a receiver may be named
 * "Acknowledgment LLC". Bytes are read as Latin-1, so that none beyond ASCII is hidden inside a character.
 */
export function readInbound(bytes: Buffer): InboundReading {
  const text = bytes.toString('latin1')
  const lines = textLines(text)
  const first = lines.findIndex((line) => line.trim() !== '')
  if (first === -1) return refused([{ line: 1, problem: 'the file is empty' }])
  if (isFileHeader(lines[first] ?? '')) return readNacha(text)
  if (lines.some(hasAcknowledgementLabel)) return readAcknowledgements(lines)
  return refused([{ line: first + 1, problem: NEITHER }])
}

const NEITHER =
  'neither the header of a NACHA file (record type 1, with 094101 in positions 35 to 40) nor a labeled line of an acknowledgment'

function readAcknowledgements(lines: readonly string[]): InboundReading {
  const foreign = lines.flatMap((line, index) => {
    const position = line.search(/[^\t\f -~]/) + 1
    return position === 0 ? [] : [{ line: index + 1, problem: `a character outside ASCII at position ${position}` }]
  })
  if (foreign.length > 0) return refused(foreign)
  const { acknowledgements, problems } = parseNachaAcknowledgements(lines.join('\n'))
  return problems.length > 0 ? refused(problems) : { kind: 'acknowledgement', acknowledgements }
}

const readNacha = (text: string): InboundReading => nachaReading(parseNachaFiles(text))

/** Each of several files is judged separately: an invalid one does not stop the others. */
export function nachaReading(files: NachaReading[]): InboundReading {
  if (files.some(({ content }) => content)) return { kind: 'nacha', files }
  const problems = files.flatMap((file) => file.problems)
  return refused(problems, problems.length + files.reduce((sum, file) => sum + moreCountOf(file), 0))
}

const moreCountOf = (file: NachaReading) => (file.content ? 0 : file.problemCount - file.problems.length)

/**
 * The files without repeated ones and those that were applied before. `used`: file names by content hash in
 * hexadecimal.
 */
export function excludeUsed(files: readonly NachaReading[], used: ReadonlyMap<string, string>): NachaReading[] {
  const seen = new Map(used)
  return files.map((file) => {
    if (!file.content) return file
    const { firstLine, lastLine, contentHash } = file
    const content = contentHash.toString('hex')
    const known = seen.get(content)
    if (known === undefined) {
      seen.set(content, `the file in lines ${firstLine} to ${lastLine}`)
      return file
    }
    const problems = [{ line: firstLine, problem: sameContent(known) }]
    return { firstLine, lastLine, content: null, contentHash: null, problems, problemCount: 1 }
  })
}

export const sameContent = (name: string) => `the same content as ${name}, which was used`

/**
 * An entry of a file. An entry that cannot be applied has a reason. `isReturn`: the bank may have the money of the
 * entry it names.
 */
export type InboundEntry = { line: number; traceNumber: string | null; isReturn: boolean } & (
  | { kind: 'return'; one: ReadReturn }
  | { kind: 'correction'; one: ReadCorrection }
  | { kind: 'set_aside'; reason: string }
)

/** The entries of all valid files, in the order of their lines. */
export function entriesOf(files: readonly NachaReading[]): InboundEntry[] {
  const entries = files.flatMap(({ content }) => (content ? entriesOfContent(content) : []))
  return entries.sort((a, b) => a.line - b.line)
}

const entriesOfContent = ({ entries, returns, corrections, setAside }: NachaContent): InboundEntry[] => [
  ...returns.map((one) => {
    return { kind: 'return', line: one.line, traceNumber: one.originalTraceNumber, isReturn: true, one } as const
  }),
  ...corrections.map((one) => {
    return { kind: 'correction', line: one.line, traceNumber: one.originalTraceNumber, isReturn: false, one } as const
  }),
  ...setAside.map(({ line, originalTraceNumber: traceNumber, isReturn, why: reason }) => {
    return { kind: 'set_aside', line, traceNumber, isReturn, reason } as const
  }),
  ...entries.map(({ line, traceNumber }) => {
    const reason = 'neither a return nor a notification of change'
    return { kind: 'set_aside', line, traceNumber, isReturn: false, reason } as const
  }),
]

/** A garbage file has as many problems as lines. These are enough to recognize it. */
const MAX_PROBLEMS = 50

function refused(problems: readonly NachaProblem[], problemCount = problems.length): InboundReading {
  return { kind: null, problems: problemLines(problems, problemCount) }
}

function problemLines(problems: readonly NachaProblem[], problemCount = problems.length): string[] {
  const named = problems.slice(0, MAX_PROBLEMS).map(({ line, problem }) => `line ${line}: ${problem}`)
  const moreCount = problemCount - named.length
  return moreCount > 0 ? [...named, `and ${moreCount} more`] : named
}

/** The original entry with a trace number, as sent. Fields are null for entries from before they were recorded. */
export type OriginalEntry = {
  direction: Direction
  cents: number
  companyId: string | null
  rdfi: string | null
}

/**
 * Why a return or a notification of change does not match the entry that its trace number names. Null if it matches.
 */
export function mismatchOf(sent: OriginalEntry, one: ReadReturn | ReadCorrection): string | null {
  const what = 'returnCode' in one ? `return ${one.returnCode}` : `notification of change ${one.changeCode}`
  if (sent.direction !== one.direction) return `${what} of a ${one.direction}: the entry was a ${sent.direction}`
  if ('returnCode' in one && sent.cents !== one.amountCents) {
    return `${what} of ${formatDollars(one.amountCents)}: the entry was of ${formatDollars(sent.cents)}`
  }
  if (sent.companyId !== null && sent.companyId.trim().toUpperCase() !== one.companyId.toUpperCase()) {
    return `${what} for company ${one.companyId}: the entry was sent for company ${sent.companyId}`
  }
  if (sent.rdfi !== null && sent.rdfi !== one.originalRdfi) {
    return `${what} from bank ${one.originalRdfi}: the entry went to bank ${sent.rdfi}`
  }
  return null
}

/** An entry that needs manual review. `line` is its line in the file, or the position of an acknowledgment in it. */
export type SetAside = { line: number; traceNumber: string | null; reason: string }

/** What was applied from a file. */
export type InboundCounts = { returns: number; corrections: number; acknowledgements: number }

/** A rejected file, one of several in a physical file. */
export type RefusedFile = { firstLine: number; lastLine: number; problems: string[] }

export const refusedFileOf = ({ firstLine, lastLine, ...reading }: NachaReading): RefusedFile => ({
  firstLine,
  lastLine,
  problems: reading.content ? [] : problemLines(reading.problems, reading.problemCount),
})

/** The report about entries of an applied file that were set aside, or null if there are none. */
export function reportOnEntries(
  name: string,
  counts: InboundCounts,
  { entries, files }: { entries: readonly SetAside[]; files: readonly RefusedFile[] },
): string | null {
  if (entries.length === 0 && files.length === 0) return null
  return [
    `Of ${name}, which is in done/, these were set aside:`,
    '',
    ...files.flatMap(({ firstLine, lastLine, problems }) => [
      `  lines ${firstLine} to ${lastLine}: nothing was taken from the file in these lines:`,
      ...problems.map((problem) => `    ${problem}`),
    ]),
    ...entries.map(({ line, traceNumber, reason }) => {
      return `  ${line}: ${traceNumber ? `trace number ${traceNumber}: ` : ''}${reason}`
    }),
    '',
    `Used: ${Object.entries(counts)
      .map(([what, count]) => `${count} ${what}`)
      .join(', ')}.`,
    '',
  ].join('\n')
}
