import { formatDollars } from '../../../foundation/core/money.ts'
import { findConnection } from '../../../foundation/core/operator-account.ts'
import { formatDateTime } from '../../../foundation/lib/clock.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { neutralJson } from '../../../foundation/lib/text/plain-text.ts'
import { textTable } from '../../../foundation/lib/text/text-table.ts'
import { getPayouts, type ListedPayout } from '../../../money/payout/payout-list-actions.ts'
import type { CommandFlags } from '../command-flags.ts'
import type { DatabaseCommand } from '../on-database.ts'

/** Prepares `remit connections orders [ID]`. @throws StartProblem */
export const ordersCommand =
  ({ json, all: includesEnded = false }: CommandFlags, [, id]: readonly string[]): DatabaseCommand =>
  async (deps) => {
    if (id !== undefined) requireProcessor(deps.connections.current(), id)
    const orders = await getPayouts(deps, { connectionId: id ?? null, includesEnded })
    if (json) return neutralJson(orders)
    if (orders.length === 0) return includesEnded ? 'There are no orders.' : 'No order is open.'
    return textTable([
      ['REFERENCE', 'CONNECTION', 'RAIL', 'STATUS', 'AMOUNT', 'PAYMENT', 'CREATED', 'NEXT CALL', 'PROBLEM'],
      ...orders.map(cellsOf),
    ])
  }

function requireProcessor(connections: Parameters<typeof findConnection>[0], id: string): void {
  if (findConnection(connections, id)?.processor) return
  const ids = connections.all.flatMap((one) => (one.processor ? [one.id] : []))
  throw new StartProblem(
    `No processor has the connection ${id}. ${ids.length === 0 ? 'There is none.' : `There is: ${ids.join(', ')}.`}`,
  )
}

const cellsOf = (order: ListedPayout): string[] => [
  ...[order.legId, order.connectionId, order.rail, statusText(order), formatDollars(order.cents), order.paymentId],
  ...[formatDateTime(order.createdAt).slice(0, 16), order.nextAt ? formatDateTime(order.nextAt).slice(0, 16) : ''],
  order.lastProblem ?? '',
]

const statusText = ({ status, isStopping }: ListedPayout): string => (isStopping ? `${status}, to be canceled` : status)
