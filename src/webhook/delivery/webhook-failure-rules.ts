import { RESPONSE_TIMEOUT_MS } from './delivery-status.ts'

/** How far an attempt has come. */
export type Stage = 'looking up the host name' | 'connecting' | 'TLS handshake' | 'waiting for the answer'

/** The time was up before a status came. */
export class TimedOut extends Error {
  constructor(stage: Stage) {
    super(`no answer within ${RESPONSE_TIMEOUT_MS / 1000} seconds (${stage})`)
  }
}

/** What was found out here; the message is the sentence for whoever set the URL. */
export class Refused extends Error {}

/** What went wrong before a status came, as a sentence for whoever set the URL. It holds nothing that the receiver wrote. */
export function failureReason(error: unknown): string {
  if (error instanceof Refused || error instanceof TimedOut) return error.message
  const { name, code } = error as { name?: unknown; code?: unknown }
  const [, reason] = REASONS.find(([pattern]) => pattern.test(String(code))) ?? []
  if (reason) return reason
  if (name === 'HTTPParserError') return 'the answer is not HTTP' // some of them have no code
  return typeof code === 'string' ? `the connection failed (${code})` : 'the connection failed'
}

/** What a name server said. */
export function lookupFailure(error: unknown): Refused {
  const code = String((error as { code?: unknown }).code)
  if (NO_SUCH_NAME.includes(code)) return new Refused('the host name was not found')
  return new Refused(`the host name could not be looked up (${code})`)
}

/** Whether a name server knows that there is no such address. */
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
