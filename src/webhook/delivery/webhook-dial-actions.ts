import { Resolver } from 'node:dns/promises'
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls'
import type { buildConnector } from 'undici'
import type { EnvironmentSettings } from '../../core/environment.ts'
import { isLocalHost } from '../../lib/local-host.ts'
import { isAllowedAddress } from './address-rules.ts'
import { RESPONSE_TIMEOUT_MS } from './delivery-status.ts'
import { isNoSuchName, lookupFailure, Refused, type Stage, TimedOut } from './webhook-failure-rules.ts'
import { hostOf } from './webhook-rules.ts'

/** The state that the connections to all receivers share. */
export type Dialer = {
  settings: EnvironmentSettings
  resolver: Resolver
  secureContext: SecureContext
  /** By origin, the oldest first. */
  tlsSessions: Map<string, { ticket: Buffer; endsAt: number }>
  /** Connections that are not established yet. */
  sockets: Set<Socket>
  turn: number
}

const MAX_TLS_SESSIONS = 5_000
/** How long a TLS session is resumed without checking the certificate again. */
const TLS_SESSION_MS = 10 * 60 * 1_000
/** The maximum number of addresses to try for one name. */
const MAX_ADDRESSES = 8

export function createDialer(settings: EnvironmentSettings): Dialer {
  // The operating system's lookup handles four names at a time, so slow ones would delay the others.
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (settings.webhookNameServers.length > 0) resolver.setServers(settings.webhookNameServers)
  const secureContext = createSecureContext({ minVersion: 'TLSv1.2' })
  return { settings, resolver, secureContext, tlsSessions: new Map(), sockets: new Set(), turn: 0 }
}

/** Cancels connections that are not established yet. */
export function endDialer({ resolver, sockets }: Dialer): void {
  resolver.cancel()
  for (const socket of sockets) socket.destroy()
}

/** `sources`: the local addresses to use, the preferred one first. Without any, the operating system chooses. */
export type Call = { url: URL; sources: readonly string[]; onStage(stage: Stage): void }

type Route = { addresses: string[]; localAddress: string | null }

/** Makes connections for undici to the host of the URL, and only to addresses that were checked. */
export const connectorTo =
  (dialer: Dialer, call: Call): buildConnector.connector =>
  (_options, callback) => {
    const endsAt = performance.now() + RESPONSE_TIMEOUT_MS
    call.onStage('looking up the host name')
    routeTo(dialer, call)
      .then((route) => connect(dialer, call, { route, timeoutMs: endsAt - performance.now() }, callback))
      .catch((error) => callback(error, null))
  }

/** The addresses of a host that webhooks may be sent to, and the local address to use. */
async function routeTo(dialer: Dialer, { url, sources }: Call): Promise<Route> {
  const families = sources.length === 0 ? [4, 6] : [...new Set(sources.map(isIP))]
  const known = knownAddresses(url) ?? (await lookUp(dialer, { url, families }))
  const addresses = known.filter((address) => isAllowed(dialer, url, address)).slice(0, MAX_ADDRESSES)
  if (addresses.length === 0) throw new Refused(NOT_PUBLIC)
  if (sources.length === 0) return { addresses, localAddress: null }
  for (const localAddress of sources) {
    // With several allowed addresses, connections take turns: one from a given local address does not try them all.
    const reachable = addresses.filter((address) => isIP(address) === isIP(localAddress))
    const address = reachable[dialer.turn++ % reachable.length]
    if (address) return { addresses: [address], localAddress }
  }
  throw new Refused(`the host has no IPv${families[0]} address, and webhooks leave from IPv${families[0]} only`)
}

const NOT_PUBLIC = 'the host has no public address'
const CLOSED = 'the connection was closed before an answer'

const isAllowed = ({ settings }: Dialer, url: URL, address: string): boolean =>
  isAllowedAddress(address, settings, { isLocalUrl: isLocalHost(url) })

/** The addresses of hosts that need no lookup: an IP address, and this machine. */
function knownAddresses(url: URL): string[] | null {
  if (url.hostname === 'localhost') return ['127.0.0.1', '::1']
  const host = hostOf(url)
  return isIP(host) === 0 ? null : [host]
}

async function lookUp({ resolver }: Dialer, { url, families }: { url: URL; families: number[] }): Promise<string[]> {
  const answers = await Promise.allSettled(
    families.map((family) => (family === 4 ? resolver.resolve4(url.hostname) : resolver.resolve6(url.hostname))),
  )
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length > 0) return addresses
  const errors = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  throw lookupFailure(errors.find((error) => !isNoSuchName(error)) ?? errors[0])
}

function connect(
  dialer: Dialer,
  { url, onStage }: Call,
  { route, timeoutMs }: { route: Route; timeoutMs: number },
  callback: buildConnector.Callback,
): void {
  if (timeoutMs <= 0) throw new TimedOut('looking up the host name')
  let stage: Stage = 'connecting'
  onStage(stage)
  const isTls = url.protocol === 'https:'
  const socket = isTls ? openTls(dialer, url, route) : connectTcp(targetOf(url, route))
  const timer = setTimeout(() => socket.destroy(new TimedOut(stage)), timeoutMs)
  dialer.sockets.add(socket)
  let isOver = false
  const settle = (error: Error | null) => {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    dialer.sockets.delete(socket)
    if (error) callback(error, null)
    else callback(null, socket)
  }
  socket.setNoDelay(true)
  socket.once('connect', () => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined) socket.destroy(new Refused(CLOSED))
    // The address was checked before connecting. This checks the one that was connected to.
    else if (!isAllowed(dialer, url, remoteAddress)) socket.destroy(new Refused(NOT_PUBLIC))
    else if (!isTls) settle(null)
    else {
      stage = 'TLS handshake'
      onStage(stage)
    }
  })
  socket.once('secureConnect', () => settle(null))
  socket.on('error', settle)
  socket.once('close', () => settle(new Refused(CLOSED)))
}

function targetOf(url: URL, { addresses, localAddress }: Route) {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  if (localAddress !== null) return { host: addresses[0] as string, port, localAddress }
  const answer = addresses.map((address) => ({ address, family: isIP(address) }))
  // Several addresses are tried in sequence (RFC 8305), without looking up the name again.
  const lookup: LookupFunction = (_host, _options, callback) => callback(null, answer)
  return { host: hostOf(url), port, lookup, autoSelectFamily: true }
}

function openTls(dialer: Dialer, url: URL, route: Route): TLSSocket {
  const host = hostOf(url)
  const session = dialer.tlsSessions.get(url.origin)
  const isFresh = session !== undefined && session.endsAt > performance.now()
  const socket = connectTls({
    ...targetOf(url, route),
    secureContext: dialer.secureContext,
    servername: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
    ...(isFresh && { session: session.ticket }),
  })
  // Resuming a session skips the check of the certificate, so only sessions with a valid certificate are kept.
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
