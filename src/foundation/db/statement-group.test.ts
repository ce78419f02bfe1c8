import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from './connect.ts'
import { isOfSeveral, runInGroup, runSeparately, shareInGroup } from './statement-group.ts'

type Item = { platformId: string; id: number }

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** Creates two store functions that record the statements they run. */
function recorded({ fails = () => false }: { fails?(item: Item): boolean } = {}) {
  const sql = (() => {}) as unknown as Sql
  const statements: string[] = []
  const create = (name: string, keyOf?: (item: Item) => unknown) =>
    shareInGroup<Item, string>(async (_sql, platformId, items) => {
      statements.push(`${name} ${platformId} ${items.map(({ id }) => id).join()}`)
      await nextTurn()
      if (items.some(fails)) throw new Error('broken')
      return items.map(({ id }) => `${name} ${id}`)
    }, keyOf)
  const items = (...ids: number[]): Item[] => ids.map((id) => ({ platformId: id < 10 ? 'a' : 'b', id }))
  return { sql, statements, create, items }
}

const freely = { keysOf: () => [] }

test('calls of one function share a statement for each platform, and each caller gets its own result', async () => {
  const { sql, statements, create, items } = recorded()
  const read = create('read')
  const write = create('write')
  const run = async (item: Item) => [await read(sql, item), await write(sql, item)]
  const results = await runInGroup(sql, items(1, 2, 11), { ...freely, run })
  assert.deepEqual(results, [
    ['read 1', 'write 1'],
    ['read 2', 'write 2'],
    ['read 11', 'write 11'],
  ])
  assert.deepEqual(statements, ['read a 1,2', 'read b 11', 'write a 1,2', 'write b 11'])
})

test('calls that arrive while a statement runs share the next one', async () => {
  const { sql, statements, create, items } = recorded()
  const read = create('read')
  const write = create('write')
  const run = async (item: Item) => {
    if (item.id % 2 === 1) await read(sql, item)
    return write(sql, item)
  }
  await runInGroup(sql, items(1, 2, 3, 4, 5), { ...freely, run })
  assert.deepEqual(statements, ['read a 1,3,5', 'write a 2,4,1,3,5'])
})

test('items with a common key run in order, and calls with the same key do not share a statement', async () => {
  const { sql, statements, create, items } = recorded()
  const write = create('write', ({ id }) => id % 3)
  await runInGroup(sql, items(1, 4, 2), { ...freely, run: (item) => write(sql, item) })
  assert.deepEqual(statements, ['write a 1,2', 'write a 4'])
  await runInGroup(sql, items(5, 6, 7), {
    keysOf: ({ id }) => (id > 5 ? ['high'] : []),
    run: (item) => write(sql, item),
  })
  assert.deepEqual(statements.slice(2), ['write a 5,6', 'write a 7'])
})

test('in halves, the database has the second half before the callers of the first have their results', async () => {
  const sql = (() => {}) as unknown as Sql
  const log: string[] = []
  const create = (name: string) =>
    shareInGroup<Item, number>(async (_sql, _platformId, items) => {
      log.push(`${name} ${items.length} from ${items[0]?.id}`)
      await nextTurn()
      return items.map(({ id }) => id)
    })
  const [read, write] = [create('read'), create('write')]
  const all = Array.from({ length: 50 }, (_, id) => ({ platformId: 'a', id }))
  const run = async (item: Item) => {
    await read(sql, item)
    if (item.id % 25 === 0) log.push(`result ${item.id}`)
    return write(sql, item)
  }
  const results = await runInGroup(sql, all, { ...freely, run, inHalves: true })
  assert.deepEqual(
    results,
    all.map(({ id }) => id),
  )
  assert.deepEqual(log.slice(0, 4), ['read 25 from 0', 'read 25 from 25', 'result 0', 'result 25'])
  assert.deepEqual(log.slice(4), ['write 25 from 0', 'write 25 from 25'])
  log.length = 0
  await runInGroup(sql, all, { ...freely, run })
  assert.deepEqual(log, ['read 50 from 0', 'result 0', 'result 25', 'write 50 from 0'])
})

test('in halves, the error of the first half is the one that is thrown', async () => {
  const sql = (() => {}) as unknown as Sql
  const write = shareInGroup<Item, number>(async (_sql, _platformId, items) => {
    await nextTurn()
    throw new Error(items.some(({ id }) => id === 0) ? 'broken' : 'the transaction is aborted')
  })
  const all = Array.from({ length: 50 }, (_, id) => ({ platformId: 'a', id }))
  const run = (item: Item) => write(sql, item)
  await assert.rejects(
    runInGroup(sql, all, { ...freely, run, inHalves: true }),
    (error: Error) => error.message === 'broken' && isOfSeveral(error),
  )
})

test('outside of a group, each call runs its own statement', async () => {
  const { sql, statements, create, items } = recorded()
  const read = create('read')
  await runInGroup(sql, items(1, 2), { ...freely, run: (item) => read(sql, item) })
  await Promise.all(items(3, 4).map((item) => read(sql, item)))
  assert.deepEqual(statements, ['read a 1,2', 'read a 3', 'read a 4'])
})

test('the error of a shared statement is marked, and items that run separately show whose it is', async () => {
  const { sql, statements, create, items } = recorded({ fails: ({ id }) => id === 2 })
  const write = create('write')
  const run = (item: Item) => write(sql, item)
  await assert.rejects(runInGroup(sql, items(1, 2, 3), { ...freely, run }), isOfSeveral)
  runSeparately(sql)
  const failed: number[] = []
  const attribute = (item: Item) =>
    run(item).catch((error) => {
      failed.push(item.id)
      throw error
    })
  await assert.rejects(runInGroup(sql, items(1, 2, 3), { ...freely, run: attribute }), (error) => !isOfSeveral(error))
  assert.deepEqual(failed, [2])
  assert.deepEqual(statements, ['write a 1,2,3', 'write a 1', 'write a 2'])
})
