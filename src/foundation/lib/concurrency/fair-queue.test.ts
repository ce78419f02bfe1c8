import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFairQueue } from './fair-queue.ts'

const makeTurns = (limits: { maxWaiting?: number; maxWaitingPerKey?: number; maxWaitingBytes?: number } = {}) =>
  createFairQueue({
    maxWaiting: 100,
    maxWaitingPerKey: 100,
    maxWaitingBytes: 1_000,
    whenFull: () => new Error('full'),
    whenKeyFull: () => new Error('key is full'),
    ...limits,
  })

/** Starts runs that the test ends. */
function startRuns(turns: ReturnType<typeof createFairQueue>) {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const start = (key: string, bytes = 1) =>
    turns(key, bytes, () => {
      begun.push(key)
      return new Promise<void>((end) => ends.push(end))
    })
  const endOne = async () => {
    ends.shift()?.()
    await new Promise(setImmediate)
  }
  return { begun, start, endOne }
}

test('one runs at a time, and a key with many callers delays another key by one run', async () => {
  const { begun, start, endOne } = startRuns(makeTurns())
  const all = ['a', 'a', 'a', 'a', 'b', 'c', 'b'].map((key) => start(key))
  for (let count = 1; count <= all.length; count++) {
    await new Promise(setImmediate)
    assert.equal(begun.length, count)
    await endOne()
  }
  await Promise.all(all)
  assert.deepEqual(begun, ['a', 'a', 'b', 'c', 'a', 'b', 'a'])
})

test('callers beyond the limits of all, of a key, or of memory are refused, and later ones are accepted again', async () => {
  const limits = { maxWaiting: 3, maxWaitingPerKey: 2, maxWaitingBytes: 10 }
  const { start, endOne } = startRuns(makeTurns(limits))
  const running = start('a')
  const waiting = [start('a'), start('a')]
  await assert.rejects(start('a'), /key is full/)
  await assert.rejects(start('b', 9), /^Error: full/, 'too many bytes')
  waiting.push(start('b', 8))
  await assert.rejects(start('c', 0), /^Error: full/, 'too many callers')
  await endOne()
  await running
  waiting.push(start('a'))
  for (const _ of waiting) await endOne()
  await Promise.all(waiting)
})

test('a failed run lets the next one start', async () => {
  const turns = makeTurns()
  const failed = turns('a', 1, async () => Promise.reject(new Error('failed')))
  const next = turns('a', 1, async () => 'done')
  await assert.rejects(failed, /failed/)
  assert.equal(await next, 'done')
})
