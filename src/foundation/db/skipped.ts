import type { Sql } from './connect.ts'

/**
 * What a list of due work leaves out: see `isolate`.
 *
 * @property platformIds of platforms that failed recently
 * @property ids of items that failed recently
 * @property answering the platforms of nodes that answer: the others are left out. Null: all nodes answer.
 */
export type Skipped = { platformIds: string[]; ids: string[]; answering?: string[] | null }

export const NOTHING_SKIPPED: Skipped = { platformIds: [], ids: [] }

export type Fragment = ReturnType<Sql>

/** Additional conditions. Empty while nothing is skipped, so that the statement and its plan stay the same. */
export const notSkipped = (
  sql: Sql,
  { platformIds, ids, answering }: Skipped,
  { platformId = sql`platform_id`, id = sql`id` }: { platformId?: Fragment | null; id?: Fragment | null } = {},
): Fragment => sql`
  ${platformId && answering ? sql`and ${platformId} = any (${answering}::uuid[])` : sql``}
  ${platformId && platformIds.length > 0 ? sql`and ${platformId} <> all (${platformIds}::uuid[])` : sql``}
  ${id && ids.length > 0 ? sql`and ${id} <> all (${ids}::uuid[])` : sql``}
`
