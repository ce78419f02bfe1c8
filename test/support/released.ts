/**
 * A function for `t.after`. node:test keeps every test and its hooks until the process ends, with all referenced
 * objects: hundreds of stopped services. So the function drops its references when it runs.
 */
export function releasedWhenRun(work: () => Promise<void>): () => Promise<void> {
  let rest: (() => Promise<void>) | null = work
  return async () => {
    const running = rest
    rest = null
    await running?.()
  }
}
