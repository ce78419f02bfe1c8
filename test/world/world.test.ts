import assert from 'node:assert/strict'
import { test } from 'node:test'
import { production } from './acts.ts'
import { reportOf } from './coverage.ts'
import { assertLives, drawHistory, live } from './history.ts'
import { changedFiles, planted } from './planted.ts'

// Short histories of fixed seeds. `npm run world` runs long ones.

const STEPS = 250
const SEED = 20260302

test(`${STEPS} steps of the world keep all promises`, async (t) => {
  const { coverage, days, digest } = await assertLives(production, drawHistory(production, SEED, STEPS))
  t.diagnostic(`${days} days, digest ${digest}\n${reportOf(coverage)}`)
})

test('the same seed twice gives the same digest', async () => {
  const history = drawHistory(production, SEED + 1, 25)
  const [one, other] = [await live(production, history), await live(production, history)]
  assert.deepEqual(one.trace, other.trace)
})

test('each planted fault fits the program', async () => {
  for (const name of Object.keys(planted)) assert.ok((await changedFiles(name, '.')).size > 0)
})
