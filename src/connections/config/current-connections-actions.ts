import type { Connections, CurrentConnections } from '../../foundation/core/connections.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { readConnections } from './connections-actions.ts'

/** The connections of a running service, with a function that reads their file again. */
export type ReloadableConnections = CurrentConnections & {
  /**
   * Replaces all connections with those of the file. If the file has a problem, nothing is replaced.
   *
   * @param problemOf explains why the new connections cannot be used now, or returns null
   * @returns null, or the reason why the old connections stay
   */
  reload(problemOf: (next: Connections) => Promise<string | null>): Promise<string | null>
}

/** Reads `connections.json` for a service. @throws StartProblem with one line for each problem */
export async function openConnections(path: string): Promise<ReloadableConnections> {
  let current = await readConnections(path)
  let last: Promise<unknown> = Promise.resolve()

  async function reload(problemOf: (next: Connections) => Promise<string | null>): Promise<string | null> {
    try {
      const next = await readConnections(path)
      const problem = await problemOf(next)
      if (problem === null) current = next
      return problem
    } catch (error) {
      if (error instanceof StartProblem) return error.message
      throw error
    }
  }

  return {
    current: () => current,
    reload: (problemOf) => {
      // Reloads run one at a time, so that an older content never replaces a newer one.
      const next = last.then(() => reload(problemOf))
      last = next.catch(() => {})
      return next
    },
  }
}
