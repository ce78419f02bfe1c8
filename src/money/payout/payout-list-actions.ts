import type { Deps } from '../../foundation/db/deps.ts'
import { type ListedPayout, listPayouts } from './payout-store.ts'

export type { ListedPayout } from './payout-store.ts'

const MAX_LISTED = 1_000

/**
 * Lists orders at processors: those that have not ended, oldest first, or all, newest first.
 *
 * @param given.connectionId null: of all connections
 */
export const getPayouts = (
  { sql }: Pick<Deps, 'sql'>,
  given: { connectionId: string | null; includesEnded: boolean },
): Promise<ListedPayout[]> => listPayouts(sql, { ...given, limit: MAX_LISTED })
