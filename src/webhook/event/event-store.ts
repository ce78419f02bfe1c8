import type { Sql } from '../../foundation/db/connect.ts'
import type { EventType } from './event-rules.ts'

/**
 * Writes an event and its deliveries if an endpoint of the platform subscribed to its type (`sql/record_event_v1.sql`).
 *
 * @returns the endpoints that now have pending deliveries
 */
export async function insertEvent(
  sql: Sql,
  event: { platformId: string; type: EventType; subjectId: string; id: string; body: string; now: Date },
): Promise<string[]> {
  const [row] = await sql<{ endpointIds: string[] }[]>`
    select record_event_v1(
      ${event.platformId}, ${event.type}, ${event.subjectId}, ${event.id}, ${event.body}, ${event.now}
    ) as endpoint_ids
  `
  return row?.endpointIds ?? []
}
