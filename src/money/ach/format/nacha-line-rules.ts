import { RECORD_LENGTH, type RecordName } from './nacha-record-rules.ts'

/** What is wrong with a line. Lines are counted from one. */
export type NachaProblem = { line: number; problem: string }

/** A record with its place in the file. */
export type NachaLine = { number: number; text: string }

/** The lines of one NACHA file, each of 94 characters. A physical file may contain several. */
export type NachaLines = { firstLine: number; lastLine: number; lines: NachaLine[]; problems: NachaProblem[] }

/** The record type and, in positions 35 to 40, record size, blocking factor and format of a file header. */
const FILE_HEADER = /^1.{33}094101/

export const isFileHeader = (text: string): boolean => FILE_HEADER.test(text)

/** Whether a line is a record of a batch, as far as its type and length tell. */
export const isBatchRecord = (text: string): boolean => /^[5-8].{53}/.test(text)

/**
 * The NACHA files in a text, with or without line ends. Each begins with a file header. Blank lines are skipped, and each line becomes a
 * record of 94 characters, so that a wrong length hides no field.
 */
export function linesOf(text: string): NachaLines[] {
  const files: { lines: NachaLine[]; problems: NachaProblem[] }[] = []
  for (const { number, text: line } of splitLines(text)) {
    if (files.length === 0 || isFileHeader(line)) files.push({ lines: [], problems: [] })
    const record = recordText(line)
    const file = files.at(-1)
    file?.lines.push({ number, text: record.slice(0, RECORD_LENGTH) })
    if (record.length > RECORD_LENGTH) {
      file?.problems.push({ line: number, problem: `${line.length} characters instead of ${RECORD_LENGTH}` })
    }
  }
  return files.map(({ lines, problems }) => ({ ...placeOf(lines), lines, problems }))
}

const placeOf = (all: readonly NachaLine[]) => ({ firstLine: all[0]?.number ?? 1, lastLine: all.at(-1)?.number ?? 1 })

/** The lines of a text with any line ends. */
export const textLines = (text: string): string[] => text.split(/\r+\n|\n|\r/)

/** Lines that are not blank, with their numbers. If one line contains several records, each counts as a line. */
function splitLines(text: string): NachaLine[] {
  const lines = textLines(text)
  const hasSeveral = lines.some((line) => line.length >= 2 * RECORD_LENGTH && isFileHeader(line))
  const records = hasSeveral ? lines.flatMap((line) => line.match(/.{1,94}/gs) ?? []) : lines
  return records.flatMap((record, index) => (record.trim() ? [{ number: index + 1, text: record }] : []))
}

/** The record on a line: with its trailing blanks, without blanks behind it, and with the columns that the bank counted. */
function recordText(line: string): string {
  if (line.length === RECORD_LENGTH) return line
  if (line.length > RECORD_LENGTH) return line.slice(RECORD_LENGTH).trim() === '' ? line.slice(0, RECORD_LENGTH) : line
  return (Buffer.byteLength(line) === RECORD_LENGTH ? byColumnsOfBytes(line) : line).padEnd(RECORD_LENGTH)
}

/** Some banks count the bytes of UTF-8: each letter beyond ASCII takes more than one column. */
const byColumnsOfBytes = (line: string): string =>
  [...line].map((letter) => letter.padEnd(Buffer.byteLength(letter))).join('')

/** A line that fills a block: nines, perhaps with a damaged character. No file control record has so many. */
export function isFiller(text: string): boolean {
  if (!text.startsWith('99999') && !text.endsWith('99999')) return false
  return text.replaceAll('9', '').length <= 10
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
