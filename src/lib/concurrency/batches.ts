/**
 * Does what is asked for together: what comes in one turn of the event loop, and all that comes while `maxAtOnce` batches
 * (one, unless it says more) are under way, is the next batch. What many askers need of their context is taken from the
 * first.
 *
 * @param run gives the results in the order of the items; when it fails, all of the batch have failed
 * @param options.canBeOfOne whether a failure may be that of a single item: then each is run by itself
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

/** What was found, in the order of what was asked for: null where there is nothing. */
export function inOrderOf<Item, Row>(
  items: readonly Item[],
  rows: readonly Row[],
  nameOf: { item: (item: Item) => string; row: (row: Row) => string },
): (Row | null)[] {
  const byName = new Map(rows.map((row) => [nameOf.row(row), row]))
  return items.map((item) => byName.get(nameOf.item(item)) ?? null)
}
