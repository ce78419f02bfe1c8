import { styleText } from 'node:util'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { neutralJson, neutralText, plainText } from '../../../foundation/lib/text/plain-text.ts'
import { textTable } from '../../../foundation/lib/text/text-table.ts'

/** An object of the API. */
export type Item = Readonly<Record<string, unknown>>

/** The maximum length of a cell on a terminal. Longer cells are shortened. */
const MAX_CELL_LENGTH = 40

/** The number of rows that are read between two progress messages. */
const PROGRESS_ROWS = 250

const MONEY = /(?:^|_)(?:amount|balance)$/

export const isTerminal = (): boolean => process.stdout.isTTY === true

/**
 * Prints items as they arrive. On a terminal, the output has aligned columns with headings. Otherwise, tabs separate the columns, and there
 * are no headings. `json` prints one array with one item per line.
 *
 * @returns the number of items
 * @throws StartProblem for a column that the items do not have
 */
export async function printItems(
  items: AsyncIterable<Item>,
  { columns, isJson }: { columns: readonly string[]; isJson: boolean },
): Promise<number> {
  if (isJson) return printJsonArray(items)
  if (isTerminal()) return printTable(items, columns)
  let count = 0
  for await (const item of items) {
    if (count === 0) requireColumns(item, columns)
    console.log(columns.map((column) => neutralText(cellText(item, column))).join('\t'))
    count++
  }
  return count
}

async function printJsonArray(items: AsyncIterable<Item>): Promise<number> {
  let count = 0
  for await (const item of items) console.log(`${count++ === 0 ? '[' : ','}${neutralJson(item, { indent: 0 })}`)
  console.log(count === 0 ? '[]' : ']')
  return count
}

/** Reads all items first, because a column is as wide as its longest cell. */
async function printTable(items: AsyncIterable<Item>, columns: readonly string[]): Promise<number> {
  const rows: string[][] = []
  for await (const item of items) {
    if (rows.length === 0) requireColumns(item, columns)
    rows.push(columns.map((column) => shortened(cellText(item, column))))
    if (rows.length % PROGRESS_ROWS === 0) showProgress(`Read ${rows.length} rows`)
  }
  if (rows.length >= PROGRESS_ROWS) endProgress()
  if (rows.length === 0) return 0
  const [heading = '', ...lines] = textTable([columns.map((column) => column.toUpperCase()), ...rows]).split('\n')
  console.log([styleText('bold', heading, { stream: process.stdout }), ...lines].join('\n'))
  return rows.length
}

/** Prints one object: a line for each field, or JSON. */
export function printItem(item: Item, { isJson }: { isJson: boolean }): void {
  if (isJson) return void console.log(neutralJson(item))
  const fields = flatFields(item)
  const width = Math.max(...fields.map(([name]) => name.length))
  const lines = fields.map(([name, value]) =>
    isTerminal()
      ? `${styleText('bold', name.padEnd(width), { stream: process.stdout })}  ${neutralText(value)}`
      : `${name}\t${neutralText(value)}`,
  )
  console.log(lines.join('\n'))
}

/** Returns the fields of an object and of its nested objects: `user.name`. */
const flatFields = (item: Item, prefix = ''): [name: string, value: string][] =>
  Object.entries(item).flatMap(([name, value]) =>
    isObject(value)
      ? flatFields(value, `${prefix}${name}.`)
      : [[`${prefix}${name}`, cellText(item, name)] satisfies [string, string]],
  )

const isObject = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value)

function requireColumns(item: Item, columns: readonly string[]): void {
  const known = flatFields(item).map(([name]) => name)
  for (const column of columns) {
    const isKnown = known.some((name) => name === column || name.startsWith(`${column}.`) || isInNull(item, column))
    if (!isKnown) throw new StartProblem(`There is no column ${JSON.stringify(column)}. Columns: ${known.join(', ')}.`)
  }
}

/** Returns whether `user.name` is unknown only because `user` is null here. */
const isInNull = (item: Item, column: string): boolean => item[column.split('.', 1)[0] as string] === null

function cellText(item: Item, column: string): string {
  const value = column.split('.').reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), item)
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' && MONEY.test(column)) return value.toFixed(2)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function shortened(text: string): string {
  const characters = Array.from(plainText(text))
  return characters.length > MAX_CELL_LENGTH
    ? `${characters.slice(0, MAX_CELL_LENGTH - 1).join('')}…`
    : characters.join('')
}

/** Shows a line that the next one replaces, only on a terminal. */
export function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${text}\u001b[K`)
}

export function endProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
}

/** Prints a remark that is not part of the output. */
export function printNote(text: string): void {
  if (process.stderr.isTTY) console.error(styleText('dim', text, { stream: process.stderr }))
}
