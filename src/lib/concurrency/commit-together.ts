/**
 * Runs simultaneous calls in one transaction, so that they share one commit. While a group commits, the next one forms. If
 * nothing else is waiting, a call starts at once, alone (docs/adr/0002-commit-together.md).
 */
export type CommitTogether<Order, Outcome> = {
  (order: Order): Promise<Outcome>
  /** Whether new calls are refused at the moment. */
  isFull?(): boolean
}

/** The work to combine. */
export type Orders<Order, Outcome> = {
  /**
   * Runs all orders in one transaction and commits it. Returns the outcomes in order, including refusals. Throws only when SQL
   * fails, and waits only briefly for a lock.
   */
  run(orders: readonly Order[]): Promise<Outcome[]>
  /** The same for a single order. It may wait for a lock, because no group waits for it. */
  runAlone(order: Order): Promise<Outcome>
  /** The outcome of an order whose transaction was lost, or null if it was not committed. */
  lookUp(order: Order): Promise<Outcome | null>
  /**
   * The locks of an order. A group is sorted by the first lock, so that two groups do not deadlock, and groups with a common lock
   * never run at the same time.
   */
  locksOf(order: Order): readonly [string, ...string[]]
}

export type GroupTransactions = {
  /** Resolves when a transaction that was lost with this error can no longer commit. */
  settle(error: unknown): Promise<void>
  /**
   * The effect of an error. `undone`: a statement failed and nothing was written. `unreachable`: the database accepts no
   * transactions now. `unknown`: the transaction may have been committed.
   */
  effectOf(error: unknown): 'undone' | 'unreachable' | 'unknown'
  /** The index of the order that made `run` fail, or null when it is unknown. */
  placeOf(error: unknown): number | null
}

type Waiting<Order, Outcome> = {
  order: Order
  locks: readonly [string, ...string[]]
  /** The start of the wait, in milliseconds of the process clock. */
  since: number
  /** How often its transaction was lost. */
  lossCount: number
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

/** A call whose transaction was lost this often is given up. */
const MAX_LOSSES = 3

/**
 * Another group starts beside a running one when it fills this part of its maximum size. Below this size, committing costs more
 * than waiting. With few simultaneous calls no call waits.
 */
const WORTH_A_GROUP = 0.5

/** Groups are not split into shares smaller than this. */
const SMALLEST_SHARE = 16

export function createCommitTogether<Order, Outcome>(options: {
  orders: Orders<Order, Outcome>
  transactions: GroupTransactions
  maxGroupSize: number
  maxGroupsInFlight: number
  /** The maximum number of calls at a time. More are refused with `whenFull`. */
  maxCalls: number
  /** While calls wait longer than this for a group with room, new calls are refused, because they would wait even longer. */
  maxWaitMs?: number
  whenFull: () => Error
  /** The error for a call whose outcome cannot be determined. */
  whenUnknown: () => Error
  onCommitted?: (groupSize: number) => void
}): CommitTogether<Order, Outcome> {
  type Call = Waiting<Order, Outcome>
  const { orders, transactions } = options
  let waiting: Call[] = []
  /** While a call waits for a lock alone, other calls that need the lock wait behind it instead of in a group. */
  const behind = new Map<string, Call[]>()
  const groupsInFlight = new Set<{ size: number; locks: ReadonlySet<string> }>()
  let isStarting = false
  /** How long the last group's calls had waited, if more were waiting than one group takes. */
  let backlogMs = 0
  let callCount = 0

  function enqueue(calls: Call[]) {
    for (const call of calls) (behind.get(call.locks[0]) ?? waiting).push(call)
  }

  /** Calls that arrive in one event-loop turn form one group. */
  function startGroupsSoon() {
    if (isStarting) return
    isStarting = true
    setImmediate(() => {
      isStarting = false
      startGroups()
    })
  }

  function startGroups() {
    while (groupsInFlight.size < options.maxGroupsInFlight) {
      if (groupsInFlight.values().some(({ size }) => waiting.length < WORTH_A_GROUP * size)) return
      const group = takeGroup()
      if (group.length === 0) return
      backlogMs = group.length < options.maxGroupSize ? 0 : performance.now() - (group[0]?.since ?? 0)
      const inFlight = { size: group.length, locks: new Set(group.flatMap(({ locks }) => locks)) }
      groupsInFlight.add(inFlight)
      void commitGroup(group).finally(() => {
        groupsInFlight.delete(inFlight)
        startGroups()
      })
    }
  }

  /** Splits all calls evenly, so that successive groups keep both the database and this process busy. */
  function nextGroupSize(): number {
    const share = Math.ceil(callCount / (options.maxGroupsInFlight + 1))
    return Math.min(options.maxGroupSize, Math.max(share, SMALLEST_SHARE))
  }

  /** Takes the calls that have waited longest and need no lock of a running group: otherwise two groups would wait for each other. */
  function takeGroup(): Call[] {
    const isFree = (call: Call) =>
      !groupsInFlight.values().some(({ locks }) => call.locks.some((key) => locks.has(key)))
    const group = waiting.values().filter(isFree).take(nextGroupSize()).toArray()
    const taken = new Set(group)
    waiting = waiting.filter((call) => !taken.has(call))
    return group
  }

  const { maxWaitMs = Number.POSITIVE_INFINITY } = options
  const isBehind = () => waiting.length > 0 && backlogMs > maxWaitMs
  const isFull = () => callCount >= options.maxCalls || isBehind()

  async function commitGroup(group: Call[]) {
    group.sort((a, b) => compare(a.locks[0], b.locks[0]))
    try {
      const outcomes = await orders.run(group.map(({ order }) => order))
      options.onCommitted?.(group.length)
      group.forEach(({ resolve }, index) => {
        resolve(outcomes[index] as Outcome)
      })
    } catch (error) {
      recover(group, error)
    }
  }

  function recover(group: Call[], error: unknown) {
    const effect = transactions.effectOf(error)
    if (effect === 'unknown') return void lookUp(group, error)
    if (effect === 'unreachable') {
      for (const { reject } of group) reject(error)
      return
    }
    // The others continue without the failed call. If it is unknown, each call runs alone.
    const failed = group[transactions.placeOf(error) ?? -1]
    for (const call of failed ? [failed] : group) void goAlone(call)
    if (failed) enqueue(group.filter((call) => call !== failed))
  }

  /** Runs a call that failed in a group in its own transaction, which may wait for locks. */
  async function goAlone(call: Call) {
    const [lockKey] = call.locks
    const queue = behind.get(lockKey)
    if (queue) return void queue.push(call)
    const followers: Call[] = []
    behind.set(lockKey, followers)
    try {
      call.resolve(await orders.runAlone(call.order))
    } catch (error) {
      if (transactions.effectOf(error) === 'unknown') await lookUp([call], error)
      else call.reject(error)
    }
    behind.delete(lockKey)
    enqueue(followers)
    startGroups()
  }

  /** Looks up calls whose transaction was lost. Each is answered, or retried if it was not committed. */
  async function lookUp(calls: Call[], error: unknown) {
    try {
      // Only after the lost backend has ended: until then its commit may still happen.
      await transactions.settle(error)
      const found = await Promise.all(calls.map(({ order }) => orders.lookUp(order)))
      const missing = calls.filter((_, index) => found[index] === null)
      calls.forEach(({ resolve }, index) => {
        if (found[index] !== null) resolve(found[index] as Outcome)
      })
      for (const call of missing) call.lossCount++
      for (const { reject } of missing.filter(isGivenUp)) reject(options.whenUnknown())
      enqueue(missing.filter((call) => !isGivenUp(call)))
      startGroups()
    } catch {
      for (const { reject } of calls) reject(options.whenUnknown())
    }
  }

  const isGivenUp = ({ lossCount }: Call) => lossCount >= MAX_LOSSES

  const commit = async (order: Order) => {
    if (isFull()) throw options.whenFull()
    callCount++
    try {
      return await new Promise<Outcome>((resolve, reject) => {
        const locks = orders.locksOf(order)
        enqueue([{ order, locks, since: performance.now(), lossCount: 0, resolve, reject }])
        startGroupsSoon()
      })
    } finally {
      callCount--
    }
  }
  return Object.assign(commit, { isFull })
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
