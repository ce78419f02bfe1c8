import { randomBytes } from 'node:crypto'
import type { Pool, Sql } from '../../../foundation/db/connect.ts'

const CHANNEL = 'remit_keys'

/** Keys that must be read again before they are accepted. */
export type ChangedKeys = { keys: readonly string[] } | { platformId: string } | 'all'

/**
 * Notifies all processes, when the transaction commits, that API keys have ended or have fewer permissions. This must run in the
 * transaction of the change, so that a notified process reads the new state. The commit takes a server-wide lock, which is acceptable
 * because keys change rarely.
 */
export async function reportChangedKeys(sql: Sql, changed: ChangedKeys): Promise<void> {
  const payloads = payloadsOf(changed)
  if (payloads.length === 0) return
  await sql`select pg_notify(${CHANNEL}, payload) from unnest(${payloads}::text[]) payload`
}

function payloadsOf(changed: ChangedKeys): string[] {
  if (changed === 'all') return ['all']
  return 'platformId' in changed ? [`platform ${changed.platformId}`] : changed.keys.map((key) => `key ${key}`)
}

export type KeyChanges = {
  /** Continues to follow changes. Must be called whenever a key is used. Markers stop half a minute after the last call. */
  keepFollowing(): void
  /** Returns the time before which all committed changes are known, in milliseconds of the process clock. */
  knownUntil(): number
  end(): void
}

const MARKER_EVERY_MS = 200
const IDLE_MS = 30_000

/**
 * Follows the changes that all processes report. PostgreSQL delivers notifications in the order of their commits, so this process sends
 * markers to itself. When a marker arrives, all changes that were committed before it was sent have arrived.
 */
export function followKeyChanges(sql: Pool, onChange: (changed: ChangedKeys) => void): KeyChanges {
  const processId = randomBytes(8).toString('hex')
  let knownUntil = Number.NEGATIVE_INFINITY
  let lastUse = Number.NEGATIVE_INFINITY
  let listeningSince = Number.POSITIVE_INFINITY
  let isListening = false
  let isSending = false
  let timer: NodeJS.Timeout | null = null

  function onNotification(payload: string) {
    const [kind, value = '', sentAt] = payload.split(' ')
    if (kind === 'key') onChange({ keys: [value] })
    else if (kind === 'platform') onChange({ platformId: value })
    else if (kind === 'all') onChange('all')
    // A marker from before this connection began to listen does not count, because notifications may have been missed.
    else if (value === processId && Number(sentAt) >= listeningSince) knownUntil = Number(sentAt)
  }

  /** Forgets all keys, because changes before this time may have been missed. */
  function onListening() {
    listeningSince = performance.now()
    onChange('all')
  }

  async function sendMarker() {
    if (performance.now() - lastUse > IDLE_MS) return end()
    if (isSending) return
    isSending = true
    const marker = `marker ${processId} ${performance.now()}`
    // The commit does not wait for a disk or a standby, because a crash makes markers useless.
    await sql`select set_config('synchronous_commit', 'off', true), pg_notify(${CHANNEL}, ${marker})`.catch(() => {})
    isSending = false
  }

  function end() {
    if (timer) clearInterval(timer)
    timer = null
  }

  return {
    keepFollowing: () => {
      lastUse = performance.now()
      if (timer) return
      timer = setInterval(() => void sendMarker(), MARKER_EVERY_MS).unref()
      if (!isListening) void sql.listen(CHANNEL, onNotification, onListening)
      isListening = true
      void sendMarker()
    },
    knownUntil: () => knownUntil,
    end,
  }
}
