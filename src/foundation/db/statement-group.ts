import { setImmediate as nextTurn } from 'node:timers/promises'
import { runInOrder } from '../lib/concurrency/in-order.ts'
import type { Sql } from './connect.ts'

// Background work does the same steps for many items in one transaction. In a group, the items run at the same time, and the calls of one
// store function share a statement.

type OfPlatform = { platformId: string }

/** Runs one statement for items of one platform. @returns the results in the order of the items */
type RunAll<Item, Result> = (sql: Sql, platformId: string, items: Item[]) => Promise<Result[]>

type Call = { item: unknown; resolve(result: unknown): void; reject(error: unknown): void }

/** Calls that will share a statement. No two of them have the same key. */
type Statement = { run: RunAll<never, unknown>; platformId: string; calls: Map<unknown, Call> }

/** The maximum number of calls that share a statement, so that none takes long. */
const MAX_CALLS = 500
/** The minimum number of calls for which it pays to split a statement. */
const MIN_CALLS_OF_HALF = 20

const groups = new WeakMap<Sql, StatementGroup>()
const separate = new WeakSet<Sql>()
const errorsOfSeveral = new WeakSet<object>()

/**
 * Makes a store function for one item from a function for several. Outside of a group, each call runs its own statement.
 *
 * @param keyOf calls with the same key do not share a statement. They run in the order of the calls
 */
export function shareInGroup<Item extends OfPlatform, Result>(
  run: RunAll<Item, Result>,
  keyOf: (item: Item) => unknown = (item) => item,
): (sql: Sql, item: Item) => Promise<Result> {
  return async (sql, item) => {
    const group = groups.get(sql)
    if (group) return group.call(run as RunAll<never, unknown>, item, keyOf(item)) as Promise<Result>
    const [result] = await run(sql, item.platformId, [item])
    return result as Result
  }
}

/**
 * Does the work of items in the transaction of `sql`: at the same time, except that items with a common key run in list order. Calls of one
 * store function (`shareInGroup`) that the items make at the same time share a statement. After `runSeparately`, the items run one by one.
 *
 * @param given.inHalves whether a statement has at most half of the items. The service then works on one half while PostgreSQL works on the
 * other. Not for items that lock wallets, because two statements do not lock them in the order of their ids
 * @returns the results in list order
 * @throws the first error. The transaction must then be rolled back. If the error is of a shared statement, `isOfSeveral` is true
 */
export async function runInGroup<Item, Result>(
  sql: Sql,
  items: readonly Item[],
  {
    keysOf,
    run,
    inHalves = false,
  }: { keysOf(item: Item): readonly string[]; run(item: Item): Promise<Result>; inHalves?: boolean },
): Promise<Result[]> {
  if (separate.has(sql)) return runInOrder(items, { keysOf: () => ['one by one'], run })
  if (groups.has(sql) || items.length === 1) return runInOrder(items, { keysOf, run })
  const maxCalls = inHalves ? Math.max(Math.ceil(items.length / 2), MIN_CALLS_OF_HALF) : MAX_CALLS
  groups.set(sql, new StatementGroup(sql, Math.min(maxCalls, MAX_CALLS)))
  try {
    return await runInOrder(items, { keysOf, run })
  } finally {
    groups.delete(sql)
  }
}

/** Makes `runInGroup` run the items of a transaction one by one, to find the one that fails. */
export const runSeparately = (sql: Sql): void => void separate.add(sql)

/** Returns whether an error is of a statement for several items, any of which may be its cause. */
export const isOfSeveral = (error: unknown): boolean => errorsOfSeveral.has(error as object)

class StatementGroup {
  readonly #sql: Sql
  readonly #maxCalls: number
  readonly #waiting: Statement[] = []
  readonly #running = new Set<Promise<void>>()
  #isRunning = false

  constructor(sql: Sql, maxCalls: number) {
    this.#sql = sql
    this.#maxCalls = maxCalls
  }

  call(run: Statement['run'], item: OfPlatform, key: unknown): Promise<unknown> {
    const { platformId } = item
    const isOpen = (one: Statement) =>
      one.run === run && one.platformId === platformId && one.calls.size < this.#maxCalls && !one.calls.has(key)
    const open = this.#waiting.find(isOpen)
    const statement: Statement = open ?? { run, platformId, calls: new Map() }
    if (!open) this.#waiting.push(statement)
    const result = new Promise((resolve, reject) => statement.calls.set(key, { item, resolve, reject }))
    if (!this.#isRunning) void this.#runAll()
    return result
  }

  /** Runs statements in order. Calls that arrive in the meantime join those that wait. */
  async #runAll(): Promise<void> {
    this.#isRunning = true
    for (;;) {
      // In this turn, the callers that have just got their results make their next calls.
      await nextTurn()
      while (this.#mayRunNext()) this.#start(this.#waiting.shift() as Statement)
      if (this.#running.size === 0) break
      await Promise.race(this.#running)
    }
    this.#isRunning = false
  }

  /** A statement with enough calls does not wait until the callers of the previous one have their results. */
  #mayRunNext(): boolean {
    const [next] = this.#waiting
    if (!next || this.#running.size === 0) return next !== undefined
    return this.#running.size === 1 && next.calls.size >= this.#maxCalls / 2
  }

  #start(statement: Statement): void {
    const running = this.#run(statement).finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  async #run({ run, platformId, calls }: Statement): Promise<void> {
    const all = [...calls.values()]
    try {
      const results = await run(this.#sql, platformId, all.map(({ item }) => item) as never[])
      for (const [index, { resolve }] of all.entries()) resolve(results[index])
    } catch (error) {
      if (all.length > 1) errorsOfSeveral.add(error as object)
      for (const { reject } of all) reject(error)
    }
  }
}
