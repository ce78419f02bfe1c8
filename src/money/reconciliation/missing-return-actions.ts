import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { endBankCase, recordBankCase } from '../../foundation/exception/bank-case-actions.ts'
import { isBankingDay } from '../../foundation/lib/banking-day.ts'
import { addDays } from '../../foundation/lib/clock.ts'
import { type LegHandlers, lockLegs } from '../rail/leg-actions.ts'
import { listFoundReturns, listLastDays, listMissingReturns, type MissingReturn } from './missing-return-store.ts'

/** The number of banking days with statements after which a return must be on one of them. */
const DAYS_TO_BOOK = 5

/** The maximum number of new cases for one account in one pass. */
const MAX_CASES = 100

/**
 * Opens a case for each return that the bank sent and that is on no statement. Closes the cases of returns that are on a statement now.
 * Only days with statements count, because a return cannot be missing before its statement has arrived.
 */
export async function compareReturns(deps: Deps, handlers: LegHandlers): Promise<void> {
  await inTransaction(deps, async (tx) => {
    for (const { legId } of await listFoundReturns(tx.sql))
      await endBankCase(tx, { kind: 'return_not_booked', subjectId: legId }, 'A line books the return.')
  })
  for (const { day, ...key } of await listLastDays(deps.sql)) {
    const before = bankingDaysBefore(new Date(day), DAYS_TO_BOOK)
    await inTransaction(deps, async (tx) => {
      const missing = await listMissingReturns(tx.sql, { ...key, before, limit: MAX_CASES })
      if (missing.length > 0) await recordMissing(tx, handlers, { connectionId: key.connectionId, missing })
    })
  }
}

function bankingDaysBefore(day: Date, count: number): Date {
  let result = day
  for (let left = count; left > 0; ) {
    result = addDays(result, -1)
    if (isBankingDay(result)) left--
  }
  return result
}

async function recordMissing(
  tx: TxDeps,
  handlers: LegHandlers,
  { connectionId, missing }: { connectionId: string; missing: readonly MissingReturn[] },
): Promise<void> {
  const keys = missing.map(({ platformId, legId }) => ({ platformId, id: legId }))
  const legs = new Map((await lockLegs(tx, handlers, keys)).map((leg) => [leg.id, leg]))
  for (const { legId, cents, returnedOn } of missing) {
    await recordBankCase(tx, {
      ...{ kind: 'return_not_booked', connectionId, source: 'statement', line: 0, isBankWide: false, cents },
      file: { id: legId, name: 'bank statement' },
      leg: legs.get(legId) ?? null,
      note: `The bank sent a return on ${returnedOn}, and no statement has it after ${DAYS_TO_BOOK} banking days.`,
      content: { lines: [] },
    })
  }
}
