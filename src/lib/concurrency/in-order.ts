/**
 * Runs the work for all items at once, but for those that share a key one after the other, in the order of the list.
 *
 * @returns the results in the order of the list @throws the first error; what was to follow an item that failed is not run
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
