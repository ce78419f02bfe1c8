/** Wakes callers in this process that wait for new work. */
export type Wakeups = {
  notify(): void
  /** Returns the number of notifications so far. Read it before you check for work. Then a notification during the check is not missed. */
  count(): number
  /** Waits until the count exceeds `seen`, or `ms` have passed. */
  wait(seen: number, ms: number): Promise<void>
  /** Releases all callers that wait now or later. */
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
