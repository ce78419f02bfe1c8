import type { Meter } from '../core/meter.ts'
import type { Clock } from '../lib/clock.ts'
import type { BackgroundStep } from '../lib/concurrency/background-steps.ts'
import type { Log } from '../lib/log.ts'
import { ItemFailed } from './failed-items.ts'
import type { Skipped } from './skipped.ts'
import { isDatabaseDown, troubleOf } from './trouble.ts'

// Background work visits the platforms in turn. A platform whose work fails is skipped with growing delays, so that
// it never stops the others.

/** A platform whose work failed, or one item. Items that belong to no platform have a null platform. */
export type Unit = { platformId: string | null; kind?: string; id?: string }

type Failure = Unit & {
  /** Consecutive failures. */
  count: number
  retryAt: number
  message: string
}

type StepState = {
  /** By item id, or by platform id. */
  failures: Map<string, Failure>
  /** The last platform of a pass that could not visit all. */
  lastPlatformId: string | null
}

/** The failures of all steps, in this process's memory. */
export type Failures = Map<BackgroundStep, StepState>

export const createFailures = (): Failures => new Map()

const FIRST_DELAY_MS = 1_000
const MAX_DELAY_MS = 5 * 60_000
/** Work that has not failed again by then was done differently: it was voided, or another process did it. */
const FORGOTTEN_AFTER_MS = 2 * MAX_DELAY_MS
/** A platform with more failing items is skipped as a whole. */
const MAX_FAILING_ITEMS = 50
/** With more failing rows without a platform, the step itself fails. */
const MAX_FAILING_ROWS = 1_000

export type Isolation = {
  /** The platforms and items that are still to be skipped. */
  skipped(): Skipped
  /**
   * Runs the work of one platform, or one of its items. A failure is reported, and null is returned. Never call it
   * inside a transaction: PostgreSQL would refuse the statements that follow.
   *
   * @throws the original error if the database is down
   */
  run<Result>(unit: Unit, work: () => Promise<Result>): Promise<Result | null>
  /** Runs `work` for each platform in sequence. @returns the sum of the results */
  each(platformIds: readonly string[], work: (platformId: string) => Promise<number>): Promise<number>
  /**
   * Does the work of all platforms with one statement. If that fails, does it per unit, so that only the failing
   * units fail. @returns the number of items done
   */
  runAllOrEach(work: {
    /** The kind of its units. */
    kind?: string
    all(skipped: Skipped): Promise<number>
    units(skipped: Skipped): Promise<Unit[]>
    one(unit: Unit): Promise<number>
  }): Promise<number>
  /**
   * Does work that concerns all platforms at once, such as a file. If it fails, tries each platform's part, and
   * leaves out the platforms whose part fails.
   *
   * @param work.kind distinguishes it from other work of the step
   * @param work.tryOne does the part of one platform and undoes it
   */
  runWithoutFailing<Result>(work: {
    kind?: string
    all(skipped: Skipped): Promise<Result>
    platforms(skipped: Skipped): Promise<string[]>
    tryOne(platformId: string): Promise<unknown>
  }): Promise<Result>
  /** Lists platforms by id, starting after the last one of the previous pass, so that each gets its turn. */
  nextPlatforms(
    list: (given: { after: string | null; limit: number }) => Promise<string[]>,
    limit: number,
  ): Promise<string[]>
  /**
   * Reports the failure of a unit. When too many items of a platform fail, the whole platform is skipped.
   *
   * @throws the error if the database is down, or if too many rows without a platform fail
   */
  fail(unit: Unit, error: unknown): void
  /** Forgets the failures of completed items. */
  succeed(ids: readonly string[]): void
}

type IsolationDeps = { failures: Failures; log: Log; meter: Meter; realClock: Clock }

/** Isolates the platforms of a background step from each other. */
export function isolate(deps: IsolationDeps, step: BackgroundStep): Isolation {
  const state = stateOf(deps.failures, step)
  const { failures } = state
  const now = () => deps.realClock.now().getTime()
  const isSkipped = ({ retryAt }: Failure) => now() < retryAt && retryAt - now() <= MAX_DELAY_MS // the clock may have been set back
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
    // A lock or slow statement delays one transaction and resolves itself.
    if (isHeldUp) deps.log.warn(fields, 'background work is delayed here and continues elsewhere')
    else deps.log.error(fields, 'background work failed here and continues elsewhere')
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
      // It may have failed again during the work.
      if (failures.get(keyOf(unit)) === before) forget(unit)
      return result
    } catch (error) {
      fail(unit, error)
      return null
    }
  }

  /** Forgets earlier failures that were neither skipped nor repeated. */
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
        // If every one of several platforms fails, none of them is the cause.
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

/** @returns the units that failed */
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

/** A row without a platform counts as one. */
const countPlatforms = (failures: StepState['failures']): number =>
  new Set([...failures.values()].map(({ platformId, id }) => platformId ?? id)).size

/** Whether a unit gets its own record: mass failures must not fill the memory. */
function hasRoom(failures: StepState['failures'], { platformId, id }: Unit): boolean {
  if (id === undefined || failures.has(id)) return true
  const items = failures.values().filter((one) => one.platformId === platformId && one.id !== undefined)
  return [...items].length < (platformId === null ? MAX_FAILING_ROWS : MAX_FAILING_ITEMS)
}
