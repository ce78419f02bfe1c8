import type { BackgroundStep } from '../background/background-step.ts'
import type { Deps } from '../deps.ts'

export const statisticsStep: BackgroundStep = {
  name: 'analyze grown tables',
  // A coordinator has no rows of the tables that it analyzes on its workers.
  run: async (deps) => (deps.isDistributed ? 0 : analyzeGrownTables(deps)),
  isWoken: false,
}

/** One pass. Without it, the first minute of a new installation is slow: see `src/foundation/db/sql/analyze_grown_tables_v1.sql`. */
export async function analyzeGrownTables({ sql }: Pick<Deps, 'sql'>): Promise<number> {
  await sql`select analyze_grown_tables_v1()`
  return 0 // a table that was locked waits for the next poll
}
