import { type Meter, noMeter } from '../core/meter.ts'
import { troubleOf } from '../db/trouble.ts'
import type { Log } from '../lib/log.ts'

/** One kind of background work. */
export type Step = {
  name: string
  /** One bounded pass. @returns how much it did */
  run(): Promise<number>
  /** How many passes may run at the same time. Passes of one step never do the same work twice. */
  concurrency: number
  /** Whether it runs when woken, or only at each poll. */
  isWoken: boolean
}

/** Wakes that come within this time are one. */
const WAKE_DELAY_MS = 3

export type Worker = {
  /** Runs the steps that can be woken: there is something to do. */
  wake(): void
  /** Lets the passes under way end, and starts no other. */
  stop(): Promise<void>
}

/** The loop behind all background work: when woken, and each `pollMs` as the safety net. */
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
  const running = new Map<string, number>()
  /** Steps that were woken while as many passes ran as may: what woke them may have come too late for these. */
  const wokenAgain = new Set<Step>()
  let isStopped = false

  function startPass(step: Step): boolean {
    const count = running.get(step.name) ?? 0
    if (isStopped || count >= step.concurrency) return false
    running.set(step.name, count + 1)
    const pass = runPass(step)
    passes.add(pass)
    void pass.finally(() => {
      passes.delete(pass)
      running.set(step.name, (running.get(step.name) ?? 1) - 1)
      if (wokenAgain.delete(step)) startPass(step)
    })
    return true
  }

  async function runPass(step: Step) {
    try {
      // A pass that found work is followed by another: there may be more than fitted.
      while ((await runOnce(step)) > 0 && !isStopped);
    } catch (error) {
      // Without its database every step fails at every poll: the cause says it all.
      const isOfDatabase = troubleOf(error) !== 'other'
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
