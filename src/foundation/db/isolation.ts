import type { PlatformTurn } from './cluster/list-platforms.ts'
import type { Skipped, SkippedTargets } from './skipped.ts'
import { type FailureDeps, StepFailures, type Unit } from './step-failures.ts'
import { isDatabaseDown } from './trouble.ts'

// Background work visits the platforms in turn. If the work of a platform fails, it is retried with growing delays, and the other platforms
// continue.

/** Creates the isolation of a background step: a failure of one platform does not affect the others. */
export const isolate = (deps: FailureDeps, step: string): Isolation => new Isolation(new StepFailures(deps, step))

export class Isolation {
  readonly #failures: StepFailures

  constructor(failures: StepFailures) {
    this.#failures = failures
  }

  /** Returns the platforms and items to skip now. */
  skipped(): Skipped {
    return this.#failures.skipped()
  }

  /** Returns what a source must not send now. */
  skippedOf(sourceId: string): SkippedTargets {
    return this.#failures.skippedOf(sourceId)
  }

  /**
   * Runs the work of one platform or of one item. Reports a failure and returns null. Must not run inside a transaction, because
   * PostgreSQL refuses further statements after an error.
   *
   * @throws the original error if the database is down
   */
  async run<Result>(unit: Unit, work: () => Promise<Result>): Promise<Result | null> {
    const before = this.#failures.of(unit)
    try {
      const result = await work()
      if (before) this.#failures.forget(before)
      return result
    } catch (error) {
      this.fail(unit, error)
      return null
    }
  }

  /** Runs `work` for each platform in sequence. @returns the sum of the results */
  each(platformIds: readonly string[], work: (platformId: string) => Promise<number>): Promise<number> {
    const units = platformIds.map((platformId) => ({ platformId }))
    return this.#runEach(units, ({ platformId }) => work(platformId))
  }

  /**
   * Does the work of all platforms with one statement. If it fails, works unit by unit, so that only the units with an error fail.
   *
   * @returns the number of items done
   */
  async runAllOrEach({
    kind,
    all,
    units,
    one,
  }: {
    /** The kind of the units. */
    kind?: string
    all(skipped: Skipped): Promise<number>
    units(skipped: Skipped): Promise<Unit[]>
    one(unit: Unit): Promise<number>
  }): Promise<number> {
    try {
      return await this.#retry(kind, all)
    } catch (error) {
      if (isDatabaseDown(error)) throw error
      return this.#runEach(await units(this.skipped()), one)
    }
  }

  /**
   * Does work that concerns all platforms at once, such as a file. If it fails, tries the part of each platform alone, and repeats the
   * work without the platforms whose part fails.
   */
  async runWithoutFailing<Result>({
    kind,
    all,
    platforms,
    tryOne,
  }: {
    /** Distinguishes this work from other work of the step. */
    kind?: string
    all(skipped: Skipped): Promise<Result>
    platforms(skipped: Skipped): Promise<string[]>
    /** Does the part of one platform and then rolls it back. */
    tryOne(platformId: string): Promise<unknown>
  }): Promise<Result> {
    try {
      return await this.#retry(kind, all)
    } catch (error) {
      if (isDatabaseDown(error)) throw error
      const platformIds = await platforms(this.skipped())
      const failed = await triedAlone(platformIds, tryOne)
      // If the parts of all platforms fail, and there are several, the cause is not a platform.
      if (failed.length === 0 || (failed.length === platformIds.length && failed.length > 1)) throw error
      for (const { platformId, error: cause } of failed) this.fail({ platformId, ...(kind && { kind }) }, cause)
      return all(this.skipped())
    }
  }

  /** Runs `work` for each platform of a list, in turn over several passes. @returns the sum of the results */
  async eachPlatform(
    limit: number,
    list: (turn: PlatformTurn) => Promise<string[]>,
    work: (platformId: string) => Promise<number>,
  ): Promise<number> {
    const skipped = this.skipped()
    return this.each(await this.nextPlatforms((turn) => list({ ...turn, skipped }), limit), work)
  }

  /** Lists platforms by id, starting after the last one of the previous pass, so that each gets its turn. */
  async nextPlatforms(
    list: (given: { after: string | null; limit: number }) => Promise<string[]>,
    limit: number,
  ): Promise<string[]> {
    const { state } = this.#failures
    const after = state.lastPlatformId
    const platformIds = await list({ after, limit })
    const hasMore = platformIds.length >= limit
    if (after && !hasMore) platformIds.push(...(await list({ after: null, limit: limit - platformIds.length })))
    state.lastPlatformId = platformIds.length >= limit ? (platformIds.at(-1) ?? null) : null
    return [...new Set(platformIds)]
  }

  /**
   * Reports the failure of a unit. If too many items of a platform fail, the whole platform is skipped, or all that their source sends to it.
   *
   * @throws the error if the database is down, or if too many items without a platform fail
   */
  fail(unit: Unit, error: unknown): void {
    if (isDatabaseDown(error)) throw error
    const { platformId, sourceId } = unit
    if (this.#failures.hasRoom(unit)) this.#failures.record(unit, error)
    else if (platformId === null) throw error
    else this.#failures.record({ platformId, ...(sourceId && { sourceId }) }, error)
  }

  /** Forgets the failures of completed items. */
  succeed(ids: readonly string[]): void {
    for (const id of ids) {
      const failure = this.#failures.of({ platformId: null, id })
      if (failure) this.#failures.forget(failure)
    }
  }

  /** Runs `work` and then forgets the failures of units that it retried with success. */
  async #retry<Result>(kind: string | undefined, work: (skipped: Skipped) => Promise<Result>): Promise<Result> {
    const retried = this.#failures.retried(kind)
    const result = await work(this.skipped())
    for (const failure of retried) this.#failures.forget(failure)
    return result
  }

  async #runEach<One extends Unit>(units: readonly One[], work: (unit: One) => Promise<number>): Promise<number> {
    let count = 0
    for (const unit of units) count += (await this.run(unit, () => work(unit))) ?? 0
    return count
  }
}

/** Tries the part of each platform alone. @returns the units that failed */
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
