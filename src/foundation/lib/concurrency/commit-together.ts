/**
 * Runs simultaneous calls in one transaction, so that they share one commit. While a group commits, the next one forms. If nothing else is
 * waiting, a call starts alone at once (docs/adr/0002-commit-together.md).
 */
export type CommitTogether<Order, Outcome> = {
  (order: Order): Promise<Outcome>
  /** Whether new calls are refused now. */
  isFull?(): boolean
}

/** The result of an order that a group did not run. The order must run in a group with this key. */
export class RetryInGroup {
  readonly key: string

  constructor(key: string) {
    this.key = key
  }
}

/** The work to combine. */
export type Orders<Order, Outcome> = {
  /**
   * Runs the orders of a group in one transaction and commits it. Returns their outcomes in order. An outcome can be a refusal, or a
   * `RetryInGroup` for another group. Throws only if SQL fails. Waits only briefly for locks.
   */
  run(orders: readonly Order[], groupKey: string): Promise<(Outcome | RetryInGroup)[]>
  /** Runs a single order in its own transaction. It may wait for locks, because no group waits for it. */
  runAlone(order: Order): Promise<Outcome>
  /** Returns the outcome of an order whose transaction was lost, or null if it was not committed. */
  lookUp(order: Order): Promise<Outcome | null>
  /**
   * Returns the locks that an order takes. Groups are sorted by the first lock, so that two groups do not deadlock. Groups with a common
   * lock never run at the same time.
   */
  locksOf(order: Order): Locks
  /** Returns the group key of an order. Only orders with the same key form a group. If it is omitted, all orders may share groups. */
  groupKeyOf?(order: Order): string
}

export type GroupTransactions = {
  /** Resolves when the transaction that was lost with this error can no longer commit. */
  settle(error: unknown): Promise<void>
  /**
   * Returns the effect of an error. `undone`: a statement failed, and nothing was written. `unreachable`: the database (or the cluster node
   * that the order at `placeOf` needs) accepts no transactions now. `unknown`: the transaction may have committed.
   */
  effectOf(error: unknown): 'undone' | 'unreachable' | 'unknown'
  /** Returns the index of the order that made `run` fail, or null if it is unknown. */
  placeOf(error: unknown): number | null
}

type Call<Order, Outcome> = {
  order: Order
  locks: Locks
  groupKey: string
  /** The time at which the call started to wait, in milliseconds of the process clock. */
  since: number
  /** The number of times that the transaction of the call was lost. */
  lossCount: number
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

/** The number of calls that arrived in an event-loop turn, and the time of the first, in milliseconds of the process clock. */
type Arrivals = { count: number; since: number }

type Locks = readonly [string, ...string[]]

type Options<Order, Outcome> = {
  orders: Orders<Order, Outcome>
  transactions: GroupTransactions
  maxGroupSize: number
  maxGroupsInFlight: number
  /** The maximum number of unfinished calls. Further calls are refused with `whenFull`. */
  maxCalls: number
  /**
   * The maximum wait in milliseconds. New calls are refused if a full group has waited longer, or if an event-loop turn with calls for a
   * full group has lasted longer.
   */
  maxWaitMs?: number
  whenFull: () => Error
  /** The error for a call whose outcome cannot be determined. */
  whenUnknown: () => Error
  onCommitted?: (groupSize: number) => void
}

/** The number of lost transactions after which a call fails. */
const MAX_LOSSES = 3

/**
 * The minimum size of another group, as a fraction of the size of the running group. Smaller groups wait, because their commit costs more
 * than waiting. If there are few simultaneous calls, this rule makes none of them wait.
 */
const WORTH_A_GROUP = 0.75

/** The group key of all orders if `groupKeyOf` is omitted. */
const ANY = ''

/** The smallest group size that results from splitting the waiting calls among groups. */
const SMALLEST_SHARE = 16

export function createCommitTogether<Order, Outcome>(options: Options<Order, Outcome>): CommitTogether<Order, Outcome> {
  const groups = new Groups(options)
  const commit = (order: Order) => groups.commit(order)
  return Object.assign(commit, { isFull: () => groups.isFull() })
}

class Groups<Order, Outcome> {
  readonly #options: Options<Order, Outcome>
  readonly #queue = new CallQueue<Call<Order, Outcome>>()
  readonly #inFlight = new Set<{ size: number; groupKey: string; locks: ReadonlySet<string> }>()
  /** The calls of the current event-loop turn, or null. */
  #turn: Arrivals | null = null
  #callCount = 0

  constructor(options: Options<Order, Outcome>) {
    this.#options = options
  }

  async commit(order: Order): Promise<Outcome> {
    const { orders, whenFull } = this.#options
    if (this.isFull()) throw whenFull()
    this.#callCount++
    try {
      return await new Promise<Outcome>((resolve, reject) => {
        const [locks, groupKey] = [orders.locksOf(order), orders.groupKeyOf?.(order) ?? ANY]
        this.#queue.add([{ order, locks, groupKey, since: performance.now(), lossCount: 0, resolve, reject }])
        this.#startSoon()
      })
    } finally {
      this.#callCount--
    }
  }

  isFull(): boolean {
    const { maxCalls, maxGroupSize, maxWaitMs = Number.POSITIVE_INFINITY } = this.#options
    const isOverdue = ({ count, since }: Arrivals) => count >= maxGroupSize && performance.now() - since > maxWaitMs
    if (this.#callCount >= maxCalls) return true
    const { length: count, first } = this.#queue
    if (first && isOverdue({ count, since: first.since })) return true
    // In a long event-loop turn, a request may have waited for this thread since the start of the turn.
    return this.#turn !== null && isOverdue(this.#turn)
  }

  /**
   * Starts a group at the end of the event-loop turn, or as soon as the waiting calls fill one. Under overload, a turn answers thousands of
   * requests, and the database would be idle for most of it. The check does not run for each call, because it takes longer the more calls
   * are waiting.
   */
  #startSoon() {
    if (this.#queue.length % this.#options.maxGroupSize === 0) this.#start()
    if (this.#turn) {
      this.#turn.count++
      return
    }
    this.#turn = { since: performance.now(), count: 1 }
    setImmediate(() => {
      this.#turn = null
      this.#start()
    })
  }

  #start() {
    const { maxGroupsInFlight } = this.#options
    while (this.#inFlight.size < maxGroupsInFlight) {
      const group = this.#takeGroup()
      const [first] = group
      if (!first) return
      const locks = new Set(group.flatMap((call) => call.locks))
      const inFlight = { size: group.length, groupKey: first.groupKey, locks }
      this.#inFlight.add(inFlight)
      void this.#commitGroup(group, first.groupKey).finally(() => {
        this.#inFlight.delete(inFlight)
        this.#start()
      })
    }
  }

  /**
   * Takes the calls that have waited longest and whose locks are not held by a running group. Without this rule, two groups would wait for
   * each other.
   */
  #takeGroup(): Call<Order, Outcome>[] {
    const isLocked = (key: string) => this.#inFlight.values().some(({ locks }) => locks.has(key))
    for (const [groupKey, count] of this.#waitingCounts()) {
      const isSmall = ({ groupKey: other, size }: { groupKey: string; size: number }) =>
        other === groupKey && count < WORTH_A_GROUP * size
      if (this.#inFlight.values().some(isSmall)) continue
      const isFree = (call: Call<Order, Outcome>) => call.groupKey === groupKey && !call.locks.some(isLocked)
      const group = this.#queue.take(this.#nextGroupSize(), isFree)
      if (group.length > 0) return group
    }
    return []
  }

  /** Counts the waiting calls of each group key. The key whose call has waited longest is first. */
  #waitingCounts(): Iterable<[string, number]> {
    const { orders } = this.#options
    return orders.groupKeyOf ? this.#queue.countBy(({ groupKey }) => groupKey) : [[ANY, this.#queue.length]]
  }

  /** Returns the size of the next group. Splits all calls evenly among the groups, so that both the database and this process stay busy. */
  #nextGroupSize(): number {
    const { maxGroupsInFlight, maxGroupSize } = this.#options
    const share = Math.ceil(this.#callCount / maxGroupsInFlight)
    return Math.min(maxGroupSize, Math.max(share, SMALLEST_SHARE))
  }

  async #commitGroup(group: Call<Order, Outcome>[], groupKey: string) {
    const { orders, onCommitted } = this.#options
    group.sort((a, b) => compare(a.locks[0], b.locks[0]))
    try {
      const outcomes = await orders.run(
        group.map(({ order }) => order),
        groupKey,
      )
      const left = group.filter((call, index) => {
        const outcome = outcomes[index]
        if (outcome instanceof RetryInGroup) call.groupKey = outcome.key
        else call.resolve(outcome as Outcome)
        return outcome instanceof RetryInGroup
      })
      if (left.length < group.length) onCommitted?.(group.length - left.length)
      this.#queue.add(left)
    } catch (error) {
      this.#recover(group, error)
    }
  }

  #recover(group: Call<Order, Outcome>[], error: unknown) {
    const { transactions } = this.#options
    const effect = transactions.effectOf(error)
    if (effect === 'unknown') return void this.#lookUp(group, error)
    const failed = group[transactions.placeOf(error) ?? -1]
    if (effect === 'unreachable' && !failed) {
      for (const { reject } of group) reject(error)
      return
    }
    // The failed call runs alone, and the others continue in a group. If it is unknown which call failed, each call runs alone.
    for (const call of failed ? [failed] : group) void this.#goAlone(call)
    if (failed) this.#queue.add(group.filter((call) => call !== failed))
  }

  /** Runs a call that failed in a group in its own transaction. It may wait for locks. */
  async #goAlone(call: Call<Order, Outcome>) {
    const { orders, transactions } = this.#options
    if (!this.#queue.claimAlone(call)) return
    try {
      call.resolve(await orders.runAlone(call.order))
    } catch (error) {
      if (transactions.effectOf(error) === 'unknown') await this.#lookUp([call], error)
      else call.reject(error)
    }
    this.#queue.releaseAlone(call)
    this.#start()
  }

  /** Looks up calls whose transaction was lost. Committed calls get their outcome, and the others run again. */
  async #lookUp(calls: Call<Order, Outcome>[], error: unknown) {
    const { orders, transactions, whenUnknown } = this.#options
    try {
      // The lost transaction can commit until its session has ended.
      await transactions.settle(error)
      const found = await Promise.all(calls.map(({ order }) => orders.lookUp(order)))
      const missing = calls.filter((_, index) => found[index] === null)
      calls.forEach(({ resolve }, index) => {
        if (found[index] !== null) resolve(found[index] as Outcome)
      })
      for (const call of missing) call.lossCount++
      for (const { reject } of missing.filter(isGivenUp)) reject(whenUnknown())
      this.#queue.add(missing.filter((call) => !isGivenUp(call)))
      this.#start()
    } catch {
      for (const { reject } of calls) reject(whenUnknown())
    }
  }
}

/** The calls that wait for a group, oldest first. */
class CallQueue<Waiting extends { locks: Locks }> {
  #waiting: Waiting[] = []
  /** The calls that wait until another call, which runs alone with the same lock, has ended, by that lock. They cannot join a group. */
  readonly #behind = new Map<string, Waiting[]>()

  /** Returns the number of waiting calls, without those that wait for a call that runs alone. */
  get length(): number {
    return this.#waiting.length
  }

  get first(): Waiting | undefined {
    return this.#waiting[0]
  }

  countBy(keyOf: (call: Waiting) => string): Map<string, number> {
    const counts = new Map<string, number>()
    for (const call of this.#waiting) counts.set(keyOf(call), (counts.get(keyOf(call)) ?? 0) + 1)
    return counts
  }

  add(calls: readonly Waiting[]) {
    for (const call of calls) (this.#behind.get(call.locks[0]) ?? this.#waiting).push(call)
  }

  /** Takes up to `count` calls that are free to run. */
  take(count: number, isFree: (call: Waiting) => boolean): Waiting[] {
    const taken = this.#waiting.values().filter(isFree).take(count).toArray()
    const gone = new Set(taken)
    this.#waiting = this.#waiting.filter((call) => !gone.has(call))
    return taken
  }

  /**
   * Claims the lock of a call that wants to run alone. If another call already runs alone with this lock, the call waits behind it.
   *
   * @returns whether the call may run now
   */
  claimAlone(call: Waiting): boolean {
    const [lockKey] = call.locks
    const followers = this.#behind.get(lockKey)
    if (followers) followers.push(call)
    else this.#behind.set(lockKey, [])
    return followers === undefined
  }

  releaseAlone({ locks: [lockKey] }: Waiting) {
    const followers = this.#behind.get(lockKey) ?? []
    this.#behind.delete(lockKey)
    this.add(followers)
  }
}

const isGivenUp = ({ lossCount }: { lossCount: number }) => lossCount >= MAX_LOSSES

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
