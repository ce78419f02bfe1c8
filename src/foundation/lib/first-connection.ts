import { connect, isIP, type Socket } from 'node:net'

/** The time to wait for an address before the next one is also tried (RFC 8305, 5). */
const ATTEMPT_DELAY_MS = 250

/** All connection attempts failed. */
export class NoConnection extends Error {
  /** The address and the error of each attempt, in order. */
  readonly failures: { address: string; error: Error }[]

  constructor(failures: NoConnection['failures']) {
    super('no address could be connected to')
    this.failures = failures
  }
}

export type Targets = { addresses: string[]; port: number; localAddress: string | null }

/**
 * Connects to the address that answers first (RFC 8305, 5). Node's `autoSelectFamily` gives up every address except the last after 250 ms,
 * so it would not reach distant hosts.
 *
 * @param onAttempt called with the socket of each attempt
 * @throws NoConnection, or the reason of the signal
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

/** Alternates between the address families, starting with that of the first address (RFC 8305, 4). */
function interleaved(addresses: string[]): string[] {
  const family = isIP(addresses[0] ?? '')
  const [same, other] = [
    addresses.filter((one) => isIP(one) === family),
    addresses.filter((one) => isIP(one) !== family),
  ]
  return same.flatMap((address, index) => [address, ...other.slice(index, index + 1)]).concat(other.slice(same.length))
}
