/** Wakes callers in this process that wait for new work. */
export type Bell = {
  ring(): void
  /** How often it has been notified. Read it before checking for work, so that no later notification is missed. */
  rings(): number
  /** Waits until the count exceeds `heard`, or `ms` have passed. */
  wait(heard: number, ms: number): Promise<void>
  /** Releases all current and future waiters. */
  close(): void
  isClosed(): boolean
}

export function createBell(): Bell {
  const waiting = new Set<() => void>()
  let rings = 0
  let isClosed = false

  function ring() {
    rings++
    for (const wake of waiting) wake()
  }

  return {
    ring,
    rings: () => rings,
    wait: (heard, ms) => {
      if (rings > heard || isClosed) return Promise.resolve()
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
      ring()
    },
    isClosed: () => isClosed,
  }
}
