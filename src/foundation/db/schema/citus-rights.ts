import type { Sql } from '../connect.ts'

// On Citus, a transaction cannot write to a worker as two roles. Therefore no function runs with the rights of the owner there, and the
// service role gets the rights that these functions need.

export async function runAsCaller(tx: Sql): Promise<void> {
  const functions = await tx<{ signature: string }[]>`
    select p.oid::regprocedure::text as signature
    from pg_proc p
    join sql_functions f on f.name = p.proname
    where p.pronamespace = 'public'::regnamespace and p.prosecdef
  `
  for (const { signature } of functions) await tx.unsafe(`alter function ${signature} security invoker`)
}

export async function grantCitusRights(tx: Sql, role: string): Promise<void> {
  await tx`grant update (status, ended_at) on transfers to ${tx(role)}` // end_pending_transfers_v1 needs this
  // Citus numbers rows with the rights of the inserting role. PostgreSQL itself needs no right for that.
  const sequences = await listSequences(tx)
  for (const { name } of sequences) await tx`grant usage on sequence ${tx(name)} to ${tx(role)}`
}

/** Lists the sequences that number rows of distributed tables. */
export const listSequences = (sql: Sql): Promise<{ name: string }[]> =>
  sql<{ name: string }[]>`
    select d.objid::regclass::text as name
    from pg_depend d
    join pg_class s on s.oid = d.objid and s.relkind = 'S'
    join pg_dist_partition p on p.logicalrelid = d.refobjid
    where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass and d.deptype = 'i'
  `
