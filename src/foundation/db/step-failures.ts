import type { Meter } from '../core/meter.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Nodes } from './cluster/nodes.ts'
import { ItemFailed } from './failed-items.ts'
import type { Skipped, SkippedTargets } from './skipped.ts'
import { classifyDatabaseError } from './trouble.ts'

/**
 * A unit of background work: a platform, or one item. `platformId` is null for items that belong to no platform. `sourceId`: the platform that
 * sends the item to the other one. Everything that one source sends to one platform fails apart from the rest.
 */
export type Unit = { platformId: string | null; sourceId?: string; kind?: string; id?: string }

type Failure = Unit & {
  /** The number of consecutive failures. */
  count: number
  retryAt: number
  message: string
}

export type StepState = {
  /** The failures by item id, or by platform id for whole platforms (`keyOf`). */
  failures: Map<string, Failure>
  /** The last platform of the previous pass, if that pass could not visit all platforms. */
  lastPlatformId: string | null
}

/** The failures of all steps. Each process keeps its own in memory. */
export type Failures = Map<string, StepState>

export const createFailures = (): Failures => new Map()

const FIRST_DELAY_MS = 1_000
const MAX_DELAY_MS = 5 * 60_000
/**
 * A failure is forgotten after this time without another failure of the same unit. By then, the work was completed in another way: it was
 * voided, or another process did it.
 */
const FORGOTTEN_AFTER_MS = 2 * MAX_DELAY_MS
/** If more items of a platform fail, the whole platform is skipped. */
const MAX_FAILING_ITEMS = 50
/** If more items without a platform fail, the step itself fails. */
const MAX_FAILING_ROWS = 1_000

export type FailureDeps = {
  failures: Failures
  nodes: Pick<Nodes, 'answering'>
  log: Log
  meter: Meter
  realClock: Clock
}

/** The failures of one background step. A unit that failed is skipped with growing delays. */
export class StepFailures {
  /** The state that all passes of the step share. */
  readonly state: StepState
  readonly #deps: FailureDeps
  readonly #step: string
  readonly #failures: StepState['failures']

  constructor(deps: FailureDeps, step: string) {
    this.state = stateOf(deps.failures, step)
    this.#deps = deps
    this.#step = step
    this.#failures = this.state.failures
    this.#forgetOld()
  }

  /** Returns the last failure of a unit. */
  of(unit: Unit): Failure | undefined {
    return this.#failures.get(keyOf(unit))
  }

  /** Returns the platforms and items to skip now, and the platforms whose node answers. */
  skipped(): Skipped {
    const left = this.#list().filter((failure) => failure.sourceId === undefined && this.#isSkipped(failure))
    return {
      platformIds: left.flatMap(({ platformId, id }) => (id === undefined && platformId ? platformId : [])),
      ids: left.flatMap(({ id }) => id ?? []),
      answering: this.#deps.nodes.answering(),
    }
  }

  /** Returns what a source must not send now. */
  skippedOf(sourceId: string): SkippedTargets {
    const left = this.#list().filter((failure) => failure.sourceId === sourceId && this.#isSkipped(failure))
    return {
      platformIds: left.flatMap(({ platformId, id }) => (id === undefined && platformId ? platformId : [])),
      items: left.flatMap(({ platformId, id }) => (id !== undefined && platformId ? { platformId, id } : [])),
      answering: this.#deps.nodes.answering(),
    }
  }

  /** Returns the failures of a kind of work that are due for a retry. Includes failures of whole platforms that have no kind. */
  retried(kind: string | undefined): Failure[] {
    const isOfKind = ({ kind: one, id }: Failure) => one === kind || (one === undefined && id === undefined)
    return this.#list().filter((failure) => isOfKind(failure) && !this.#isSkipped(failure))
  }

  /** Returns whether a unit gets its own record. The number is limited, so that mass failures do not fill the memory. */
  hasRoom(unit: Unit): boolean {
    const { platformId, sourceId, id } = unit
    if (id === undefined || this.of(unit)) return true
    const items = this.#list().filter(
      (one) => one.platformId === platformId && one.sourceId === sourceId && one.id !== undefined,
    )
    return items.length < (platformId === null ? MAX_FAILING_ROWS : MAX_FAILING_ITEMS)
  }

  record(unit: Unit, thrown: unknown): void {
    const error = thrown instanceof ItemFailed ? thrown.cause : thrown
    const count = (this.of(unit)?.count ?? 0) + 1
    const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (count - 1), MAX_DELAY_MS)
    const message = error instanceof Error ? error.message : String(error)
    const isLogged = this.#list().some((one) => one.platformId === unit.platformId && one.message === message)
    this.#failures.set(keyOf(unit), { ...unit, count, retryAt: this.#now() + delayMs, message })
    this.#measure()
    const isHeldUp = classifyDatabaseError(error) !== 'other'
    if (!isHeldUp) this.#deps.meter.stepFailed(this.#step)
    if (isLogged) return
    const fields = { err: error, ...this.#fieldsOf(unit), failures: count, retrySeconds: delayMs / 1000 }
    // A held lock or a slow statement delays only this transaction, so it is logged as a warning.
    if (isHeldUp) this.#deps.log.warn(fields, 'background work is delayed here and continues for other platforms')
    else this.#deps.log.error(fields, 'background work failed here and continues for other platforms')
  }

  /** Forgets a failure, unless the unit has failed again since then. */
  forget(failure: Failure): void {
    if (this.of(failure) !== failure) return
    this.#failures.delete(keyOf(failure))
    this.#measure()
    const fields = { ...this.#fieldsOf(failure), failures: failure.count }
    this.#deps.log.info(fields, 'background work succeeds here again')
  }

  #forgetOld(): void {
    if (this.#failures.size === 0) return
    const oldest = this.#now() - FORGOTTEN_AFTER_MS
    for (const [key, { retryAt }] of this.#failures) if (retryAt < oldest) this.#failures.delete(key)
    this.#measure()
  }

  #isSkipped({ retryAt }: Failure): boolean {
    const leftMs = retryAt - this.#now()
    // If more than the maximum delay is left, the clock was set back, and the unit is not skipped.
    return leftMs > 0 && leftMs <= MAX_DELAY_MS
  }

  #measure(): void {
    // An item without a platform counts as one platform.
    const failing = new Set(this.#list().map(({ platformId, id }) => platformId ?? id))
    this.#deps.meter.platformsFailing({ step: this.#step, count: failing.size })
  }

  #list = (): Failure[] => [...this.#failures.values()]
  #now = (): number => this.#deps.realClock.now().getTime()
  #fieldsOf = ({ platformId, sourceId, kind, id }: Unit) => ({
    ...{ step: this.#step, platform: platformId, ...(sourceId && { source: sourceId }), kind, id },
  })
}

function stateOf(failures: Failures, step: string): StepState {
  const state = failures.get(step) ?? { failures: new Map(), lastPlatformId: null }
  failures.set(step, state)
  return state
}

const keyOf = ({ platformId, sourceId, id }: Unit): string =>
  sourceId === undefined ? (id ?? platformId ?? '') : [sourceId, platformId, id].join(' ')
