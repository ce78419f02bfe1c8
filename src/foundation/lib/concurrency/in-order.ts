/**
 * Runs all items at once, except that items with a common key run in list order.
 *
 * @returns the results in list order
 * @throws the first error. Items that would follow a failed item do not run
 */
export function runInOrder<Item, Result>(
  items: readonly Item[],
  { keysOf, run }: { keysOf(item: Item): readonly string[]; run(item: Item): Promise<Result> },
): Promise<Result[]> {
  const lastByKey = new Map<string, Promise<unknown>>()
  return Promise.all(
    items.map((item) => {
      const keys = keysOf(item)
      const before = keys.flatMap((key) => lastByKey.get(key) ?? [])
      const result = before.length === 0 ? run(item) : Promise.all(before).then(() => run(item))
      for (const key of keys) lastByKey.set(key, result)
      return result
    }),
  )
}
