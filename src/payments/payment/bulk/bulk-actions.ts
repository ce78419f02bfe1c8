import { ApiError, type ErrorCode, type FieldErrors, fieldError } from '../../../foundation/core/errors.ts'
import type { TxDeps } from '../../../foundation/db/deps.ts'
import type { Caller } from '../../../foundation/http/caller.ts'
import { acceptPayment } from '../accept/accept-actions.ts'
import { type Order, senderOf } from '../accept/prepare-actions.ts'
import { addressLine } from '../payment-rules.ts'
import {
  type BulkRow,
  type FileRow,
  invalidRows,
  inWordsOfCsv,
  MAX_ROWS,
  type RowProblem,
  rowsOfCsv,
} from './bulk-rules.ts'

/** Validates a row. @returns its problems by field, or null if there are none */
export type ValidateRow = (row: unknown) => FieldErrors | null

/** A file of payments. All rows are paid from `account`, and mailed rows are sent with `mail_type`. */
export type File = { file: unknown[] | string; account?: string | null; mail_type?: string | null }

/**
 * Sends a payment for each row, or none at all: a problem of one row refuses the file, and names every bad row.
 *
 * @returns the payments as JSON, in the order of the rows
 * @throws ApiError invalid_rows, invalid_request, and what concerns the sender or its funding account
 */
export async function acceptFile(
  tx: TxDeps,
  caller: Caller,
  { file, validate, ...common }: File & { validate: ValidateRow },
): Promise<string[]> {
  const problems: RowProblem[] = []
  const sound: (SoundRow & { order: Order })[] = []
  for (const { index, line, value, fields } of readFile(file, validate)) {
    if (fields) problems.push({ index, line, fields })
    else sound.push({ index, line, order: orderOfRow(value, common) })
  }
  const orders = sound.map(({ order: { attachment: _, ...order } }) => ({ ...order, attachment: null }))
  const accepted = await acceptPayment({ how: 'inTransaction', deps: tx }, { sender: senderOf(caller), orders })
  const { payments, refused } = splitOutcomes(accepted, sound)
  refuseRows([...problems, ...refused], { isCsv: typeof file === 'string', isSent: true })
  return payments.map(({ text }) => text)
}

/** A row of a file. Its value is validated if it has no problems. */
export type ReadRow = { index: number; line: number } & (
  | { fields: FieldErrors; value?: never }
  | { fields: null; value: BulkRow }
)

/** Reads the rows of a file, each with its own problems. @throws ApiError invalid_request */
export function readFile(file: File['file'], validate: ValidateRow): ReadRow[] {
  const words = typeof file === 'string' ? inWordsOfCsv : (fields: FieldErrors) => fields
  return readRows(file).map(({ line, value, problem }, index) => {
    const fields = problemsOf(value, problem, validate)
    return fields ? { index, line, fields: words(fields) } : { index, line, fields: null, value: value as BulkRow }
  })
}

function problemsOf(value: unknown, problem: FieldErrors | undefined, validate: ValidateRow): FieldErrors | null {
  if (problem?.['']) return problem
  const fields = validate(value)
  if (problem) return { ...fields, ...problem }
  return fields ?? accountProblem(value as BulkRow)
}

type SoundRow = { index: number; line: number }

/**
 * Separates the payments of accepted rows from the problems of refused rows.
 *
 * @throws Error a refusal of the sender or its funding account, or a bug
 */
export function splitOutcomes<Payment extends object>(
  outcomes: readonly (Payment | Error)[],
  rows: readonly SoundRow[],
): { payments: Payment[]; refused: RowProblem[] } {
  const payments: Payment[] = []
  const refused: RowProblem[] = []
  for (const [place, outcome] of outcomes.entries()) {
    const { index, line } = rows[place] as SoundRow
    if (outcome instanceof Error) refused.push({ index, line, fields: fieldsOfRefusal(outcome) })
    else payments.push(outcome)
  }
  return { payments, refused }
}

/** Refuses a file that has problems. @throws ApiError invalid_rows */
export function refuseRows(problems: readonly RowProblem[], how: { isCsv: boolean; isSent: boolean }): void {
  if (problems.length === 0) return
  throw invalidRows(
    problems.toSorted((one, other) => one.index - other.index),
    how,
  )
}

/** Splits a file into rows. @throws ApiError invalid_request */
function readRows(file: unknown[] | string): FileRow[] {
  if (typeof file !== 'string') return file.map((value, index) => ({ line: index + 1, value }))
  const read = rowsOfCsv(file)
  if ('problem' in read) throw fieldError('invalid_request', 'file', read.problem)
  if (read.rows.length === 0) throw fieldError('invalid_request', 'file', 'must have at least 1 row')
  if (read.rows.length > MAX_ROWS) throw fieldError('invalid_request', 'file', `must have at most ${MAX_ROWS} rows`)
  return read.rows
}

function accountProblem({ account_number: account, routing_number: routing }: BulkRow): FieldErrors | null {
  if (account == null && routing != null) return { account_number: ['is required with a routing_number'] }
  if (account != null && routing == null) return { routing_number: ['is required with an account_number'] }
  return null
}

/** Returns the order of a row: deposited at once with an account, mailed with a postal address, and otherwise sent by email. */
export function orderOfRow(row: BulkRow, { account, mail_type }: Omit<File, 'file'>): Order {
  const { name, amount, address, account_number: number, routing_number: routing } = row
  const common = {
    name,
    amount,
    account: account ?? null,
    description: row.description ?? null,
    number: row.number ?? null,
  }
  if (number != null && routing != null) {
    return {
      ...common,
      recipient: address.type === 'email' ? address.address : addressLine(address.address),
      deposit_options: ['BANK'],
      payeeAccount: { field: 'account_number', kind: 'bank', routing, account: number, type: 'CHECKING' },
    }
  }
  return address.type === 'email'
    ? { ...common, recipient: address.address }
    : { ...common, recipient: address.address, mail_type: mail_type ?? null }
}

/** Refusals of the sender, which apply to every row. */
const OF_THE_SENDER: readonly ErrorCode[] = [
  'unauthorized',
  'invalid_token',
  'user_not_active',
  'user_not_verified',
  'approval_required',
  'second_person_needed',
  'debt_open',
  'no_verified_bank',
  'bank_not_verified',
  'bank_not_found',
  'paper_unavailable',
]

/** The field of the file for each field of an order. */
const FIELDS_OF_ROW: Record<string, string> = { recipient: 'address.address', account: 'amount' }

/** Returns the problems of a refused row by field. @throws Error a refusal of the sender or its funding account, or a bug */
function fieldsOfRefusal(refusal: Error): FieldErrors {
  if (!(refusal instanceof ApiError) || OF_THE_SENDER.includes(refusal.code)) throw refusal
  const { fields = {}, code } = refusal
  if (code === 'bank_blocked' && fields.account) throw refusal
  if (code === 'insufficient_funds') return { amount: ['exceeds what is left in the account'] }
  const byField = Object.entries(fields).map(([field, texts]): [string, string[]] => [
    FIELDS_OF_ROW[field] ?? field.replace(/^recipient\./, 'address.address.'),
    texts,
  ])
  return byField.length > 0 ? Object.fromEntries(byField) : { '': [refusal.message] }
}
