import { Resolver } from 'node:dns/promises'
import { isIP, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls'
import type { buildConnector } from 'undici'
import type { EnvironmentSettings } from '../../foundation/core/environment.ts'
import { connectToFirst } from '../../foundation/lib/first-connection.ts'
import { isLocalHost } from '../../foundation/lib/local-host.ts'
import { isAllowedAddress } from './address-rules.ts'
import { LOOKUP_TIMEOUT_MS, RESPONSE_TIMEOUT_MS } from './delivery-status.ts'
import { isNoSuchName, lookupFailure, Refused, type Stage, TimedOut } from './webhook-failure-rules.ts'
import { hostOf } from './webhook-rules.ts'

/** The state that the connections to all receivers share. */
export type Dialer = {
  settings: EnvironmentSettings
  resolver: Resolver
  secureContext: SecureContext
  /** Running lookups, by host name and address families. */
  lookups: Map<string, Promise<string[]>>
  /** TLS sessions that can be resumed, by origin, oldest first. */
  tlsSessions: Map<string, { ticket: Buffer; endsAt: number }>
  /** Connections that are not established yet. */
  sockets: Set<Socket>
  turn: number
}

const MAX_TLS_SESSIONS = 5_000
/** The milliseconds for which a TLS session can be resumed. A resumed session skips the check of the certificate. */
const TLS_SESSION_MS = 10 * 60 * 1_000
/** The maximum number of addresses to try for one name. */
const MAX_ADDRESSES = 8
/** The milliseconds to wait for addresses of the other family after one family was found (RFC 8305, 3). */
const OTHER_FAMILY_MS = 50

export function createDialer(settings: EnvironmentSettings): Dialer {
  // A separate resolver is used, because the operating system handles only four lookups at a time, and slow host names would delay the
  // others.
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (settings.webhookNameServers.length > 0) resolver.setServers(settings.webhookNameServers)
  const secureContext = createSecureContext({ minVersion: 'TLSv1.2' })
  return { settings, resolver, secureContext, lookups: new Map(), tlsSessions: new Map(), sockets: new Set(), turn: 0 }
}

/** Closes connections that are not established yet. */
export function endDialer({ resolver, sockets }: Dialer): void {
  resolver.cancel()
  for (const socket of sockets) socket.destroy()
}

/** A connection to create. `sources`: the local addresses to use, the preferred one first. If it is empty, the operating system chooses. */
export type Call = { url: URL; sources: readonly string[]; onStage(stage: Stage): void }

type Route = { addresses: string[]; localAddress: string | null }

/** Returns undici's connector to the host of a URL. It connects only to addresses that it has checked. */
export const connectorTo =
  (dialer: Dialer, call: Call): buildConnector.connector =>
  (_options, callback) => {
    call.onStage({ doing: 'looking up the host name' })
    routeTo(dialer, call)
      .then((route) => connect(dialer, call, route))
      .then(
        (socket) => callback(null, socket),
        (error) => callback(error, null),
      )
  }

/** Chooses the addresses of a host to try, in order, and the local address to use. @throws Refused if no address is allowed */
async function routeTo(dialer: Dialer, { url, sources }: Call): Promise<Route> {
  const families = sources.length === 0 ? [4, 6] : [...new Set(sources.map(isIP))]
  const known = knownAddresses(url) ?? (await lookUpOnce(dialer, { host: url.hostname, families }))
  const addresses = known.filter((address) => isAllowed(dialer, url, address)).slice(0, MAX_ADDRESSES)
  if (addresses.length === 0) throw new Refused(NOT_PUBLIC)
  if (sources.length === 0) return { addresses, localAddress: null }
  for (const localAddress of sources) {
    const reachable = addresses.filter((address) => isIP(address) === isIP(localAddress))
    const first = dialer.turn++ % reachable.length
    // Each connection starts with the next address, so that connections are spread over all of them.
    if (reachable.length > 0)
      return { addresses: [...reachable.slice(first), ...reachable.slice(0, first)], localAddress }
  }
  throw new Refused(`the host has no IPv${families[0]} address, and webhooks leave from IPv${families[0]} only`)
}

const NOT_PUBLIC = 'the host has no public address'
const CLOSED = 'the connection was closed before an answer'

const isAllowed = ({ settings }: Dialer, url: URL, address: string): boolean =>
  isAllowedAddress(address, settings, { isLocalUrl: isLocalHost(url) })

/** Returns the addresses of hosts that need no lookup: an IP address or `localhost`. Returns null for other hosts. */
function knownAddresses(url: URL): string[] | null {
  if (url.hostname === 'localhost') return ['127.0.0.1', '::1']
  const host = hostOf(url)
  return isIP(host) === 0 ? null : [host]
}

/** Looks up a host. Simultaneous connections to one host share a lookup. */
function lookUpOnce(dialer: Dialer, { host, families }: { host: string; families: number[] }): Promise<string[]> {
  const key = `${families} ${host}`
  const lookup =
    dialer.lookups.get(key) ?? lookUp(dialer, { host, families }).finally(() => void dialer.lookups.delete(key))
  dialer.lookups.set(key, lookup)
  return lookup
}

/** Looks up the addresses of a host in the given families. @throws Refused if none is found in time */
async function lookUp(
  { resolver }: Dialer,
  { host, families }: { host: string; families: number[] },
): Promise<string[]> {
  const addresses: string[][] = families.map(() => [])
  const errors: unknown[] = []
  const ending = new AbortController()
  const pause = (ms: number) => sleep(ms, undefined, { signal: ending.signal }).catch(() => {})
  const answers = families.map((family, index) =>
    (family === 4 ? resolver.resolve4(host) : resolver.resolve6(host)).then(
      (found) => {
        addresses[index] = found
      },
      (error) => void errors.push(error),
    ),
  )
  // Some name servers do not answer the query for one of the families, so a found family does not wait for the other (RFC 8305, 3).
  const isEnough = Promise.race(
    answers.map(async (answer, index) => {
      await answer
      await (addresses[index]?.length ? pause(OTHER_FAMILY_MS) : Promise.all(answers))
    }),
  )
  await Promise.race([isEnough, pause(LOOKUP_TIMEOUT_MS)])
  ending.abort()
  const found = addresses.flat()
  if (found.length > 0) return found
  throw lookupFailure(errors.find((error) => !isNoSuchName(error)) ?? errors[0] ?? { code: 'ETIMEOUT' })
}

async function connect(dialer: Dialer, { url, onStage }: Call, route: Route): Promise<Socket> {
  let stage: Stage = { doing: 'connecting', addresses: route.addresses }
  onStage(stage)
  const timeout = new AbortController()
  let tls: TLSSocket | null = null
  const timer = setTimeout(() => {
    const error = new TimedOut(stage)
    timeout.abort(error)
    tls?.destroy(error)
  }, RESPONSE_TIMEOUT_MS)
  try {
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
    const onAttempt = (socket: Socket) => holdUntilClosed(dialer, socket)
    const socket = await connectToFirst({ ...route, port }, { signal: timeout.signal, onAttempt })
    socket.setNoDelay(true)
    const { remoteAddress } = socket
    // The addresses were checked before connecting. This checks the address of the actual connection again.
    if (remoteAddress === undefined || !isAllowed(dialer, url, remoteAddress)) {
      socket.destroy()
      throw new Refused(remoteAddress === undefined ? CLOSED : NOT_PUBLIC)
    }
    if (url.protocol !== 'https:') {
      dialer.sockets.delete(socket)
      return socket
    }
    stage = { doing: 'TLS handshake' }
    onStage(stage)
    tls = openTls(dialer, url, socket)
    await secured(tls)
    onStage({ doing: 'waiting for the answer' })
    dialer.sockets.delete(socket)
    return tls
  } finally {
    clearTimeout(timer)
  }
}

function holdUntilClosed({ sockets }: Dialer, socket: Socket): void {
  sockets.add(socket)
  socket.once('close', () => sockets.delete(socket))
}

const secured = (socket: TLSSocket): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once('secureConnect', resolve)
    socket.on('error', reject)
    socket.once('close', () => reject(new Refused(CLOSED)))
  })

function openTls(dialer: Dialer, url: URL, connected: Socket): TLSSocket {
  const host = hostOf(url)
  const session = dialer.tlsSessions.get(url.origin)
  const isFresh = session !== undefined && session.endsAt > performance.now()
  const socket = connectTls({
    socket: connected,
    secureContext: dialer.secureContext,
    servername: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
    ...(isFresh && { session: session.ticket }),
  })
  // Resuming a session skips the check of the certificate, so only sessions with a verified certificate are kept.
  socket.on('session', (ticket) => {
    if (socket.authorized && !socket.isSessionReused()) keepSession(dialer, url, ticket)
  })
  return socket
}

function keepSession({ tlsSessions }: Dialer, { origin }: URL, ticket: Buffer): void {
  tlsSessions.delete(origin)
  tlsSessions.set(origin, { ticket, endsAt: performance.now() + TLS_SESSION_MS })
  const [oldest] = tlsSessions.keys()
  if (tlsSessions.size > MAX_TLS_SESSIONS && oldest !== undefined) tlsSessions.delete(oldest)
}
