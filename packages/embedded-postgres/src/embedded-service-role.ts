import { createHmac } from 'node:crypto'
import type { Cluster } from './embedded-cluster.ts'
import type { Connection } from './embedded-lock.ts'

/** The role of the service. It owns nothing. `service-role.ts` lists its rights. */
export const SERVICE_ROLE = 'remit_service'

/**
 * Derived from the owner's random password, which it does not reveal. Nothing is stored, so processes that start at
 * once agree on it.
 */
export const servicePassword = ({ password }: Pick<Cluster, 'password'>): string =>
  createHmac('sha256', password).update(SERVICE_ROLE).digest('base64url')

/** Creates the role if it is missing. */
export async function makeServiceRole({ client }: Connection, cluster: Cluster): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [SERVICE_ROLE])
  if (rowCount) return
  try {
    await client.query(`create role ${SERVICE_ROLE} login password '${servicePassword(cluster)}'`)
  } catch (error) {
    // Another process was first.
    if (!['42710', '23505'].includes((error as { code?: string }).code ?? '')) throw error
  }
}
