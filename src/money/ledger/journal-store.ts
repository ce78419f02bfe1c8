import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import type { JournalEntry } from './journal-rules.ts'

/**
 * Opens a cursor for the posted transfers of a period, oldest first, until the end of the transaction. @param platformId null: of all
 * platforms
 */
export const openJournal = (
  sql: Sql,
  { from, until, platformId }: { from: Date; until: Date; platformId: string | null },
) =>
  sql`
    ${allPlatforms('serves the operator')}
    declare journal no scroll cursor for
    select id, platform_id, debit, credit, cents, reason, payment_id, coalesce(ended_at, created_at) as posted_at
    from transfers
    where status = 'POSTED'
      and coalesce(ended_at, created_at) >= ${from} and coalesce(ended_at, created_at) < ${until}
      and (${platformId}::uuid is null or platform_id = ${platformId})
    order by coalesce(ended_at, created_at), platform_id, id
  `

/** Reads the next entries of the open cursor. Returns an empty list at its end. */
export const fetchJournal = (sql: Sql): Promise<JournalEntry[]> => sql<JournalEntry[]>`fetch 2000 from journal`
