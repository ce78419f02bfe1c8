import { isId } from '../../../foundation/lib/ids.ts'
import { messageIdsOf } from '../report/report-judgement-rules.ts'
import type { ReportedStatus, WholeReport } from '../report/report-types.ts'
import type { OrderRow } from './order-store.ts'

/**
 * Returns what a report names of our orders: messages, and where a status names no message, orders and UETRs. A camt.029 need not name the
 * message.
 */
export function namedIn(report: WholeReport): { fileIds: string[]; legIds: string[]; uetrs: string[] } {
  const unnamed = report.statuses.filter(({ messageId }) => messageId === null)
  // The id of a payment begins with that of its message.
  const ofPayments = unnamed.map(({ paymentId }) => paymentId?.split('-', 1)[0] ?? '')
  return {
    fileIds: [...new Set([...messageIdsOf(report), ...ofPayments])].filter(isId),
    legIds: orderIdsOf(unnamed),
    uetrs: [...new Set(unnamed.flatMap(({ uetr }) => uetr?.toLowerCase() ?? []))],
  }
}

/** Returns the ids of our orders that statuses name, each once. */
export const orderIdsOf = (statuses: readonly ReportedStatus[]): string[] => {
  const ids = statuses.flatMap(({ endToEndId, instructionId }) => [endToEndId ?? '', instructionId ?? ''])
  return [...new Set(ids)].filter(isId)
}

/**
 * Adds the message of their payments or orders to the statuses that name no message. The status of a whole message that is not named can
 * belong to one message only, otherwise none gets a message.
 *
 * @param orders all orders of the messages that the report concerns
 */
export function withMessages(
  report: WholeReport,
  orders: readonly Pick<OrderRow, 'fileId' | 'payment' | 'legId' | 'uetr'>[],
): WholeReport {
  const messageOf = new Map<string, string>()
  for (const { fileId, payment, legId, uetr } of orders)
    for (const name of [payment, legId, uetr ?? legId]) if (!messageOf.has(name)) messageOf.set(name, fileId)
  const find = ({ paymentId, endToEndId, instructionId, uetr }: ReportedStatus): string | null =>
    [paymentId, endToEndId, instructionId, uetr?.toLowerCase()]
      .map((name) => messageOf.get(name ?? ''))
      .find(Boolean) ?? null
  const unnamed = report.statuses.filter(({ messageId }) => messageId === null)
  const [only = null, ...others] = new Set(unnamed.map(find).filter((id) => id !== null))
  if (only === null || (others.length > 0 && unnamed.some(({ level }) => level === 'group'))) return report
  const statuses = report.statuses.map((status) => ({
    ...status,
    messageId: status.messageId ?? (others.length > 0 ? find(status) : only),
  }))
  return { ...report, statuses }
}
