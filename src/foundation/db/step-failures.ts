import type { Meter } from '../core/meter.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Nodes } from './cluster/nodes.ts'
import { ItemFailed } from './failed-items.ts'
import type { Skipped } from './skipped.ts'
import { troubleOf } from './trouble.ts'

/** A platform whose work failed, or one item. Items that belong to no platform have a null platform. */
export type Unit = { platformId: string | null; kind?: string; id?: string }

type Failure = Unit & {
  /** Consecutive failures. */
  count: number
  retryAt: number
  message: string
}

export type StepState = {
  /** By item id, or by platform id. */
  failures: Map<string, Failure>
  /** The last platform of a pass that could not visit all. */
  lastPlatformId: string | null
}

/** The failures of all steps, in this process's memory. */
export type Failures = Map<string, StepState>

export const createFailures = (): Failures => new Map()

const FIRST_DELAY_MS = 1_000
const MAX_DELAY_MS = 5 * 60_000
/** Work that has not failed again by then was done differently: it was voided, or another process did it. */
const FORGOTTEN_AFTER_MS = 2 * MAX_DELAY_MS
/** A platform with more failing items is skipped as a whole. */
const MAX_FAILING_ITEMS = 50
/** With more failing rows without a platform, the step itself fails. */
const MAX_FAILING_ROWS = 1_000

export type FailureDeps = {
  failures: Failures
  nodes: Pick<Nodes, 'answering'>
  log: Log
  meter: Meter
  realClock: Clock
}

/** The failures of one background step: a unit that failed is skipped with growing delays. */
export class StepFailures {
  /** It is kept from one pass of the step to the next. */
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

  /** The last failure of a unit. */
  of(unit: Unit): Failure | undefined {
    return this.#failures.get(keyOf(unit))
  }

  /** The platforms and items that are still to be skipped, and the platforms whose node answers. */
  skipped(): Skipped {
    const left = this.#list().filter((failure) => this.#isSkipped(failure))
    return {
      platformIds: left.flatMap(({ platformId, id }) => (id === undefined && platformId ? platformId : [])),
      ids: left.flatMap(({ id }) => id ?? []),
      answering: this.#deps.nodes.answering(),
    }
  }

  /** The failures of a kind of work that are tried again now. Without a kind, also those of whole platforms. */
  retried(kind: string | undefined): Failure[] {
    const isOfKind = ({ kind: one, id }: Failure) => one === kind || (one === undefined && id === undefined)
    return this.#list().filter((failure) => isOfKind(failure) && !this.#isSkipped(failure))
  }

  /** Whether a unit gets its own record: mass failures must not fill the memory. */
  hasRoom({ platformId, id }: Unit): boolean {
    if (id === undefined || this.#failures.has(id)) return true
    const items = this.#list().filter((one) => one.platformId === platformId && one.id !== undefined)
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
    const isHeldUp = troubleOf(error) !== 'other'
    if (!isHeldUp) this.#deps.meter.stepFailed(this.#step)
    if (isLogged) return
    const fields = { err: error, ...this.#fieldsOf(unit), failures: count, retrySeconds: delayMs / 1000 }
    // A lock or slow statement delays one transaction and resolves itself.
    if (isHeldUp) this.#deps.log.warn(fields, 'background work is delayed here and continues elsewhere')
    else this.#deps.log.error(fields, 'background work failed here and continues elsewhere')
  }

  /** Forgets a failure, unless the unit has failed again since. */
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
    // A longer delay means that the clock was set back.
    return leftMs > 0 && leftMs <= MAX_DELAY_MS
  }

  #measure(): void {
    // A row without a platform counts as one.
    const failing = new Set(this.#list().map(({ platformId, id }) => platformId ?? id))
    this.#deps.meter.platformsFailing({ step: this.#step, count: failing.size })
  }

  #list = (): Failure[] => [...this.#failures.values()]
  #now = (): number => this.#deps.realClock.now().getTime()
  #fieldsOf = ({ platformId, kind, id }: Unit) => ({ step: this.#step, platform: platformId, kind, id })
}

function stateOf(failures: Failures, step: string): StepState {
  const state = failures.get(step) ?? { failures: new Map(), lastPlatformId: null }
  failures.set(step, state)
  return state
}

const keyOf = ({ platformId, id }: Unit): string => id ?? platformId ?? ''
