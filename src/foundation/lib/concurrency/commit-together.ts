/**
 * Runs simultaneous calls in one transaction, so that they share one commit. While a group commits, the next one forms. If
 * nothing else is waiting, a call starts at once, alone (docs/adr/0002-commit-together.md).
 */
export type CommitTogether<Order, Outcome> = {
  (order: Order): Promise<Outcome>
  /** Whether new calls are refused at the moment. */
  isFull?(): boolean
}

/** For an order that a group left undone: it has to run in a group with this key. */
export class ForGroup {
  readonly key: string

  constructor(key: string) {
    this.key = key
  }
}

/** The work to combine. */
export type Orders<Order, Outcome> = {
  /**
   * Runs the orders of a group in one transaction and commits it. Returns the outcomes in order, including refusals, or leaves orders for
   * another group. Throws only when SQL fails, and waits only briefly for a lock.
   */
  run(orders: readonly Order[], groupKey: string): Promise<(Outcome | ForGroup)[]>
  /** The same for a single order. It may wait for a lock, because no group waits for it. */
  runAlone(order: Order): Promise<Outcome>
  /** The outcome of an order whose transaction was lost, or null if it was not committed. */
  lookUp(order: Order): Promise<Outcome | null>
  /**
   * The locks of an order. A group is sorted by the first lock, so that two groups do not deadlock, and groups with a common lock
   * never run at the same time.
   */
  locksOf(order: Order): Locks
  /** If given, only orders with the same key form a group. */
  groupKeyOf?(order: Order): string
}

export type GroupTransactions = {
  /** Resolves when a transaction that was lost with this error can no longer commit. */
  settle(error: unknown): Promise<void>
  /**
   * The effect of an error. `undone`: a statement failed and nothing was written. `unreachable`: the database, or what the call at
   * `placeOf` needs of it, accepts no transactions now. `unknown`: the transaction may have been committed.
   */
  effectOf(error: unknown): 'undone' | 'unreachable' | 'unknown'
  /** The index of the order that made `run` fail, or null when it is unknown. */
  placeOf(error: unknown): number | null
}

type Call<Order, Outcome> = {
  order: Order
  locks: Locks
  groupKey: string
  /** The start of the wait, in milliseconds of the process clock. */
  since: number
  /** How often its transaction was lost. */
  lossCount: number
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

/** How many calls arrived, and when the first one did, in milliseconds of the process clock. */
type Arrivals = { count: number; since: number }

type Locks = readonly [string, ...string[]]

type Options<Order, Outcome> = {
  orders: Orders<Order, Outcome>
  transactions: GroupTransactions
  maxGroupSize: number
  maxGroupsInFlight: number
  /** The maximum number of calls at a time. More are refused with `whenFull`. */
  maxCalls: number
  /** New calls are refused while a full group waits longer than this, or while a turn that brought a full group has lasted longer. */
  maxWaitMs?: number
  whenFull: () => Error
  /** The error for a call whose outcome cannot be determined. */
  whenUnknown: () => Error
  onCommitted?: (groupSize: number) => void
}

/** A call whose transaction was lost this often is given up. */
const MAX_LOSSES = 3

/**
 * Another group starts beside a running one when it has at least this part of the running one's size. Below this size, committing
 * costs more than waiting. With few simultaneous calls, no call waits.
 */
const WORTH_A_GROUP = 0.75

/** The key of all orders if they may share a group with any other. */
const ANY = ''

/** Groups are not split into shares smaller than this. */
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
  /** The calls of the current turn of the event loop, or null. */
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
    // A request that is read late in a long turn may have waited for this thread for as long as the turn has lasted.
    return this.#turn !== null && isOverdue(this.#turn)
  }

  /**
   * Calls that arrive in one event-loop turn form one group, unless they fill a group before. Under overload, a turn answers thousands
   * of requests, and the database would be idle for most of it. Looking for a group takes as long as the queue, so that is not done for
   * each call.
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

  /** Takes the calls that have waited longest and need no lock of a running group: otherwise two groups would wait for each other. */
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

  /** How many calls wait with each group key, in the order of the call that has waited longest. */
  #waitingCounts(): Iterable<[string, number]> {
    const { orders } = this.#options
    return orders.groupKeyOf ? this.#queue.countBy(({ groupKey }) => groupKey) : [[ANY, this.#queue.length]]
  }

  /** Splits all calls evenly among the groups, so that they keep both the database and this process busy. */
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
        if (outcome instanceof ForGroup) call.groupKey = outcome.key
        else call.resolve(outcome as Outcome)
        return outcome instanceof ForGroup
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
    // The others continue without the failed call. If it is unknown, each call runs alone.
    for (const call of failed ? [failed] : group) void this.#goAlone(call)
    if (failed) this.#queue.add(group.filter((call) => call !== failed))
  }

  /** Runs a call that failed in a group in its own transaction, which may wait for locks. */
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

  /** Looks up calls whose transaction was lost. Each is answered, or retried if it was not committed. */
  async #lookUp(calls: Call<Order, Outcome>[], error: unknown) {
    const { orders, transactions, whenUnknown } = this.#options
    try {
      // Only after the lost backend has ended: until then its commit may still happen.
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

/** The calls that wait for a group, the oldest first. */
class CallQueue<Waiting extends { locks: Locks }> {
  #waiting: Waiting[] = []
  /** While a call waits for a lock alone, other calls that need the lock wait behind it instead of in a group. */
  readonly #behind = new Map<string, Waiting[]>()

  /** Without the calls that wait behind another one. */
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

  /** Whether the call may run alone now. If another call waits alone for its lock, it waits behind that one instead. */
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
