import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { ApiError } from '../../foundation/core/errors.ts'
import { routerUrl } from '../../foundation/http/route.ts'
import type { ServerPart } from '../../foundation/http/server-part.ts'
import { oauthAddresses } from './oauth-address-rules.ts'

const { authorization, token, revocation, introspection, jwks } = oauthAddresses

/** The URLs that oidc-provider handles. */
const addresses = [
  { method: 'GET', url: authorization },
  { method: 'GET', url: `${authorization}/:uid` }, // the browser returns here after the consent
  { method: 'POST', url: token },
  { method: 'POST', url: revocation },
  { method: 'POST', url: introspection },
  { method: 'GET', url: jwks },
  { method: 'GET', url: '/.well-known/oauth-authorization-server' }, // RFC 8414
  { method: 'GET', url: '/.well-known/openid-configuration' }, // the same metadata, for older clients
] as const

/** Creates the authorization server. `baseUrl`: the public URL, if it is configured. */
export function authorizationServer(provider: () => Promise<Provider>, baseUrl: string | null): ServerPart {
  let answer: Answer | null = null
  return {
    addresses: [...addresses],
    mount: async (app) => {
      skipBodyParsing(app)
      for (const { method, url } of addresses) {
        app.route({
          method,
          url: routerUrl(url),
          schema: { hide: true },
          config: { limitsAddress: true },
          handler: async (request, reply) => {
            answer ??= (await provider()).callback()
            return passToProvider(answer, baseUrl, request, reply)
          },
        })
      }
    },
  }
}

type Answer = ReturnType<Provider['callback']>

function skipBodyParsing(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

async function passToProvider(answer: Answer, baseUrl: string | null, request: FastifyRequest, reply: FastifyReply) {
  const url = publicUrlOf(request, baseUrl)
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
  setForwardedHeaders(request, url)
  // Programs send forms and expect errors as JSON (RFC 6749, 5.2). Otherwise oidc-provider would answer in HTML to a client that prefers
  // it.
  if (request.method === 'POST') request.raw.headers.accept = 'application/json'
  await answer(request.raw, reply.raw)
}

/** Returns the public URL or, if none is configured, the URL of the request. @throws ApiError invalid_request */
function publicUrlOf({ host, protocol }: FastifyRequest, baseUrl: string | null): URL {
  const url = URL.parse(baseUrl ?? `${protocol}://${host}`)
  if (!url)
    throw new ApiError('invalid_request', { message: 'The Host header is invalid. Send the host of this service.' })
  return url
}

/** Overwrites the forwarding headers, because a proxy or a client may have set them. */
function setForwardedHeaders({ raw, ip }: FastifyRequest, url: URL): void {
  raw.headers['x-forwarded-proto'] = url.protocol.slice(0, -1)
  raw.headers['x-forwarded-host'] = url.host
  raw.headers['x-forwarded-for'] = ip
}
