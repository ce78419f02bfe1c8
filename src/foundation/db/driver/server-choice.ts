import type { Server } from './server-address.ts'

/** Chooses one of several servers. */
export type ServerChoice = {
  current(): Server
  /** Chooses the next server, unless another caller has already replaced the failed one. */
  replace(failed: Server): void
}

/** Creates a choice that starts with the first server and keeps a server that works. */
export function serverChoice(servers: readonly Server[]): ServerChoice {
  let index = 0
  const current = () => servers[index] as Server
  return {
    current,
    replace: (failed) => {
      if (current() === failed) index = (index + 1) % servers.length
    },
  }
}
