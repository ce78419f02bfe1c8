import {
  borrowEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  findEmbeddedPostgres,
  PostgresProblem,
  startEmbeddedPostgres,
} from '#embedded-postgres'
import { StartProblem } from '../lib/start-problem.ts'

export type { EmbeddedPostgres }

/** Starts the PostgreSQL server of a data directory. @throws StartProblem */
export const startDatabase = (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres(options).catch(throwStartProblem)

/**
 * Uses the PostgreSQL server that already runs for a data directory. If there is none, starts it for the duration of a command. @throws
 * StartProblem
 */
export const borrowDatabase = (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> =>
  borrowEmbeddedPostgres(options).catch(throwStartProblem)

/**
 * Returns the URL of the service's database, or null if the data directory has no PostgreSQL. Starts and changes nothing. @throws
 * StartProblem
 */
export const findDatabase = async (dataDir: string, name: string): Promise<string | null> =>
  (await findEmbeddedPostgres(dataDir).catch(throwStartProblem))?.serviceUrl(name) ?? null

function throwStartProblem(error: unknown): never {
  throw error instanceof PostgresProblem ? new StartProblem(error.message, { cause: error }) : error
}
