import type { Deps } from '../deps.ts'

/**
 * One kind of background work. Its worker file exports it, and `operation/app/background-steps.ts` lists it.
 *
 * @typeParam Tools what it needs besides `Deps`
 */
export type BackgroundStep<Tools = unknown> = {
  /** Its name in logs and metrics. */
  name: string
  /** One bounded pass. Passes of one step never overlap in a process. @returns the number of items done */
  run(deps: Deps, tools: Tools): Promise<number>
  /** Whether it also runs when woken, not only at each poll. */
  isWoken: boolean
}
