import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLives, drawHistory, live } from '../history.ts'
import { sandbox } from './sandbox-acts.ts'

// A short history of a fixed seed. `npm run world -- --sandbox` runs long ones.

const history = drawHistory(sandbox, 20260302, 60)
const traces: string[][] = []

test('60 steps of a sandbox keep all promises, and reach every status and rail', async (t) => {
  const { digest, seen, trace, coverage } = await assertLives(sandbox, history)
  traces.push(trace)
  t.diagnostic(`digest ${digest}\n${JSON.stringify(seen)}`)
  const { statuses = {}, rails = {} } = coverage // Movements of virtual cards are rarer.
  const missing = [statuses, rails].flatMap((rows) => Object.keys(rows).filter((row) => !rows[row]))
  assert.deepEqual(missing, [])
})

test('the same seed twice gives the same trace', async () => {
  const { trace } = await live(sandbox, { ...history, steps: history.steps.slice(0, 15) })
  assert.deepEqual(trace, traces[0]?.slice(0, trace.length))
})
