import { createHmac } from 'node:crypto'
import type { Cluster } from './embedded-cluster.ts'
import type { Connection } from './embedded-lock.ts'

/** As which the service connects. It owns nothing: `service-role.ts` says what it may do. */
export const SERVICE_ROLE = 'remit_service'

/**
 * Made from the owner's random password, which it does not reveal. Nothing has to be kept beside it, so that a data
 * directory of an older version, and two processes that start at once, agree on it.
 */
export const servicePassword = ({ password }: Pick<Cluster, 'password'>): string =>
  createHmac('sha256', password).update(SERVICE_ROLE).digest('base64url')

/** Makes the role, unless it is there, in a cluster of an older version too. */
export async function makeServiceRole({ sql }: Connection, cluster: Cluster): Promise<void> {
  const [role] = await sql`select from pg_roles where rolname = ${SERVICE_ROLE}`
  if (role) return
  try {
    await sql.unsafe(`create role ${SERVICE_ROLE} login password '${servicePassword(cluster)}'`)
  } catch (error) {
    // Another process was first.
    if (!['42710', '23505'].includes((error as { code?: string }).code ?? '')) throw error
  }
}
