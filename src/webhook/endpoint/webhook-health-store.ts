import { isOfTheirPlatform } from '../../foundation/db/cluster/by-platform.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import type { Health } from './webhook-health-rules.ts'
import type { EndpointKey } from './webhook-store.ts'

/** An endpoint and the URL that was observed. A result applies only if the endpoint still has this URL. */
export type ObservedEndpoint = EndpointKey & { url: string }

export type HealthRecord = ObservedEndpoint & Health

/** Stores the health of endpoints. An endpoint that has recovered can cause a new warning. */
export async function updateHealth(sql: Sql, records: HealthRecord[]): Promise<void> {
  const rows = records.map(({ platformId, endpointId, url, isSlow, failingSince }) => ({
    platform_id: platformId,
    endpoint_id: endpointId,
    url,
    is_slow: isSlow,
    failing_since: failingSince,
  }))
  await sql`
    update endpoints e
    set
      is_slow = h.is_slow,
      failing_since = h.failing_since,
      warned_at = case when h.failing_since is null then null else e.warned_at end
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as h (
      platform_id uuid, endpoint_id uuid, url text, is_slow boolean, failing_since timestamptz
    )
    where e.platform_id = h.platform_id and e.id = h.endpoint_id and e.url = h.url
      ${isOfTheirPlatform(sql, sql`e.platform_id`, records)}
  `
}

/** Records that the owner was notified. @returns false if it was already recorded or the endpoint has recovered */
export async function updateWarnedAt(
  sql: Sql,
  { platformId, endpointId, url }: ObservedEndpoint,
  now: Date,
): Promise<boolean> {
  const result = await sql`
    update endpoints
    set warned_at = ${now}
    where platform_id = ${platformId} and id = ${endpointId} and url = ${url}
      and warned_at is null and failing_since is not null and removed_at is null and disabled_at is null
  `
  return result.count === 1
}

/** Disables an endpoint. @returns false if it was already disabled or its URL has changed */
export async function updateDisabled(
  sql: Sql,
  { platformId, endpointId, url }: ObservedEndpoint,
  { reason, now }: { reason: 'GONE' | 'FAILING'; now: Date },
): Promise<boolean> {
  const result = await sql`
    update endpoints
    set disabled_at = ${now}, disabled_reason = ${reason}
    where platform_id = ${platformId} and id = ${endpointId} and url = ${url}
      and removed_at is null and disabled_at is null
  `
  return result.count === 1
}
