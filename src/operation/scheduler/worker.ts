import { type Meter, noMeter } from '../../foundation/core/meter.ts'
import { classifyDatabaseError } from '../../foundation/db/trouble.ts'
import type { Log } from '../../foundation/lib/log.ts'

/** One kind of background work. */
export type Step = {
  name: string
  /** One bounded pass. Passes of one step never overlap in this process. @returns the number of items done */
  run(): Promise<number>
  /** Whether it also runs when woken, not only at each poll. */
  isWoken: boolean
}

/** The milliseconds within which several wake-ups are combined. */
const WAKE_DELAY_MS = 3

export type Worker = {
  /** Runs the steps that react to wake-ups. */
  wake(): void
  /** Waits for running passes and starts no new ones. */
  stop(): Promise<void>
}

/** Starts the loop of all background work. It runs when woken, and every `pollMs` milliseconds in case a wake-up was lost. */
export function startWorker({
  steps,
  log,
  pollMs,
  meter = noMeter,
}: {
  steps: Step[]
  log: Log
  pollMs: number
  meter?: Meter
}): Worker {
  const passes = new Set<Promise<void>>()
  const running = new Set<Step>()
  /** The steps that were woken during their pass, which may have missed the new work. Each of them runs once more. */
  const wokenAgain = new Set<Step>()
  let isStopped = false

  function startPass(step: Step): boolean {
    if (isStopped || running.has(step)) return false
    running.add(step)
    const pass = runPass(step)
    passes.add(pass)
    void pass.finally(() => {
      passes.delete(pass)
      running.delete(step)
      if (wokenAgain.delete(step)) startPass(step)
    })
    return true
  }

  async function runPass(step: Step) {
    try {
      // After a pass that found work, another one runs, because there may be more work than the limit of a pass.
      while ((await runOnce(step)) > 0 && !isStopped);
    } catch (error) {
      // Without the database, every step fails at every poll, so one log message is enough.
      const isOfDatabase = classifyDatabaseError(error) !== 'other'
      log.warn({ err: isOfDatabase ? (error as Error).message : error, step: step.name }, 'background step failed')
    }
  }

  async function runOnce({ name, run }: Step): Promise<number> {
    const begin = performance.now()
    let hasFailed = true
    try {
      const count = await run()
      hasFailed = false
      return count
    } finally {
      meter.stepRan({ step: name, seconds: (performance.now() - begin) / 1000, hasFailed })
    }
  }

  const poll = () => {
    for (const step of steps) startPass(step)
  }
  const pollTimer = setInterval(poll, pollMs)
  poll()

  let wakeTimer: NodeJS.Timeout | null = null
  const runWoken = () => {
    wakeTimer = null
    for (const step of steps) if (step.isWoken && !startPass(step)) wokenAgain.add(step)
  }

  return {
    wake: () => {
      wakeTimer ??= setTimeout(runWoken, WAKE_DELAY_MS)
    },
    stop: async () => {
      isStopped = true
      clearInterval(pollTimer)
      if (wakeTimer) clearTimeout(wakeTimer)
      while (passes.size > 0) await Promise.all(passes)
    },
  }
}
