import { FILLER, RECORD_LENGTH, type RecordName } from './nacha-record-rules.ts'
import { isNachaText } from './nacha-text-rules.ts'
import { blockCountOf } from './nacha-totals-rules.ts'

/** Why nothing is taken from a file. Lines are counted from one. */
export type NachaProblem = { line: number; problem: string }

/** A record with its place in the file. */
export type NachaLine = { number: number; text: string }

/** Records in their order: fill lines are left out. */
export type NachaLines = { lines: NachaLine[]; problems: NachaProblem[] }

/** Which record may come after which, by their first character (Appendix Three, 3.1, "Sequence of Records"). */
const mayFollow: Record<string, string> = {
  '': '1',
  '1': '59', // a file without batches says that there was nothing
  '5': '6',
  '6': '678',
  '7': '678',
  '8': '59',
  '9': '',
}

/** The record type and, in positions 35 to 40, record size, blocking factor and format of a file header. */
const FILE_HEADER = /^1.{33}094101/

export const isFileHeader = (text: string): boolean => FILE_HEADER.test(text)

/** The records of a file, with or without ends of line, when they are whole and in an order that can be. */
export function linesOf(text: string): NachaLines {
  const all = splitLines(text)
  if (all.length === 0) return { lines: [], problems: [{ line: 1, problem: 'the file is empty' }] }
  const shapeless = all.flatMap(shapeProblems)
  if (shapeless.length > 0) return { lines: [], problems: shapeless }
  const lines = withoutFiller(all)
  const problems = [...orderProblems(lines), ...fillerProblems(lines, all)]
  return { lines, problems }
}

function splitLines(text: string): NachaLine[] {
  const pieces = /[\r\n]/.test(text) ? text.split(/\r\n|\n|\r/) : (text.match(/.{1,94}/gsu) ?? [])
  const all = pieces.map((piece, index) => ({ number: index + 1, text: piece }))
  const isBlank = ({ text }: NachaLine) => text.trim() === ''
  const first = all.findIndex((line) => !isBlank(line))
  return first === -1 ? [] : all.slice(first, all.findLastIndex((line) => !isBlank(line)) + 1)
}

function shapeProblems({ number, text }: NachaLine): NachaProblem[] {
  const problems: NachaProblem[] = []
  if (!isNachaText(text)) {
    const position = [...text].findIndex((character) => !isNachaText(character)) + 1
    problems.push({ line: number, problem: `a character outside ASCII at position ${position}` })
  }
  if (text.length !== RECORD_LENGTH) {
    problems.push({ line: number, problem: `${text.length} characters instead of ${RECORD_LENGTH}` })
  }
  return problems
}

function withoutFiller(lines: NachaLine[]): NachaLine[] {
  const last = lines.findLastIndex(({ text }) => text !== FILLER)
  return lines.slice(0, last + 1)
}

function orderProblems(lines: NachaLine[]): NachaProblem[] {
  let previous = ''
  for (const { number, text } of lines) {
    const type = text.charAt(0)
    if (!(type in mayFollow)) return [{ line: number, problem: `unknown record type ${type}` }]
    if (!mayFollow[previous]?.includes(type)) {
      const problem = previous
        ? `record type ${type} after ${previous}`
        : `begins with record type ${type} instead of 1`
      return [{ line: number, problem }]
    }
    previous = type
  }
  if (previous === '9') return []
  return [{ line: lines.at(-1)?.number ?? 1, problem: 'truncated: the file control record is missing' }]
}

/** The last block is filled up with nines, or, as some banks send it, not at all. */
function fillerProblems(records: readonly NachaLine[], all: readonly NachaLine[]): NachaProblem[] {
  if (all.length === records.length || all.length === blockCountOf(records.length) * 10) return []
  return [{ line: all.at(-1)?.number ?? 1, problem: `truncated: ${all.length} lines do not fill blocks of ten` }]
}

/** The record that a line is, of a file whose order is right; null for an addenda record of another kind. */
export function recordNameOf({ text }: NachaLine): RecordName | null {
  if (text.startsWith('7')) return addendaNames[text.slice(1, 3)] ?? null
  return recordNames[text.charAt(0)] ?? null
}

const recordNames: Record<string, RecordName> = {
  '1': 'fileHeader',
  '5': 'batchHeader',
  '6': 'entry',
  '8': 'batchControl',
  '9': 'fileControl',
}

const addendaNames: Record<string, RecordName> = {
  '05': 'remittanceAddenda',
  '98': 'changeAddenda',
  '99': 'returnAddenda',
}
