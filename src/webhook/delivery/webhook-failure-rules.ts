import { RESPONSE_TIMEOUT_MS } from './delivery-status.ts'

/** The progress of an attempt. */
export type Stage = 'looking up the host name' | 'connecting' | 'TLS handshake' | 'waiting for the answer'

/** The receiver sent no status in time. */
export class TimedOut extends Error {
  constructor(stage: Stage) {
    super(`no answer within ${RESPONSE_TIMEOUT_MS / 1000} seconds (${stage})`)
  }
}

/** This service ended the attempt itself. The message is shown to the user who set the URL. */
export class Refused extends Error {}

/** Why no status was received, as a sentence for the user who set the URL. It contains no text of the receiver. */
export function failureReason(error: unknown): string {
  if (error instanceof Refused || error instanceof TimedOut) return error.message
  const { name, code } = error as { name?: unknown; code?: unknown }
  const [, reason] = REASONS.find(([pattern]) => pattern.test(String(code))) ?? []
  if (reason) return reason
  if (name === 'HTTPParserError') return 'the answer is not HTTP' // some of them have no code
  return typeof code === 'string' ? `the connection failed (${code})` : 'the connection failed'
}

/** The sentence for an error of a name server. */
export function lookupFailure(error: unknown): Refused {
  const code = String((error as { code?: unknown }).code)
  if (NO_SUCH_NAME.includes(code)) return new Refused('the host name was not found')
  return new Refused(`the host name could not be looked up (${code})`)
}

/** Whether a name server says that the name has no address. */
export const isNoSuchName = (error: unknown): boolean =>
  NO_SUCH_NAME.includes(String((error as { code?: unknown }).code))

const NO_SUCH_NAME = ['ENOTFOUND', 'ENODATA', 'EBADNAME']

const REASONS: [code: RegExp, reason: string][] = [
  [/^ECONNREFUSED$/, 'the connection was refused'],
  [/^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN)$/, 'there is no way to the host'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'the connection was closed before an answer'],
  [/^ETIMEDOUT$/, 'the host does not answer'],
  [/^(EADDRNOTAVAIL|EINVAL|EACCES|EPERM)$/, 'no connection could be made from the address of this service'],
  [/^CERT_HAS_EXPIRED$/, 'the certificate has expired'],
  [/^CERT_NOT_YET_VALID$/, 'the certificate is not valid yet'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'the certificate is for another host'],
  [/^DEPTH_ZERO_SELF_SIGNED_CERT$/, 'the certificate is signed by itself'],
  [
    /^(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*|CERT_UNTRUSTED)$/,
    'the certificate comes from no known authority, or an intermediate certificate is missing',
  ],
  [/^(CERT_|ERR_TLS_CERT)/, 'the certificate is not valid'],
  [/^(EPROTO|ERR_SSL_|ERR_TLS_)/, 'no TLS connection came about'],
  [/^UND_ERR_RES_/, 'the answer is not HTTP'],
  [/^(HPE_HEADER_OVERFLOW|UND_ERR_HEADERS_OVERFLOW)$/, 'the headers of the answer are too large'],
]
