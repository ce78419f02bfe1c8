import type { Sql } from '../../foundation/db/connect.ts'
import type { EndpointKey } from '../endpoint/webhook-store.ts'

/** Stores the full body of a delivery. @returns the stored body: an earlier one if there is one */
export async function insertFullBody(
  sql: Sql,
  { platformId, endpointId, eventId }: EndpointKey & { eventId: string },
  bodySealed: Buffer,
): Promise<Buffer> {
  const [row] = await sql<[{ bodySealed: Buffer }]>`
    insert into full_bodies (platform_id, endpoint_id, event_id, body_sealed)
    values (${platformId}, ${endpointId}, ${eventId}, ${bodySealed})
    on conflict (platform_id, endpoint_id, event_id) do update
    set body_sealed = full_bodies.body_sealed
    returning body_sealed
  `
  return row.bodySealed
}

/** Returns the stored full body of a delivery, or null. */
export async function findFullBody(
  sql: Sql,
  { platformId, endpointId, eventId }: EndpointKey & { eventId: string },
): Promise<Buffer | null> {
  const [row] = await sql<{ bodySealed: Buffer }[]>`
    select body_sealed
    from full_bodies
    where platform_id = ${platformId} and endpoint_id = ${endpointId} and event_id = ${eventId}
  `
  return row?.bodySealed ?? null
}
