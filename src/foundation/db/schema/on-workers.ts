import { StartProblem } from '../../lib/start-problem.ts'
import type { Sql } from '../connect.ts'

/** Runs a command on each worker of Citus, in a transaction of its own. @throws StartProblem */
export async function onWorkers(sql: Sql, command: string): Promise<void> {
  const rows = await sql<{ node: string; answer: string; isDone: boolean }[]>`
    select format('%s:%s', nodename, nodeport) as node, result as answer, success as is_done
    from run_command_on_workers(${command})
  `
  for (const { node, answer, isDone } of rows)
    if (!isDone) throw new StartProblem(`The worker ${node} could not be prepared: ${answer}`)
}
