import type { Deps } from '../../db/deps.ts'
import { sweepOldRows } from '../../db/old-rows.ts'
import { addDays } from '../../lib/clock.ts'
import { oldIdempotencyRecords } from './idempotency-store.ts'

const RECORDS_PER_PASS = 1_000

/** One pass: deletes records older than 24 hours (specification.md 1.6). @returns the number of deleted records */
export const sweepIdempotencyRecords = (deps: Deps): Promise<number> =>
  sweepOldRows(deps, 'sweep idempotency records', oldIdempotencyRecords, {
    before: addDays(deps.realClock.now(), -1),
    limit: RECORDS_PER_PASS,
  })
