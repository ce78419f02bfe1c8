import type pg from 'pg'
import type { Server } from './server-address.ts'

const RETRY_MS = 500

export type Listener = {
  /** Resolves when it starts to listen. */
  listening: Promise<void>
  end(): Promise<void>
}

/** Listens on a connection of its own, which is replaced if it is lost. Notifications in between are missed. */
export function listenOn(
  newClient: () => { client: pg.Client; server: Server },
  options: {
    channel: string
    onNotify: (payload: string) => void
    start: (client: pg.Client) => Promise<void>
    onFailed: (server: Server) => void
  },
): Listener {
  const { promise: listening, resolve } = Promise.withResolvers<void>()
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | null = null
  let isEnded = false

  async function start() {
    const { client: fresh, server } = newClient()
    client = fresh
    fresh.on('notification', ({ payload = '' }) => options.onNotify(payload))
    fresh.on('error', () => {})
    fresh.on('end', startAgain)
    try {
      await fresh.connect()
      await options.start(fresh)
      await fresh.query(`listen ${fresh.escapeIdentifier(options.channel)}`)
      resolve()
    } catch {
      options.onFailed(server)
      await fresh.end().catch(() => {})
      startAgain()
    }
  }

  function startAgain() {
    if (isEnded || timer) return
    timer = setTimeout(() => {
      timer = null
      void start()
    }, RETRY_MS)
  }

  void start()
  return {
    listening,
    end: async () => {
      isEnded = true
      if (timer) clearTimeout(timer)
      resolve()
      await client?.end().catch(() => {})
    },
  }
}
