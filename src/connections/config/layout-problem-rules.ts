import {
  CHECKS_PER_LIST,
  type CheckAction,
  isCountField,
  isDateField,
  isDigitField,
  isMoneyField,
  isPayeeField,
  type ListColumn,
  type ListField,
  type ListForm,
} from '../../foundation/core/check-layout.ts'
import { MAX_AMOUNT_CENTS } from '../../foundation/core/money.ts'
import type { Path, Problem } from './connections-syntax-rules.ts'
import type { LayoutFile } from './layout-schema-rules.ts'
import { type ColumnInFile, columnsOf, type ListInFile, type PaidListInFile } from './layout-view-rules.ts'

/** Finds problems that the schema of a layout cannot express: columns that are too narrow, overlap, or need another column. */
export function layoutProblems(file: LayoutFile): Problem[] {
  const { form, issue_file, stop_file, paid_list } = file
  const given = {
    form,
    length: file.length ?? null,
    checksPerFile: file.checks_per_file ?? CHECKS_PER_LIST,
    unquoted: file.quotes === 'never' ? (file.separator ?? ',') : null,
  }
  const stops = stop_file ?? issue_file
  const stopPath = stop_file ? 'stop_file' : 'issue_file'
  return [
    ...onlyIn('csv', file, ['separator', 'quotes']),
    ...onlyIn('fixed', file, ['length']),
    ...problemIf(
      form === 'fixed' && file.characters === 'utf-8',
      ['characters'],
      'must not be utf-8 in the form fixed, where each character has one byte',
    ),
    ...listProblems(['issue_file'], issue_file, given),
    ...actionProblems(['issue_file'], issue_file, ['issue', 'void']),
    ...(stop_file ? listProblems(['stop_file'], stop_file, given) : []),
    ...(stop_file && !hasField(stop_file.lines, 'action') ? [] : actionProblems([stopPath], stops, ['stop'])),
    ...(paid_list ? paidProblems(['paid_list'], paid_list) : []),
  ]
}

/** The parts of a layout on which the checks of a column depend. `unquoted`: the separator of a CSV file without quotation marks. */
type Given = { form: ListForm; length: number | null; checksPerFile: number; unquoted: string | null }

const problemIf = (isProblem: boolean, path: Path, problem: string): Problem[] => (isProblem ? [{ path, problem }] : [])

const hasField = (columns: readonly ColumnInFile[], field: ListField): boolean =>
  columns.some((column) => column.field === field)

function onlyIn<File extends { form: ListForm }>(form: ListForm, file: File, keys: readonly (keyof File & string)[]) {
  return keys.flatMap((key) =>
    problemIf(file.form !== form && file[key] !== undefined, [key], `must be left out in the form ${file.form}`),
  )
}

function listProblems(path: Path, list: ListInFile, given: Given): Problem[] {
  const { lines, header = [], trailer = [] } = list
  return [
    ...headingProblems(path, list, given.form),
    ...lineProblems([...path, 'header'], header, given),
    ...lineProblems([...path, 'lines'], lines, given),
    ...lineProblems([...path, 'trailer'], trailer, given),
    ...(['number', 'amount'] as const).flatMap((field) =>
      problemIf(!hasField(lines, field), [...path, 'lines'], `needs a column ${field}`),
    ),
    ...problemIf(
      hasField(lines, 'payee_rest') && !hasField(lines, 'payee'),
      [...path, 'lines'],
      'needs a column payee before payee_rest',
    ),
    ...sumProblems([...path, 'header'], header, lines),
    ...sumProblems([...path, 'trailer'], trailer, lines),
  ]
}

const headingProblems = (path: Path, { headings, lines }: ListInFile | PaidListInFile, form: ListForm): Problem[] => [
  ...problemIf(headings === true && form === 'fixed', [...path, 'headings'], 'must be left out in the form fixed'),
  ...lines.flatMap(({ name }, index) =>
    problemIf(
      name !== undefined && !headings,
      [...path, 'lines', index, 'name'],
      'must be left out without "headings": true',
    ),
  ),
]

/** Reports sum columns that cannot be checked, because the lines lack an amount or an action. */
const sumProblems = (path: Path, columns: readonly ColumnInFile[], lines: readonly ColumnInFile[]): Problem[] =>
  columns.flatMap(({ field }, index) => [
    ...problemIf(
      field.endsWith('sum') && !hasField(lines, 'amount'),
      [...path, index, 'field'],
      'needs a column amount in lines',
    ),
    ...problemIf(
      /^(issue|void)_/.test(field) && !hasField(lines, 'action'),
      [...path, index, 'field'],
      'needs a column action in lines',
    ),
  ])

function lineProblems(path: Path, columns: readonly ColumnInFile[], given: Given): Problem[] {
  const resolved = columnsOf(columns, given.form)
  return columns.flatMap((column, index) => {
    const at = [...path, index]
    const place = resolved[index] as ListColumn
    const options = optionProblems(at, column, given.form)
    return [
      ...options,
      ...sameFieldProblems(at, columns, index),
      ...separatorProblems(at, column, given.unquoted),
      ...(options.length === 0 ? widthProblems(at, place, given) : []),
      ...placeProblems(at, resolved, { index, length: given.length, form: given.form }),
    ]
  })
}

/** Finds options that a field does not have, and missing options that it needs. */
function optionProblems(path: Path, column: ColumnInFile, form: ListForm): Problem[] {
  const field = column.field as ListField
  const allowed: Record<string, boolean> = {
    at: form === 'fixed',
    date: isDateField(field),
    decimals: isMoneyField(field),
    codes: field === 'action',
    text: field === 'text',
    case: isPayeeField(field),
    too_long: isPayeeField(field),
  }
  return [
    ...Object.entries(allowed).flatMap(([key, isAllowed]) =>
      problemIf(
        !isAllowed && column[key as keyof ColumnInFile] !== undefined,
        [...path, key],
        key === 'at' ? `must be left out in the form ${form}` : `must be left out for the field ${field}`,
      ),
    ),
    ...(['text', 'codes'] as const).flatMap((key) =>
      problemIf(allowed[key] === true && column[key] === undefined, [...path, key], 'is missing'),
    ),
    ...problemIf(
      isDigitField(field) && column.align === 'left' && /^\d$/.test(column.pad ?? (form === 'fixed' ? '0' : '')),
      [...path, 'align'],
      'must be right, because digits after a number change it',
    ),
    ...problemIf(
      isDigitField(field) && !/^[0 *]?$/.test(column.pad ?? ''),
      [...path, 'pad'],
      'must be 0, a space or *, because others change a number',
    ),
  ]
}

const sameFieldProblems = (path: Path, columns: readonly ColumnInFile[], index: number): Problem[] => {
  const { field } = columns[index] as ColumnInFile
  const isSecond = columns.findIndex((one) => one.field === field) < index
  return problemIf(isSecond && isPayeeField(field as ListField), [...path, 'field'], 'is given twice')
}

/** Finds constants that contain the separator, because they would become two columns. */
const separatorProblems = (path: Path, { name, text, codes }: ColumnInFile, separator: string | null): Problem[] =>
  Object.entries({ name, text, ...codes }).flatMap(([key, value]) =>
    problemIf(
      separator !== null && value?.includes(separator) === true,
      [...path, ...(key in (codes ?? {}) ? ['codes', key] : [key])],
      'must not have the separator with "quotes": "never"',
    ),
  )

const digitsOf = (cents: number, { decimals }: Pick<ListColumn, 'decimals'>): number =>
  String(cents).length + (decimals === 'point' ? 1 : 0)

/** Returns the minimum width of a column, with the values that need it. */
function leastWidth(column: ListColumn, { checksPerFile }: Given): { width: number; values: string } {
  const { field, text, codes, date } = column
  if (field === 'amount') return { width: digitsOf(MAX_AMOUNT_CENTS, column), values: 'every amount' }
  if (isMoneyField(field)) {
    return { width: digitsOf(MAX_AMOUNT_CENTS * checksPerFile, column), values: `the sum of ${checksPerFile} checks` }
  }
  if (isCountField(field)) return { width: String(checksPerFile).length, values: `${checksPerFile} checks` }
  if (field === 'line_number') return { width: String(checksPerFile).length, values: `${checksPerFile} lines` }
  if (isDateField(field)) return { width: date.length, values: 'a date' }
  if (field === 'file_time') return { width: 6, values: 'a time' }
  if (field === 'text') return { width: text.length, values: 'its text' }
  if (field === 'action')
    return { width: Math.max(...Object.values(codes).map((code) => code.length)), values: 'its codes' }
  return { width: 4, values: 'a value' }
}

function widthProblems(path: Path, column: ListColumn, given: Given): Problem[] {
  const { width } = column
  if (width === null) return problemIf(given.form === 'fixed', [...path, 'width'], 'is missing')
  const least = leastWidth(column, given)
  return problemIf(width < least.width, [...path, 'width'], `must be at least ${least.width} to hold ${least.values}`)
}

function placeProblems(
  path: Path,
  columns: readonly ListColumn[],
  { index, length, form }: { index: number; length: number | null; form: ListForm },
): Problem[] {
  if (form === 'csv') return []
  const { at, width } = columns[index] as ListColumn
  const before = columns[index - 1]
  const endBefore = before ? before.at + (before.width ?? 0) - 1 : 0
  return [
    ...problemIf(at <= endBefore, [...path, 'at'], `must be after ${endBefore}, where the column before it ends`),
    ...problemIf(
      length !== null && at + (width ?? 0) - 1 > length,
      [...path, 'width'],
      `must end at ${length} at the latest, the length of a line`,
    ),
  ]
}

/** Finds missing codes, and actions that the bank could not distinguish. */
function actionProblems(path: Path, { lines }: ListInFile, actions: readonly CheckAction[]): Problem[] {
  if (!hasField(lines, 'action')) {
    return [{ path: [...path, 'lines'], problem: `needs a column action with ${actions.join(' and ')}` }]
  }
  const placed = lines.flatMap(({ field, codes = {} }, index) =>
    field === 'action' ? [{ codes, path: [...path, 'lines', index, 'codes'] }] : [],
  )
  const missing = placed.flatMap((one) =>
    actions.flatMap((action) => problemIf(one.codes[action] === undefined, [...one.path, action], 'is missing')),
  )
  return missing.length > 0 ? missing : placed.slice(0, 1).flatMap(({ path: at }) => sameCodes(at, placed))
}

/** Finds a code that is used both for a check to pay and for one not to pay. A second column can distinguish them. */
function sameCodes(path: Path, columns: readonly { codes: ListColumn['codes'] }[]): Problem[] {
  const textOf = (action: CheckAction) =>
    columns.map(({ codes }) => (codes[action] ?? (action === 'add' ? codes.issue : undefined))?.trim())
  const isSame = (one: CheckAction, other: CheckAction) =>
    textOf(one).every((code, index) => code !== undefined && code === textOf(other)[index])
  return (['void', 'stop'] as const).flatMap((action) =>
    problemIf(
      isSame(action, 'issue') || isSame(action, 'add'),
      [...path, action],
      'must be another code than those of issue and add',
    ),
  )
}

function paidProblems(path: Path, list: PaidListInFile): Problem[] {
  const { form, headings = false, header = [], lines, trailer = [] } = list
  const given = { form, length: null, checksPerFile: 1, unquoted: null }
  const around = [
    { columns: header, path: [...path, 'header'] },
    { columns: trailer, path: [...path, 'trailer'] },
  ]
  return [
    ...problemIf(
      form === 'fixed' && list.separator !== undefined,
      [...path, 'separator'],
      'must be left out in the form fixed',
    ),
    ...headingProblems(path, list, form),
    ...lines.flatMap((column, index) => [
      ...optionProblems([...path, 'lines', index], column, form),
      ...problemIf(headings && column.name === undefined, [...path, 'lines', index, 'name'], 'is missing'),
    ]),
    ...(headings ? [] : paidPlaceProblems([...path, 'lines'], lines, form)),
    ...around.flatMap((one) => [
      ...lineProblems(one.path, one.columns, given),
      ...problemIf(headings && one.columns.length > 0, one.path, 'must be left out with headings'),
      ...problemIf(
        one.columns.length > 0 && !one.columns.some(({ text = '' }) => text.trim() !== ''),
        one.path,
        'needs a column text that distinguishes it from a check',
      ),
    ]),
  ]
}

function paidPlaceProblems(path: Path, lines: readonly ColumnInFile[], form: ListForm): Problem[] {
  const resolved = columnsOf(lines, form)
  return [
    ...(['number', 'amount'] as const).flatMap((field) =>
      problemIf(!hasField(lines, field), path, `needs a column ${field}`),
    ),
    ...lines.flatMap(({ field }, index) => [
      ...problemIf(
        ['number', 'amount', 'account', 'date'].includes(field) &&
          lines.findIndex((one) => one.field === field) < index,
        [...path, index, 'field'],
        'is given twice',
      ),
      ...problemIf(form === 'fixed' && resolved[index]?.width === null, [...path, index, 'width'], 'is missing'),
      ...placeProblems([...path, index], resolved, { index, length: null, form }),
    ]),
  ]
}

/** Explains why a layout does not fit the account of a connection, or returns null. */
export function accountProblem(
  lists: readonly (readonly ListColumn[])[],
  { accountNumber, firstCheckNumber }: { accountNumber: string; firstCheckNumber: number },
): string | null {
  const values: Partial<Record<ListField, { what: string; digits: number }>> = {
    account: { what: 'the account', digits: accountNumber.replace(/^0+/, '').length },
    number: { what: 'first_check_number', digits: String(firstCheckNumber).length },
  }
  for (const { field, width } of lists.flat()) {
    const value = values[field]
    if (value && width !== null && width < value.digits)
      return `its column ${field} holds ${width} digits, and ${value.what} has ${value.digits}`
  }
  return null
}
