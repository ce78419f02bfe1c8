/**
 * Combines simultaneous requests into batches. Requests of one event-loop turn form a batch, and so do all that arrive while `maxAtOnce`
 * batches (default: one) run. The first caller's context is used for the whole batch.
 *
 * @param run returns the results in the order of the items. If it fails, the whole batch fails
 * @param options.canBeOfOne whether a single item may have caused an error. If so, each item runs alone
 */
export function createBatches<Context, Item, Result>(
  run: (context: Context, items: Item[]) => Promise<Result[]>,
  {
    maxSize,
    maxAtOnce = 1,
    canBeOfOne = () => false,
  }: { maxSize: number; maxAtOnce?: number; canBeOfOne?(error: unknown): boolean },
): (context: Context, item: Item) => Promise<Result> {
  type Asked = { context: Context; item: Item; resolve(result: Result): void; reject(error: unknown): void }
  let waiting: Asked[] = []
  let underWay = 0

  async function runAll() {
    for (;;) {
      const batch = waiting.slice(0, maxSize)
      const [first] = batch
      if (!first) break
      waiting = waiting.slice(maxSize)
      await runBatch(first.context, batch)
    }
    underWay--
  }

  async function runBatch(context: Context, batch: Asked[]) {
    try {
      const items = batch.map(({ item }) => item)
      const results = await run(context, items)
      batch.forEach(({ resolve }, index) => {
        resolve(results[index] as Result)
      })
    } catch (error) {
      if (batch.length > 1 && canBeOfOne(error)) for (const one of batch) await runBatch(context, [one])
      else for (const { reject } of batch) reject(error)
    }
  }

  return (context, item) =>
    new Promise((resolve, reject) => {
      waiting.push({ context, item, resolve, reject })
      if (underWay >= Math.min(maxAtOnce, Math.ceil(waiting.length / maxSize))) return
      underWay++
      setImmediate(() => void runAll())
    })
}

/** Orders rows by the requested items. Items without a row get null. */
export function alignRows<Item, Row>(
  items: readonly Item[],
  rows: readonly Row[],
  nameOf: { item: (item: Item) => string; row: (row: Row) => string },
): (Row | null)[] {
  const byName = new Map(rows.map((row) => [nameOf.row(row), row]))
  return items.map((item) => byName.get(nameOf.item(item)) ?? null)
}
