import type { Deps } from '../../foundation/db/deps.ts'
import { addDays, startOfDay } from '../../foundation/lib/clock.ts'
import { type AccountNames, journalHeading, journalText } from './journal-rules.ts'
import { fetchJournal, openJournal } from './journal-store.ts'
import { limitEffort, readSnapshot } from './verify-store.ts'

/**
 * Writes the journal of some days as CSV: every posted transfer, with one line for its debit and one for its credit. Reads one snapshot and
 * keeps only some rows in memory. `write` may wait for a slow reader.
 *
 * @param given.from the first day @param given.to the last day, both as midnight in UTC
 * @returns the number of entries and the sum of their debits
 */
export const exportJournal = (
  { sql: pool, settings }: Pick<Deps, 'sql' | 'settings'>,
  given: { from: Date; to: Date; platformId: string | null; names: AccountNames },
  write: (text: string) => Promise<void>,
): Promise<{ count: number; cents: number }> =>
  pool.begin(async (sql) => {
    const { timeZone } = settings
    const { names, platformId } = given
    await readSnapshot(sql)
    await limitEffort(sql, { timeoutMs: 0, isGentle: true })
    const until = startOfDay(addDays(given.to, 1), timeZone)
    await openJournal(sql, { from: startOfDay(given.from, timeZone), until, platformId })
    await write(journalHeading())
    const totals = { count: 0, cents: 0 }
    for (;;) {
      const entries = await fetchJournal(sql)
      if (entries.length === 0) return totals
      totals.count += entries.length
      totals.cents += entries.reduce((sum, { cents }) => sum + cents, 0)
      await write(journalText(entries, { names, timeZone }))
    }
  })
