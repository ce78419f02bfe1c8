import type { Coverage } from './coverage.ts'
import { createDice } from './dice.ts'
import { Broken, count, digestOf, type Life, type Lifetime } from './world.ts'

/** A step of a history. It has its own dice with this seed, so that the remaining steps of a shorter history make the same choices. */
export type Step = readonly [act: string, seed: number]

/** `seed` determines the ids and the first day. */
export type History = { seed: number; steps: readonly Step[] }

/** A kind of world: production, or a sandbox. */
export type Kind<One extends Life = Life> = {
  /** The name of its constant, and the file of this folder that exports it. */
  name: string
  file: string
  /** All acts, with their weights: multiples of a half, or 0 for those that are not drawn. */
  acts: Readonly<Record<string, readonly [weight: number, act: unknown]>>
  /** The acts at the start of a history. After each chapter of so many steps follows the act `rest`, when everything must be settled. */
  first: readonly string[]
  stepsPerChapter: number
  start(t: Lifetime, seed: number): Promise<One>
  /** @returns what happened, for the trace */
  act(world: One, name: string): Promise<string>
  /** Checks the promises that hold after each step. */
  check(world: One): Promise<void>
  coverageOf(world: One): Promise<Coverage>
}

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

/** Draws a history, with a rest after each chapter and at the end. */
export function drawHistory({ acts, first, stepsPerChapter }: Kind, seed: number, count: number): History {
  const dice = createDice(seed)
  const wheel = Object.entries(acts).flatMap(([name, [weight]]) => Array<string>(weight * 2).fill(name))
  const draw = (name: string): Step => [name, dice.between(0, 2 ** 31)]
  const steps = Array.from({ length: count }, (_, index) => {
    const step = draw(dice.pick(wheel) as string)
    const isEnd = (index + 1) % stepsPerChapter === 0 || index === count - 1
    return isEnd ? [step, draw('rest')] : [step]
  })
  return { seed, steps: [...first.map(draw), ...steps.flat()] }
}

/** Runs a history in its own world. */
export async function live(kind: Kind, { seed, steps }: History): Promise<Outcome> {
  const ends: (() => unknown)[] = []
  let failure: Failure | null = null
  let coverage: Coverage = {}
  const world = await kind.start({ after: (end) => void ends.unshift(end) }, seed).catch(async (error) => {
    for (const end of ends) await end()
    throw error
  })
  const start = world.clock.now().getTime()
  try {
    for (const step of steps) {
      world.step++
      failure = await take(kind, world, step)
      if (failure) break
    }
    coverage = await kind.coverageOf(world)
  } finally {
    for (const end of ends) {
      try {
        await end()
      } catch (error) {
        failure ??= failureOf(world, 'the end', error as Error)
      }
    }
  }
  const { step, trace, seen, clock } = world
  const days = Math.round((clock.now().getTime() - start) / 86_400_000)
  return { steps: step, digest: digestOf(trace), failure, seen, coverage, trace, days }
}

/** @returns the promise that was broken, or null */
async function take(kind: Kind, world: Life, [name, seed]: Step): Promise<Failure | null> {
  world.dice = createDice(seed)
  count(world, name)
  try {
    const note = await kind.act(world, name)
    world.trace.push(`${world.step} ${name}: ${note} (${world.clock.now().toISOString()})`)
    await kind.check(world)
    return null
  } catch (error) {
    return failureOf(world, name, error as Error)
  }
}

function failureOf({ step }: Life, act: string, error: Error): Failure {
  const promise = error instanceof Broken ? error.promise : `no error: ${error.name}`
  return { step, act, promise, message: error.stack ?? error.message }
}

/**
 * Shortens a history that breaks a promise. Removes the steps after the failure, then half of the steps, a quarter, and so on, as long as
 * the same promise is broken.
 */
export async function shrink(
  kind: Kind,
  { history, failure }: { history: History; failure: Failure },
  say: (text: string) => void,
): Promise<History> {
  let best = { ...history, steps: history.steps.slice(0, failure.step) }
  for (let size = Math.ceil(best.steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let end = best.steps.length; end > 0; end = Math.min(end - size, best.steps.length)) {
      const shorter = { ...best, steps: best.steps.toSpliced(Math.max(0, end - size), Math.min(size, end)) }
      const { failure: found } = await live(kind, shorter)
      if (found?.promise !== failure.promise) continue
      best = { ...shorter, steps: shorter.steps.slice(0, found.step) }
      say(`${best.steps.length} steps`)
    }
  }
  return best
}

/** Formats a history as a test that can be pasted into a test file of this folder. */
export const asTest = ({ name, file }: Kind, { seed, steps }: History, { promise }: Failure): string => `
import { ${name} } from './${file}'
import { assertLives } from './history.ts'

test('${promise.replaceAll("'", '’')}, in ${steps.length} steps', () =>
  assertLives(${name}, {
    seed: ${seed},
    steps: [
${steps.map(([act, own]) => `      ['${act}', ${own}],`).join('\n')}
    ],
  }))`

/** Fails if the history breaks a promise. */
export async function assertLives(kind: Kind, history: History): Promise<Outcome> {
  const outcome = await live(kind, history)
  const { failure, trace } = outcome
  if (failure)
    throw new Error([...trace.slice(-30), `step ${failure.step} (${failure.act})`, failure.message].join('\n'))
  return outcome
}
