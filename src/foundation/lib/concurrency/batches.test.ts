import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBatches } from './batches.ts'

/** Creates batches that the test ends. */
function watchedBatches(maxSize = 100, maxAtOnce = 1) {
  const begun: { items: number[]; end(error?: Error): void }[] = []
  const ask = createBatches(
    (_context: string, items: number[]) =>
      new Promise<string[]>((resolve, reject) => {
        const end = (error?: Error) => (error ? reject(error) : resolve(items.map((item) => `done ${item}`)))
        begun.push({ items, end })
      }),
    { maxSize, maxAtOnce },
  )
  return { begun, ask: (item: number) => ask('context', item) }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('requests of one event-loop turn form one batch, and requests during its run form the next', async () => {
  const { begun, ask } = watchedBatches()
  const first = [ask(1), ask(2)]
  await turn()
  const second = [ask(3), ask(4), ask(5)]
  await turn()
  assert.deepEqual(
    begun.map(({ items }) => items),
    [[1, 2]],
  )
  begun[0]?.end()
  assert.deepEqual(await Promise.all(first), ['done 1', 'done 2'])
  await turn()
  assert.deepEqual(begun[1]?.items, [3, 4, 5])
  begun[1]?.end()
  assert.deepEqual(await Promise.all(second), ['done 3', 'done 4', 'done 5'])
})

test('a batch does not exceed its maximum size', async () => {
  const { begun, ask } = watchedBatches(2)
  const asked = [1, 2, 3, 4, 5].map(ask)
  for (let batch = 0; batch < 3; batch++) {
    await turn()
    begun[batch]?.end()
  }
  await Promise.all(asked)
  assert.deepEqual(
    begun.map(({ items }) => items),
    [[1, 2], [3, 4], [5]],
  )
})

test('a failed batch fails for all of its items, and the next one runs', async () => {
  const { begun, ask } = watchedBatches()
  const first = Promise.allSettled([ask(1), ask(2)])
  await turn()
  const second = ask(3)
  begun[0]?.end(new Error('no'))
  assert.deepEqual(
    (await first).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  await turn()
  begun[1]?.end()
  assert.equal(await second, 'done 3')
})

test('when more items wait than fit in a batch, several run at once, up to the limit', async () => {
  const { begun, ask } = watchedBatches(2, 2)
  const asked = [1, 2, 3, 4, 5].map(ask)
  await turn()
  const items = () => begun.map((batch) => batch.items)
  assert.deepEqual(items(), [
    [1, 2],
    [3, 4],
  ])
  begun[1]?.end()
  await turn()
  assert.deepEqual(items()[2], [5])
  const late = ask(6)
  await turn()
  assert.equal(begun.length, 3)
  for (const { end } of begun) end()
  await Promise.all(asked)
  await turn()
  begun[3]?.end()
  assert.equal(await late, 'done 6')
})

test('if one item may have caused the failure, only that item fails', async () => {
  const run = async (_context: string, items: number[]) => {
    if (items.includes(2)) throw new Error(items.length > 1 ? 'one of several' : 'two')
    return items.map((item) => `done ${item}`)
  }
  const ask = createBatches(run, { maxSize: 10, canBeOfOne: (error) => (error as Error).message === 'one of several' })
  const outcomes = await Promise.allSettled([1, 2, 3].map((item) => ask('context', item)))
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.message)),
    ['done 1', 'two', 'done 3'],
  )
})
