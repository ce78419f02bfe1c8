import type { BackgroundStep } from '../background/background-step.ts'
import type { Deps } from '../deps.ts'

export const statisticsStep: BackgroundStep = {
  name: 'analyze grown tables',
  // On a cluster, the coordinator has no rows of the tables, so this step would find nothing.
  run: async (deps) => (deps.isDistributed ? 0 : analyzeGrownTables(deps)),
  isWoken: false,
}

/**
 * Runs one pass that updates the statistics of small tables that have grown. Without it, the first minute of a new installation is slow
 * (`src/foundation/db/sql/analyze_grown_tables_v1.sql`).
 */
export async function analyzeGrownTables({ sql }: Pick<Deps, 'sql'>): Promise<number> {
  await sql`select analyze_grown_tables_v1()`
  return 0 // a locked table is analyzed by a later pass
}
