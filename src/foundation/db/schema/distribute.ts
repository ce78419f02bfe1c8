import { StartProblem } from '../../lib/start-problem.ts'
import { useCustomPlans } from '../cluster/by-platform.ts'
import { connect, type Pool, type Sql, withoutTimeLimit } from '../connect.ts'
import { runAsCaller } from './citus-rights.ts'
import { databaseOfUrl } from './create-database.ts'
import { copySettings, delegateFunctions, MAX_WORKER_NUMBER, prepareWorkers } from './delegate.ts'
import { isTenantTable } from './distribution.ts'
import { MIGRATION_LOCK } from './migration-lock.ts'
import { grantServiceRights, type ServiceRole } from './service-role.ts'
import { createShardSchemas } from './shard-schemas.ts'

/** The first table to distribute. Its shards decide where a platform is, and all other tenant tables are placed with it. */
const FIRST_TABLE = 'users'

/**
 * Distributes the tenant tables over the workers of Citus, by platform, and gives the functions to the workers. Does only what is missing,
 * so that it can run again after a migration or an interruption.
 *
 * @param servedBy the role that serves the database and gets its rights, or null for the owner
 * @returns the names of the tables that it distributed
 * @throws StartProblem if the server has no Citus, or is not set up as docs/scale-out.md says
 */
export async function distributeTables(url: string, servedBy: ServiceRole | null): Promise<string[]> {
  const pool = connect(url, { max: 1, applicationName: 'remit migrate' })
  try {
    await requireCluster(pool, url)
    const tables = await listUndistributed(pool)
    for (const table of tables) await inLongTransaction(pool, (tx) => distributeTable(tx, table))
    await inLongTransaction(pool, copySettings)
    await prepareWorkers(pool, servedBy)
    await inLongTransaction(pool, async (tx) => {
      await distributeFunctions(tx)
      await delegateFunctions(tx, FIRST_TABLE)
      await useCustomPlans(tx)
      await runAsCaller(tx)
      if (servedBy) await grantServiceRights(tx, servedBy)
    })
    await inLongTransaction(pool, (tx) => createShardSchemas(tx, servedBy))
    return tables
  } finally {
    await pool.end({ timeout: 5 })
  }
}

/** Runs `work` in a transaction without a time limit. Distributions and migrations run one at a time. */
async function inLongTransaction(pool: Pool, work: (tx: Sql) => Promise<void>): Promise<void> {
  await pool.begin(async (tx) => {
    await withoutTimeLimit(tx)
    await tx`set local lock_timeout = 0`
    await tx`select pg_advisory_xact_lock(${MIGRATION_LOCK})`
    await work(tx)
  })
}

async function requireCluster(sql: Sql, url: string): Promise<void> {
  const problem = (what: string) =>
    new StartProblem(`The database "${databaseOfUrl(url)}" ${what} See docs/scale-out.md.`)
  const [extension] = await sql`select from pg_extension where extname = 'citus'`
  if (!extension) throw problem('does not have the extension citus. Create it on each server of the cluster.')
  const [workers] = await sql<{ count: number; lastNumber: number | null }[]>`
    select count(*)::integer, max(groupid) as last_number
    from pg_dist_node
    where isactive and shouldhaveshards and noderole = 'primary'
  `
  if (workers?.count === 0) throw problem('has no workers. Add them with citus_add_node.')
  if (Number(workers?.lastNumber) > MAX_WORKER_NUMBER)
    throw problem(`has a worker with a number (pg_dist_node.groupid) above ${MAX_WORKER_NUMBER}.`)
  const rows = await sql<{ node: string; answer: string; isAnswered: boolean }[]>`
    select format('%s:%s', nodename, nodeport) as node, result as answer, success as is_answered
    from run_command_on_workers(${`show ${NESTED_EXECUTION}`})
  `
  for (const { node, answer, isAnswered } of rows) {
    if (!isAnswered) throw problem(`cannot reach the worker ${node}: ${answer}.`)
    if (answer !== 'on') throw problem(`needs ${NESTED_EXECUTION} = on in the postgresql.conf of the worker ${node}.`)
  }
}

/** Allows the functions in a worker's statement to read other rows of the same platform, which are on that worker. */
const NESTED_EXECUTION = 'citus.allow_nested_distributed_execution'

async function listUndistributed(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select relname as name
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'
      and relowner = (select relowner from pg_class where oid = 'public.migrations'::regclass)
      and not exists (select from pg_dist_partition where logicalrelid = pg_class.oid)
    order by relname <> ${FIRST_TABLE}, relname
  `
  return rows.map(({ name }) => name).filter(isTenantTable)
}

async function distributeTable(tx: Sql, table: string): Promise<void> {
  // Another process may have distributed the table in the meantime.
  const [known] = await tx`select from pg_dist_partition where logicalrelid = ${table}::regclass`
  if (known) return
  const colocation = table === FIRST_TABLE ? 'none' : FIRST_TABLE
  await tx`select create_distributed_table(${table}::regclass, 'platform_id', colocate_with => ${colocation})`
  // The rows are on the workers now. Deletes the copy of them that Citus leaves on the coordinator.
  await tx`select truncate_local_data_after_distributing_table(${table}::regclass)`
}

/** Distributes functions that were created before the workers were added. */
async function distributeFunctions(tx: Sql): Promise<void> {
  const functions = await tx<{ signature: string }[]>`
    select p.oid::regprocedure::text as signature
    from pg_proc p
    join sql_functions f on f.name = p.proname
    where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_dist_object where classid = 'pg_proc'::regclass and objid = p.oid)
  `
  // Some functions read tables that only the coordinator has. Workers have these functions but never call them.
  await tx`set local citus.propagate_set_commands = 'local'`
  await tx`set local check_function_bodies = off`
  for (const { signature } of functions) {
    await tx`select create_distributed_function(${signature}::regprocedure)`
    await tx.unsafe(`revoke execute on function ${signature} from public`) // Citus does not copy this revocation to the workers
  }
}
