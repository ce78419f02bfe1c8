import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type ConnectionOptions, checkServerIdentity } from 'node:tls'
import ipaddr from 'ipaddr.js'

// Reads the addresses of the database servers and their TLS settings from a URL.

const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const
type SslMode = (typeof SSL_MODES)[number]

/** A database server. `host` is a name, an address, or the folder of a Unix socket. */
export type Server = { host: string; port: number }

/**
 * The servers and the TLS options of a database URL.
 *
 * @property servers in the order in which they are tried. One of them accepts writes
 * @property tlsOf returns the options of `tls.connect` for a server, or false for no TLS
 */
export type ServerAddress = {
  user: string
  password: string
  database: string
  servers: readonly Server[]
  tlsOf(server: Server): ConnectionOptions | false
}

const DEFAULT_PORT = '5432'

/** Rewrites `host1:1,host2:2` as `host1?host=host1,host2&port=1,2`, because `URL` cannot parse several ports. libpq accepts both forms. */
export function normalDatabaseUrl(text: string): string {
  const [, start, authority, rest] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#@]*,[^/?#@]*)(.*)$/s.exec(text) ?? []
  if (start === undefined || authority === undefined) return text
  const servers = authority.split(',').map((one) => /^(.*?)(?::(\d+))?$/.exec(one) as RegExpExecArray)
  const url = URL.parse(`${start}${servers[0]?.[1]}${rest}`)
  if (!url) return text
  url.searchParams.set('host', servers.map(([, host = '']) => withoutBrackets(host)).join(','))
  url.searchParams.set('port', servers.map(([, , port]) => port ?? DEFAULT_PORT).join(','))
  return url.href
}

/**
 * Reads a URL as libpq does, with two differences. Without a file of authorities, those of Node.js are trusted. The modes `prefer` and
 * `allow` do not exist, because an attacker could turn TLS off.
 */
export function serverAddressOf(text: string): ServerAddress {
  const url = new URL(normalDatabaseUrl(text))
  const mode = modeOf(url)
  const authorities = authoritiesOf(url)
  return {
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
    servers: serversOf(url),
    tlsOf: ({ host }) => (isSocket(host) ? false : tlsOptions(mode, { host, authorities })),
  }
}

function serversOf(url: URL): Server[] {
  const ports = (url.searchParams.get('port') ?? (url.port || DEFAULT_PORT)).split(',').map(Number)
  return databaseHostOf(url)
    .split(',')
    .map((host, index) => ({ host, port: ports[index] ?? (ports[0] as number) }))
}

/**
 * Explains why a URL must not be used, as the end of a sentence that begins with the name of its setting. Returns null if it may be used.
 * A server on another machine must prove its identity, unless the operator allows otherwise.
 */
export function addressProblem(text: string, { allowsPlaintext }: { allowsPlaintext: boolean }): string | null {
  const url = new URL(normalDatabaseUrl(text))
  const mode = url.searchParams.get('sslmode')
  if (mode !== null && !isMode(mode)) return `must have an sslmode of ${SSL_MODES.join(', ')}`
  const file = url.searchParams.get('sslrootcert')
  if (file !== null && !holdsCertificate(url)) return `names ${file} as sslrootcert, which holds no certificate`
  const host = databaseHostOf(url)
  if (allowsPlaintext || isLocal(host) || isVerified(modeOf(url), { file })) return null
  return (
    `must have sslmode=verify-full, because ${host} is another machine ` +
    '(with sslrootcert=FILE for an authority of your own; DATABASE_ALLOW_PLAINTEXT=true permits an unprotected connection)'
  )
}

/** Returns the TLS problem that prevented a connection, or null. */
export function tlsFailure(error: unknown): string | null {
  const { code = '', message } = error as { code?: string; message: string }
  if (message.includes('does not support SSL')) return 'the server does not offer TLS (its setting ssl is off)'
  return /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/.test(code) ? message : null
}

/**
 * Returns whether a server must prove its identity. With public authorities, `verify-ca` proves nothing, because anyone can get a
 * certificate from them.
 */
const isVerified = (mode: SslMode, { file }: { file: string | null }): boolean =>
  mode === 'verify-full' || ((mode === 'verify-ca' || mode === 'require') && file !== null && file !== 'system')

function tlsOptions(
  mode: SslMode,
  { host, authorities }: { host: string; authorities: string | null },
): ConnectionOptions | false {
  if (mode === 'disable') return false
  const ca = authorities === null ? {} : { ca: authorities }
  if (mode === 'verify-full')
    return { ...ca, checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate) }
  if (mode === 'require' && authorities === null) return { rejectUnauthorized: false }
  return { ...ca, checkServerIdentity: () => undefined }
}

const isMode = (text: string): text is SslMode => SSL_MODES.includes(text as SslMode)

function modeOf({ searchParams }: URL): SslMode {
  const mode = searchParams.get('sslmode') ?? 'disable'
  return isMode(mode) ? mode : 'verify-full'
}

/** Returns the host of a database URL. A URL without a host means this machine. */
function databaseHostOf({ hostname, searchParams }: URL): string {
  const named = searchParams.get('host') ?? decodeURIComponent(hostname)
  return named === '' ? 'localhost' : withoutBrackets(named)
}

/** Removes the brackets of an IPv6 address: `[::1]` → `::1`. */
const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1')

const isSocket = (host: string): boolean => host.startsWith('/')

function isLocal(host: string): boolean {
  if (isSocket(host)) return true
  return host.split(',').every((one) => one === 'localhost' || (ipaddr.isValid(one) && isLoopback(one)))
}

const isLoopback = (address: string): boolean => ipaddr.process(address).range() === 'loopback'

/** Returns the trusted authorities as PEM, or null for those of Node.js. */
function authoritiesOf({ searchParams }: URL): string | null {
  const file = searchParams.get('sslrootcert')
  return file === null || file === 'system' ? null : readFileSync(file, 'utf8')
}

function holdsCertificate(url: URL): boolean {
  try {
    const authorities = authoritiesOf(url)
    return authorities === null || new X509Certificate(authorities).subject !== ''
  } catch {
    return false
  }
}
