// Reads text files that spreadsheet programs save, in the formats of several countries.

/** The characters that can separate the columns of a file. */
export const SEPARATORS = [',', ';', '\t', '|'] as const

export type Separator = (typeof SEPARATORS)[number]

/** A text file with line feeds only. If the first line only named the separator, it is emptied, so that line numbers stay correct. */
export type Sheet = { text: string; separator: Separator }

const BYTE_ORDER_MARK = /^\uFEFF/

/** Matches a first line that names the separator. Excel reads it, and some programs write it. */
const SEPARATOR_LINE = /^"?sep=(.)"?\n/i

/** Reads a file. The separator is the one in a `sep=` line, or else the most frequent one in the first line, outside of quotation marks. */
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

/** Matches cells that spreadsheets run as a formula, even in quotation marks (OWASP, "CSV Injection"). */
const FORMULA = /^'*\s*[=+\-@＝＋－＠]/

/**
 * Protects a cell from being run as a formula, with an apostrophe before it. A cell that already begins with an apostrophe gets another
 * one, so that `plainCell` removes exactly what was added.
 */
export const protectedCell = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/** Returns the text of a cell, trimmed. Removes what `protectedCell` or a spreadsheet added, such as `="021000021"`, which keeps a zero. */
export function plainCell(cell: string): string {
  const text = cell.trim().replace(/^="(.*)"$/, (_, content: string) => content.replaceAll('""', '"').trim())
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text
}

/** Returns whether a spreadsheet has shortened a long number, such as `1.23457E+11`. Its digits are lost. */
export const isScientific = (text: string): boolean => /^\d+([.,]\d+)?E[+-]?\d+$/i.test(text)
