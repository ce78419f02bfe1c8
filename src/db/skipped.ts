import type { Sql } from './connect.ts'

/** Recently failed platforms and items that a list of due work leaves out: see `isolate`. `ids` are those of items. */
export type Skipped = { platformIds: string[]; ids: string[] }

export const NOTHING_SKIPPED: Skipped = { platformIds: [], ids: [] }

export type Fragment = ReturnType<Sql>

/** Additional conditions. Empty while nothing is skipped, so that the statement and its plan stay the same. */
export const notSkipped = (
  sql: Sql,
  { platformIds, ids }: Skipped,
  { platformId = sql`platform_id`, id = sql`id` }: { platformId?: Fragment | null; id?: Fragment | null } = {},
): Fragment => sql`
  ${platformId && platformIds.length > 0 ? sql`and ${platformId} <> all (${platformIds}::uuid[])` : sql``}
  ${id && ids.length > 0 ? sql`and ${id} <> all (${ids}::uuid[])` : sql``}
`
