import type { BackgroundStep } from '../../foundation/db/background/background-step.ts'
import type { PlatformTurn } from '../../foundation/db/cluster/list-platforms.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { failItem, type ItemFailed, inTransactionSkippingFailed } from '../../foundation/db/failed-items.ts'
import { type Isolation, isolate } from '../../foundation/db/isolation.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { findDueNotice, sendNotice } from './recipient-invitation-actions.ts'
import { listWaitingPlatforms, releaseWaitingInvitations } from './recipient-mail-store.ts'
import {
  claimInvitations,
  claimMultiInvitations,
  listInvitingPlatforms,
  listPlatformsInvitingMulti,
} from './recipient-store.ts'

const PLATFORMS_PER_PASS = 100
const INVITATIONS_PER_BATCH = 100

export const invitationStep: BackgroundStep<{ baseUrl: () => string }> = {
  name: 'invite recipients',
  // Links need the public URL of the service. A process without HTTP knows the URL only from its settings, so it may have none.
  run: async (deps, { baseUrl }) => (baseUrl() ? inviteRecipients(deps, baseUrl()) : 0),
  isWoken: true,
}

/**
 * One pass: notifies payees without an account, one batch per platform. Claim, link and mail commit together, so that each notice is sent
 * once, regardless of the number of workers.
 *
 * @returns the number of payments handled
 */
export async function inviteRecipients(deps: Deps, baseUrl: string): Promise<number> {
  const isolation = isolate(deps, invitationStep.name)
  await releaseWaiting(deps, isolation)
  return isolation.eachPlatform(
    PLATFORMS_PER_PASS,
    (turn) => listPlatforms(deps, turn),
    (platformId) => inviteForPlatform(deps, isolation, { platformId, baseUrl }),
  )
}

async function listPlatforms(deps: Deps, turn: PlatformTurn): Promise<string[]> {
  const inviting = await listInvitingPlatforms(deps.sql, turn)
  const several = await listPlatformsInvitingMulti(deps.sql, { ...turn, now: deps.realClock.now() })
  return [...new Set([...inviting, ...several])].sort().slice(0, turn.limit)
}

/** Schedules mail that a limit delayed. */
async function releaseWaiting(deps: Deps, isolation: Isolation): Promise<void> {
  const now = deps.realClock.now()
  const waiting = { now, after: null, skipped: isolation.skipped(), limit: PLATFORMS_PER_PASS }
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
    const claimed = [...single, ...(await claimMultiInvitations(tx.sql, platformId, batch))]
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
