import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTurns } from './turns.ts'

/** Far more than a loop takes in a millisecond. */
const MAX_ITEMS = 10_000_000

test('other work runs during a long loop', async () => {
  const takeTurn = createTurns()
  let hasRun = false
  setImmediate(() => {
    hasRun = true
  })
  for (let count = 0; !hasRun && count < MAX_ITEMS; count++) await takeTurn()
  assert.ok(hasRun)
})
