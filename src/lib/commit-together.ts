/**
 * Runs calls that wait at the same time in one transaction, so that they share one commit. While a group commits, the
 * next one forms; with nothing else waiting, a call goes at once, alone (design.md, "Commit together").
 */
export type CommitTogether<Tx> = <Outcome>(member: Member<Tx, Outcome>) => Promise<Outcome>

export type Member<Tx, Outcome> = {
  /** Members of a group run in the order of what they lock, so that two groups do not lock each other out. */
  lockKey: string
  /** One call to the database that returns its outcome, refusals included. It throws only when SQL fails. */
  run(tx: Tx): Promise<Outcome>
  /** After a connection was lost at the commit: what became of this call, or null if it left no trace. */
  lookUp(): Promise<Outcome | null>
}

export type GroupTransactions<Tx> = {
  /** Runs `work` in a transaction and commits it; gives up soon on a lock. `groupId` names the group, see `settle`. */
  transaction<T>(groupId: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /** The same for one call alone, which can wait for a lock. */
  patientTransaction<T>(groupId: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Resolves when no transaction of this group is open any more, neither here nor in a backend left behind. */
  settle(groupId: string): Promise<void>
  /** Whether the error leaves it open if the transaction was committed. */
  isOutcomeUnknown(error: unknown): boolean
}

type Waiting<Tx> = {
  member: Member<Tx, unknown>
  resolve(outcome: unknown): void
  reject(error: unknown): void
}

export function createCommitTogether<Tx>(options: {
  transactions: GroupTransactions<Tx>
  newGroupId: () => string
  maxGroupSize: number
  maxGroupsInFlight: number
  /** More calls than this do not wait: they are refused by `whenFull`. */
  maxWaiting: number
  whenFull: () => Error
}): CommitTogether<Tx> {
  const { transactions } = options
  const waiting: Waiting<Tx>[] = []
  let groupsInFlight = 0

  function startGroups() {
    while (waiting.length > 0 && groupsInFlight < options.maxGroupsInFlight) {
      const group = waiting.splice(0, options.maxGroupSize)
      groupsInFlight++
      void commitGroup(group).finally(() => {
        groupsInFlight--
        startGroups()
      })
    }
  }

  async function commitGroup(group: Waiting<Tx>[]) {
    group.sort((a, b) => (a.member.lockKey < b.member.lockKey ? -1 : 1))
    const groupId = options.newGroupId()
    try {
      const outcomes = await transactions.transaction(groupId, (tx) =>
        Promise.all(group.map(({ member }) => member.run(tx))),
      )
      group.forEach(({ resolve }, index) => {
        resolve(outcomes[index])
      })
    } catch (error) {
      await recover(group, groupId, error)
    }
  }

  async function recover(group: Waiting<Tx>[], groupId: string, error: unknown) {
    const doubtfulGroupId = transactions.isOutcomeUnknown(error) ? groupId : null
    for (const { member, resolve, reject } of group) await runAlone(member, doubtfulGroupId).then(resolve, reject)
  }

  async function runAlone(member: Member<Tx, unknown>, lostGroupId: string | null): Promise<unknown> {
    let doubtfulGroupId = lostGroupId
    for (let triesLeft = 2; ; triesLeft--) {
      if (doubtfulGroupId !== null) {
        // Looked up only when the lost backend is surely gone: until then its commit may still come.
        await transactions.settle(doubtfulGroupId)
        const found = await member.lookUp()
        if (found !== null) return found
      }
      const groupId = options.newGroupId()
      try {
        return await transactions.patientTransaction(groupId, (tx) => member.run(tx))
      } catch (error) {
        if (triesLeft === 0 || !transactions.isOutcomeUnknown(error)) throw error
        doubtfulGroupId = groupId
      }
    }
  }

  return <Outcome>(member: Member<Tx, Outcome>) =>
    new Promise<Outcome>((resolve, reject) => {
      if (waiting.length >= options.maxWaiting) return reject(options.whenFull())
      waiting.push({ member, resolve: resolve as (outcome: unknown) => void, reject })
      // The calls that arrive in one turn of the event loop form one group.
      if (waiting.length === 1) setImmediate(startGroups)
    })
}
