import type { Sql } from '../../foundation/db/connect.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import type { DueQuery } from '../../foundation/db/due-query.ts'
import { failItem, ItemFailed, inTransactionSkippingFailed } from '../../foundation/db/failed-items.ts'
import { type Isolation, isolate } from '../../foundation/db/isolation.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { readBankHolds } from '../../foundation/exception/bank-hold-actions.ts'
import { lapseOverdueBank } from '../../money/bank/bank-actions.ts'
import { type DueBank, listLapsingBanks } from '../../money/bank/bank-store.ts'
import { microDepositLegs } from '../../money/bank/micro-deposit-actions.ts'
import { isSilenceEvidence } from '../../money/bank-file/silence-actions.ts'
import { type LegHandlers, prepareDueLegs } from '../../money/rail/leg-actions.ts'
import { type DueLeg, listDueLegs } from '../../money/rail/leg-store.ts'
import { expireApproval } from '../../orders/approval/approval-release-actions.ts'
import { listExpiringApprovals } from '../../orders/approval/approval-store.ts'
import { remindPayer } from '../../orders/payer/payer-notice-actions.ts'
import { type DueReminder, listDueReminders } from '../../orders/payer/payer-store.ts'
import { runSubscription } from '../../orders/subscription/subscription-run-actions.ts'
import { type DueSubscription, listDueSubscriptions } from '../../orders/subscription/subscription-store.ts'
import { doDueCheckbook } from '../../payments/checkbook/checkbook-actions.ts'
import { type DueCheckbook, listDueCheckbooks } from '../../payments/checkbook/checkbook-store.ts'
import { paymentLegs } from '../../payments/payment/leg/payment-leg-actions.ts'
import { listExpiringPayments, listRefundablePayments } from '../../payments/payment/payment-store.ts'
import { expirePayment, refundFailedPayment } from '../../payments/payment/payment-worker.ts'
import {
  findPlatformClock,
  listAdvancingClocks,
  listDuePlatforms,
  listDuePlatformsInOrder,
  tryLockPlatform,
  updateOffset,
} from './due-store.ts'

type Item = { platformId: string; id: string; dueAt: Date }

/** A kind of work that can be due on a platform. */
type Kind<Due extends Item> = {
  name: string
  /** The items that are due first, up to `until`, all at the same instant. */
  list(sql: Sql, query: DueQuery): Promise<Due[]>
  /** Reads and locks what all items need. @returns does the work of one item */
  prepare(deps: TxDeps, platformId: string, items: Due[]): Promise<Run<Due>>
}

type Run<Due> = (item: Due) => Promise<unknown>

const kind = <Due extends Item>(one: Kind<Due>): Kind<Item> => one as never

/** For items that have nothing to prepare together. */
const each =
  <Due>(run: (deps: TxDeps, item: Due) => Promise<unknown>) =>
  async (deps: TxDeps): Promise<Run<Due>> =>
  (item) =>
    run(deps, item)

/** The handlers of legs, by purpose. */
export const legHandlers: LegHandlers = {
  payment_pull: paymentLegs,
  payment_push: paymentLegs,
  payment_refund: paymentLegs,
  micro_deposit: microDepositLegs,
}

const kinds: Kind<Item>[] = [
  kind<DueLeg>({
    name: 'leg',
    list: listDueLegs,
    prepare: (deps, platformId, legs) => prepareDueLegs(deps, legHandlers, { platformId, legs }),
  }),
  kind({ name: 'refund', list: listRefundablePayments, prepare: each(refundFailedPayment) }),
  kind<DueSubscription>({ name: 'subscription', list: listDueSubscriptions, prepare: each(runSubscription) }),
  kind<DueReminder>({ name: 'reminder of an invoice', list: listDueReminders, prepare: each(remindPayer) }),
  kind({ name: 'expiry', list: listExpiringPayments, prepare: each(expirePayment) }),
  kind({ name: 'approval', list: listExpiringApprovals, prepare: each(expireApproval) }),
  kind<DueCheckbook>({ name: 'checkbook', list: listDueCheckbooks, prepare: each(doDueCheckbook) }),
  kind<DueBank>({ name: 'lapse of a bank', list: listLapsingBanks, prepare: each(lapseOverdueBank) }),
]

const ITEMS_PER_BATCH = 200
const PLATFORMS_PER_PASS = 200
/** How many instants a clock advances before other clocks get their turn. */
const INSTANTS_PER_TURN = 100

/** One pass: does a batch of due work on each platform. @returns the number of items done */
export async function doDueWork(deps: Deps): Promise<number> {
  const isolation = isolate(deps, 'do what is due')
  const isBankHeld = !(await isSilenceEvidence(deps))
  return isolation.each(await duePlatforms(deps, isolation, isBankHeld), async (platformId) => {
    const { now } = await deps.clocks.of(platformId)
    return doBatch(deps, isolation, { platformId, until: now(), isAdvancing: false, isBankHeld })
  })
}

async function duePlatforms(deps: Deps, isolation: Isolation, isBankHeld: boolean): Promise<string[]> {
  const query = {
    now: deps.clock.now(),
    hasMovableClock: deps.settings.hasMovableClock,
    isBankHeld,
    skipped: isolation.skipped(),
  }
  const { platformIds, isCut } = await listDuePlatforms(deps.sql, query)
  if (!isCut) return platformIds
  return isolation.nextPlatforms((turn) => listDuePlatformsInOrder(deps, { ...query, ...turn }), PLATFORMS_PER_PASS)
}

/**
 * One pass: moves each advancing clock to the next instants with due work. A clock with much to do yields to the
 * others.
 *
 * @returns the number of items done
 */
export async function advanceClocks(deps: Deps): Promise<number> {
  if (!deps.settings.hasMovableClock) return 0
  const isolation = isolate(deps, 'advance clocks')
  const skipped = isolation.skipped()
  const platformIds = await isolation.nextPlatforms(
    (turn) => listAdvancingClocks(deps.sql, { ...turn, skipped }),
    PLATFORMS_PER_PASS,
  )
  return isolation.each(platformIds, (platformId) => advanceClock(deps, isolation, platformId))
}

async function advanceClock(deps: Deps, isolation: Isolation, platformId: string): Promise<number> {
  const { advancingTo: until } = await findPlatformClock(deps.sql, platformId)
  if (!until) return 0
  for (
    let instants = 0;
    (await doBatch(deps, isolation, { platformId, until, isAdvancing: true, isBankHeld: false })) > 0;
  ) {
    if (++instants === INSTANTS_PER_TURN) return instants
  }
  const hasArrived = await inTransaction(deps, async (tx) => {
    if (!(await tryLockPlatform(tx.sql, platformId))) return false
    const offsetMs = until.getTime() - deps.clock.now().getTime()
    await updateOffset(tx.sql, platformId, { offsetMs, hasArrived: true })
    return true
  })
  deps.clocks.forget(platformId)
  deps.wake()
  return hasArrived ? 1 : 0
}

/** `isBankHeld`: something that the bank said was not read when the pass began. */
type Batch = { platformId: string; until: Date; isAdvancing: boolean; isBankHeld: boolean }

/**
 * Does the earliest due work of a platform in one transaction, at the time when it is due. Where clocks cannot be
 * moved, at the current time. A failing item is skipped for a while, and the others go on.
 *
 * @returns the number of items, or 0 when nothing is due or another worker has the platform
 */
function doBatch(deps: Deps, isolation: Isolation, batch: Batch): Promise<number> {
  const { platformId } = batch
  const skip = ({ cause, item: { kind, id } }: ItemFailed<FailedItem>) =>
    isolation.fail({ platformId, kind, id }, cause)
  return inTransactionSkippingFailed(deps, skip, async (tx, failed) => {
    const { platformIds, ids } = isolation.skipped()
    if (platformIds.includes(platformId)) return 0
    return runBatch(tx, isolation, batch, [...ids, ...failed.map(({ id }) => id)])
  })
}

type FailedItem = { kind: string; id: string }

const failedItem = ({ name }: Kind<Item>, { id }: Item): FailedItem => ({ kind: name, id })

async function runBatch(
  tx: TxDeps,
  isolation: Isolation,
  { platformId, until, isAdvancing, isBankHeld: wasBankHeld }: Batch,
  except: string[],
): Promise<number> {
  if (!(await tryLockPlatform(tx.sql, platformId))) return 0
  const isBankHeld = wasBankHeld || (await hasCaseOfBank(tx))
  const lists = await Promise.all(
    kinds.map(async (one) => ({
      one,
      items: await one.list(tx.sql, { platformId, until, limit: ITEMS_PER_BATCH, except, isBankHeld }),
    })),
  )
  const [first] = lists
    .filter(({ items }) => items.length > 0)
    .sort((a, b) => (a.items[0] as Item).dueAt.getTime() - (b.items[0] as Item).dueAt.getTime())
  if (!first) return 0
  const at = (first.items[0] as Item).dueAt
  const deps = tx.settings.hasMovableClock ? { ...tx, clock: { now: () => at } } : tx
  const run = await first.one.prepare(deps, platformId, first.items)
  // One after another: a part that is undone up to its savepoint would take the statements of others with it.
  for (const item of first.items) await run(item).catch(failItem(failedItem(first.one, item)))
  await refuseUnchanged(tx, first, { platformId, until: at, except, isBankHeld })
  if (isAdvancing) {
    await updateOffset(tx.sql, platformId, { offsetMs: at.getTime() - tx.clock.now().getTime(), hasArrived: false })
    tx.afterCommit(() => tx.clocks.forget(platformId))
  }
  tx.afterCommit(() => isolation.succeed(first.items.map(({ id }) => id)))
  return first.items.length
}

/** A file that was read since the pass began may have become a case. Only production has a bank. */
const hasCaseOfBank = async (tx: TxDeps): Promise<boolean> =>
  tx.settings.achFiles !== null && (await readBankHolds(tx)).isBankHeld

/** An item that is still due after its work would be repeated endlessly. */
async function refuseUnchanged(
  tx: TxDeps,
  { one, items }: { one: Kind<Item>; items: Item[] },
  given: Omit<DueQuery, 'limit'>,
): Promise<void> {
  const before = new Set(items.map((item) => JSON.stringify(item)))
  const left = await one.list(tx.sql, { ...given, limit: ITEMS_PER_BATCH })
  const unchanged = left.find((item) => before.has(JSON.stringify(item)))
  if (unchanged) throw new ItemFailed(failedItem(one, unchanged), new Error('it was done, and is due as before'))
}
