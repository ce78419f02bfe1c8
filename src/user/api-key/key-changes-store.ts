import { randomBytes } from 'node:crypto'
import type { Pool, Sql } from '../../db/connect.ts'

const CHANNEL = 'remit_keys'

/** Keys that have to be read again before they are accepted. */
export type ChangedKeys = { keys: readonly string[] } | { platformId: string } | 'all'

/** Tells all processes, when the transaction commits, which API keys have ended or may do less. */
export async function reportChangedKeys(sql: Sql, changed: ChangedKeys): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, payload) from unnest(${payloadsOf(changed)}::text[]) payload`
}

function payloadsOf(changed: ChangedKeys): string[] {
  if (changed === 'all') return ['all']
  return 'platformId' in changed ? [`platform ${changed.platformId}`] : changed.keys.map((key) => `key ${key}`)
}

export type KeyChanges = {
  /**
   * All changes that were committed before this time are known, in milliseconds of the process clock. It stays close to the present
   * while this is called, and notifications arrive.
   */
  knownUntil(): number
  end(): void
}

const ASK_EVERY_MS = 200
/** Nobody asks for the changes any more after this time without a call. */
const IDLE_MS = 30_000

/**
 * Hears of the changes that all processes report. PostgreSQL delivers notifications in the order of their commits: when this
 * process hears its own, it has heard all earlier ones.
 */
export function followKeyChanges(sql: Pool, onChange: (changed: ChangedKeys) => void): KeyChanges {
  const own = randomBytes(8).toString('hex')
  let knownUntil = Number.NEGATIVE_INFINITY
  let usedAt = Number.NEGATIVE_INFINITY
  let isListening = false
  let isAsking = false
  let timer: NodeJS.Timeout | null = null

  function hear(payload: string) {
    const [what, value = '', askedAt] = payload.split(' ')
    if (what === 'key') onChange({ keys: [value] })
    else if (what === 'platform') onChange({ platformId: value })
    else if (what === 'all') onChange('all')
    else if (what === 'asked' && value === own) knownUntil = Math.max(knownUntil, Number(askedAt))
  }

  async function ask() {
    if (performance.now() - usedAt > IDLE_MS) return end()
    if (isAsking) return
    isAsking = true
    const payload = `asked ${own} ${performance.now()}`
    // Nobody needs it after a crash, so its commit waits for no disk and no standby.
    await sql`select set_config('synchronous_commit', 'off', true), pg_notify(${CHANNEL}, ${payload})`.catch(() => {})
    isAsking = false
  }

  function use() {
    usedAt = performance.now()
    if (timer) return
    timer = setInterval(() => void ask(), ASK_EVERY_MS).unref()
    if (!isListening) void sql.listen(CHANNEL, hear, () => onChange('all'))
    isListening = true
    void ask()
  }

  function end() {
    if (timer) clearInterval(timer)
    timer = null
  }

  return {
    knownUntil: () => {
      use()
      return knownUntil
    },
    end,
  }
}
