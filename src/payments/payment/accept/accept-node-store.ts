import type { Pool } from '../../../foundation/db/connect.ts'
import { type Acceptance, type AcceptanceRow, argumentsRow, hexToBytea, type Requirements } from './accept-store.ts'

/**
 * Accepts payments as `acceptPaymentRows` does, on the node of the platform that they all have. Citus sends the call there as a whole, if it is not in a
 * transaction and its arguments read no tables.
 *
 * @param pools.sql reads what the node does not have
 * @param pools.groupSql makes the call
 */
export async function acceptPaymentRowsOnNode(
  { sql, groupSql }: { sql: Pool; groupSql: Pool },
  requirements: Requirements,
  acceptances: readonly Acceptance[],
): Promise<AcceptanceRow[]> {
  const addresses = await findNamedAddresses(sql, acceptances)
  return groupSql<AcceptanceRow[]>`
    select payment_id, outcome, field, detail, number, is_due
    from accept_payments_on_node_v1(
      ${argumentsRow(groupSql, requirements, acceptances)}, ${groupSql.json(addresses)}, ${groupSql.lockTimeoutMs}::integer
    )
  `
}

type NamedAddress = { emailHash: string; platformId: string; verifiedAt: Date | null }

/** Finds the receiving addresses that orders can name, as rows of the table. */
async function findNamedAddresses(sql: Pool, acceptances: readonly Acceptance[]) {
  const emails = acceptances.flatMap(({ recipientEmail, recipient, payeeAccount }) => [
    ...(recipientEmail ? [recipientEmail] : []),
    ...(payeeAccount ? [recipient] : []),
  ])
  if (emails.length === 0) return []
  const rows = await sql<NamedAddress[]>`
    select encode(email_hash, 'hex') as email_hash, platform_id, verified_at
    from receiving_addresses
    where email_hash in (
      select sha256(convert_to(x.email, 'UTF8'))
      from unnest(${emails}::text[]) e (email)
      cross join lateral (values (e.email), (lower(e.email))) x (email)
    )
  `
  return rows.map(({ emailHash, platformId, verifiedAt }) => ({
    email_hash: hexToBytea(emailHash),
    platform_id: platformId,
    verified_at: verifiedAt,
  }))
}
