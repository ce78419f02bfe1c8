import {
  borrowEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  PostgresProblem,
  startEmbeddedPostgres,
} from '#embedded-postgres'
import { StartProblem } from '../lib/start-problem.ts'

export type { EmbeddedPostgres }

/** Owns the PostgreSQL of a data directory. @throws StartProblem */
export const startDatabase = (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres(options).catch(throwStartProblem)

/** Uses the PostgreSQL of a running service, or owns it for the duration of a command. @throws StartProblem */
export const borrowDatabase = (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> =>
  borrowEmbeddedPostgres(options).catch(throwStartProblem)

function throwStartProblem(error: unknown): never {
  throw error instanceof PostgresProblem ? new StartProblem(error.message, { cause: error }) : error
}
