import { lapseOverdueBank, microDepositLegs } from './bank/bank-actions.ts'
import { type DueBank, listLapsingBanks } from './bank/bank-store.ts'
import type { Sql } from './db/connect.ts'
import type { Deps, TxDeps } from './db/deps.ts'
import { ItemFailed, inTransactionWithoutFailed } from './db/failed-items.ts'
import { inTransaction } from './db/transaction.ts'
import { listAdvancingClocks, listDuePlatforms, tryLockPlatform, updateOffset } from './due-store.ts'
import { paymentLegs } from './payment/payment-leg-actions.ts'
import { listExpiringPayments, listRefundablePayments } from './payment/payment-store.ts'
import { expirePayment, refundFailedPayment } from './payment/payment-worker.ts'
import { doDueLeg, type LegHandlers } from './rail/leg-actions.ts'
import { type DueLeg, listDueLegs } from './rail/leg-store.ts'

type Item = { platformId: string; id: string; dueAt: Date }

/** What can fall due on a platform. */
type Kind<Due extends Item> = {
  name: string
  /** What falls due first, all at one instant, up to `until`. */
  list(sql: Sql, given: { platformId: string; until: Date; limit: number; except: string[] }): Promise<Due[]>
  run(deps: TxDeps, item: Due): Promise<unknown>
}

const kind = <Due extends Item>(one: Kind<Due>): Kind<Item> => one as never

/** What becomes of a leg, by its purpose. */
export const legHandlers: LegHandlers = {
  payment_pull: paymentLegs,
  payment_push: paymentLegs,
  payment_refund: paymentLegs,
  micro_deposit: microDepositLegs,
}

const kinds: Kind<Item>[] = [
  kind<DueLeg>({ name: 'leg', list: listDueLegs, run: (deps, leg) => doDueLeg(deps, legHandlers, leg) }),
  kind({ name: 'refund', list: listRefundablePayments, run: refundFailedPayment }),
  kind({ name: 'expiry', list: listExpiringPayments, run: expirePayment }),
  kind<DueBank>({ name: 'lapse of a bank', list: listLapsingBanks, run: lapseOverdueBank }),
]

const ITEMS_PER_BATCH = 200
const CLOCKS_PER_PASS = 200

/** One pass of the service: does what is due on each platform, a batch of each. @returns how much it did */
export async function doDueWork(deps: Deps): Promise<number> {
  const { hasMovableClock } = deps.settings
  const now = deps.clock.now()
  const platforms = await listDuePlatforms(deps.sql, { now, hasMovableClock })
  let count = 0
  for (const platformId of platforms) {
    const { now: platformNow } = await deps.clocks.of(platformId)
    count += await doBatch(deps, { platformId, until: platformNow(), isAdvancing: false })
  }
  return count
}

/** One pass: takes each clock that is on its way to the next instant at which something is due. @returns how much it did */
export async function advanceClocks(deps: Deps): Promise<number> {
  if (!deps.settings.hasMovableClock) return 0
  let count = 0
  for (const { platformId, advancingTo } of await listAdvancingClocks(deps.sql, CLOCKS_PER_PASS)) {
    while ((await doBatch(deps, { platformId, until: advancingTo, isAdvancing: true })) > 0) count++
    await inTransaction(deps, async (tx) => {
      if (!(await tryLockPlatform(tx.sql, platformId))) return
      const offsetMs = advancingTo.getTime() - deps.clock.now().getTime()
      await updateOffset(tx.sql, platformId, { offsetMs, hasArrived: true })
    })
    deps.clocks.forget(platformId)
    deps.wake()
    count++
  }
  return count
}

type Batch = { platformId: string; until: Date; isAdvancing: boolean }

/**
 * Does what falls due first on a platform, in one transaction, at its own time. Where clocks cannot be moved it is done
 * at the time it is: what is late is late.
 *
 * @returns how much; 0 when nothing is due, or another worker has the platform
 */
function doBatch(deps: Deps, batch: Batch): Promise<number> {
  // One that cannot be done does not stop the others; it is tried again at the next pass.
  const log = ({ cause: err, item: { kind, id } }: ItemFailed<FailedItem>) =>
    deps.log.error({ err, kind, id }, 'due work not done')
  return inTransactionWithoutFailed(deps, log, (tx, failed) =>
    runBatch(tx, batch, { limit: ITEMS_PER_BATCH, except: failed.map(({ id }) => id) }),
  )
}

type FailedItem = { kind: string; id: string }

async function runBatch(
  tx: TxDeps,
  { platformId, until, isAdvancing }: Batch,
  given: { limit: number; except: string[] },
): Promise<number> {
  if (!(await tryLockPlatform(tx.sql, platformId))) return 0
  const lists = await Promise.all(
    kinds.map(async (one) => ({ one, items: await one.list(tx.sql, { platformId, until, ...given }) })),
  )
  const [first] = lists
    .filter(({ items }) => items.length > 0)
    .sort((a, b) => (a.items[0] as Item).dueAt.getTime() - (b.items[0] as Item).dueAt.getTime())
  if (!first) return 0
  const at = (first.items[0] as Item).dueAt
  const deps = tx.settings.hasMovableClock ? { ...tx, clock: { now: () => at } } : tx
  await Promise.all(
    first.items.map((item) =>
      first.one.run(deps, item).catch((error) => {
        throw new ItemFailed({ kind: first.one.name, id: item.id }, error)
      }),
    ),
  )
  if (isAdvancing) {
    await updateOffset(tx.sql, platformId, { offsetMs: at.getTime() - tx.clock.now().getTime(), hasArrived: false })
    tx.afterCommit(() => tx.clocks.forget(platformId))
  }
  return first.items.length
}
