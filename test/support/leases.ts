import { isDistributed, runByPlatform } from '../../src/foundation/db/cluster/by-platform.ts'
import type { Sql } from '../../src/foundation/db/connect.ts'
import { type DueQuery, leaseEndpoints, listDueEndpoints } from '../../src/webhook/delivery/delivery-store.ts'

/** Leases endpoints with due deliveries, as a worker does. */
export async function leaseDueEndpoints(sql: Sql, query: DueQuery & Parameters<typeof leaseEndpoints>[2]) {
  const due = await listDueEndpoints(sql, query)
  const cluster = { isDistributed: await isDistributed(sql) }
  return runByPlatform(cluster, due, (endpoints) => leaseEndpoints(sql, endpoints, query))
}
