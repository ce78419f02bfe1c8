/**
 * Runs calls that wait at the same time in one transaction, so that they share one commit. While a group commits, the
 * next one forms; with nothing else waiting, a call goes at once, alone (docs/adr/0002-commit-together.md).
 */
export type CommitTogether<Order, Outcome> = {
  (order: Order): Promise<Outcome>
  /** Whether no further call is taken now. */
  isFull?(): boolean
}

/** What is done together. */
export type Orders<Order, Outcome> = {
  /**
   * Does all in one transaction and commits it. Gives the outcomes in the order of the orders, refusals included; throws
   * only when SQL fails, and gives up soon on a lock.
   */
  run(orders: readonly Order[]): Promise<Outcome[]>
  /** The same for one order alone, which can wait for a lock, and keeps no group waiting. */
  runAlone(order: Order): Promise<Outcome>
  /** What became of an order whose transaction was lost from sight, or null if it left no trace. */
  lookUp(order: Order): Promise<Outcome | null>
  /**
   * What an order locks. The orders of a group are in the order of the first of them, so that two groups do not lock
   * each other out, and no two groups that are under way at the same time lock the same.
   */
  locksOf(order: Order): readonly [string, ...string[]]
}

export type GroupTransactions = {
  /** Resolves when nothing can come any more of a transaction that was lost from sight by this error. */
  settle(error: unknown): Promise<void>
  /**
   * What an error leaves behind: `undone`: nothing, the database did not like a statement; `unreachable`: nothing, the
   * database takes no transaction now; `unknown`: the transaction was committed or not.
   */
  effectOf(error: unknown): 'undone' | 'unreachable' | 'unknown'
  /** The place in its group of the order that made `run` fail, from 0; null when that cannot be said. */
  placeOf(error: unknown): number | null
}

type Waiting<Order, Outcome> = {
  order: Order
  locks: readonly [string, ...string[]]
  /** Since when it waits, in milliseconds of the process. */
  since: number
  /** How often it was found that its transaction had been lost. */
  lossCount: number
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

/** A call whose transaction was lost so often is given up. */
const MAX_LOSSES = 3

/**
 * A further group goes beside one in flight when this part of its size waits. Smaller ones would pay for a commit what a
 * larger one pays a little later; of few calls at a time none waits for it.
 */
const WORTH_A_GROUP = 0.5

/** No group is kept smaller than this for the sake of the next ones. */
const SMALLEST_SHARE = 16

export function createCommitTogether<Order, Outcome>(options: {
  orders: Orders<Order, Outcome>
  transactions: GroupTransactions
  maxGroupSize: number
  maxGroupsInFlight: number
  /** More calls than this are not taken at a time: they are refused by `whenFull`. */
  maxCalls: number
  /** While calls wait longer than this for a group that has room, none is taken: it would wait even longer. */
  maxWaitMs?: number
  whenFull: () => Error
  /** For a call of which cannot be said whether it was committed. */
  whenUnknown: () => Error
  onCommitted?: (groupSize: number) => void
}): CommitTogether<Order, Outcome> {
  type Call = Waiting<Order, Outcome>
  const { orders, transactions } = options
  let waiting: Call[] = []
  /** While a call goes alone because of a lock, the calls that need the same lock wait behind it, not in a group. */
  const behind = new Map<string, Call[]>()
  const groupsInFlight = new Set<{ size: number; locks: ReadonlySet<string> }>()
  let isStarting = false
  /** How long a call had waited that went with the last group, if there was more than a group takes. */
  let backlogMs = 0
  let callCount = 0

  function enqueue(calls: Call[]) {
    for (const call of calls) (behind.get(call.locks[0]) ?? waiting).push(call)
  }

  /** The calls that arrive in one turn of the event loop form one group. */
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

  /** An even share of all calls: groups that follow each other keep the database and this process busy at once. */
  function nextGroupSize(): number {
    const share = Math.ceil(callCount / (options.maxGroupsInFlight + 1))
    return Math.min(options.maxGroupSize, Math.max(share, SMALLEST_SHARE))
  }

  /** The calls that wait longest and need no lock of a group in flight: two groups would wait for each other. */
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
    // The others go on without the one that failed; where nobody knows which one that was, each goes alone.
    const failed = group[transactions.placeOf(error) ?? -1]
    for (const call of failed ? [failed] : group) void goAlone(call)
    if (failed) enqueue(group.filter((call) => call !== failed))
  }

  /** A call that failed in a group goes alone, in a transaction that is patient about locks. */
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

  /** Calls whose transaction was lost from sight: each is answered, or tried again if it left no trace. */
  async function lookUp(calls: Call[], error: unknown) {
    try {
      // Looked up only when the lost backend is surely gone: until then its commit may still come.
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
