import { acts, restAct } from './acts.ts'
import { checkFully, checkStep } from './checks.ts'
import { type Coverage, coverageOf, noCoverage } from './coverage.ts'
import { createDice } from './dice.ts'
import { Broken, count, digestOf, startWorld, type World } from './world.ts'

/** A step of a history. It has its own dice with this seed, so that the remaining steps of a shorter history make the same choices. */
export type Step = readonly [act: string, seed: number]

/** `seed` determines the ids and the first day. */
export type History = { seed: number; steps: readonly Step[] }

export type Failure = { step: number; act: string; promise: string; message: string }

export type Outcome = {
  /** The number of steps that were taken. */
  steps: number
  digest: string
  failure: Failure | null
  seen: Record<string, number>
  coverage: Coverage
  trace: string[]
  days: number
}

/** The number of steps after which the world must come to rest. */
const STEPS_PER_CHAPTER = 250
/** The number of steps between two checks of the whole ledger and the audit trail, in addition to those at rest. */
const STEPS_PER_FULL_CHECK = 75

/** Draws a history, with a rest after each chapter and at the end. */
export function drawHistory(seed: number, count: number): History {
  const dice = createDice(seed)
  const wheel = Object.entries(acts).flatMap(([name, [weight]]) => Array<string>(weight * 2).fill(name))
  const draw = (name: string): Step => [name, dice.between(0, 2 ** 31)]
  const steps = Array.from({ length: count }, () => draw(dice.pick(wheel) as string))
  const chapters = Math.ceil(count / STEPS_PER_CHAPTER)
  return {
    seed,
    steps: Array.from({ length: chapters }, (_, chapter) => [
      ...steps.slice(chapter * STEPS_PER_CHAPTER, (chapter + 1) * STEPS_PER_CHAPTER),
      draw('rest'),
    ]).flat(),
  }
}

/** Runs a history in its own world. */
export async function live({ seed, steps }: History): Promise<Outcome> {
  const ends: (() => unknown)[] = []
  let failure: Failure | null = null
  let coverage = noCoverage()
  const world = await startWorld({ after: (end) => void ends.unshift(end) }, seed).catch(async (error) => {
    for (const end of ends) await end()
    throw error
  })
  const start = world.clock.now().getTime()
  try {
    for (const [index, step] of steps.entries()) {
      world.step = index + 1
      failure = await take(world, step)
      if (failure) break
    }
    coverage = await coverageOf(world)
  } finally {
    for (const end of ends) {
      try {
        await end()
      } catch (error) {
        failure ??= failureOf(world, 'the end', error as Error)
      }
    }
  }
  const days = Math.round((world.clock.now().getTime() - start) / 86_400_000)
  return {
    steps: world.step,
    digest: digestOf(world.trace),
    failure,
    seen: world.seen,
    coverage,
    trace: world.trace,
    days,
  }
}

/** @returns the promise that was broken, or null */
async function take(world: World, [name, seed]: Step): Promise<Failure | null> {
  world.dice = createDice(seed)
  count(world, name)
  try {
    const act = name === 'rest' ? restAct : acts[name]?.[1]
    const note = await act?.(world)
    world.trace.push(`${world.step} ${name}: ${note} (${world.clock.now().toISOString()})`)
    await checkStep(world)
    if (world.step % STEPS_PER_FULL_CHECK === 0) await checkFully(world)
    return null
  } catch (error) {
    return failureOf(world, name, error as Error)
  }
}

function failureOf({ step }: World, act: string, error: Error): Failure {
  const promise = error instanceof Broken ? error.promise : `no error: ${error.name}`
  return { step, act, promise, message: error.stack ?? error.message }
}

/**
 * Shortens a history that breaks a promise. Removes the steps after the failure, then half of the steps, a quarter, and so on, as long as
 * the same promise is broken.
 */
export async function shrink(history: History, failure: Failure, say: (text: string) => void): Promise<History> {
  let best = { ...history, steps: history.steps.slice(0, failure.step) }
  for (let size = Math.ceil(best.steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let end = best.steps.length; end > 0; end = Math.min(end - size, best.steps.length)) {
      const shorter = { ...best, steps: best.steps.toSpliced(Math.max(0, end - size), Math.min(size, end)) }
      const { failure: found } = await live(shorter)
      if (found?.promise !== failure.promise) continue
      best = { ...shorter, steps: shorter.steps.slice(0, found.step) }
      say(`${best.steps.length} steps`)
    }
  }
  return best
}

/** Formats a history as a test that can be pasted into a test file of this folder. */
export const asTest = ({ seed, steps }: History, { promise }: Failure): string => `
import { assertLives } from './history.ts'

test('${promise.replaceAll("'", '’')}, in ${steps.length} steps', () =>
  assertLives({
    seed: ${seed},
    steps: [
${steps.map(([act, own]) => `      ['${act}', ${own}],`).join('\n')}
    ],
  }))`

/** Fails if the history breaks a promise. */
export async function assertLives(history: History): Promise<Outcome> {
  const outcome = await live(history)
  const { failure, trace } = outcome
  if (failure)
    throw new Error([...trace.slice(-30), `step ${failure.step} (${failure.act})`, failure.message].join('\n'))
  return outcome
}
