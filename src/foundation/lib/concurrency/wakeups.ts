/** Wakes callers in this process that wait for new work. */
export type Wakeups = {
  notify(): void
  /** Returns the number of notifications so far. Callers read it before they check for work, so that they do not miss a later one. */
  count(): number
  /** Waits until the count exceeds `seen`, or `ms` have passed. */
  wait(seen: number, ms: number): Promise<void>
  /** Releases all current and future waiting callers. */
  close(): void
  isClosed(): boolean
}

export function createWakeups(): Wakeups {
  const waiting = new Set<() => void>()
  let count = 0
  let isClosed = false

  function notify() {
    count++
    for (const wake of waiting) wake()
  }

  return {
    notify,
    count: () => count,
    wait: (seen, ms) => {
      if (count > seen || isClosed) return Promise.resolve()
      return new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer)
          waiting.delete(wake)
          resolve()
        }
        const timer = setTimeout(wake, ms)
        waiting.add(wake)
      })
    },
    close: () => {
      isClosed = true
      notify()
    },
    isClosed: () => isClosed,
  }
}
