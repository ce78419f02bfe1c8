/** Latencies in milliseconds. `perSecond` is the rate during the measurement. */
export type Measurement = {
  count: number
  seconds: number
  perSecond: number
  p50: number
  p95: number
  p99: number
  max: number
  /** CPU microseconds per request, by process. Omitted where the system does not report it. */
  cpu?: Record<string, number>
}

/** Keeps every latency, so that percentiles are exact. */
export function createSamples() {
  let values = new Float64Array(1 << 16)
  let count = 0
  return {
    add(ms: number): void {
      if (count === values.length) {
        const larger = new Float64Array(2 * count)
        larger.set(values)
        values = larger
      }
      values[count++] = ms
    },
    measurement(seconds: number): Measurement {
      const sorted = values.slice(0, count).sort()
      return { count, seconds, perSecond: count / seconds, ...percentiles(sorted) }
    },
  }
}

/** Returns a percentile, by nearest rank. */
export function percentiles(sorted: Float64Array | readonly number[]) {
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  if (sorted.length === 0) return Number.NaN
  return ((sorted[Math.ceil(middle) - 1] as number) + (sorted[Math.floor(middle)] as number)) / 2
}
