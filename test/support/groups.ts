import type { EnvironmentSettings } from '../../src/foundation/core/environment.ts'
import { ApiError } from '../../src/foundation/core/errors.ts'
import { oneNode } from '../../src/foundation/db/cluster/nodes.ts'
import { connect } from '../../src/foundation/db/connect.ts'
import { groupTransactions } from '../../src/foundation/db/group-transactions.ts'
import { createCommitTogether, RetryInGroup } from '../../src/foundation/lib/concurrency/commit-together.ts'
import { type AcceptDeps, acceptanceOrders } from '../../src/payments/payment/accept/accept-actions.ts'
import type { TestService } from './service.ts'

export type Groups = {
  /** Accepts payments in separate groups: those of one event-loop turn share one transaction. */
  acceptDeps: AcceptDeps
  /** Makes the next `count` payments form one group, even if some need a lookup first. */
  gather(count: number): void
  /** Overrides settings of the environment from now on. */
  ask(settings: Partial<EnvironmentSettings>): void
  /** Whether plain payments form separate groups, as usual on one server, or share one with all others. */
  keepPlainApart(isApart: boolean): void
  /** The number of payments that each group's transaction decided about. */
  sizes: number[]
}

/** Observes the groups in which a service accepts payments. No call may run alone. */
export function watchGroups(
  t: { after(end: () => Promise<void>): void },
  { deps, databaseUrl }: Pick<TestService, 'deps' | 'databaseUrl'>,
): Groups {
  const groupPool = connect(databaseUrl, { max: 1, applicationName: 'test groups' })
  t.after(() => groupPool.end({ timeout: 5 }))
  const sizes: number[] = []
  let orders = acceptanceOrders(deps, groupPool)
  let isPlainApart = true
  // On a cluster, each group has one platform, so that the tests know its size.
  const keyOfPlatform = acceptanceOrders({ ...deps, nodes: oneNode }, groupPool).groupKeyOf
  const acceptTogether = createCommitTogether({
    orders: {
      ...orders,
      run: async (acceptances, groupKey) => {
        const outcomes = await orders.run(acceptances, groupKey)
        const size = outcomes.filter((outcome) => !(outcome instanceof RetryInGroup)).length
        if (size > 0) sizes.push(size)
        return outcomes
      },
      runAlone: () => Promise.reject(new Error('a call ran alone')),
      groupKeyOf: (acceptance) => {
        if (deps.isDistributed) return keyOfPlatform?.(acceptance) ?? 'all'
        return isPlainApart ? (orders.groupKeyOf?.(acceptance) ?? 'all') : 'all'
      },
    },
    transactions: groupTransactions(deps.sql),
    maxGroupSize: 100,
    maxGroupsInFlight: 1,
    maxCalls: 1_000,
    whenFull: () => new ApiError('overloaded'),
    whenUnknown: () => new ApiError('outcome_unknown'),
  })
  let missing = 0
  let complete = () => {}
  let isComplete = Promise.resolve()
  const gathered: typeof acceptTogether = async (acceptance) => {
    missing--
    if (missing === 0) complete()
    if (missing >= 0) await isComplete
    return acceptTogether(acceptance)
  }
  return {
    acceptDeps: { ...deps, acceptTogether: gathered },
    ask: (settings) => {
      orders = acceptanceOrders({ ...deps, settings: { ...deps.settings, ...settings } }, groupPool)
    },
    keepPlainApart: (isApart) => {
      isPlainApart = isApart
    },
    gather: (count) => {
      missing = count
      isComplete = new Promise((resolve) => {
        complete = resolve
      })
    },
    sizes,
  }
}
