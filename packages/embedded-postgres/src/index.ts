export type { Binaries } from './embedded-binaries.ts'
export {
  borrowEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  findEmbeddedPostgres,
  startEmbeddedPostgres,
} from './embedded-postgres.ts'
export { PostgresProblem } from './embedded-problem.ts'
export { endServersWithoutWaiting } from './embedded-server.ts'
export { SERVICE_ROLE } from './embedded-service-role.ts'
