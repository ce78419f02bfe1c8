import type { Deps } from '../../foundation/db/deps.ts'
import { failItem, type ItemFailed, inTransactionSkippingFailed } from '../../foundation/db/failed-items.ts'
import { type Isolation, isolate } from '../../foundation/db/isolation.ts'
import { sweepOldRows } from '../../foundation/db/old-rows.ts'
import type { Skipped } from '../../foundation/db/skipped.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { addDays } from '../../foundation/lib/clock.ts'
import { findDueNotice, sendNotice } from './recipient-invitation-actions.ts'
import { listWaitingPlatforms, oldMailAddresses, releaseWaitingInvitations } from './recipient-mail-store.ts'
import { LINK_KEPT_DAYS } from './recipient-rules.ts'
import {
  claimInvitations,
  claimInvitationsOfSeveral,
  listInvitingPlatforms,
  listPlatformsInvitingSeveral,
  oldLinks,
} from './recipient-store.ts'

const PLATFORMS_PER_PASS = 100
const INVITATIONS_PER_BATCH = 100
const LINKS_SWEPT_PER_PASS = 1_000

/**
 * One pass: notifies payees without an account, a batch per platform. Claim, link and mail commit together, so that
 * each is sent once, however many workers run.
 *
 * @returns the number of payments handled
 */
export async function inviteRecipients(deps: Deps, baseUrl: string): Promise<number> {
  const isolation = isolate(deps, 'invite recipients')
  await releaseWaiting(deps, isolation)
  const skipped = isolation.skipped()
  const platformIds = await isolation.nextPlatforms(
    (turn) => listPlatforms(deps, { ...turn, skipped }),
    PLATFORMS_PER_PASS,
  )
  return isolation.each(platformIds, (platformId) => inviteForPlatform(deps, isolation, { platformId, baseUrl }))
}

async function listPlatforms(
  deps: Deps,
  turn: { after: string | null; limit: number; skipped: Skipped },
): Promise<string[]> {
  const inviting = await listInvitingPlatforms(deps.sql, turn)
  const several = await listPlatformsInvitingSeveral(deps.sql, { ...turn, now: deps.realClock.now() })
  return [...new Set([...inviting, ...several])].sort().slice(0, turn.limit)
}

/** Schedules mail that a limit delayed. */
async function releaseWaiting(deps: Deps, isolation: Isolation): Promise<void> {
  const now = deps.realClock.now()
  const waiting = { now, skipped: isolation.skipped(), limit: PLATFORMS_PER_PASS }
  await isolation.each(await listWaitingPlatforms(deps.sql, waiting), (platformId) =>
    inTransaction(deps, (tx) => releaseWaitingInvitations(tx.sql, platformId, { now, limit: INVITATIONS_PER_BATCH })),
  )
}

function inviteForPlatform(
  deps: Deps,
  isolation: Isolation,
  { platformId, baseUrl }: { platformId: string; baseUrl: string },
): Promise<number> {
  const skip = ({ cause, item: id }: ItemFailed<string>) =>
    isolation.fail({ platformId, kind: 'invitation', id }, cause)
  return inTransactionSkippingFailed<string, Deps, number>(deps, skip, async (tx) => {
    const except = isolation.skipped().ids
    const batch = { limit: INVITATIONS_PER_BATCH, except, now: tx.realClock.now() }
    const single = await claimInvitations(tx.sql, platformId, batch)
    const claimed = [...single, ...(await claimInvitationsOfSeveral(tx.sql, platformId, batch))]
    const pending = await Promise.all(
      claimed.map((invited) => findDueNotice(tx, invited).catch(failItem<string>(invited.paymentId))),
    )
    // Sorted by recipient, so that counters shared by platforms are always locked in the same order.
    const notices = pending
      .filter((one) => one !== null)
      .sort((a, b) => (a.invited.recipient < b.invited.recipient ? -1 : 1))
    await Promise.all(notices.map((one) => sendNotice(tx, baseUrl, one).catch(failItem(one.invited.paymentId))))
    tx.afterCommit(() => isolation.succeed(claimed.map(({ paymentId }) => paymentId)))
    return claimed.length
  })
}

/** One pass: deletes expired links and counts of past days. @returns the number of deleted rows */
export async function sweepLinks(deps: Deps): Promise<number> {
  const now = deps.realClock.now()
  const before = { links: addDays(now, -LINK_KEPT_DAYS), counts: addDays(now, -2) }
  const limit = LINKS_SWEPT_PER_PASS
  const links = await sweepOldRows(deps, 'sweep recipient links', oldLinks, { before: before.links, limit })
  return links + (await sweepOldRows(deps, 'sweep recipient links', oldMailAddresses, { before: before.counts, limit }))
}
