import { NoConnection } from '../../foundation/lib/first-connection.ts'
import { RESPONSE_TIMEOUT_MS } from './delivery-status.ts'

/** The progress of an attempt, which an error message needs to name the cause. */
export type Stage = {
  doing: 'looking up the host name' | 'connecting' | 'TLS handshake' | 'waiting for the answer'
  /** The addresses that are being tried. Set only while connecting. */
  addresses?: string[]
}

/** Thrown if the receiver did not send a status in time. */
export class TimedOut extends Error {
  constructor({ doing, addresses = [] }: Stage) {
    const tried = addresses.length > 1 ? ` to ${addresses.join(', ')}` : ''
    super(`no answer within ${RESPONSE_TIMEOUT_MS / 1000} seconds (${doing}${tried})`)
  }
}

/** Thrown if this service refuses to send the webhook. The message is shown to the user who set the URL. */
export class Refused extends Error {}

/** Explains why no status was received, in words for the user who set the URL. It never contains text from the receiver. */
export function failureReason(error: unknown): string {
  if (error instanceof Refused || error instanceof TimedOut) return error.message
  if (error instanceof NoConnection) return reasonOfEach(error)
  const { name, code } = error as { name?: unknown; code?: unknown }
  const [, reason] = REASONS.find(([pattern]) => pattern.test(String(code))) ?? []
  if (reason) return reason
  if (name === 'HTTPParserError') return 'the answer is not HTTP' // some parser errors have no code
  return typeof code === 'string' ? `the connection failed (${code})` : 'the connection failed'
}

/** Returns the reason for a failed connection. If addresses failed for different reasons, each reason names its addresses. */
function reasonOfEach({ failures }: NoConnection): string {
  const [only, other] = failures
  if (only && !other) return failureReason(only.error)
  const reasons = Map.groupBy(failures, ({ error }) => failureReason(error))
  return [...reasons].map(([reason, all]) => `${reason} (${all.map(({ address }) => address).join(', ')})`).join('; ')
}

/** Returns the error for a failed host name lookup. */
export function lookupFailure(error: unknown): Refused {
  const code = String((error as { code?: unknown }).code)
  if (NO_SUCH_NAME.includes(code)) return new Refused('the host name was not found')
  return new Refused(`the host name could not be looked up (${code})`)
}

/** Returns whether the error of a lookup means that the name has no address. */
export const isNoSuchName = (error: unknown): boolean =>
  NO_SUCH_NAME.includes(String((error as { code?: unknown }).code))

const NO_SUCH_NAME = ['ENOTFOUND', 'ENODATA', 'EBADNAME']

/** The reason to show if the receiver closed the connection after the TLS handshake. */
export const CLOSED_AFTER_TLS =
  'the connection was closed before an answer (after the TLS handshake: the host may ask for a client certificate)'

/** Returns whether an error means that the receiver closed the connection. */
export const isClosed = (error: unknown): boolean => CLOSED_CODE.test(String((error as { code?: unknown }).code))

const CLOSED_CODE = /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/

const REASONS: [code: RegExp, reason: string][] = [
  [/^ECONNREFUSED$/, 'the connection was refused'],
  [/^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN)$/, 'there is no way to the host'],
  [CLOSED_CODE, 'the connection was closed before an answer'],
  [/^ETIMEDOUT$/, 'the host does not answer'],
  [/^(EADDRNOTAVAIL|EINVAL|EACCES|EPERM)$/, 'no connection could be made from the address of this service'],
  [/^CERT_HAS_EXPIRED$/, 'the certificate has expired'],
  [/^CERT_NOT_YET_VALID$/, 'the certificate is not valid yet'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'the certificate is for another host'],
  [/^DEPTH_ZERO_SELF_SIGNED_CERT$/, 'the certificate is self-signed'],
  [/^UNABLE_TO_/, 'the host does not send its intermediate certificate, or its authority is not known'],
  [/^(SELF_SIGNED_CERT_IN_CHAIN|CERT_UNTRUSTED)$/, 'the certificate comes from no known authority'],
  [/^(CERT_|ERR_TLS_CERT)/, 'the certificate is not valid'],
  [
    /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|HTTPS_PROXY_REQUEST)$/,
    'the port does not speak TLS: is the URL meant to begin with http://, or is the port another one?',
  ],
  [
    /^ERR_SSL_(UNSUPPORTED_PROTOCOL|VERSION_TOO_LOW|.*_ALERT_PROTOCOL_VERSION)$/,
    'the host speaks no TLS newer than 1.1, which is not safe: it needs TLS 1.2 or 1.3',
  ],
  [
    /^ERR_SSL_.*_ALERT_(CERTIFICATE_REQUIRED|(BAD|NO)_CERTIFICATE)$/,
    'the host asks for a client certificate, and webhooks have none: they are signed instead',
  ],
  [
    /^ERR_SSL_.*_ALERT_HANDSHAKE_FAILURE$/,
    'the host refused the TLS handshake: it may ask for a client certificate, or allow only old ciphers',
  ],
  [/^(EPROTO|ERR_SSL_|ERR_TLS_)/, 'no TLS connection came about'],
  [/^UND_ERR_RES_/, 'the answer is not HTTP'],
  [/^(HPE_HEADER_OVERFLOW|UND_ERR_HEADERS_OVERFLOW)$/, 'the headers of the answer are too large'],
]
