/** Tells those who wait in this process that there may be something new for them. */
export type Bell = {
  ring(): void
  /** How often it has rung: taken before a look, it makes sure that no ring after it is missed. */
  rings(): number
  /** Waits until it has rung more often than `heard`, or `ms` are over. */
  wait(heard: number, ms: number): Promise<void>
  /** Lets everybody go, and whoever comes later. */
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
