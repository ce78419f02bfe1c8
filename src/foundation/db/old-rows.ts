import type { BackgroundStep } from '../lib/concurrency/background-steps.ts'
import { allPlatforms } from './cluster/all-platforms.ts'
import type { Sql } from './connect.ts'
import type { Deps } from './deps.ts'
import { isolate } from './isolation.ts'
import type { Fragment, Skipped } from './skipped.ts'
import type { Unit } from './step-failures.ts'

/** Rows of a table to delete when they are old, in batches, oldest first. */
export type OldRows = {
  table: string
  /** The table's primary key. */
  key: readonly string[]
  /** The unit of failure: `platform_id`, or the key of rows without a platform. */
  unit: string
  /** The column with the age of a row. */
  age: string
  /** Another condition. The row is called `old`. */
  condition?(sql: Sql): Fragment
}

type Age = { before: Date } | { until: Date }

/**
 * One pass: deletes a batch of all platforms at once. A row that cannot be deleted fails alone, or with its platform.
 *
 * @returns the number of rows
 */
export async function sweepOldRows(
  deps: Deps,
  step: BackgroundStep,
  rows: OldRows,
  { limit, ...age }: Age & { limit: number },
): Promise<number> {
  const { sql } = deps
  const isolation = isolate(deps, step)
  // The statements ask every node of a cluster. Old rows can wait.
  if (isOfPlatform(rows) && isolation.skipped().answering) return 0
  return isolation.runAllOrEach({
    ...(!isOfPlatform(rows) && { kind: rows.table }),
    all: (skipped) => deleteOldRows(sql, rows, { ...age, limit, skipped }),
    units: (skipped) => listUnits(sql, rows, { ...age, limit, skipped }),
    one: (unit) => deleteOldRows(sql, rows, { ...age, limit, unit }),
  })
}

type Batch = Age & { limit: number; skipped?: Skipped; unit?: Unit }

export async function deleteOldRows(sql: Sql, rows: OldRows, batch: Batch): Promise<number> {
  const { table, key } = rows
  const result = await sql`
    ${allPlatforms('deletes old rows')}
    delete from ${sql(table)}
    where (${sql(key)}) in (
      select ${sql(key)}
      from ${sql(table)} old
      where ${conditionOf(sql, rows, batch)}
      order by ${sql(rows.age)}
      limit ${batch.limit}
    )
  `
  return result.count
}

/** The platforms of a batch, or the rows if they have no platform. */
async function listUnits(sql: Sql, rows: OldRows, batch: Batch): Promise<Unit[]> {
  const found = await sql<{ unit: string }[]>`
    ${allPlatforms('deletes old rows')}
    select distinct ${textOf(sql, rows.unit)} as unit
    from (
      select ${sql(rows.unit)}
      from ${sql(rows.table)} old
      where ${conditionOf(sql, rows, batch)}
      order by ${sql(rows.age)}
      limit ${batch.limit}
    ) batch
  `
  return found.map(({ unit }) =>
    isOfPlatform(rows) ? { platformId: unit } : { platformId: null, kind: rows.table, id: unit },
  )
}

const isOfPlatform = ({ unit }: OldRows) => unit === 'platform_id'

/** The hex digits of an id or a hash. */
const textOf = (sql: Sql, column: string) => sql`translate(${sql(column)}::text, '\\x-', '')`

function conditionOf(sql: Sql, rows: OldRows, batch: Batch): Fragment {
  const { skipped, unit } = batch
  const isOld = 'before' in batch ? sql`< ${batch.before}` : sql`<= ${batch.until}`
  const left = isOfPlatform(rows) ? skipped?.platformIds : skipped?.ids
  const wanted = unit?.id ?? unit?.platformId
  const name = textOf(sql, rows.unit)
  return sql`
    ${sql(rows.age)} ${isOld} ${rows.condition ? sql`and ${rows.condition(sql)}` : sql``}
    ${left && left.length > 0 ? sql`and ${name} <> all (${left}::text[])` : sql``}
    ${wanted ? sql`and ${name} = ${wanted}` : sql``}
  `
}
