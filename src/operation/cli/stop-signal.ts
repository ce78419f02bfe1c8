/** The milliseconds within which signals count as one. */
const SAME_SIGNAL_MS = 100

/**
 * Returns a signal that is aborted by the first of the given signals of the system, so that the command ends gracefully. A second one
 * ends the process at once with code 1. One Ctrl-C can arrive several times, because the terminal, npm and the program that chose the
 * version of Node.js all send it.
 *
 * @param endServers is called before the process ends at once
 */
export function stopOnSignals(signals: readonly NodeJS.Signals[], endServers = () => {}): AbortSignal {
  const stopping = new AbortController()
  let isSame = true
  const countNext = () => {
    isSame = false
  }
  const stop = () => {
    if (stopping.signal.aborted) {
      if (isSame) return
      endServers()
      process.exit(1)
    }
    // Between a timer and the immediate that it sets, Node.js handles the signals that arrived while the process was busy.
    setTimeout(() => setImmediate(countNext), SAME_SIGNAL_MS).unref()
    stopping.abort()
  }
  for (const signal of signals) process.on(signal, stop)
  return stopping.signal
}
