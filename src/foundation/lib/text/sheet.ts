// Text files of spreadsheet programs, in the forms in which those of several countries save them.

/** What can separate the columns of a file. */
export const SEPARATORS = [',', ';', '\t', '|'] as const

export type Separator = (typeof SEPARATORS)[number]

/** A text with line feeds only. A first line that only names the separator is empty, so that the others keep their numbers. */
export type Sheet = { text: string; separator: Separator }

const BYTE_ORDER_MARK = /^\uFEFF/

/** Excel reads this line, and some programs write it. */
const SEPARATOR_LINE = /^"?sep=(.)"?\n/i

/** The separator is the one that a `sep=` line names, or the most frequent one in the first line outside of quotation marks. */
export function readSheet(content: string): Sheet {
  const text = content.replace(BYTE_ORDER_MARK, '').replace(/\r\n?/g, '\n')
  const [line, named] = SEPARATOR_LINE.exec(text) ?? []
  if (line !== undefined && isSeparator(named)) {
    return { text: `\n${text.slice(line.length)}`, separator: named }
  }
  const header =
    text
      .trimStart()
      .split('\n', 1)[0]
      ?.replace(/"[^"]*"/g, '') ?? ''
  const counts = SEPARATORS.map((separator) => header.split(separator).length)
  return { text, separator: SEPARATORS[counts.indexOf(Math.max(...counts))] as Separator }
}

const isSeparator = (text: string | undefined): text is Separator => (SEPARATORS as readonly unknown[]).includes(text)

export const separatorNames: Record<Separator, string> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'vertical bars',
}

/** Spreadsheets run a cell that begins like this as a formula, even in quotation marks (OWASP, "CSV Injection"). */
const FORMULA = /^'*\s*[=+\-@＝＋－＠]/

/**
 * A cell that no spreadsheet runs as a formula: an apostrophe comes before it. A cell that has one already gets another, so that
 * `plainCell` can take away exactly what was added.
 */
export const protectedCell = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/** The text of a cell without what `protectedCell` or a spreadsheet put around it (`="021000021"` keeps a zero), trimmed. */
export function plainCell(cell: string): string {
  const text = cell.trim().replace(/^="(.*)"$/, (_, content: string) => content.replaceAll('""', '"').trim())
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text
}

/** A long number that a spreadsheet has shortened: `1.23457E+11`. Its digits are lost. */
export const isScientific = (text: string): boolean => /^\d+([.,]\d+)?E[+-]?\d+$/i.test(text)
