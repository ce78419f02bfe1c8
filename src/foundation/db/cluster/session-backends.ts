import type { Sql } from '../connect.ts'

// A session of the coordinator has backends on the nodes. Citus puts the process id of the session into their names.

/** Counts the backends of a session on the nodes. @throws Error if a node does not answer */
export const countBackendsOnNodes = (sql: Sql, processId: number): Promise<number> =>
  sumOfNodes(sql, { processId, what: 'count(*)' })

/** Ends the backends of a session on the nodes. Their uncommitted work is rolled back. */
export async function endBackendsOnNodes(sql: Sql, processId: number): Promise<void> {
  await sumOfNodes(sql, { processId, what: 'count(pg_terminate_backend(pid))' })
}

async function sumOfNodes(sql: Sql, { processId, what }: { processId: number; what: string }): Promise<number> {
  const rows = await sql<{ node: string; answer: string; isAnswered: boolean }[]>`
    select format('%s:%s', n.nodename, n.nodeport) as node, n.result as answer, n.success as is_answered
    from pg_dist_node c
    cross join lateral run_command_on_workers(format(
      'select %s from pg_stat_activity where application_name = %L',
      ${what}::text, 'citus_internal gpid=' || citus_calculate_gpid(c.nodeid, ${processId}::integer)
    )) n
    where c.groupid = 0
  `
  const silent = rows.find(({ isAnswered }) => !isAnswered)
  if (silent) throw new Error(`The node ${silent.node} does not answer: ${silent.answer}`)
  return rows.reduce((sum, { answer }) => sum + Number(answer), 0)
}
