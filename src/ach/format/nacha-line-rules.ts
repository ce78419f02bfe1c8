import { FILLER, RECORD_LENGTH, type RecordName, shortestOf } from './nacha-record-rules.ts'
import { isNachaText } from './nacha-text-rules.ts'
import { blockCountOf } from './nacha-totals-rules.ts'

/** Why a file is rejected. Lines are counted from one. */
export type NachaProblem = { line: number; problem: string }

/** A record with its place in the file. */
export type NachaLine = { number: number; text: string }

/** The records of one NACHA file in order, without fill lines. A physical file may contain several. */
export type NachaLines = { firstLine: number; lastLine: number; lines: NachaLine[]; problems: NachaProblem[] }

/** The records that may follow each record, by their first character (Appendix Three, 3.1, "Sequence of Records"). */
const mayFollow: Record<string, string> = {
  '': '1',
  '1': '59', // a file without batches reports that there was nothing
  '5': '6',
  '6': '678',
  '7': '678',
  '8': '59',
  '9': '',
}

/** The record type and, in positions 35 to 40, record size, blocking factor and format of a file header. */
const FILE_HEADER = /^1.{33}094101/

export const isFileHeader = (text: string): boolean => FILE_HEADER.test(text)

/**
 * The NACHA files in a text, with or without line ends. Each begins with a file header and is judged separately.
 * Restores stripped trailing blanks, and skips blank lines and the DOS end-of-file character.
 */
export function linesOf(text: string): NachaLines[] {
  const files: NachaLine[][] = []
  for (const line of splitLines(text)) {
    if (files.length === 0 || isFileHeader(line.text)) files.push([])
    files.at(-1)?.push(line)
  }
  if (files.length === 0) {
    return [{ firstLine: 1, lastLine: 1, lines: [], problems: [{ line: 1, problem: 'the file is empty' }] }]
  }
  return files.map((all) => ({ ...placeOf(all), ...judgeLines(all) }))
}

const placeOf = (all: readonly NachaLine[]) => ({ firstLine: all[0]?.number ?? 1, lastLine: all.at(-1)?.number ?? 1 })

function judgeLines(all: NachaLine[]): Pick<NachaLines, 'lines' | 'problems'> {
  const shapeless = all.flatMap(shapeProblems)
  if (shapeless.length > 0) return { lines: [], problems: shapeless }
  const lines = withoutFiller(all)
  return { lines, problems: [...orderProblems(lines), ...fillerProblems(lines, all)] }
}

/** Ctrl-Z, the end-of-file character of DOS and CP/M. */
const END_OF_FILE = String.fromCharCode(0x1a)

/** The lines of a text with any line ends, without the DOS end-of-file character. */
export const textLines = (text: string): string[] =>
  text.split(/\r+\n|\n|\r/).map((line) => (line.endsWith(END_OF_FILE) ? line.replaceAll(END_OF_FILE, '') : line))

/** Lines that are not blank, with their numbers. If one line contains several records, each counts as a line. */
function splitLines(text: string): NachaLine[] {
  const lines = textLines(text)
  const hasSeveral = lines.some((line) => line.length >= 2 * RECORD_LENGTH && isFileHeader(line))
  const records = hasSeveral ? lines.flatMap((line) => line.match(/.{1,94}/gs) ?? []) : lines
  return records.flatMap((record, index) => (record.trim() ? [{ number: index + 1, text: padded(record) }] : []))
}

/** Restores the trailing blanks of a record. */
function padded(text: string): string {
  const record = recordNameOf(text)
  return record && text.length >= shortestOf(record) ? text.padEnd(RECORD_LENGTH) : text
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

/** The last block is filled with nines, or not filled at all, as some banks send it. */
function fillerProblems(records: readonly NachaLine[], all: readonly NachaLine[]): NachaProblem[] {
  if (all.length === records.length || all.length === blockCountOf(records.length) * 10) return []
  return [{ line: all.at(-1)?.number ?? 1, problem: `truncated: ${all.length} lines do not fill blocks of ten` }]
}

/**
 * The name of the record on a line. The order of the file must be valid. Null for an addenda record of an unknown
 * kind.
 */
export function recordNameOf(text: string): RecordName | null {
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
