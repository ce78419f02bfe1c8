import type { Sql } from './connect.ts'

/**
 * The platforms and items that a search for due work leaves out (`isolate`).
 *
 * @property platformIds platforms that failed recently
 * @property ids items that failed recently
 * @property answering the platforms whose node answers; all others are left out. Null if all nodes answer
 */
export type Skipped = { platformIds: string[]; ids: string[]; answering?: string[] | null }

export const NOTHING_SKIPPED: Skipped = { platformIds: [], ids: [] }

export type Fragment = ReturnType<Sql>

/**
 * Returns the conditions that leave out skipped work. They are empty if nothing is skipped, so that the statement and its plan stay the
 * same.
 */
export const notSkipped = (
  sql: Sql,
  { platformIds, ids, answering }: Skipped,
  { platformId = sql`platform_id`, id = sql`id` }: { platformId?: Fragment | null; id?: Fragment | null } = {},
): Fragment => sql`
  ${platformId && answering ? sql`and ${platformId} = any (${answering}::uuid[])` : sql``}
  ${platformId && platformIds.length > 0 ? sql`and ${platformId} <> all (${platformIds}::uuid[])` : sql``}
  ${id && ids.length > 0 ? sql`and ${id} <> all (${ids}::uuid[])` : sql``}
`
