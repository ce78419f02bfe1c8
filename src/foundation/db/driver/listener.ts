import type pg from 'pg'
import type { Server } from './server-address.ts'

const RETRY_MS = 500

export type Channel = {
  name: string
  onNotify: (payload: string) => void
  /** Called whenever listening starts. After a lost connection, earlier notifications may have been missed. */
  onStart?: (() => void) | undefined
}

export type Listener = {
  /** Resolves when listening has started. */
  listen(channel: Channel): Promise<void>
  end(): Promise<void>
}

/** Creates a listener on its own connection. If the connection is lost, a new one replaces it. Notifications in between are missed. */
export function createListener(
  newClient: () => { client: pg.Client; server: Server },
  options: { start: (client: pg.Client) => Promise<void>; onFailed: (server: Server) => void },
): Listener {
  const channels = new Map<Channel, () => void>()
  let client: pg.Client | null = null
  let isConnected = false
  let timer: NodeJS.Timeout | null = null
  let isEnded = false

  async function start() {
    const { client: fresh, server } = newClient()
    client = fresh
    fresh.on('notification', notify)
    fresh.on('error', () => {})
    fresh.on('end', startAgain)
    try {
      await fresh.connect()
      await options.start(fresh)
      isConnected = true
      for (const channel of [...channels.keys()]) await startChannel(fresh, channel)
    } catch {
      options.onFailed(server)
      await fresh.end().catch(() => {})
      startAgain()
    }
  }

  async function startChannel(on: pg.Client, channel: Channel) {
    await on.query(`listen ${on.escapeIdentifier(channel.name)}`)
    channel.onStart?.()
    channels.get(channel)?.()
  }

  function notify({ channel: name, payload = '' }: pg.Notification) {
    for (const channel of channels.keys()) if (channel.name === name) channel.onNotify(payload)
  }

  function startAgain() {
    isConnected = false
    if (isEnded || timer) return
    timer = setTimeout(() => {
      timer = null
      void start()
    }, RETRY_MS)
  }

  return {
    listen: (channel) =>
      new Promise<void>((resolve) => {
        if (isEnded) return resolve()
        channels.set(channel, resolve)
        const current = client
        if (current === null) void start()
        // If this fails, ends the connection. A new one then starts all channels again.
        else if (isConnected) startChannel(current, channel).catch(() => current.end().catch(() => {}))
      }),
    end: async () => {
      isEnded = true
      if (timer) clearTimeout(timer)
      for (const resolve of channels.values()) resolve()
      await client?.end().catch(() => {})
    },
  }
}
