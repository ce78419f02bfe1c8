import { neutralText } from '../../lib/text/plain-text.ts'

/** A record of RFC 4180, and the line on which it begins. */
export type CsvRow = { line: number; fields: string[] }
export type CsvReading = { rows: CsvRow[] } | { rows: null; problem: string }

/**
 * Rows as RFC 4180 has them: fields in quotation marks where they must be, CRLF at the end of each row. The text of a
 * field is never a formula for a spreadsheet, and holds no control characters and no marks that turn its direction.
 */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((fields) => `${fields.map((field) => csvField(withoutFormula(neutralText(field)))).join(',')}\r\n`).join('')

/** Spreadsheets run a cell that begins like this as a formula, also one in quotation marks (OWASP, "CSV Injection"). */
const withoutFormula = (text: string): string => (/^\s*[=+\-@＝＋－＠]/.test(text) ? `'${text}` : text)

/** Where commas are in numbers, spreadsheets separate by semicolons: behind one that stands alone, a formula could begin. */
const csvField = (text: string): string => (/[",;\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const FIELD = /"([^"]*(?:""[^"]*)*)"|[^",\r\n]*/y
const FIELD_END = /,|\r?\n/y

/** Reads RFC 4180; lines may end without CR, the last one without anything, and empty lines are nothing. */
export function parseCsv(given: string): CsvReading {
  const text = given.endsWith('\n') ? given : `${given}\n`
  const rows: CsvRow[] = []
  let [at, line] = [0, 1]
  let row: CsvRow = { line, fields: [] }
  while (at < text.length) {
    const [whole, quoted] = matchAt(FIELD, text, at) ?? ['']
    const end = matchAt(FIELD_END, text, at + whole.length)?.[0]
    if (end === undefined) return { rows: null, problem: `line ${line}: a quotation mark where none can be` }
    row.fields.push(quoted?.replaceAll('""', '"') ?? whole)
    at += whole.length + end.length
    line += whole.split('\n').length - 1
    if (end === ',') continue
    if (row.fields.length > 1 || row.fields[0] !== '') rows.push(row)
    row = { line: ++line, fields: [] }
  }
  return { rows }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
