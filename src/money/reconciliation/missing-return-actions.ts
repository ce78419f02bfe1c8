import { calendarOf } from '../../connections/exchange/bank-calendar-rules.ts'
import { findConnection } from '../../foundation/core/operator-account.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import type { Isolation } from '../../foundation/db/isolation.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { endBankCase, recordBankCase } from '../../foundation/exception/bank-case-actions.ts'
import { BOOKED, eventOfCount, REJECTED_BY_BANK } from '../../foundation/exception/bank-case-rules.ts'
import { addBankingDays } from '../../foundation/lib/banking-day.ts'
import { type LegHandlers, lockLeg } from '../rail/leg-actions.ts'
import {
  findLastMatchedDay,
  listEndedCases,
  listMissingReturns,
  listUncompared,
  type MissingReturn,
  updateCompared,
} from './missing-return-store.ts'
import type { AccountKey } from './own-account-rules.ts'

/** The number of banking days with statements after which a return must be on one of them. */
const DAYS_TO_BOOK = 5

/** The maximum number of missing returns that are read at once. */
const CASES_AT_A_TIME = 100

/**
 * Opens a case for each return that the bank sent and no statement shows. Closes the cases about returns and movements that a statement
 * now shows, and about movements that the bank has rejected. Only days with statements count: before they arrive, no return is missing.
 * Each new statement therefore starts a search of its account. A failure about one leg or account does not stop the others.
 */
export async function compareReturns(deps: Deps, handlers: LegHandlers, isolation: Isolation): Promise<void> {
  for (const { platformId, kind, legId, isBooked } of await listEndedCases(deps.sql, isolation.skipped())) {
    const resolution = isBooked ? BOOKED : REJECTED_BY_BANK
    const end = () => inTransaction(deps, (tx) => endBankCase(tx, { kind, subjectId: legId }, resolution))
    await isolation.run({ platformId, kind: 'leg', id: legId }, end)
  }
  const { ids } = isolation.skipped()
  for (const key of await listUncompared(deps.sql)) {
    const unit = { platformId: null, kind: 'bank account', id: `${key.connectionId}:${key.accountId}` }
    if (!ids.includes(unit.id)) await isolation.run(unit, () => searchMissing(deps, handlers, { isolation, key }))
  }
}

/** Searches an account. While a leg fails, each pass searches the account again. */
async function searchMissing(
  deps: Deps,
  handlers: LegHandlers,
  { isolation, key }: { isolation: Isolation; key: AccountKey },
): Promise<void> {
  const startedAt = deps.clock.now()
  const calendar = calendarOf(findConnection(deps.connections.current(), key.connectionId))
  const day = await findLastMatchedDay(deps.sql, key)
  const before = addBankingDays(day === null ? startedAt : new Date(day), -DAYS_TO_BOOK, calendar)
  for (let count = CASES_AT_A_TIME; count === CASES_AT_A_TIME; ) {
    const given = { ...key, before, skipped: isolation.skipped(), limit: CASES_AT_A_TIME }
    const missing = await listMissingReturns(deps.sql, given)
    for (const one of missing) {
      const record = () => inTransaction(deps, (tx) => recordMissing(tx, handlers, key.connectionId, one))
      await isolation.run({ platformId: one.platformId, kind: 'leg', id: one.legId }, record)
    }
    count = missing.length
  }
  const { platformIds, ids } = isolation.skipped()
  if (platformIds.length === 0 && ids.length === 0) await updateCompared(deps.sql, key, startedAt)
}

async function recordMissing(
  tx: TxDeps,
  handlers: LegHandlers,
  connectionId: string,
  { platformId, legId, cents, returnedOn, formerCount }: MissingReturn,
): Promise<void> {
  await recordBankCase(tx, {
    ...{ kind: 'return_not_booked', connectionId, source: 'statement', line: 0, isBankWide: false, cents },
    event: eventOfCount(formerCount),
    file: { id: legId, name: 'bank statement' },
    leg: await lockLeg(tx, handlers, { platformId, id: legId }),
    note: `The bank sent a return on ${returnedOn}, and no statement has it after ${DAYS_TO_BOOK} banking days.`,
    content: { lines: [] },
  })
}
