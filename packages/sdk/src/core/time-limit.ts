import { TimeoutError } from './errors.ts'

/** Runs one try with a signal that ends it in time, or with the caller's signal. @throws TimeoutError, the reason of the caller's signal */
export async function withTimeLimit<Result>(
  { ms, signal }: { ms: number; signal: AbortSignal | undefined },
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const ended = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true })
  })
  const timer = setTimeout(() => controller.abort(timeoutError(ms)), ms)
  const abort = () => controller.abort(signal?.reason)
  // AbortSignal.any is not used: a signal that lives as long as the program would remember each try.
  signal?.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([run(controller.signal), ended])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

const timeoutError = (ms: number) =>
  new TimeoutError(`The service did not answer within ${Math.round(ms) / 1_000} s.`, { isTransient: true })
