/** Formats a table; columns of numbers are right-aligned. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const isNumeric = heads.map((_, column) => rows.some((row) => /^[\d.<>]/.test(row[column] ?? '')))
  const line = (cells: readonly string[]) =>
    cells.map((cell, i) => (isNumeric[i] ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0))).join('  ')
  return [line(heads), widths.map((width) => '─'.repeat(width)).join('  '), ...rows.map(line)].map((l) => l.trimEnd())
}

/** Formats a number with three significant digits and thousands separators. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–'
  const digits = value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))))
  return value.toLocaleString('en-US', { maximumFractionDigits: Math.min(3, digits), minimumFractionDigits: 0 })
}
