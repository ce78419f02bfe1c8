import { RECORD_LENGTH, type RecordName } from './nacha-record-rules.ts'

/** A problem of a line. Lines are numbered from 1. */
export type NachaProblem = { line: number; problem: string }

/** A record and the number of its line. */
export type NachaLine = { number: number; text: string }

/** The lines of one NACHA file, each with 94 characters. A physical file may contain several NACHA files. */
export type NachaLines = { firstLine: number; lastLine: number; lines: NachaLine[]; problems: NachaProblem[] }

/** Matches a file header by its record type and, in positions 35 to 40, its record size, blocking factor and format. */
const FILE_HEADER = /^1.{33}094101/

export const isFileHeader = (text: string): boolean => FILE_HEADER.test(text)

/** Returns whether a line looks like a record of a batch, by its record type and length. */
export const isBatchRecord = (text: string): boolean => /^[5-8].{53}/.test(text)

/**
 * Finds the NACHA files in a text, with or without line ends. Each begins with a file header. Blank lines are skipped. Each line becomes a
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

/** Splits a text into lines, which may have any line ends. */
export const textLines = (text: string): string[] => text.split(/\r+\n|\n|\r/)

/** Returns the lines that are not blank, with their numbers. A line with several records counts as several lines. */
function splitLines(text: string): NachaLine[] {
  const lines = textLines(text)
  const hasSeveral = lines.some((line) => line.length >= 2 * RECORD_LENGTH && isFileHeader(line))
  const records = hasSeveral ? lines.flatMap((line) => line.match(/.{1,94}/gs) ?? []) : lines
  return records.flatMap((record, index) => (record.trim() ? [{ number: index + 1, text: record }] : []))
}

/**
 * Returns the record of a line. Restores missing trailing blanks, removes extra ones, and corrects columns that the bank counted in bytes.
 */
function recordText(line: string): string {
  if (line.length === RECORD_LENGTH) return line
  if (line.length > RECORD_LENGTH) return line.slice(RECORD_LENGTH).trim() === '' ? line.slice(0, RECORD_LENGTH) : line
  return (Buffer.byteLength(line) === RECORD_LENGTH ? byColumnsOfBytes(line) : line).padEnd(RECORD_LENGTH)
}

/**
 * Corrects a line whose columns were counted in bytes of UTF-8. Some banks do so, and then each letter beyond ASCII takes several columns.
 */
const byColumnsOfBytes = (line: string): string =>
  [...line].map((letter) => letter.padEnd(Buffer.byteLength(letter))).join('')

/** Returns whether a line fills a block: nines, possibly with a damaged character. No file control record has that many nines. */
export function isFiller(text: string): boolean {
  if (!text.startsWith('99999') && !text.endsWith('99999')) return false
  return text.replaceAll('9', '').length <= 10
}

/**
 * Returns the name of the record on a line, if the records are in the right order. Returns null for an addenda record of an unknown kind.
 */
export function findRecordName(text: string): RecordName | null {
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
