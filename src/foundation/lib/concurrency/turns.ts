import { setImmediate as nextTurn } from 'node:timers/promises'

/** The time in milliseconds after which a loop lets other work run. A request waits for a few turns until it is answered. */
const MAX_TURN_MS = 1

/** Returns a function that a long loop awaits for each item. About once a millisecond, it lets other work of this process run. */
export function createTurns(): () => Promise<void> {
  let begin = performance.now()
  return async () => {
    if (performance.now() - begin < MAX_TURN_MS) return
    await nextTurn()
    begin = performance.now()
  }
}
