import type { Deps } from '../db/deps.ts'
import { inTransaction } from '../db/transaction.ts'
import { addDays } from '../lib/clock.ts'
import { invite } from './recipient-invitation-actions.ts'
import { LINK_KEPT_DAYS } from './recipient-rules.ts'
import { claimInvitations, deleteOldLinks, listInvitingPlatforms } from './recipient-store.ts'

const PLATFORMS_PER_PASS = 100
const INVITATIONS_PER_BATCH = 100
const LINKS_SWEPT_PER_PASS = 1_000

/**
 * One pass: tells recipients outside of payments to them, a batch of each platform. The claim, the link and the mail are
 * one transaction: each is told once, however many workers there are.
 *
 * @returns how many it told
 */
export async function inviteRecipients(deps: Deps, baseUrl: string): Promise<number> {
  let count = 0
  for (const platformId of await listInvitingPlatforms(deps.sql, PLATFORMS_PER_PASS)) {
    count += await inTransaction(deps, async (tx) => {
      const claimed = await claimInvitations(tx.sql, platformId, INVITATIONS_PER_BATCH)
      await Promise.all(claimed.filter(({ isOpen }) => isOpen).map((invited) => invite(tx, baseUrl, invited)))
      return claimed.length
    })
  }
  return count
}

/** One pass: deletes links that are too old to show anything. @returns how many it deleted */
export const sweepLinks = (deps: Deps): Promise<number> =>
  deleteOldLinks(deps.sql, { before: addDays(deps.realClock.now(), -LINK_KEPT_DAYS), limit: LINKS_SWEPT_PER_PASS })
