import { raw } from 'sql-template-tag'
import { addDays } from '../../lib/clock.ts'
import { allPlatforms } from '../cluster/all-platforms.ts'
import type { Sql } from '../connect.ts'
import type { Deps } from '../deps.ts'
import { isolate } from '../isolation.ts'
import type { Fragment, Skipped } from '../skipped.ts'
import type { Unit } from '../step-failures.ts'

/** Describes the rows of a table that are deleted when they are old, in batches, oldest first. */
export type OldRows = {
  table: string
  /** The table's primary key. */
  key: readonly string[]
  /**
   * The id column of rows without a platform. The deletion of such a row fails alone. Without it, rows fail together with their platform.
   */
  unit?: string
  /** The column with the time at which a row became old. */
  age: string
  /** The number of whole days for which a row is kept from then on. */
  keptDays?: number
  /** The clock that `age` is compared with: domain time, or real time by default. */
  clock?: 'clock'
  /** Another condition that the row must meet. In SQL, the row has the alias `old`. */
  condition?: string
  rowsPerPass?: number
}

const ROWS_PER_PASS = 1_000

/**
 * One pass: deletes a batch of old rows of all platforms at once. If that fails, deletes the rows of each platform (or each row without a
 * platform) alone, so that one failure does not affect the others.
 *
 * @returns the number of deleted rows
 */
export async function sweepOldRows(deps: Deps, step: string, rows: OldRows): Promise<number> {
  const { sql } = deps
  const isolation = isolate(deps, step)
  // The deletion runs on every node of a cluster. While a node is down, it waits.
  if (!rows.unit && isolation.skipped().answering) return 0
  const until = addDays(deps[rows.clock ?? 'realClock'].now(), -(rows.keptDays ?? 0))
  return isolation.runAllOrEach({
    ...(rows.unit && { kind: rows.table }),
    all: (skipped) => deleteOldRows(sql, rows, { until, skipped }),
    units: (skipped) => listUnits(sql, rows, { until, skipped }),
    one: (unit) => deleteOldRows(sql, rows, { until, unit }),
  })
}

type Batch = { until: Date; skipped?: Skipped; unit?: Unit }

export async function deleteOldRows(sql: Sql, rows: OldRows, batch: Batch): Promise<number> {
  const { table, key } = rows
  const result = await sql`
    ${allPlatforms('deletes old rows')}
    delete from ${sql(table)}
    where (${sql(key)}) in (select ${sql(key)} ${oldestRows(sql, rows, batch)})
  `
  return result.count
}

/** Lists the platforms of a batch, or its rows if they have no platform. */
async function listUnits(sql: Sql, rows: OldRows, batch: Batch): Promise<Unit[]> {
  const { table, unit = 'platform_id' } = rows
  const found = await sql<{ unit: string }[]>`
    ${allPlatforms('deletes old rows')}
    select distinct ${textOf(sql, unit)} as unit
    from (select ${sql(unit)} ${oldestRows(sql, rows, batch)}) batch
  `
  return found.map(({ unit: id }) => (rows.unit ? { platformId: null, kind: table, id } : { platformId: id }))
}

function oldestRows(sql: Sql, rows: OldRows, { until, skipped, unit }: Batch): Fragment {
  const { table, age, keptDays, condition, rowsPerPass = ROWS_PER_PASS } = rows
  const left = rows.unit ? skipped?.ids : skipped?.platformIds
  const wanted = unit?.id ?? unit?.platformId
  const name = textOf(sql, rows.unit ?? 'platform_id')
  return sql`
    from ${sql(table)} old
    where ${sql(age)} ${keptDays ? sql`<` : sql`<=`} ${until} ${condition ? sql`and ${raw(condition)}` : sql``}
      ${left && left.length > 0 ? sql`and ${name} <> all (${left}::text[])` : sql``}
      ${wanted ? sql`and ${name} = ${wanted}` : sql``}
    order by ${sql(age)}
    limit ${rowsPerPass}
  `
}

/** Formats an id or a hash as hex digits in SQL. */
const textOf = (sql: Sql, column: string) => sql`translate(${sql(column)}::text, '\\x-', '')`
