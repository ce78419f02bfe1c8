import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { reportOf } from './coverage.ts'
import { asTest, drawHistory, live, shrink } from './history.ts'
import { changedFiles, planted } from './planted.ts'

// `npm run world` sets the variables for a long history. Without them, it is a short one of a fixed seed.

const { WORLD_STEPS, WORLD_SEED, WORLD_SHRINK, WORLD_REPORT } = process.env
const STEPS = Number(WORLD_STEPS ?? 300)
const SEED = Number(WORLD_SEED ?? 20260302)
const isLong = WORLD_STEPS !== undefined

test(`${STEPS} steps of the world keep all promises (--seed ${SEED})`, async (t) => {
  const history = drawHistory(SEED, STEPS)
  const { trace, ...outcome } = await live(history)
  const { failure, digest, days, seen, coverage } = outcome
  if (WORLD_REPORT) await writeFile(WORLD_REPORT, JSON.stringify({ seed: SEED, ...outcome }))
  if (!failure) return t.diagnostic(`${days} days, digest ${digest}\n${JSON.stringify(seen)}\n${reportOf(coverage)}`)
  const message = `step ${failure.step} (${failure.act}), digest ${digest}: ${failure.message}\n${trace.slice(-30).join('\n')}`
  if (!WORLD_SHRINK)
    assert.fail(`${message}\nnpm run world -- --seed ${SEED} --steps ${STEPS} --shrink shortens it.`)
  const shortest = await shrink(history, failure, (text) => console.log(text))
  const { failure: last, trace: steps } = await live(shortest)
  assert.fail(`${message}\n${steps.join('\n')}\n${last?.message}\n${asTest(shortest, failure)}`)
})

test('the same seed twice gives the same digest', { skip: isLong }, async () => {
  const history = drawHistory(SEED + 1, 40)
  const [one, other] = [await live(history), await live(history)]
  assert.deepEqual(one.trace, other.trace)
})

test('each planted fault fits the program', { skip: isLong }, async () => {
  for (const name of Object.keys(planted)) assert.ok((await changedFiles(name, '.')).size > 0)
})
