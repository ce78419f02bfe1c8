import { neutralText } from './plain-text.ts'

/** Formats rows as aligned columns for a terminal. The first row contains the headings. Cells cannot control the terminal. */
export function textTable(given: readonly (readonly string[])[]): string {
  const rows = given.map((row) => row.map(neutralText))
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
