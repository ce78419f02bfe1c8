import { calendarOf } from '../../connections/exchange/bank-calendar-rules.ts'
import { findConnection } from '../../foundation/core/operator-account.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import type { Isolation } from '../../foundation/db/isolation.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { endBankCase, recordBankCase } from '../../foundation/exception/bank-case-actions.ts'
import { BOOKED, eventOfCount, REJECTED_BY_BANK } from '../../foundation/exception/bank-case-rules.ts'
import { addBankingDays } from '../../foundation/lib/banking-day.ts'
import { type LegHandlers, lockLegs } from '../rail/leg-actions.ts'
import {
  listEndedCases,
  listMissingReturns,
  listUncompared,
  type MissingReturn,
  updateCompared,
} from './missing-return-store.ts'
import type { AccountKey } from './own-account-rules.ts'

/** The number of banking days with statements after which a return must be on one of them. */
const DAYS_TO_BOOK = 5

/** The maximum number of cases that one transaction opens. */
const CASES_AT_A_TIME = 100

/**
 * Opens a case for each return that the bank sent and no statement shows. Closes the cases about returns and movements that a statement
 * now shows, and about movements that the bank has rejected. Only days with statements count: before they arrive, no return is missing.
 * Each new statement therefore starts a search of its account. A failure in one account does not stop the others.
 */
export async function compareReturns(deps: Deps, handlers: LegHandlers, isolation: Isolation): Promise<void> {
  await inTransaction(deps, async (tx) => {
    for (const { kind, legId, isBooked } of await listEndedCases(tx.sql))
      await endBankCase(tx, { kind, subjectId: legId }, isBooked ? BOOKED : REJECTED_BY_BANK)
  })
  const { ids } = isolation.skipped()
  for (const key of await listUncompared(deps.sql)) {
    const unit = { platformId: null, kind: 'bank account', id: `${key.connectionId}:${key.accountId}` }
    if (!ids.includes(unit.id)) await isolation.run(unit, () => searchMissing(deps, handlers, key))
  }
}

async function searchMissing(deps: Deps, handlers: LegHandlers, key: AccountKey): Promise<void> {
  const calendar = calendarOf(findConnection(deps.connections.current(), key.connectionId))
  for (let count = CASES_AT_A_TIME; count === CASES_AT_A_TIME; ) {
    count = await inTransaction(deps, async (tx) => {
      const day = await updateCompared(tx.sql, key, tx.clock.now())
      if (day === null) return 0
      const before = addBankingDays(new Date(day), -DAYS_TO_BOOK, calendar)
      const missing = await listMissingReturns(tx.sql, { ...key, before, limit: CASES_AT_A_TIME })
      if (missing.length > 0) await recordMissing(tx, handlers, { connectionId: key.connectionId, missing })
      return missing.length
    })
  }
}

async function recordMissing(
  tx: TxDeps,
  handlers: LegHandlers,
  { connectionId, missing }: { connectionId: string; missing: readonly MissingReturn[] },
): Promise<void> {
  const keys = missing.map(({ platformId, legId }) => ({ platformId, id: legId }))
  const legs = new Map((await lockLegs(tx, handlers, keys)).map((leg) => [leg.id, leg]))
  for (const { legId, cents, returnedOn, formerCount } of missing) {
    await recordBankCase(tx, {
      ...{ kind: 'return_not_booked', connectionId, source: 'statement', line: 0, isBankWide: false, cents },
      event: eventOfCount(formerCount),
      file: { id: legId, name: 'bank statement' },
      leg: legs.get(legId) ?? null,
      note: `The bank sent a return on ${returnedOn}, and no statement has it after ${DAYS_TO_BOOK} banking days.`,
      content: { lines: [] },
    })
  }
}
