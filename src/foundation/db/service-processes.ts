import type { Sql } from './connect.ts'

/** Returns the names of the processes of an environment that are connected to this database: `remit production VERSION PID`. */
export async function listProcesses(sql: Sql, environment: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select distinct application_name as name
    from pg_stat_activity
    where datname = current_database()
      and application_name ~ ${`^remit ${environment} [^ ]+ [0-9]+$`}
    order by name
  `
  return rows.map(({ name }) => name)
}
