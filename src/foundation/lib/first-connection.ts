import { connect, isIP, type Socket } from 'node:net'

/** RFC 8305, 5: how long an address is tried alone. Then the next one is tried beside it. */
const ATTEMPT_DELAY_MS = 250

/** No address could be connected to. */
export class NoConnection extends Error {
  /** What happened at each address, in the order in which they were tried. */
  readonly failures: { address: string; error: Error }[]

  constructor(failures: NoConnection['failures']) {
    super('no address could be connected to')
    this.failures = failures
  }
}

export type Targets = { addresses: string[]; port: number; localAddress: string | null }

/**
 * Connects to the one of several addresses that answers first (RFC 8305, 5). Node's own `autoSelectFamily` gives up each address
 * but the last after 250 ms, so a host that is further away would not be reached.
 *
 * @param onAttempt called with the socket of each attempt
 * @throws NoConnection; the reason of the signal
 */
export function connectToFirst(
  { addresses, port, localAddress }: Targets,
  { signal, onAttempt }: { signal: AbortSignal; onAttempt(socket: Socket): void },
): Promise<Socket> {
  const waiting = interleaved(addresses)
  const attempts = new Set<Socket>()
  const failures: NoConnection['failures'] = []
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
      waiting.length = 0
      for (const socket of attempts) socket.destroy()
      attempts.clear()
    }
    const giveUp = () => {
      end()
      reject(signal.reason)
    }
    const tryNext = () => {
      clearTimeout(timer)
      const address = waiting.shift()
      if (address === undefined) {
        if (attempts.size > 0) return
        end()
        reject(new NoConnection(failures))
        return
      }
      const socket = connect({ host: address, port, ...(localAddress !== null && { localAddress }) })
      attempts.add(socket)
      onAttempt(socket)
      const fail = (error: Error) => {
        if (!attempts.delete(socket)) return
        failures.push({ address, error })
        tryNext()
      }
      socket.on('error', fail)
      socket.once('close', () => fail(new Error('closed')))
      socket.once('connect', () => {
        attempts.delete(socket)
        end()
        resolve(socket)
      })
      timer = setTimeout(tryNext, ATTEMPT_DELAY_MS)
    }
    if (signal.aborted) return giveUp()
    signal.addEventListener('abort', giveUp)
    tryNext()
  })
}

/** RFC 8305, 4: the families take turns, beginning with that of the first address. */
function interleaved(addresses: string[]): string[] {
  const family = isIP(addresses[0] ?? '')
  const [same, other] = [
    addresses.filter((one) => isIP(one) === family),
    addresses.filter((one) => isIP(one) !== family),
  ]
  return same.flatMap((address, index) => [address, ...other.slice(index, index + 1)]).concat(other.slice(same.length))
}
