import type { Deps } from '../deps.ts'

/**
 * Runs one pass that updates the statistics of small tables that have grown. Without it, the first minute of a new installation is slow
 * (`src/foundation/db/sql/analyze_grown_tables_v1.sql`).
 */
export async function analyzeGrownTables({ sql }: Pick<Deps, 'sql'>): Promise<number> {
  await sql`select analyze_grown_tables_v1()`
  return 0 // a locked table is analyzed by a later pass
}
