import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reportOf } from './coverage.ts'
import { asTest, drawHistory, live, shrink } from './history.ts'

// `npm run world` sets the variables for a long history. Without them, it is a short one of a fixed seed.

const STEPS = Number(process.env.WORLD_STEPS ?? 250)
const SEED = Number(process.env.WORLD_SEED ?? 20260302)

test(`${STEPS} steps of the world keep all promises (--seed ${SEED})`, async (t) => {
  const history = drawHistory(SEED, STEPS)
  const { failure, digest, days, seen, coverage, trace } = await live(history)
  if (!failure) return t.diagnostic(`${days} days, digest ${digest}\n${JSON.stringify(seen)}\n${reportOf(coverage)}`)
  const message = `step ${failure.step} (${failure.act}), digest ${digest}: ${failure.message}\n${trace.slice(-30).join('\n')}`
  if (!process.env.WORLD_SHRINK)
    assert.fail(`${message}\nnpm run world -- --seed ${SEED} --steps ${STEPS} --shrink shortens it.`)
  const shortest = await shrink(history, failure, (text) => console.log(text))
  const { failure: last, trace: steps } = await live(shortest)
  assert.fail(`${message}\n${steps.join('\n')}\n${last?.message}\n${asTest(shortest, failure)}`)
})

test('the same seed twice gives the same digest', async () => {
  const history = drawHistory(SEED + 1, 25)
  const [one, other] = [await live(history), await live(history)]
  assert.deepEqual(one.trace, other.trace)
})
