import { randomBytes } from 'node:crypto'
import { connect, type Sql } from '../../src/db/connect.ts'
import { groupTransactions } from '../../src/db/group-transactions.ts'
import { createCommitTogether, type GroupTransactions } from '../../src/lib/commit-together.ts'
import { ApiError } from '../../src/lib/errors.ts'
import type { AcceptDeps } from '../../src/payment/accept-actions.ts'
import type { TestService } from './service.ts'

export type Groups = {
  /** Accepts in groups of its own: what is accepted in one turn of the event loop shares one transaction. */
  acceptDeps: AcceptDeps
  /** Has the next so many wait for each other, so that they are one group: some look something up before they are ready. */
  gather(count: number): void
  /** How many payments each transaction of a group was given. */
  sizes: number[]
}

/** The acceptance of a service with an eye on its groups; no call goes alone. */
export function watchGroups(
  t: { after(end: () => Promise<void>): void },
  { deps, databaseUrl }: Pick<TestService, 'deps' | 'databaseUrl'>,
): Groups {
  const groupPool = connect(databaseUrl, { max: 1, applicationName: 'test groups' })
  t.after(() => groupPool.end({ timeout: 5 }))
  const sizes: number[] = []
  const real = groupTransactions(groupPool, deps.sql)
  const transactions: GroupTransactions<Sql> = {
    ...real,
    transaction: (groupId, work) =>
      real.transaction(groupId, (sql) => {
        let size = 0
        const counting = (...args: Parameters<typeof sql>) => {
          size++
          return sql(...args)
        }
        return work(counting as Sql).finally(() => sizes.push(size))
      }),
    patientTransaction: () => Promise.reject(new Error('a call went alone')),
  }
  const commitTogether = createCommitTogether<Sql>({
    transactions,
    newGroupId: () => randomBytes(8).readBigInt64BE().toString(),
    maxGroupSize: 100,
    maxGroupsInFlight: 1,
    maxCalls: 1_000,
    whenFull: () => new ApiError('overloaded'),
    whenUnknown: () => new ApiError('outcome_unknown'),
  })
  let missing = 0
  let complete = () => {}
  let isComplete = Promise.resolve()
  const gathered: typeof commitTogether = async (call) => {
    missing--
    if (missing === 0) complete()
    if (missing >= 0) await isComplete
    return commitTogether(call)
  }
  return {
    acceptDeps: { ...deps, commitTogether: gathered },
    gather: (count) => {
      missing = count
      isComplete = new Promise((resolve) => {
        complete = resolve
      })
    },
    sizes,
  }
}
