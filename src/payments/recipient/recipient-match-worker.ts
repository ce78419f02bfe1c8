import type { BackgroundStep } from '../../foundation/db/background/background-step.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { failItem, type ItemFailed, inTransactionSkippingFailed } from '../../foundation/db/failed-items.ts'
import { type Isolation, isolate } from '../../foundation/db/isolation.ts'
import { matchOne } from './recipient-match-actions.ts'
import { askForNewAddresses, listDueMatches, listMatchingPlatforms } from './recipient-match-store.ts'

const ADDRESSES_PER_PASS = 100
const PLATFORMS_PER_PASS = 100
const MATCHES_PER_BATCH = 100

export const matchStep: BackgroundStep = { name: 'match recipients', run: matchRecipients, isWoken: true }

/**
 * One pass: moves payments and invoices into the accounts that verified their addresses. One transaction writes the rows of one sending
 * platform. Messages make the platforms of the accounts create copies.
 *
 * @returns the number of payments and invoices whose search has ended
 */
export async function matchRecipients(deps: Deps): Promise<number> {
  const isolation = isolate(deps, matchStep.name)
  // Any platform may have sent to an address, so searches are requested only while every node answers.
  if (!isolation.skipped().answering)
    while ((await askForNewAddresses(deps.sql, ADDRESSES_PER_PASS)) === ADDRESSES_PER_PASS);
  return isolation.eachPlatform(
    PLATFORMS_PER_PASS,
    (turn) => listMatchingPlatforms(deps.sql, turn),
    (platformId) => matchForPlatform(deps, isolation, platformId),
  )
}

function matchForPlatform(deps: Deps, isolation: Isolation, platformId: string): Promise<number> {
  const skip = ({ cause, item: id }: ItemFailed<string>) => isolation.fail({ platformId, kind: 'match', id }, cause)
  return inTransactionSkippingFailed<string, Deps, number>(deps, skip, async (tx) => {
    const except = isolation.skipped().ids
    const matches = await listDueMatches(tx.sql, { platformId, limit: MATCHES_PER_BATCH, except })
    for (const match of matches) await matchOne(tx, match).catch(failItem(match.subjectId))
    tx.afterCommit(() => isolation.succeed(matches.map(({ subjectId }) => subjectId)))
    return matches.length
  })
}
