import { formatDollars } from '../../../foundation/core/money.ts'
import type { Deps } from '../../../foundation/db/deps.ts'
import { inTransaction } from '../../../foundation/db/transaction.ts'
import { findOpenBankCase, getBankCases } from '../../../foundation/exception/bank-case-actions.ts'
import { type BankCaseRow, readHeldMoney } from '../../../foundation/exception/bank-case-store.ts'
import { bankCaseView } from '../../../foundation/exception/bank-case-view-rules.ts'
import { getExceptions, requireOpenException } from '../../../foundation/exception/exception-actions.ts'
import { exceptionKinds } from '../../../foundation/exception/exception-rules.ts'
import type { ExceptionRow } from '../../../foundation/exception/exception-store.ts'
import { formatDateTime } from '../../../foundation/lib/clock.ts'
import { neutralJson } from '../../../foundation/lib/text/plain-text.ts'
import { textTable } from '../../../foundation/lib/text/text-table.ts'
import { waitingOrdersOf } from '../../../money/iso20022/order/order-decision-actions.ts'
import type { CommandFlags } from '../command-flags.ts'
import { findPlatform } from '../on-database.ts'
import { refusalOfClose } from './exception-close.ts'

const MAX_LISTED = 1_000

/** Runs `remit exceptions list`: the oldest 1,000 exceptions as a table, or all of them as JSON. */
export async function listOpen(deps: Deps, { owner, all, json }: CommandFlags): Promise<string> {
  const platformId = owner === undefined ? null : await inTransaction(deps, (tx) => findPlatform(tx, owner))
  const filter = { platformId, includesClosed: all ?? false, limit: json ? null : MAX_LISTED + 1 }
  const exceptions = await getExceptions(deps, filter)
  const cases = await getBankCases(deps, filter)
  if (json) return neutralJson([...exceptions, ...cases.map(({ contentSealed, accountSealed, ...row }) => row)])
  const rows = [...exceptions.map(exceptionLine), ...cases.map(bankCaseLine)].sort((a, b) => +a.at - +b.at)
  if (rows.length === 0) return 'No open exceptions.'
  const table = textTable([
    ['ID', 'SINCE', 'KIND', 'AMOUNT', 'OWNER', 'PAYMENT OR FILE', 'WHAT HAPPENED'],
    ...rows.slice(0, MAX_LISTED).map(({ cells }) => cells),
  ])
  if (rows.length <= MAX_LISTED) return table
  return `${table}\nThere are more than these ${MAX_LISTED}. --json lists all, and --owner EMAIL those of one owner.`
}

type ListedLine = { at: Date; cells: string[] }

const exceptionLine = (row: ExceptionRow & { ownerEmail: string | null }): ListedLine => {
  const { id, createdAt, kind, cents, ownerEmail, paymentId, note } = row
  return {
    at: createdAt,
    cells: [id, formatDateTime(createdAt), kind, amount(cents), ownerEmail ?? '', paymentId ?? '', note],
  }
}

const bankCaseLine = (row: BankCaseRow): ListedLine => {
  const { id, createdAt, kind, cents, connectionId, fileName, line, note } = row
  const place = `${connectionId}: ${line > 0 ? `${fileName}, line ${line}` : fileName}`
  return { at: createdAt, cells: [id, formatDateTime(createdAt), kind, amount(cents), '', place, note] }
}

const amount = (cents: number | null): string => (cents === null ? '' : formatDollars(cents))

/** Runs `remit exceptions show ID`. @throws StartProblem if no open exception has this id */
export const showException = (deps: Deps, id: string): Promise<string> =>
  inTransaction(deps, async (tx) => {
    const bankCase = await findOpenBankCase(tx, id)
    if (bankCase) {
      const { orders, hasMore } = await waitingOrdersOf(tx, bankCase)
      const isClosable = (await refusalOfClose(tx, bankCase)) === null
      const view = bankCaseView(bankCase, { held: await readHeldMoney(tx.sql, [bankCase.connectionId]), isClosable })
      return neutralJson({ ...view, ...(orders.length > 0 && { orders }), ...(hasMore && { more_orders: true }) })
    }
    const row = await requireOpenException(tx, id)
    return neutralJson({ ...row, whatToDo: exceptionKinds[row.kind] })
  })
