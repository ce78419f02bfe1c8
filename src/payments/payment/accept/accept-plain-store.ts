import { commonPlatform } from '../../../foundation/db/cluster/by-platform.ts'
import type { Sql } from '../../../foundation/db/connect.ts'
import {
  type Acceptance,
  type AcceptanceRow,
  copiedColumns,
  digestColumns,
  keyIdsOf,
  orderColumns,
  type Requirements,
  requirementsRow,
} from './accept-store.ts'

/**
 * Accepts the plain payments of a group with one statement. Most payments are plain.
 *
 * @param acceptances plain payments, sorted by sender
 * @returns the outcome of each payment, in their order, or null if the payment was not judged and `acceptPaymentRows` has to decide
 */
export async function acceptPlainPaymentRows(
  sql: Sql,
  requirements: Requirements,
  acceptances: readonly Acceptance[],
): Promise<(AcceptanceRow | null)[]> {
  const platformId = commonPlatform(acceptances)
  const rows = await sql<{ paymentId: string; number: string }[]>`
    select payment_id, number
    from accept_plain_payments_v1(
      ${platformId}::uuid,
      ${platformsOf(acceptances)}::uuid[],
      ${sql.json(sendersOf(acceptances))},
      ${sql.json(acceptances.map(plainOrder))},
      ${keyIdsOf(acceptances)}::text[],
      ${requirementsRow(sql, requirements)}
    )
  `
  return plainOutcomes(acceptances, rows)
}

/** Returns the outcome of each payment, or null if it is not among the accepted rows. */
export function plainOutcomes(
  acceptances: readonly Acceptance[],
  rows: readonly { paymentId: string; number: string }[],
): (AcceptanceRow | null)[] {
  const numbers = new Map(rows.map(({ paymentId, number }) => [paymentId, number]))
  return acceptances.map(({ id }) => {
    const number = numbers.get(id)
    return number === undefined ? null : { ...ACCEPTED, paymentId: id, number }
  })
}

const ACCEPTED = { outcome: 'accepted', field: null, detail: null, isDue: false } as const

/** Returns whether `accept_plain_payments_v1` has all the rules that can apply to the payment. */
export const isPlain = (a: Acceptance): boolean =>
  a.kind === 'DIGITAL' &&
  a.fundingKind === 'bank' &&
  a.deposit === null &&
  a.grantId === null &&
  a.recipientId === null &&
  a.destinationId === null &&
  a.payeeAccount === null &&
  a.attachment === null &&
  a.address === null &&
  a.approvalId === null &&
  a.batch === null &&
  a.invoiceId === null &&
  !a.isDryRun

/** Lists the platforms of a group, each once. */
export const platformsOf = (acceptances: readonly Acceptance[]): string[] =>
  [...new Set(acceptances.map(({ platformId }) => platformId))].sort()

/** Lists the senders of a group that is sorted by sender, each once. */
export const sendersOf = (acceptances: readonly Acceptance[]) =>
  acceptances
    .filter(({ senderId }, index) => senderId !== acceptances[index - 1]?.senderId)
    .map(({ platformId, senderId }) => ({ platform_id: platformId, id: senderId }))

/** Returns the columns of `plain_orders_v1`. An omitted column is null. */
export const plainOrder = (a: Acceptance) => ({
  ...orderColumns(a),
  ...(a.claim && { key_at: a.realNow, key_day: a.realNow.toISOString().slice(0, 10), ...digestColumns(a.claim) }),
  ...copiedColumns(a),
})
