import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInOrder } from './in-order.ts'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('items run at once, and items with a common key run in order', async () => {
  const log: string[] = []
  const run = async (item: string) => {
    log.push(`begin ${item}`)
    await turn()
    log.push(`end ${item}`)
    return item
  }
  const keysOf = (item: string) => [...item]
  assert.deepEqual(await runInOrder(['a', 'b', 'ab', 'c', 'a'], { keysOf, run }), ['a', 'b', 'ab', 'c', 'a'])
  assert.deepEqual(log.slice(0, 3), ['begin a', 'begin b', 'begin c'])
  assert.ok(log.indexOf('begin ab') > Math.max(log.indexOf('end a'), log.indexOf('end b')))
  assert.equal(log.lastIndexOf('begin a'), log.indexOf('end ab') + 1)
})

test('items that would follow a failed item do not run', async () => {
  const ran: number[] = []
  const run = async (item: number) => {
    ran.push(item)
    await turn()
    if (item === 1) throw new Error('a fault')
    return item
  }
  await assert.rejects(runInOrder([1, 2, 3], { keysOf: (item) => [item === 2 ? 'b' : 'a'], run }), /a fault/)
  await turn()
  assert.deepEqual(ran, [1, 2])
})
