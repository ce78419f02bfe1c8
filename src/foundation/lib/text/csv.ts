import { CsvError, parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { neutralText } from './plain-text.ts'
import { protectedCell } from './sheet.ts'

/** A record of a CSV file (RFC 4180), with the number of its first line. */
export type CsvRow = { line: number; fields: string[] }
export type CsvReading = { rows: CsvRow[] } | { rows: null; problem: string }

/** Texts that are quoted in addition to those of RFC 4180. Some locales use semicolons as separators, and some readers trim spaces. */
const ALSO_QUOTED = /[;\r\n]|^\s|\s$/

/**
 * Writes CSV (RFC 4180) that a program of a bank or printer reads, with CRLF after each row. Text is written unchanged, because readers
 * compare it. Only control characters, line ends and bidirectional marks become spaces.
 */
export const csvForMachine = (rows: readonly (readonly string[])[]): string =>
  stringify(
    rows.map((fields) => fields.map(neutralText)),
    { record_delimiter: 'windows', quoted_match: ALSO_QUOTED },
  )

export type CsvStyle = { separator: string; quotes: 'when_needed' | 'always' | 'never' }

/** Writes one line of CSV for a bank, without its line end. If quotes are `never`, the fields must not contain the separator. */
export const csvLine = (fields: readonly string[], { separator, quotes }: CsvStyle): string =>
  quotes === 'never'
    ? fields.map(neutralText).join(separator)
    : stringify([fields.map(neutralText)], {
        delimiter: separator,
        eof: false,
        quoted: quotes === 'always',
        quoted_empty: quotes === 'always',
        quoted_match: ALSO_QUOTED,
      })

/** Writes CSV that people open in a spreadsheet. A prefix keeps each field from starting a formula, and `plainCell` removes it. */
export const csvForPeople = (rows: readonly (readonly string[])[]): string =>
  csvForMachine(rows.map((fields) => fields.map((field) => protectedCell(neutralText(field)))))

/**
 * Reads CSV (RFC 4180). Lines may end without CR. Empty lines are skipped. Never throws.
 *
 * @param options.maxRows the number of rows to read. Reading a row takes about 40 µs and blocks the process
 */
export function parseCsv(
  text: string,
  { maxRows, separator = ',' }: { maxRows?: number; separator?: string } = {},
): CsvReading {
  const rows: CsvRow[] = []
  let linesRead = 0
  let returnsInFields = 0 // the library counts a CRLF in a field as two lines
  const takeRow = (fields: string[], { lines }: { lines: number }) => {
    const content = fields.join()
    returnsInFields += countOf(content, '\r')
    linesRead = lines - returnsInFields
    rows.push({ line: linesRead - countOf(content, '\n'), fields })
    return null
  }
  try {
    parse(text, {
      delimiter: separator,
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: takeRow,
      ...(maxRows !== undefined && { to: maxRows }),
    })
    return { rows }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    // The library reports an unclosed quotation mark at the end of the text. Its message can contain an account number, so it is not used.
    const line = error.code === 'CSV_QUOTE_NOT_CLOSED' ? linesRead + 1 : Number(error.lines) - returnsInFields
    return { rows: null, problem: `line ${line}: a quotation mark where none can be` }
  }
}

const countOf = (text: string, character: string): number => text.split(character).length - 1
