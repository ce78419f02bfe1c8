import type { CurrentConnections } from '../../foundation/core/connections.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { readConnections } from './connections-actions.ts'

/** The connections of a running service, which can read their file again. */
export type ReloadableConnections = CurrentConnections & {
  /**
   * Replaces all connections by those of the file, or none if the file has a fault.
   *
   * @returns null, or why the old connections stay
   */
  reload(): Promise<string | null>
}

/** Reads `connections.json` for a service. @throws StartProblem with a line for each fault */
export async function openConnections(path: string): Promise<ReloadableConnections> {
  let current = await readConnections(path)
  let last: Promise<unknown> = Promise.resolve()

  async function reload(): Promise<string | null> {
    try {
      current = await readConnections(path)
      return null
    } catch (error) {
      if (error instanceof StartProblem) return error.message
      throw error
    }
  }

  return {
    current: () => current,
    reload: () => {
      // In sequence, so that an older content never replaces a newer one.
      const next = last.then(reload)
      last = next.catch(() => {})
      return next
    },
  }
}
