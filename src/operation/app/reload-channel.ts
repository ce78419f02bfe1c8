import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReloadableConnections } from '../../connections/config/current-connections-actions.ts'
import { removalProblem } from '../../connections/overview/removed-connection-actions.ts'
import type { Pool } from '../../foundation/db/connect.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { listProcesses } from '../../foundation/db/service-processes.ts'

const REQUESTS = 'remit_connections_reload'
const ANSWERS = 'remit_connections_reloaded'

/** The maximum length of a problem. PostgreSQL limits a notification to 8,000 bytes. The log has the complete text. */
const MAX_PROBLEM_LENGTH = 1_500

/** The answer of a process. `problem`: the reason why it keeps its old connections. */
export type ReloadAnswer = { process: string; problem: string | null }

/** Reads the connections of this process again and logs the outcome. @returns null, or the reason why the old connections stay */
export async function reloadConnections(
  { sql, log }: Pick<Deps, 'sql' | 'log'>,
  connections: ReloadableConnections,
): Promise<string | null> {
  const problem = await connections.reload((next) => removalProblem({ sql }, next))
  if (problem === null) log.info({}, 'the connections were reloaded')
  else log.error({ problem }, 'the connections were not reloaded: the old ones stay')
  return problem
}

/** Reloads the connections when `remit connections reload` requests it, and sends the outcome back. */
export const answerReloads = (
  sql: Pool,
  given: { process: string; reload: () => Promise<string | null> },
): Promise<void> => {
  const answer = async (request: string) => {
    const problem = await given.reload().catch((error: Error) => error.message)
    const text = problem && problem.length > MAX_PROBLEM_LENGTH ? `${problem.slice(0, MAX_PROBLEM_LENGTH)}…` : problem
    await sql.notify(ANSWERS, JSON.stringify({ request, process: given.process, problem: text }))
  }
  // If the answer is lost, the command lists this process as one that did not answer.
  return sql.listen(REQUESTS, (request) => void answer(request).catch(() => {}))
}

/**
 * Asks the running processes of an environment to reload their connections.
 *
 * @param given.self the name of this process, which is not asked
 * @returns the answers, and the processes that did not answer in time
 */
export async function askForReload(
  sql: Pool,
  { environment, self, timeoutMs }: { environment: string; self: string; timeoutMs: number },
): Promise<{ answers: ReloadAnswer[]; silent: string[] }> {
  const request = randomUUID()
  const answers: ReloadAnswer[] = []
  const done = new AbortController()
  const waiting = new Set((await listProcesses(sql, environment)).filter((name) => name !== self))
  await sql.listen(ANSWERS, (payload) => {
    const { request: answered, ...answer } = JSON.parse(payload)
    if (answered !== request) return
    answers.push(answer)
    waiting.delete(answer.process)
    if (waiting.size === 0) done.abort()
  })
  if (waiting.size === 0) return { answers, silent: [] }
  await sql.notify(REQUESTS, request)
  await sleep(timeoutMs, undefined, { signal: done.signal }).catch(() => {})
  // A process that belonged to a short command has ended in the meantime, so it need not answer.
  const running = await listProcesses(sql, environment)
  return { answers, silent: running.filter((name) => waiting.has(name)) }
}
