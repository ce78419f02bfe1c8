import { formatDollars } from '../lib/money.ts'
import {
  hasAcknowledgementLabel,
  type NachaAcknowledgement,
  parseNachaAcknowledgements,
} from './nacha-acknowledgement-rules.ts'
import type { Direction } from './nacha-entry-rules.ts'
import { isFileHeader, type NachaProblem } from './nacha-line-rules.ts'
import { type NachaContent, parseNachaFile, type ReadCorrection, type ReadReturn } from './nacha-parse-rules.ts'

/** What a file of the bank holds, or every reason why nothing is taken from it. */
export type InboundReading =
  | { kind: 'nacha'; content: NachaContent }
  | { kind: 'acknowledgement'; acknowledgements: NachaAcknowledgement[] }
  | { kind: null; problems: string[] }

/**
 * Reads a file that the bank sent. Never throws. The structure decides what a file is: a receiver may be named
 * "Acknowledgment LLC". The bytes are read as Latin-1, so that no byte beyond ASCII hides inside a character.
 */
export function readInbound(bytes: Buffer): InboundReading {
  const text = bytes.toString('latin1')
  const { line, start } = firstTextOf(text)
  if (start === null) return refused([{ line, problem: 'the file is empty' }])
  if (isFileHeader(text.slice(start))) return readNacha(text)
  if (hasAcknowledgementLabel(text)) return readAcknowledgements(text)
  return refused([{ line, problem: NEITHER }])
}

const NEITHER =
  'neither the header of a NACHA file (record type 1, with 094101 in positions 35 to 40) nor a labeled line of an acknowledgment'

/** The first line that is not blank, and where it starts; null when there is none. */
function firstTextOf(text: string): { line: number; start: number | null } {
  const blank = /^(?:[ \t]*(?:\r\n|\n|\r))*/.exec(text)?.[0] ?? ''
  if (text.slice(blank.length).trim() === '') return { line: 1, start: null }
  return { line: blank.split(LINE_END).length, start: blank.length }
}

const LINE_END = /\r\n|\n|\r/

function readAcknowledgements(text: string): InboundReading {
  const foreign = text.split(LINE_END).flatMap((line, index) => {
    const position = line.search(/[^\t\f -~]/) + 1
    return position === 0 ? [] : [{ line: index + 1, problem: `a character outside ASCII at position ${position}` }]
  })
  if (foreign.length > 0) return refused(foreign)
  const { acknowledgements, problems } = parseNachaAcknowledgements(text)
  return problems.length > 0 ? refused(problems) : { kind: 'acknowledgement', acknowledgements }
}

function readNacha(text: string): InboundReading {
  const reading = parseNachaFile(text)
  return reading.content ? { kind: 'nacha', content: reading.content } : refused(reading.problems, reading.problemCount)
}

/** A file of garbage has as many problems as lines. These are enough to see what it is. */
const MAX_PROBLEMS = 50

function refused(problems: readonly NachaProblem[], problemCount = problems.length): InboundReading {
  const named = problems.slice(0, MAX_PROBLEMS).map(({ line, problem }) => `line ${line}: ${problem}`)
  const moreCount = problemCount - named.length
  return { kind: null, problems: moreCount > 0 ? [...named, `and ${moreCount} more`] : named }
}

/** The entry that a trace number names, as it was sent. Null: it was sent before this was kept. */
export type NamedEntry = {
  direction: Direction
  cents: number
  companyId: string | null
  rdfi: string | null
}

/** Why a return or a notification of change cannot be about the entry that its trace number names, or null. */
export function mismatchOf(sent: NamedEntry, one: ReadReturn | ReadCorrection): string | null {
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

/** What a person has to look at; `line` is that of the file, or the place of an acknowledgement in it. */
export type SetAside = { line: number; traceNumber: string | null; reason: string }

/** What a file was good for. */
export type InboundCounts = { returns: number; corrections: number; acknowledgements: number }

/** The report about entries that were set aside, or null when there are none. */
export function reportOnEntries(name: string, counts: InboundCounts, setAside: readonly SetAside[]): string | null {
  if (setAside.length === 0) return null
  return [
    `Of ${name}, which is in done/, these were set aside:`,
    '',
    ...setAside.map(({ line, traceNumber, reason }) => {
      return `  ${line}: ${traceNumber ? `trace number ${traceNumber}: ` : ''}${reason}`
    }),
    '',
    `Used: ${Object.entries(counts)
      .map(([what, count]) => `${count} ${what}`)
      .join(', ')}.`,
    '',
  ].join('\n')
}
