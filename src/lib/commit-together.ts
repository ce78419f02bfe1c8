/**
 * Runs calls that wait at the same time in one transaction, so that they share one commit. While a group commits, the
 * next one forms; with nothing else waiting, a call goes at once, alone (design.md, "Commit together").
 */
export type CommitTogether<Tx> = <Outcome>(member: Member<Tx, Outcome>) => Promise<Outcome>

export type Member<Tx, Outcome> = {
  /** Members of a group run in the order of what they lock, so that two groups do not lock each other out. */
  lockKey: string
  /** What else it locks: no two groups that are under way at the same time lock the same. */
  alsoLocks?: readonly string[]
  /** One call to the database that returns its outcome, refusals included. It throws only when SQL fails. */
  run(tx: Tx): Promise<Outcome>
  /** After a connection was lost at the commit: what became of this call, or null if it left no trace. */
  lookUp(): Promise<Outcome | null>
}

export type GroupTransactions<Tx> = {
  /** Runs `work` in a transaction and commits it; gives up soon on a lock. `groupId` names the group, see `settle`. */
  transaction<T>(groupId: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /** The same for one call alone, which can wait for a lock, and keeps no group waiting. */
  patientTransaction<T>(groupId: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Resolves when no transaction of this group is open any more, neither here nor in a backend left behind. */
  settle(groupId: string): Promise<void>
  /**
   * What an error leaves behind: `undone`: nothing, the database did not like a statement; `unreachable`: nothing, the
   * database takes no transaction now; `unknown`: the transaction was committed or not.
   */
  effectOf(error: unknown): 'undone' | 'unreachable' | 'unknown'
}

type Waiting<Tx> = {
  member: Member<Tx, unknown>
  /** Since when it waits, in milliseconds of the process. */
  since: number
  /** How often it was found that its transaction had been lost. */
  lossCount: number
  resolve(outcome: unknown): void
  reject(error: unknown): void
}

/** A call whose transaction was lost so often is given up. */
const MAX_LOSSES = 3

export function createCommitTogether<Tx>(options: {
  transactions: GroupTransactions<Tx>
  newGroupId: () => string
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
}): CommitTogether<Tx> {
  const { transactions } = options
  let waiting: Waiting<Tx>[] = []
  /** While a call goes alone because of a lock, the calls that need the same lock wait behind it, not in a group. */
  const behind = new Map<string, Waiting<Tx>[]>()
  /** What each group locks. */
  const groupsInFlight = new Set<ReadonlySet<string>>()
  let isStarting = false
  /** How long a call had waited that went with the last group, if there was more than a group takes. */
  let backlogMs = 0
  let callCount = 0

  function enqueue(calls: Waiting<Tx>[]) {
    for (const call of calls) (behind.get(call.member.lockKey) ?? waiting).push(call)
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
      const group = takeGroup()
      if (group.length === 0) return
      backlogMs = group.length < options.maxGroupSize ? 0 : performance.now() - (group[0]?.since ?? 0)
      const lockKeys = new Set(group.flatMap(locksOf))
      groupsInFlight.add(lockKeys)
      void commitGroup(group).finally(() => {
        groupsInFlight.delete(lockKeys)
        startGroups()
      })
    }
  }

  /** The calls that wait longest and need no lock of a group in flight: two groups would wait for each other. */
  function takeGroup(): Waiting<Tx>[] {
    const isFree = (call: Waiting<Tx>) =>
      !groupsInFlight.values().some((lockKeys) => locksOf(call).some((key) => lockKeys.has(key)))
    const group = waiting.values().filter(isFree).take(options.maxGroupSize).toArray()
    const taken = new Set(group)
    waiting = waiting.filter((call) => !taken.has(call))
    return group
  }

  const locksOf = ({ member }: Waiting<Tx>) => [member.lockKey, ...(member.alsoLocks ?? [])]

  const { maxWaitMs = Number.POSITIVE_INFINITY } = options
  const isBehind = () => waiting.length > 0 && backlogMs > maxWaitMs

  async function commitGroup(group: Waiting<Tx>[]) {
    group.sort((a, b) => compare(a.member.lockKey, b.member.lockKey))
    const groupId = options.newGroupId()
    let failed: Waiting<Tx> | null = null
    try {
      const outcomes = await transactions.transaction(groupId, (tx) =>
        Promise.all(
          group.map((call) =>
            call.member.run(tx).catch((error) => {
              failed ??= call
              throw error
            }),
          ),
        ),
      )
      options.onCommitted?.(group.length)
      group.forEach(({ resolve }, index) => {
        resolve(outcomes[index])
      })
    } catch (error) {
      recover(group, { groupId, failed, error })
    }
  }

  function recover(
    group: Waiting<Tx>[],
    { groupId, failed, error }: { groupId: string; failed: Waiting<Tx> | null; error: unknown },
  ) {
    const effect = transactions.effectOf(error)
    if (effect === 'unknown') return void lookUp(group, groupId)
    // What the first failed statement left of the others is "the transaction is aborted": they go on without it.
    if (effect === 'undone' && failed) {
      void goAlone(failed)
      enqueue(group.filter((call) => call !== failed))
      return
    }
    for (const { reject } of group) reject(error)
  }

  /** A call that failed in a group goes alone, in a transaction that is patient about locks. */
  async function goAlone(call: Waiting<Tx>) {
    const { lockKey, run } = call.member
    const queue = behind.get(lockKey)
    if (queue) return void queue.push(call)
    const followers: Waiting<Tx>[] = []
    behind.set(lockKey, followers)
    const groupId = options.newGroupId()
    try {
      call.resolve(await transactions.patientTransaction(groupId, run))
    } catch (error) {
      if (transactions.effectOf(error) === 'unknown') await lookUp([call], groupId)
      else call.reject(error)
    }
    behind.delete(lockKey)
    enqueue(followers)
    startGroups()
  }

  /** Calls whose transaction was lost from sight: each is answered, or tried again if it left no trace. */
  async function lookUp(calls: Waiting<Tx>[], groupId: string) {
    try {
      // Looked up only when the lost backend is surely gone: until then its commit may still come.
      await transactions.settle(groupId)
      const found = await Promise.all(calls.map(({ member }) => member.lookUp()))
      const missing = calls.filter((_, index) => found[index] === null)
      calls.forEach(({ resolve }, index) => {
        if (found[index] !== null) resolve(found[index])
      })
      for (const call of missing) call.lossCount++
      for (const { reject } of missing.filter(isGivenUp)) reject(options.whenUnknown())
      enqueue(missing.filter((call) => !isGivenUp(call)))
      startGroups()
    } catch {
      for (const { reject } of calls) reject(options.whenUnknown())
    }
  }

  const isGivenUp = ({ lossCount }: Waiting<Tx>) => lossCount >= MAX_LOSSES

  return async <Outcome>(member: Member<Tx, Outcome>) => {
    if (callCount >= options.maxCalls || isBehind()) throw options.whenFull()
    callCount++
    try {
      return await new Promise<Outcome>((resolve, reject) => {
        enqueue([
          { member, since: performance.now(), lossCount: 0, resolve: resolve as (outcome: unknown) => void, reject },
        ])
        startGroupsSoon()
      })
    } finally {
      callCount--
    }
  }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
