import { randomBytes } from 'node:crypto'
import { connect, type Sql } from '../../src/foundation/db/connect.ts'
import { GROUPS_IN_FLIGHT, groupTransactions } from '../../src/foundation/db/group-transactions.ts'
import { createCommitTogether } from '../../src/foundation/lib/concurrency/commit-together.ts'
import { answerParent } from '../support/helper.ts'
import { createSamples, type Measurement } from '../support/samples.ts'
import { type TransferPlan, walletPairs } from '../yardsticks/wallet-pairs.ts'

// Transfers in groups that share a commit, as for accepted payments, without HTTP.

const methods = { run }
export type LedgerProcess = typeof methods
answerParent(methods)

const MAX_GROUP_SIZE = 100

type Transfer = [id: string, from: string, to: string]
type Run = TransferPlan & { databaseUrl: string; callers: number; seconds: number }

async function run({ databaseUrl, platformId, wallets, pairs, callers, seconds }: Run): Promise<Measurement> {
  const pool = connect(databaseUrl, { max: 4, applicationName: 'bench' })
  const groupPool = connect(databaseUrl, { max: GROUPS_IN_FLIGHT, applicationName: 'bench groups' })
  const transferAll = (sql: Sql, transfers: readonly Transfer[]) => sql`
    select bench_transfer(${platformId}, t.id, t.payer, t.payee)
    from unnest(
      ${transfers.map(([id]) => id)}::uuid[], ${transfers.map(([, from]) => from)}::uuid[],
      ${transfers.map(([, , to]) => to)}::uuid[]
    ) as t (id, payer, payee)
  `
  const commitTogether = createCommitTogether<Transfer, unknown>({
    orders: {
      run: (transfers) => transferAll(groupPool, transfers),
      runAlone: (transfer) => transferAll(pool, [transfer]),
      lookUp: async () => null,
      locksOf: ([, from, to]) => [from, to],
    },
    transactions: groupTransactions(pool),
    maxGroupSize: MAX_GROUP_SIZE,
    maxGroupsInFlight: GROUPS_IN_FLIGHT,
    maxCalls: callers,
    whenFull: () => new Error('too many calls'),
    whenUnknown: () => new Error('outcome unknown'),
  })
  const next = walletPairs(wallets, pairs)
  const samples = createSamples()
  const end = performance.now() + 1000 * seconds
  const loop = async () => {
    for (let begin = performance.now(); begin < end; begin = performance.now()) {
      const [from, to] = next()
      const id = randomBytes(16).toString('hex')
      await commitTogether([id, from, to])
      samples.add(performance.now() - begin)
    }
  }
  await Promise.all(Array.from({ length: callers }, loop))
  await Promise.all([pool.end(), groupPool.end()])
  return samples.measurement(seconds)
}
