import type { Meter } from '../core/meter.ts'
import type { Clock } from '../lib/clock.ts'
import type { BackgroundStep } from '../lib/concurrency/background-steps.ts'
import type { Log } from '../lib/log.ts'
import { ItemFailed } from './failed-items.ts'
import type { Skipped } from './skipped.ts'
import { isDatabaseDown, troubleOf } from './trouble.ts'

// Background work goes from platform to platform. A platform whose work fails is skipped for a while, longer each time,
// so that it never stops the others.

/** The work of a platform that failed: all of it, or one item. Rows that belong to no platform are items of null. */
export type Unit = { platformId: string | null; kind?: string; id?: string }

type Failure = Unit & {
  /** Failures in a row. */
  count: number
  retryAt: number
  message: string
}

type StepState = {
  /** By the id of the item, or else of the platform. */
  failures: Map<string, Failure>
  /** The last platform of a pass that had to leave some out. */
  lastPlatformId: string | null
}

/** The failures of all steps, in the memory of this process. */
export type Failures = Map<BackgroundStep, StepState>

export const createFailures = (): Failures => new Map()

const FIRST_DELAY_MS = 1_000
const MAX_DELAY_MS = 5 * 60_000
/** Work that has not failed again by then has ended in another way: it was voided, or another process did it. */
const FORGOTTEN_AFTER_MS = 2 * MAX_DELAY_MS
/** A platform with more failing items is skipped as a whole. */
const MAX_FAILING_ITEMS = 50
/** With more failing rows that belong to no platform, the step itself fails. */
const MAX_FAILING_ROWS = 1_000

export type Isolation = {
  /** The platforms and items whose turn has not come again. */
  skipped(): Skipped
  /**
   * Runs the work of one platform, or one item of it. A failure is reported, and null is returned. Never inside a
   * transaction: PostgreSQL would refuse the statements that follow.
   *
   * @throws what went wrong if the database is down, which is nobody's fault
   */
  run<Result>(unit: Unit, work: () => Promise<Result>): Promise<Result | null>
  /** Runs `work` for each platform, one after the other. @returns the sum of what it did */
  each(platformIds: readonly string[], work: (platformId: string) => Promise<number>): Promise<number>
  /**
   * Does the work of all platforms by one statement, and if that fails, of one unit after the other: what cannot be done
   * fails alone. @returns how much was done
   */
  runAllOrEach(work: {
    /** As its units have it. */
    kind?: string
    all(skipped: Skipped): Promise<number>
    units(skipped: Skipped): Promise<Unit[]>
    one(unit: Unit): Promise<number>
  }): Promise<number>
  /**
   * Does what is one thing for all platforms, such as a file. If that fails, the part of each platform is tried, and those
   * whose part fails are left out.
   *
   * @param work.kind tells it from the other work of the step
   * @param work.tryOne does the part of one platform, and undoes it
   */
  runWithoutFailing<Result>(work: {
    kind?: string
    all(skipped: Skipped): Promise<Result>
    platforms(skipped: Skipped): Promise<string[]>
    tryOne(platformId: string): Promise<unknown>
  }): Promise<Result>
  /**
   * Lists platforms in the order of their ids, starting behind the last one of the pass before. However many there are,
   * each has its turn.
   */
  nextPlatforms(
    list: (given: { after: string | null; limit: number }) => Promise<string[]>,
    limit: number,
  ): Promise<string[]>
  /**
   * Reports the failure of a unit. When too many items of a platform fail, the platform is skipped.
   *
   * @throws the error if the database is down, or too many rows fail that belong to no platform
   */
  fail(unit: Unit, error: unknown): void
  /** Forgets the failures of items that are done. */
  succeed(ids: readonly string[]): void
}

type IsolationDeps = { failures: Failures; log: Log; meter: Meter; realClock: Clock }

/** Keeps the platforms of one background step apart. */
export function isolate(deps: IsolationDeps, step: BackgroundStep): Isolation {
  const state = stateOf(deps.failures, step)
  const { failures } = state
  const now = () => deps.realClock.now().getTime()
  const isSkipped = ({ retryAt }: Failure) => now() < retryAt && retryAt - now() <= MAX_DELAY_MS // the clock may be set back
  const tell = () => deps.meter.platformsFailing({ step, count: countPlatforms(failures) })

  function forgetOld(): void {
    if (failures.size === 0) return
    for (const [key, { retryAt }] of failures) if (now() > retryAt + FORGOTTEN_AFTER_MS) failures.delete(key)
    tell()
  }

  function record(unit: Unit, thrown: unknown): void {
    const error = thrown instanceof ItemFailed ? thrown.cause : thrown
    const before = failures.get(keyOf(unit))
    const count = (before?.count ?? 0) + 1
    const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (count - 1), MAX_DELAY_MS)
    const message = error instanceof Error ? error.message : String(error)
    const isTold = failures.values().some((one) => one.platformId === unit.platformId && one.message === message)
    failures.set(keyOf(unit), { ...unit, count, retryAt: now() + delayMs, message })
    tell()
    const isHeldUp = troubleOf(error) !== 'other'
    if (!isHeldUp) deps.meter.stepFailed(step)
    if (isTold) return
    const fields = { err: error, ...fieldsOf(unit), failures: count, retrySeconds: delayMs / 1000 }
    // A lock or a slow statement holds up one transaction, and is over by itself.
    if (isHeldUp) deps.log.warn(fields, 'background work is held up here and goes on elsewhere')
    else deps.log.error(fields, 'background work failed here and goes on elsewhere')
  }

  function forget(unit: Unit): void {
    const before = failures.get(keyOf(unit))
    if (!before) return
    failures.delete(keyOf(unit))
    tell()
    deps.log.info({ ...fieldsOf(unit), failures: before.count }, 'background work succeeds here again')
  }

  const fieldsOf = ({ platformId, kind, id }: Unit) => ({ step, platform: platformId, kind, id })

  function fail(unit: Unit, error: unknown): void {
    if (isDatabaseDown(error)) throw error
    if (hasRoom(failures, unit)) record(unit, error)
    else if (unit.platformId === null) throw error
    else record({ platformId: unit.platformId }, error)
  }

  async function run<Result>(unit: Unit, work: () => Promise<Result>): Promise<Result | null> {
    const before = failures.get(keyOf(unit))
    try {
      const result = await work()
      // It may have failed on the way.
      if (failures.get(keyOf(unit)) === before) forget(unit)
      return result
    } catch (error) {
      fail(unit, error)
      return null
    }
  }

  /** Forgets what failed before, was not skipped this time, and did not fail. */
  async function retrying<Result>(kind: string | undefined, work: () => Promise<Result>): Promise<Result> {
    const isOfKind = ({ kind: one, id }: Failure) => one === kind || (one === undefined && id === undefined)
    const retried = [...failures.values()].filter((failure) => isOfKind(failure) && !isSkipped(failure))
    const result = await work()
    for (const failure of retried) if (failures.get(keyOf(failure)) === failure) forget(failure)
    return result
  }

  async function runEach(units: Unit[], work: (unit: Unit) => Promise<number>): Promise<number> {
    let count = 0
    for (const unit of units) count += (await run(unit, () => work(unit))) ?? 0
    return count
  }

  function skipped(): Skipped {
    const left = [...failures.values()].filter(isSkipped)
    return {
      platformIds: left.flatMap(({ platformId, id }) => (id === undefined && platformId ? platformId : [])),
      ids: left.flatMap(({ id }) => id ?? []),
    }
  }

  forgetOld()
  return {
    skipped,
    run,
    each: (platformIds, work) =>
      runEach(
        platformIds.map((platformId) => ({ platformId })),
        ({ platformId }) => work(platformId as string),
      ),
    runAllOrEach: async ({ kind, all, units, one }) => {
      try {
        return await retrying(kind, () => all(skipped()))
      } catch (error) {
        if (isDatabaseDown(error)) throw error
        return runEach(await units(skipped()), one)
      }
    },
    runWithoutFailing: async ({ kind, all, platforms, tryOne }) => {
      try {
        return await retrying(kind, () => all(skipped()))
      } catch (error) {
        if (isDatabaseDown(error)) throw error
        const platformIds = await platforms(skipped())
        const failed = await triedAlone(platformIds, tryOne)
        // What fails for each of several platforms is the fault of none.
        if (failed.length === 0 || (failed.length === platformIds.length && failed.length > 1)) throw error
        for (const { platformId, error: cause } of failed) fail({ platformId, ...(kind && { kind }) }, cause)
        return all(skipped())
      }
    },
    nextPlatforms: async (list, limit) => {
      const after = state.lastPlatformId
      const platformIds = await list({ after, limit })
      const isCut = platformIds.length >= limit
      if (after && !isCut) platformIds.push(...(await list({ after: null, limit: limit - platformIds.length })))
      state.lastPlatformId = platformIds.length >= limit ? (platformIds.at(-1) ?? null) : null
      return [...new Set(platformIds)]
    },
    fail,
    succeed: (ids) => {
      if (failures.size === 0) return
      for (const id of ids) {
        const failure = failures.get(id)
        if (failure) forget(failure)
      }
    },
  }
}

/** @returns what failed */
async function triedAlone(
  platformIds: readonly string[],
  tryOne: (platformId: string) => Promise<unknown>,
): Promise<{ platformId: string; error: unknown }[]> {
  const failed: { platformId: string; error: unknown }[] = []
  for (const platformId of platformIds) {
    try {
      await tryOne(platformId)
    } catch (error) {
      if (isDatabaseDown(error)) throw error
      failed.push({ platformId, error })
    }
  }
  return failed
}

function stateOf(failures: Failures, step: BackgroundStep): StepState {
  const state = failures.get(step) ?? { failures: new Map(), lastPlatformId: null }
  failures.set(step, state)
  return state
}

const keyOf = ({ platformId, id }: Unit): string => id ?? platformId ?? ''

/** A row that belongs to no platform counts as one. */
const countPlatforms = (failures: StepState['failures']): number =>
  new Set([...failures.values()].map(({ platformId, id }) => platformId ?? id)).size

/** Whether a unit is remembered by itself: what fails together must not fill the memory. */
function hasRoom(failures: StepState['failures'], { platformId, id }: Unit): boolean {
  if (id === undefined || failures.has(id)) return true
  const items = failures.values().filter((one) => one.platformId === platformId && one.id !== undefined)
  return [...items].length < (platformId === null ? MAX_FAILING_ROWS : MAX_FAILING_ITEMS)
}
