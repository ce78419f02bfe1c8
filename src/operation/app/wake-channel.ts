import type { Pool } from '../../foundation/db/connect.ts'

/** The channel on which a process announces work to the workers of other processes. */
export const WORK_CHANNEL = 'remit_work'

/**
 * Returns a function that wakes the workers of other processes. `notify` takes a server-wide lock at commit. Therefore, only one call runs
 * at a time, outside of any transaction, and simultaneous calls are combined.
 */
export function createNotifier(sql: Pool): () => void {
  let isSending = false
  let isWanted = false

  async function send() {
    isSending = true
    while (isWanted) {
      isWanted = false
      // If a notification is lost, the workers find the work with their next poll.
      await sql.notify(WORK_CHANNEL, '').catch(() => {})
    }
    isSending = false
  }

  return () => {
    isWanted = true
    if (!isSending) void send()
  }
}
