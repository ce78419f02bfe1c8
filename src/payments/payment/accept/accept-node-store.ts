import type { Nodes } from '../../../foundation/db/cluster/nodes.ts'
import type { Pool } from '../../../foundation/db/connect.ts'
import { plainOrder, plainOutcomes, platformsOf, sendersOf } from './accept-plain-store.ts'
import {
  type Acceptance,
  type AcceptanceRow,
  argumentsRow,
  hexToBytea,
  keyIdsOf,
  type Requirements,
  requirementsRow,
} from './accept-store.ts'

// Groups of payments on the nodes of a cluster. Citus sends a call to the node of the platform in its first parameter, if it is not in a
// transaction and its arguments read no tables.

/**
 * The connections and places for a call on a node.
 *
 * @property sql reads what the node does not have
 * @property groupSql makes the call
 */
export type NodeDeps = { sql: Pool; groupSql: Pool; nodes: Nodes }

/** Accepts payments of one platform as `acceptPaymentRows` does, on the node of the platform. */
export async function acceptPaymentRowsOnNode(
  { sql, groupSql, nodes }: NodeDeps,
  requirements: Requirements,
  acceptances: readonly [Acceptance, ...Acceptance[]],
): Promise<AcceptanceRow[]> {
  const addresses = await findNamedAddresses(sql, acceptances)
  const isInShard =
    nodes.placeOf(acceptances[0].platformId) !== null &&
    acceptances.every(({ recipientPlatformId }) => recipientPlatformId === null)
  return groupSql<AcceptanceRow[]>`
    select payment_id, outcome, field, detail, number, is_due
    from accept_payments_on_node_v1(
      ${argumentsRow(groupSql, requirements, acceptances)}, ${groupSql.json(addresses)}, ${isInShard}, ${groupSql.lockTimeoutMs}::integer
    )
  `
}

/**
 * Accepts plain payments as `acceptPlainPaymentRows` does, on the node of their platforms.
 *
 * @returns the outcome of each payment, in their order, or null if the payment was not judged, or if its platform is on another node
 */
export async function acceptPlainPaymentRowsOnNode(
  { sql, groupSql, nodes }: NodeDeps,
  requirements: Requirements,
  acceptances: readonly [Acceptance, ...Acceptance[]],
): Promise<(AcceptanceRow | null)[]> {
  const addresses = await findNamedAddresses(sql, acceptances)
  const shards = Map.groupBy(acceptances, ({ platformId }) => nodes.placeOf(platformId)?.shard ?? '')
  const parts = [...shards].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, ofShard]) => partOf(ofShard))
  const rows = await groupSql<{ paymentId: string; number: string }[]>`
    select payment_id, number
    from accept_plain_payments_on_node_v1(
      ${acceptances[0].platformId}::uuid, ${groupSql.json(parts)}, ${keyIdsOf(acceptances)}::text[],
      ${requirementsRow(groupSql, requirements)}, ${groupSql.json(addresses)}, ${groupSql.lockTimeoutMs}::integer
    )
  `
  return plainOutcomes(acceptances, rows)
}

const partOf = (acceptances: readonly Acceptance[]) => ({
  platform_ids: platformsOf(acceptances),
  senders: sendersOf(acceptances),
  orders: acceptances.map(plainOrder),
})

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
