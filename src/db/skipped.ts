import type { Sql } from './connect.ts'

/** What a list of due work leaves out because it failed lately: see `isolate`. `ids` are those of items. */
export type Skipped = { platformIds: string[]; ids: string[] }

export const NOTHING_SKIPPED: Skipped = { platformIds: [], ids: [] }

export type Fragment = ReturnType<Sql>

/** Further conditions, none as long as nothing is skipped: the statement and its plan stay as they are. */
export const notSkipped = (
  sql: Sql,
  { platformIds, ids }: Skipped,
  { platformId = sql`platform_id`, id = sql`id` }: { platformId?: Fragment | null; id?: Fragment | null } = {},
): Fragment => sql`
  ${platformId && platformIds.length > 0 ? sql`and ${platformId} <> all (${platformIds}::uuid[])` : sql``}
  ${id && ids.length > 0 ? sql`and ${id} <> all (${ids}::uuid[])` : sql``}
`
