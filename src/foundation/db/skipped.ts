import { isId } from '../lib/ids.ts'
import type { Sql } from './connect.ts'

/**
 * The platforms and items that a search for due work leaves out (`isolate`).
 *
 * @property platformIds platforms that failed recently
 * @property ids items that failed recently: rows, and others such as connections and files, by their names
 * @property answering the platforms whose node answers; all others are left out. Null if all nodes answer
 */
export type Skipped = { platformIds: string[]; ids: string[]; answering?: string[] | null }

/** The platforms to which a platform sends nothing now, and the items that it does not send to a platform (`isolate`). */
export type SkippedTargets = {
  platformIds: string[]
  items: { platformId: string; id: string }[]
  answering: string[] | null
}

export const NOTHING_SKIPPED: Skipped = { platformIds: [], ids: [] }

export type Fragment = ReturnType<Sql>

/**
 * Returns the conditions that leave out skipped work. They are empty if no platform and no row is skipped, so that the statement and its
 * plan stay the same.
 */
export function notSkipped(
  sql: Sql,
  { platformIds, ids, answering }: Skipped,
  { platformId = sql`platform_id`, id = sql`id` }: { platformId?: Fragment | null; id?: Fragment | null } = {},
): Fragment {
  const rowIds = ids.filter(isId)
  return sql`
    ${platformId && answering ? sql`and ${platformId} = any (${answering}::uuid[])` : sql``}
    ${platformId && platformIds.length > 0 ? sql`and ${platformId} <> all (${platformIds}::uuid[])` : sql``}
    ${id && rowIds.length > 0 ? sql`and ${id} <> all (${rowIds}::uuid[])` : sql``}
  `
}
