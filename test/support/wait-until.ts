import { setTimeout as sleep } from 'node:timers/promises'

/** The limit only ends a test that would hang. No test depends on durations. */
export const LIMIT_MS = 180_000

/** Waits until a condition holds. `what` completes the sentence "waited in vain until …". */
export async function waitUntil(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + LIMIT_MS
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`waited in vain until ${what}`)
    await sleep(10)
  }
}
