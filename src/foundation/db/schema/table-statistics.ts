import type { Deps } from '../deps.ts'

/** One pass. Without it, the first minute of a new installation is slow: see `src/foundation/db/sql/analyze_grown_tables_v1.sql`. */
export async function analyzeGrownTables({ sql }: Pick<Deps, 'sql'>): Promise<number> {
  await sql`select analyze_grown_tables_v1()`
  return 0 // a table that was locked waits for the next poll
}
