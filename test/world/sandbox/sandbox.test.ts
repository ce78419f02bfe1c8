import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RAILS } from '../../../src/money/rail/rail-rules.ts'
import { PAYMENT_STATUSES } from '../../../src/payments/payment/payment-status.ts'
import { drawSandboxHistory, liveInSandbox } from './sandbox-history.ts'

// `npm run world -- --sandbox` sets the variables for a long history. By default, the history is short and has a fixed seed.

const STEPS = Number(process.env.WORLD_STEPS ?? 60)
const SEED = Number(process.env.WORLD_SEED ?? 20260302)

const history = drawSandboxHistory(SEED, STEPS)
const traces: string[][] = []

test(`${STEPS} steps of a sandbox keep all promises, and reach every status and rail (--seed ${SEED})`, async (t) => {
  const { failure, digest, seen, trace, statuses, rails } = await liveInSandbox(history)
  traces.push(trace)
  if (failure) assert.fail(`step ${failure.step} (${failure.act}): ${failure.message}\n${trace.slice(-30).join('\n')}`)
  t.diagnostic(`digest ${digest}\n${JSON.stringify(seen)}`)
  const missing = [
    ...PAYMENT_STATUSES.filter((status) => status !== 'UNPAID' && !statuses.has(status)),
    ...RAILS.filter((rail) => !rails.has(rail)),
  ]
  assert.deepEqual(missing, [])
})

test('the same seed twice gives the same trace', async () => {
  const { trace } = await liveInSandbox({ seed: SEED, steps: history.steps.slice(0, 15) })
  assert.deepEqual(trace, traces[0]?.slice(0, trace.length))
})
