import { Readable } from 'node:stream'
import { ApiError } from '../../../foundation/core/errors.ts'
import { decimalAmount } from '../../../foundation/core/money.ts'
import type { Deps } from '../../../foundation/db/deps.ts'
import type { Position } from '../../../foundation/db/paging.ts'
import { actorOf, type Caller } from '../../../foundation/http/caller.ts'
import { formatDateTime } from '../../../foundation/lib/clock.ts'
import { csvForPeople } from '../../../foundation/lib/text/csv.ts'
import { type PaymentSearch, type SearchPage, searchPayments } from './payment-search-actions.ts'
import type { FoundPayment, Searched } from './payment-search-store.ts'

const MAX_ROWS = 1_000_000
const ROWS_PER_PAGE = 1_000

const COLUMNS: readonly [name: string, value: (payment: FoundPayment) => string | null][] = [
  ['id', ({ id }) => id],
  ['number', ({ number }) => number],
  ['date', ({ createdAt }) => formatDateTime(createdAt)],
  ['status', ({ status }) => status],
  ['direction', ({ direction }) => direction],
  ['amount', ({ amountCents }) => decimalAmount(amountCents)],
  ['name', ({ name }) => name],
  ['recipient', ({ recipient }) => recipient],
  ['sender', ({ sender }) => sender],
  ['rail', ({ rail }) => rail],
  ['return_code', ({ returnCode }) => returnCode],
  ['description', ({ description }) => description],
  ['user_id', ({ userId }) => userId],
  ['user_name', ({ userName }) => userName],
]

/**
 * The people and keys with a running export. Each of them may run only one at a time, because an export reads a large part of the database.
 */
export type RunningExports = Set<string>

/**
 * Exports payments as CSV, newest first, with the filters of `searchPayments`. Each page is read when the previous page has been sent.
 *
 * @throws ApiError export_running
 */
export function exportPayments(
  deps: Deps,
  caller: Caller,
  { searched, search, running }: { searched: Searched; search: PaymentSearch; running: RunningExports },
): Readable {
  const exporter = actorOf(caller).id as string
  if (running.has(exporter)) throw new ApiError('export_running')
  running.add(exporter)
  const stream = Readable.from(csvPages(deps, searched, search))
  return stream.once('close', () => running.delete(exporter))
}

async function* csvPages(deps: Deps, searched: Searched, search: PaymentSearch): AsyncGenerator<string> {
  yield csvForPeople([COLUMNS.map(([name]) => name)])
  let left = MAX_ROWS
  for (let after: Position | null = null; left > 0; ) {
    const limit = Math.min(left, ROWS_PER_PAGE)
    const { rows, next }: SearchPage = await searchPayments(deps, searched, search, { limit, after })
    if (rows.length > 0) yield csvForPeople(rows.map((row) => COLUMNS.map(([, value]) => value(row) ?? '')))
    if (!next) return
    left -= rows.length
    after = next
  }
}
