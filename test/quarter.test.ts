import { test } from 'node:test'
import { simulateQuarter } from './support/quarter.ts'
import { folderTransport } from './support/quarter-transport.ts'
import { seedFrom } from './support/seed.ts'

// QUARTER_STEPS=10000 TEST_TIMEOUT_MS=7200000 node test/run.ts test/quarter.test.ts is the long run (npm run quarter).
// QUARTER_SEED repeats a run.

const STEPS = Number(process.env.QUARTER_STEPS ?? 100)
const SEED = seedFrom('QUARTER_SEED')

test(`${STEPS} steps of a quarter: no payout without an accepted debit, no entry twice, a balanced ledger (QUARTER_SEED=${SEED})`, (t) =>
  simulateQuarter(t, {
    steps: STEPS,
    seed: SEED,
    openTransport: folderTransport,
    hasStatements: true,
    hasOutside: true,
  }))
