import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atMost } from './at-most.ts'

const full = () => new Error('full')

test('no more than the limit run at once, in order of arrival, and a failed run frees its slot', async () => {
  const limited = atMost({ atOnce: 2, maxWaiting: 10, whenFull: full })
  const started: number[] = []
  const ends: (() => void)[] = []
  const run = (number: number) =>
    limited(async () => {
      started.push(number)
      await new Promise<void>((resolve, reject) =>
        ends.push(number === 1 ? () => reject(new Error('failed')) : resolve),
      )
      return number
    })
  const results = Promise.allSettled([0, 1, 2, 3, 4].map(run))
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  for (const expected of [
    [0, 1],
    [0, 1, 2],
    [0, 1, 2, 3],
    [0, 1, 2, 3, 4],
  ]) {
    await settle()
    assert.deepEqual(started, expected)
    ends[expected.length - 2]?.()
  }
  await settle()
  ends[4]?.()
  assert.deepEqual(
    (await results).map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
  )
})

test('a call that finds the queue full is refused, and accepted once there is room', async () => {
  const limited = atMost({ atOnce: 1, maxWaiting: 1, whenFull: full })
  let end = () => {}
  const first = limited(() => new Promise<void>((resolve) => (end = resolve)))
  const second = limited(async () => 'second')
  await assert.rejects(
    limited(async () => 'third'),
    /full/,
  )
  end()
  await first
  assert.equal(await second, 'second')
  assert.equal(await limited(async () => 'fourth'), 'fourth')
})
