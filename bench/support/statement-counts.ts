import { connect } from '../../src/foundation/db/connect.ts'
import type { Server } from './database.ts'

// Counts the statements that a database receives, and the rows that it writes.

/** `statements`: those that programs sent, with `begin` and `commit`. `rows`: inserted, updated and deleted, without those of the system. */
export type Counts = { statements: number; rows: number }

/** Makes the server load `pg_stat_statements` at its next start. */
export async function loadStatementCounts(adminUrl: string): Promise<void> {
  const sql = connect(adminUrl, { max: 1, applicationName: 'bench' })
  try {
    await sql`create extension pg_stat_statements`
    await sql`alter system set shared_preload_libraries = 'pg_stat_statements'`
  } finally {
    await sql.end()
  }
}

/**
 * The counts of a database since its creation. PostgreSQL adds the rows of a session when the session ends, so call
 * this when the programs have ended.
 */
export async function readCounts(server: Server, database: string): Promise<Counts> {
  const admin = connect(server.url('postgres'), { max: 1, applicationName: 'bench' })
  const sql = connect(server.url(database), { max: 1, applicationName: 'bench' })
  try {
    const [sent] = await admin<{ statements: number }[]>`
      select coalesce(sum(s.calls), 0)::bigint as statements
      from pg_stat_statements s
      join pg_database d on d.oid = s.dbid
      where d.datname = ${database} and s.toplevel
    `
    const [written] = await sql<{ rows: number }[]>`
      select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::bigint as rows
      from pg_stat_user_tables
    `
    return { statements: sent?.statements ?? 0, rows: written?.rows ?? 0 }
  } finally {
    await Promise.all([admin.end(), sql.end()])
  }
}

/** Rows of a table that were written. `inPlace`: the updated rows that needed no new index entries. */
export type TableRows = { table: string; inserted: number; updated: number; deleted: number; inPlace: number }

/** Returns the rows that were written to each table of a database since it was made. Call this when the programs have ended. */
export async function readTableRows(server: Server, database: string): Promise<TableRows[]> {
  const sql = connect(server.url(database), { max: 1, applicationName: 'bench' })
  try {
    return await sql<TableRows[]>`
      select
        relname as table, n_tup_ins::bigint as inserted, n_tup_upd::bigint as updated, n_tup_del::bigint as deleted,
        n_tup_hot_upd::bigint as in_place
      from pg_stat_user_tables
      order by relname
    `
  } finally {
    await sql.end()
  }
}
