import type { Pool } from '../db/connect.ts'

const CHANNEL = 'remit_work'

/**
 * Tells the workers of other processes that there is something to do. `notify` takes a lock across the whole server at
 * commit: one at a time, outside every transaction, and those that come meanwhile become one.
 */
export function createNotifier(sql: Pool): () => void {
  let isSending = false
  let isWanted = false

  async function send() {
    isSending = true
    while (isWanted) {
      isWanted = false
      // A lost notice costs a poll interval.
      await sql.notify(CHANNEL, '').catch(() => {})
    }
    isSending = false
  }

  return () => {
    isWanted = true
    if (!isSending) void send()
  }
}

/** Calls `wake` when another process has something to do for this one. */
export async function listenForWork(sql: Pool, wake: () => void): Promise<void> {
  await sql.listen(CHANNEL, wake)
}
