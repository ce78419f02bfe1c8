import type { BackgroundStep } from '../../foundation/db/background/background-step.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { failItem, type ItemFailed, inTransactionSkippingFailed } from '../../foundation/db/failed-items.ts'
import { type Isolation, isolate } from '../../foundation/db/isolation.ts'
import { clockOf } from '../../foundation/db/platform-clock.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { resumeStoppedLegs } from '../../money/rail/leg-actions.ts'
import { listPlatformsWithStoppedLegs } from '../../money/rail/leg-store.ts'
import { voidInvoicesOfUser } from '../../orders/invoice/invoice-actions.ts'
import { reportWaitingMoney } from '../../payments/payment/leg/closed-user-actions.ts'
import { endPayment } from '../../payments/payment/leg/payment-leg-actions.ts'
import { listUnpaidPayments, lockPayment } from '../../payments/payment/payment-store.ts'
import {
  deleteStatusChange,
  listPlatformsWithStatusChange,
  listStatusChanges,
  lockStatusChange,
} from '../../people/user/status-change-store.ts'
import type { Standing } from '../../people/user/user-status.ts'
import { findStanding, type UserKey } from '../../people/user/user-store.ts'
import { legHandlers } from './leg-handlers.ts'

const PLATFORMS_PER_PASS = 100
const USERS_PER_PLATFORM = 100
const ITEMS_PER_BATCH = 100

export const userStatusStep: BackgroundStep = { name: 'follow user status', run: followUserStatus, isWoken: false }

/**
 * One pass: updates payments and legs after the status of their users changed, one batch per user. CLOSED: voids UNPAID payments, and
 * checks stopped legs again, which refunds collected money. ACTIVE again: stopped legs continue. A suspension stops legs only when they are
 * due. Deleted: voids UNPAID invoices.
 *
 * @returns the number of items done
 */
export function followUserStatus(deps: Deps): Promise<number> {
  const isolation = isolate(deps, userStatusStep.name)
  const skipped = isolation.skipped()
  return isolation.eachPlatform(
    PLATFORMS_PER_PASS,
    (turn) => listPlatformsWithStatusChange(deps.sql, turn),
    async (platformId) => {
      const users = await listStatusChanges(deps.sql, platformId, { limit: USERS_PER_PLATFORM, skipped })
      let count = 0
      for (const user of users) count += await followUser(deps, isolation, user)
      return count
    },
  )
}

/**
 * Handles the change on the platform of the user first, then on each platform with payments to the user, each in its own transaction. A
 * failure does not stop the other platforms. The change stays recorded until all platforms have handled it.
 */
async function followUser(deps: Deps, isolation: Isolation, user: UserKey): Promise<number> {
  const { userId } = user
  const all = await listPlatformsWithStoppedLegs(deps.sql, userId, PLATFORMS_PER_PASS)
  const otherPlatformIds = all.filter((id) => id !== user.platformId)
  const work = [
    {
      platformId: user.platformId,
      follow: () => followOnOwnPlatform(deps, isolation, user, otherPlatformIds.length === 0),
    },
    ...otherPlatformIds.map((platformId) => ({ platformId, follow: () => resumeOnPlatform(deps, platformId, user) })),
  ]
  let [count, hasFailed] = [0, false]
  for (const { platformId, follow } of work) {
    try {
      count += await follow()
    } catch (error) {
      hasFailed = true
      isolation.fail({ platformId, kind: 'user', id: userId }, error)
    }
  }
  if (!hasFailed) isolation.succeed([userId])
  return count
}

async function followOnOwnPlatform(
  deps: Deps,
  isolation: Isolation,
  user: UserKey,
  isLastPlatform: boolean,
): Promise<number> {
  const { platformId } = user
  const skip = ({ cause, item: id }: ItemFailed<string>) => isolation.fail({ platformId, kind: 'payment', id }, cause)
  return inTransactionSkippingFailed<string, Deps, number>(deps, skip, async (tx) => {
    if (!(await lockStatusChange(tx.sql, user))) return 0
    const standing = await findStanding(tx.sql, user)
    const isSuspended = standing === 'SUSPENDED'
    const voided = await endUnpaid(tx, isolation, { user, standing })
    const resumed = isSuspended ? 0 : await resumeStopped(tx, user)
    const isFollowed = voided.isDone && resumed < ITEMS_PER_BATCH && (isSuspended || isLastPlatform)
    // This runs last, because voiding payments can release money.
    const reported = isFollowed && standing === 'CLOSED' ? await reportWaitingMoney(tx, user, ITEMS_PER_BATCH) : 0
    const isDone = isFollowed && reported === 0
    if (isDone) await deleteStatusChange(tx.sql, user)
    return voided.count + resumed + reported + (isDone ? 1 : 0)
  })
}

/** Resumes the stopped legs on another platform. They are checked again when they are due. */
async function resumeOnPlatform(deps: Deps, platformId: string, user: UserKey): Promise<number> {
  if ((await findStanding(deps.sql, user)) === 'SUSPENDED') return 0
  return inTransaction(deps, (tx) => resumeStopped(tx, { platformId, userId: user.userId }))
}

async function resumeStopped(tx: TxDeps, { platformId, userId }: UserKey): Promise<number> {
  const count = await resumeStoppedLegs(tx, legHandlers, { platformId, stoppedBy: userId, limit: ITEMS_PER_BATCH })
  if (count > 0) tx.afterCommit(tx.wake)
  return count
}

async function endUnpaid(
  tx: TxDeps,
  isolation: Isolation,
  { user, standing }: { user: UserKey; standing: Standing | null },
): Promise<{ count: number; isDone: boolean }> {
  if (standing === 'CLOSED') return voidUnpaid(tx, isolation, user)
  if (standing !== null) return { count: 0, isDone: true }
  return voidInvoicesOfUser({ ...tx, clock: await clockOf(tx, user.platformId) }, user)
}

/** Voids UNPAID payments. A payment that cannot be voided is retried later, and the others continue. */
async function voidUnpaid(
  tx: TxDeps,
  isolation: Isolation,
  user: UserKey,
): Promise<{ count: number; isDone: boolean }> {
  const except = isolation.skipped().ids
  const clock = await clockOf(tx, user.platformId)
  const ids = await listUnpaidPayments(tx.sql, user, { limit: ITEMS_PER_BATCH, except })
  for (const id of ids) await voidOne({ ...tx, clock }, user, id).catch(failItem(id))
  tx.afterCommit(() => isolation.succeed(ids))
  const [left] = await listUnpaidPayments(tx.sql, user, { limit: 1, except: [] })
  return { count: ids.length, isDone: left === undefined }
}

async function voidOne(deps: TxDeps, { platformId }: UserKey, paymentId: string): Promise<void> {
  const payment = await lockPayment(deps.sql, { platformId, paymentId })
  if (payment?.status === 'UNPAID' && !(await endPayment(deps, payment, 'void')))
    throw new Error('the payment cannot be voided now, because after the restore the bank may have paid it')
}
