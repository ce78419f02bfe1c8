import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createCommitTogether, type GroupTransactions, type Orders, RetryInGroup } from './commit-together.ts'

/** The writes of a group. They are kept if the group commits. */
type Tx = { written: string[] }
type Effect = ReturnType<GroupTransactions['effectOf']>

type Order = {
  name: string
  lockKey: string
  alsoLocks?: readonly string[]
  run(tx: Tx): Promise<string>
  lookUp(): Promise<string | null>
}

const failure = (effect: Effect, message: string = effect) => Object.assign(new Error(message), { effect })

/** Creates in-memory transactions. `ends` determines how each one ends. By default, it commits. */
function fakeTransactions() {
  const committed: string[] = []
  const groups: string[][] = []
  const alone: string[][] = []
  const settled: unknown[] = []
  const ends: ((commit: () => void) => Promise<void> | void)[] = []

  const transact = async (log: string[][], orders: readonly Order[]) => {
    const tx: Tx = { written: [] }
    log.push(tx.written)
    const outcomes = await runInTurn(tx, orders)
    const commit = () => void committed.push(...tx.written)
    await (ends.shift() ?? commit)(commit)
    return outcomes
  }
  const orders: Orders<Order, string> = {
    run: (group) => transact(groups, group),
    runAlone: async (order) => (await transact(alone, [order]))[0] as string,
    lookUp: (order) => order.lookUp(),
    locksOf: (order) => [order.lockKey, ...(order.alsoLocks ?? [])],
  }
  const transactions: GroupTransactions = {
    settle: async (error) => void settled.push((error as Error).message),
    effectOf: (error) => (error as { effect?: Effect }).effect ?? 'undone',
    placeOf: (error) => (error as { place?: number }).place ?? null,
  }
  return { orders, transactions, committed, groups, alone, settled, ends }
}

function start({
  groupKeyOf,
  ...options
}: {
  maxGroupSize?: number
  maxGroupsInFlight?: number
  maxCalls?: number
  maxWaitMs?: number
  groupKeyOf?: (order: Order) => string
} = {}) {
  const fake = fakeTransactions()
  if (groupKeyOf) Object.assign(fake.orders, { groupKeyOf })
  const commitTogether = createCommitTogether<Order, string>({
    orders: fake.orders,
    transactions: fake.transactions,
    maxGroupSize: 10,
    maxGroupsInFlight: 1,
    maxCalls: 100,
    whenFull: () => new Error('full'),
    whenUnknown: () => new Error('nobody knows'),
    ...options,
  })
  const order = (name: string, lockKey = name, own: Partial<Order> = {}): Order => ({
    name,
    lockKey,
    run: async (tx) => {
      tx.written.push(name)
      return `${name} made`
    },
    lookUp: async () => (fake.committed.includes(name) ? `${name} found` : null),
    ...own,
  })
  const call = (name: string, lockKey?: string, own?: Partial<Order>) => commitTogether(order(name, lockKey, own))
  return { ...fake, call, isFull: () => commitTogether.isFull?.() }
}

/** Runs all orders in one call, one at a time. If one fails, the error contains its index. */
async function runInTurn(tx: Tx, orders: readonly Order[]): Promise<string[]> {
  const outcomes: string[] = []
  for (const [place, order] of orders.entries()) {
    outcomes.push(
      await order.run(tx).catch((error) => {
        throw order.name.startsWith('unplaced') ? error : Object.assign(error, { place })
      }),
    )
  }
  return outcomes
}

const failing = (message: string, effect: Effect = 'undone') => ({
  run: () => Promise.reject(failure(effect, message)),
})

test('a call starts at once, alone, and calls that arrive in the meantime share the next commit', async () => {
  const { call, groups, ends } = start()
  const release = holdCommits(ends)
  const first = call('a')
  await nextTurn()
  await nextTurn()
  const others = ['d', 'b', 'c'].map((name) => call(name))
  release()
  assert.deepEqual(await Promise.all([first, ...others]), ['a made', 'd made', 'b made', 'c made'])
  assert.deepEqual(groups, [['a'], ['b', 'c', 'd']])
})

test('the members of a group run in lock order, then in order of arrival', async () => {
  const { call, groups } = start()
  await Promise.all([call('1', 'z'), call('2', 'a'), call('3', 'z'), call('4', 'a')])
  assert.deepEqual(groups, [['2', '4', '1', '3']])
})

test('orders that a group leaves undone run in a group with another key', async () => {
  const { orders, call, groups, committed } = start({ groupKeyOf: () => 'plain' })
  const { run } = orders
  Object.assign(orders, {
    run: async (group: readonly Order[], groupKey: string) => {
      if (groupKey === 'other') return run(group, groupKey)
      const outcomes = await run(
        group.filter(({ name }) => name < 'c'),
        groupKey,
      )
      return group.map(() => outcomes.shift() ?? new RetryInGroup('other'))
    },
  })
  const outcomes = await Promise.all(['d', 'b', 'c', 'a'].map((name) => call(name)))
  assert.deepEqual(outcomes, ['d made', 'b made', 'c made', 'a made'])
  assert.deepEqual(groups, [
    ['a', 'b'],
    ['c', 'd'],
  ])
  assert.deepEqual(committed, ['a', 'b', 'c', 'd'])
})

test('a group has a maximum size, and a limited number of groups run at once', async () => {
  const { call, groups, ends } = start({ maxGroupSize: 2, maxGroupsInFlight: 2 })
  const release = holdCommits(ends, 2)
  const calls = Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => call(name)))
  for (let turn = 0; turn < 5; turn++) await nextTurn()
  assert.equal(groups.length, 2)
  release()
  await calls
  assert.deepEqual(
    groups.map(({ length }) => length),
    [2, 2, 2, 1],
  )
})

test('calls that fill a group do not wait for the end of the turn', async () => {
  const { call, groups } = start({ maxGroupSize: 100, maxGroupsInFlight: 2, maxCalls: 200 })
  let isTurnOver = false
  setImmediate(() => {
    isTurnOver = true
  })
  const calls = Array.from({ length: 120 }, (_, index) => call(`${index}`))
  await Promise.all(calls.slice(0, 100))
  assert.equal(isTurnOver, false)
  await Promise.all(calls)
  const sizes = groups.map(({ length }) => length)
  assert.deepEqual(sizes.slice(0, 2), [50, 50])
})

test('a call that needs a lock of a running group waits for it, and calls behind it do not', async () => {
  const { call, groups, ends } = start({ maxGroupsInFlight: 2 })
  const release = holdCommits(ends)
  const first = call('1', 'a')
  await nextTurn()
  const second = call('2', 'a')
  await nextTurn()
  assert.equal(await call('3', 'b'), '3 made')
  release()
  assert.deepEqual(await Promise.all([first, second]), ['1 made', '2 made'])
  assert.deepEqual(groups, [['1'], ['3'], ['2']])
})

test('calls with different group keys share no group, and do not wait for a larger group of another key', async () => {
  const { call, groups, ends } = start({ maxGroupsInFlight: 2, groupKeyOf: ({ name }) => name.slice(0, 1) })
  const release = holdCommits(ends)
  const ofA = ['a1', 'a2', 'a3', 'a4'].map((name) => call(name))
  await nextTurn()
  await nextTurn()
  const late = call('a5')
  assert.deepEqual(await Promise.all([call('b1'), call('b2')]), ['b1 made', 'b2 made'])
  assert.deepEqual(groups, [
    ['a1', 'a2', 'a3', 'a4'],
    ['b1', 'b2'],
  ])
  release()
  await Promise.all([...ofA, late])
  assert.deepEqual(groups.at(-1), ['a5'])
})

test('calls beyond the limit are refused, and accepted again once there is room', async () => {
  const { call } = start({ maxCalls: 3 })
  const calls = ['a', 'b', 'c'].map((name) => call(name))
  await assert.rejects(call('d'), { message: 'full' })
  await Promise.all(calls)
  assert.equal(await call('e'), 'e made')
})

test('the secondary locks of a call are never locked by two groups at the same time', async () => {
  const { call, groups } = start({ maxGroupSize: 1, maxGroupsInFlight: 2 })
  const alsoLocks = ['wallet']
  await Promise.all([call('a', 'a', { alsoLocks }), call('b', 'b', { alsoLocks }), call('c')])
  assert.deepEqual(groups, [['a'], ['c'], ['b']])
})

test('while calls wait too long for a group with room, new calls are refused', async () => {
  const { call, isFull, ends } = start({ maxWaitMs: 0, maxGroupSize: 1 })
  assert.equal(isFull(), false)
  const release = holdCommits(ends)
  const calls = [call('a')]
  await nextTurn()
  calls.push(call('b'))
  await nextTurn()
  assert.equal(isFull(), true)
  await assert.rejects(call('c'), { message: 'full' })
  release()
  assert.deepEqual(await Promise.all(calls), ['a made', 'b made'])
  assert.equal(await call('d'), 'd made')
})

test('late in a turn in which calls filled a group, new calls are refused', async () => {
  const { call, isFull } = start({ maxWaitMs: 1, maxGroupSize: 3, maxGroupsInFlight: 2 })
  const calls = [call('a'), call('b')]
  busyFor(2)
  assert.equal(isFull(), false)
  calls.push(call('c'))
  assert.equal(isFull(), true)
  await assert.rejects(call('d'), { message: 'full' })
  await nextTurn()
  assert.equal(isFull(), false)
  assert.deepEqual(await Promise.all(calls), ['a made', 'b made', 'c made'])
})

test('a call that waits long does not refuse others while there is room for them in its group', async () => {
  const { call, isFull, ends } = start({ maxWaitMs: 0, maxGroupSize: 2 })
  const release = holdCommits(ends)
  const calls = [call('a')]
  await nextTurn()
  calls.push(call('b'))
  await nextTurn()
  busyFor(1)
  assert.equal(isFull(), false)
  calls.push(call('c'))
  assert.equal(isFull(), true)
  release()
  assert.deepEqual(await Promise.all(calls), ['a made', 'b made', 'c made'])
})

for (const [what, effect] of [
  ['SQL fails', 'undone'],
  ['payee is on a node that is down', 'unreachable'],
] as const) {
  test(`a member whose ${what} runs alone, and the others share a commit without it`, async () => {
    const { call, groups, alone, committed } = start()
    const results = await Promise.allSettled([call('a'), call('b', 'b', failing('b is bad', effect)), call('c')])
    assert.deepEqual(
      results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message)),
      ['a made', 'b is bad', 'c made'],
    )
    assert.deepEqual(committed, ['a', 'c'])
    assert.deepEqual(groups.at(-1), ['a', 'c'])
    assert.equal(alone.length, 1)
  })
}

test('several members whose SQL fails are found one at a time', async () => {
  const { call, committed } = start()
  const calls = ['a', 'b', 'c', 'd', 'e'].map((name, index) =>
    call(name, name, index % 2 === 0 ? failing(`${name} is bad`) : {}),
  )
  const results = await Promise.allSettled(calls)
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'fulfilled', 'rejected', 'fulfilled', 'rejected'],
  )
  assert.deepEqual(committed.sort(), ['b', 'd'])
})

test('while a call waits for a lock alone, calls that need the lock wait behind it and the others continue', async () => {
  const { call, orders, committed } = start()
  const { promise: unlocked, resolve: unlock } = Promise.withResolvers<void>()
  let isLocked = true
  const { runAlone } = orders
  orders.runAlone = async (order) => {
    await unlocked
    return runAlone(order)
  }
  const needsLock = (name: string) =>
    call(name, 'locked', {
      run: async (tx) => {
        if (isLocked) throw failure('undone', 'lock timeout')
        tx.written.push(name)
        return `${name} made`
      },
    })
  const locked = [needsLock('l1'), needsLock('l2')]
  assert.equal(await call('a'), 'a made')
  const behind = needsLock('l3')
  for (let turn = 0; turn < 3; turn++) assert.equal(await call(`b${turn}`), `b${turn} made`)
  assert.deepEqual(committed, ['a', 'b0', 'b1', 'b2'])
  isLocked = false
  unlock()
  assert.deepEqual(await Promise.all([...locked, behind]), ['l1 made', 'l2 made', 'l3 made'])
})

test('without a database every call of the group fails immediately', async () => {
  const { call, ends, alone, committed } = start()
  ends.push(() => Promise.reject(failure('unreachable')))
  const results = await Promise.allSettled([call('a'), call('b')])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.deepEqual([alone, committed], [[], []])
})

test('if the failed member is unknown, each member runs alone', async () => {
  const { call, alone, committed } = start()
  const calls = [call('a'), call('unplaced', 'b', failing('b is bad')), call('c')]
  const results = await Promise.allSettled(calls)
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message)),
    ['a made', 'b is bad', 'c made'],
  )
  assert.deepEqual([alone.length, committed.sort()], [3, ['a', 'c']])
})

test('a refused commit undoes the whole group, and each member is tried alone', async () => {
  const { call, ends, alone, committed } = start()
  for (let index = 0; index < 3; index++) ends.push(() => Promise.reject(failure('undone', 'the commit failed')))
  const results = await Promise.allSettled([call('a'), call('b')])
  assert.ok(results.every((result) => result.status === 'rejected' && result.reason.message === 'the commit failed'))
  assert.deepEqual([alone.length, committed], [2, []])
})

test('after a lost connection a committed group is found, once the lost transaction has ended', async () => {
  const { call, ends, settled, committed, groups } = start()
  ends.push((commit) => {
    commit()
    throw failure('unknown')
  })
  assert.deepEqual(await Promise.all([call('a'), call('b')]), ['a found', 'b found'])
  assert.deepEqual(settled, ['unknown'])
  assert.deepEqual(committed, ['a', 'b'])
  assert.equal(groups.length, 1)
})

test('after a lost connection an uncommitted group runs again, once', async () => {
  const { call, ends, committed, groups } = start()
  ends.push(() => Promise.reject(failure('unknown')))
  assert.deepEqual(await Promise.all([call('a'), call('b')]), ['a made', 'b made'])
  assert.deepEqual(committed, ['a', 'b'])
  assert.equal(groups.length, 2)
})

test('a single lost call is also looked up', async () => {
  const { call, ends, settled, committed } = start()
  const once = { isFirst: true }
  const run = async (tx: Tx) => {
    if (once.isFirst) {
      once.isFirst = false
      throw failure('undone', 'lock timeout')
    }
    tx.written.push('a')
    return 'a made'
  }
  ends.push((commit) => {
    commit()
    throw failure('unknown')
  })
  assert.equal(await call('a', 'a', { run }), 'a found')
  assert.deepEqual(committed, ['a'])
  assert.deepEqual(settled, ['unknown'])
})

test('a call that is lost repeatedly is given up', async () => {
  const { call, ends, settled } = start()
  for (let index = 0; index < 10; index++) ends.push(() => Promise.reject(failure('unknown')))
  await assert.rejects(call('a'), { message: 'nobody knows' })
  assert.equal(settled.length, 3)
})

test('when the outcome of a call cannot be determined, the call fails with an error about this', async () => {
  const { call, ends, transactions } = start()
  transactions.settle = () => Promise.reject(new Error('no database'))
  ends.push(() => Promise.reject(failure('unknown')))
  const results = await Promise.allSettled([call('a'), call('b')])
  assert.ok(results.every((result) => result.status === 'rejected' && result.reason.message === 'nobody knows'))

  transactions.settle = async () => {}
  ends.push(() => Promise.reject(failure('unknown')))
  const lookUp = () => Promise.reject(new Error('no database'))
  await assert.rejects(call('c', 'c', { lookUp }), { message: 'nobody knows' })
})

/** Delays the commits of the next groups until the returned function is called. */
function holdCommits(ends: ReturnType<typeof start>['ends'], groupCount = 1): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  for (let index = 0; index < groupCount; index++) ends.push((commit) => promise.then(commit))
  return resolve
}

function busyFor(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() <= end);
}
