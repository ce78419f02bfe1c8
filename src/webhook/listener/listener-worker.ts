import type { BackgroundStep } from '../../foundation/db/background/background-step.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { isolate } from '../../foundation/db/isolation.ts'
import { SILENCE_MS } from './listener-rules.ts'
import { listPlatformsOfSilentListeners, markSilentListenersRemoved } from './listener-store.ts'

const LISTENERS_PER_PASS = 20

export const listenerStep: BackgroundStep = { name: 'sweep listeners', run: sweepListeners, isWoken: false }

/** One pass: removes listeners that have not polled for an hour. @returns the number of removed listeners */
export function sweepListeners(deps: Deps): Promise<number> {
  const { sql } = deps
  const before = new Date(deps.realClock.now().getTime() - SILENCE_MS)
  const silent = { before, now: deps.clock.now(), limit: LISTENERS_PER_PASS }
  return isolate(deps, listenerStep.name).runAllOrEach({
    all: (skipped) => markSilentListenersRemoved(sql, { ...silent, skipped }),
    units: async (skipped) =>
      (await listPlatformsOfSilentListeners(sql, { ...silent, skipped })).map((platformId) => ({ platformId })),
    one: ({ platformId }) => markSilentListenersRemoved(sql, { ...silent, platformId }),
  })
}
