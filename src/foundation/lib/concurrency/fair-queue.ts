type Waiting = { begin: () => void; bytes: number }

type Limits = {
  /** The maximum number of waiting callers, in total and for one key. */
  maxWaiting: number
  maxWaitingPerKey: number
  /** The memory that all waiting callers together may hold. */
  maxWaitingBytes: number
  whenFull(): Error
  whenKeyFull(): Error
}

export type FairQueue = <T>(key: string, bytes: number, run: () => Promise<T>) => Promise<T>

/**
 * Creates a queue that runs one caller at a time. Keys (platforms) take turns, so that a key with many callers delays others by at most
 * one run. Callers beyond the limits are refused at once.
 */
export function createFairQueue(limits: Limits): FairQueue {
  // Waiting callers by key. The first key is served next. If it has more callers, it moves to the end.
  const waitingByKey = new Map<string, Waiting[]>()
  let isBusy = false
  let waiting = 0
  let waitingBytes = 0

  function waitForTurn(key: string, bytes: number): Promise<void> {
    if (!isBusy) {
      isBusy = true
      return Promise.resolve()
    }
    const line = waitingByKey.get(key) ?? []
    if (line.length >= limits.maxWaitingPerKey) throw limits.whenKeyFull()
    if (waiting >= limits.maxWaiting || waitingBytes + bytes > limits.maxWaitingBytes) throw limits.whenFull()
    waiting++
    waitingBytes += bytes
    return new Promise((begin) => waitingByKey.set(key, [...line, { begin, bytes }]))
  }

  function startNext(): void {
    const [next] = waitingByKey
    if (!next) {
      isBusy = false
      return
    }
    const [key, [first, ...others]] = next as [string, [Waiting, ...Waiting[]]]
    waitingByKey.delete(key)
    if (others.length > 0) waitingByKey.set(key, others)
    waiting--
    waitingBytes -= first.bytes
    first.begin()
  }

  return async (key, bytes, run) => {
    await waitForTurn(key, bytes)
    try {
      return await run()
    } finally {
      startNext()
    }
  }
}
