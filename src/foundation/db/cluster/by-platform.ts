import pLimit from 'p-limit'
import type { Sql } from '../connect.ts'
import type { Fragment } from '../skipped.ts'

// On one server, one statement can serve all platforms. On a cluster, the rows of a platform are on one node, so each statement names one
// platform.

type OfPlatform = { platformId: string }

/** The maximum number of platforms whose statements run at the same time. */
const STATEMENTS_AT_ONCE = 4

/** Returns whether the rows of platforms are separate: on the nodes of Citus, or in the partitions of the tests. */
export async function isDistributed(sql: Sql): Promise<boolean> {
  const [table] = await sql<{ isPartitioned: boolean }[]>`
    select relkind = 'p' as is_partitioned
    from pg_class
    where oid = to_regclass('payments')
  `
  return table?.isPartitioned || (await isOnCitus(sql))
}

/** Returns whether Citus stores the rows of platforms on its nodes, or has begun to move them there. */
export async function isOnCitus(sql: Sql): Promise<boolean> {
  const [server] = await sql<{ hasCitus: boolean }[]>`
    select to_regclass('pg_catalog.pg_dist_partition') is not null as has_citus
  `
  if (!server?.hasCitus) return false
  const rows = await sql`select from pg_dist_partition where logicalrelid = to_regclass('users')`
  return rows.length > 0
}

/**
 * Makes the SQL functions plan each statement with its values, because Citus can only then choose the node. On one server, generic plans
 * save time.
 */
export async function useCustomPlans(sql: Sql): Promise<void> {
  const rows = await sql<{ signature: string }[]>`
    select oid::regprocedure::text as signature
    from pg_proc
    where pronamespace = 'public'::regnamespace and 'plan_cache_mode=force_generic_plan' = any (proconfig)
  `
  for (const { signature } of rows) {
    await sql.unsafe(`alter function ${signature} set plan_cache_mode = force_custom_plan`)
  }
}

/** Runs a statement about items. On one server, it runs once for all items. On a cluster, it runs once for each platform. */
export async function runByPlatform<Item extends OfPlatform, Result>(
  deps: { isDistributed: boolean },
  items: Item[],
  run: (items: Item[]) => Promise<Result[]>,
): Promise<Result[]> {
  if (items.length === 0) return []
  if (!deps.isDistributed) return run(items)
  const limit = pLimit(STATEMENTS_AT_ONCE)
  const groups = [...Map.groupBy(items, ({ platformId }) => platformId).values()]
  const results = await Promise.allSettled(groups.map((group) => limit(() => run(group))))
  const failed = results.find(({ status }) => status === 'rejected')
  if (failed) throw (failed as PromiseRejectedResult).reason
  return results.flatMap((result) => (result as PromiseFulfilledResult<Result[]>).value)
}

/**
 * The number of rows that `listPlatformsOfRows` reads at a time. It is a constant in the SQL, because a parameter would make PostgreSQL
 * plan each call.
 */
const ROWS_PER_PAGE = 200

type RowsAfter = (turn: { after: string; atMost: Fragment }) => Promise<{ platformId: string }[]>

/**
 * Lists the platforms of rows, each once, ordered by id, starting after `after`. Reads the rows in pages, because Citus refuses a
 * recursive query that steps from platform to platform.
 *
 * @param rowsAfter reads the platforms of rows after a given one, ordered by platform
 * @param choose keeps some of the platforms of a page
 */
export async function listPlatformsOfRows(
  sql: Sql,
  { after, limit }: { after: string | null; limit: number },
  rowsAfter: RowsAfter,
  choose: (platformIds: string[]) => Promise<string[]> = async (platformIds) => platformIds,
): Promise<string[]> {
  const chosen: string[] = []
  for (let last = after ?? FIRST_ID; chosen.length < limit; ) {
    const rows = await rowsAfter({ after: last, atMost: sql`limit ${sql.unsafe(String(ROWS_PER_PAGE))}` })
    const platformIds = [...new Set(rows.map(({ platformId }) => platformId))]
    if (platformIds.length > 0) chosen.push(...(await choose(platformIds)))
    if (rows.length < ROWS_PER_PAGE) break
    last = platformIds.at(-1) as string
  }
  return chosen.slice(0, limit)
}

const FIRST_ID = '0'.repeat(32)

/** Returns the platform of the items, or null if they have several. */
export function commonPlatform(items: readonly OfPlatform[]): string | null {
  const [first] = items
  return first && items.every(({ platformId }) => platformId === first.platformId) ? first.platformId : null
}

/** Returns the condition that a column equals the platform of the items. It is empty if they have several. */
export function isOfTheirPlatform(sql: Sql, column: Fragment, items: readonly OfPlatform[]): Fragment {
  const platformId = commonPlatform(items)
  return platformId ? sql`and ${column} = ${platformId}` : sql``
}
