import { FILLER, RECORD_LENGTH, type RecordName } from './nacha-record-rules.ts'
import { isNachaText } from './nacha-text-rules.ts'
import { blockCountOf } from './nacha-totals-rules.ts'

/** Why nothing is taken from a file; lines are counted from one, and null is the file as a whole. */
export type NachaProblem = { line: number | null; problem: string }

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

/** The records of a file, with or without ends of line, when they are whole and in an order that can be. */
export function linesOf(text: string): NachaLines {
  const all = splitLines(text)
  if (all.length === 0) return { lines: [], problems: [{ line: null, problem: 'the file is empty' }] }
  const shapeless = all.flatMap(shapeProblems)
  if (shapeless.length > 0) return { lines: [], problems: shapeless }
  const lines = withoutFiller(all)
  const problems = [...orderProblems(lines), ...fillerProblems({ recordCount: lines.length, lineCount: all.length })]
  return { lines, problems }
}

function splitLines(text: string): NachaLine[] {
  const pieces = /[\r\n]/.test(text) ? text.split(/\r\n|\n|\r/) : (text.match(/.{1,94}/gsu) ?? [])
  while (pieces.at(-1) === '') pieces.pop()
  return pieces.map((piece, index) => ({ number: index + 1, text: piece }))
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
  return previous === '9' ? [] : [{ line: null, problem: 'truncated: the file control record is missing' }]
}

/** The last block is filled up with nines, or, as some banks send it, not at all. */
function fillerProblems({ recordCount, lineCount }: { recordCount: number; lineCount: number }): NachaProblem[] {
  if (lineCount === recordCount || lineCount === blockCountOf(recordCount) * 10) return []
  return [{ line: null, problem: `truncated: ${lineCount} lines do not fill blocks of ten` }]
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
