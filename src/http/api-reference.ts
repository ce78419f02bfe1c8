import { createHash } from 'node:crypto'
import swagger from '@fastify/swagger'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { apiErrors } from '../lib/errors.ts'

/** `baseUrl` null: the address that the reader asked. `webhooks`: what is sent to receivers, as OpenAPI has it. */
export type ApiReference = { version: string; baseUrl: string | null; webhooks?: object }

/** `/openapi.json` from the schemas of the routes, and the reference at `/docs`, which brings its own script. */
export async function serveApiReference(
  app: FastifyInstance,
  { version, baseUrl, webhooks }: ApiReference,
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Remit',
        version,
        description: DESCRIPTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: baseUrl ?? '/' }],
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'API_KEY:API_SECRET' },
          oauth: {
            type: 'oauth2',
            description: 'An application acts for an account holder: Authorization: Bearer ACCESS_TOKEN',
            flows: {
              authorizationCode: {
                authorizationUrl: `${baseUrl ?? ''}/oauth/authorize`,
                tokenUrl: `${baseUrl ?? ''}/web/v1/auth/oauth/token`,
                scopes: { check: 'Send payments until disconnected', 'single-use': 'Send one payment' },
              },
            },
          },
        },
      },
      security: [{ apiKey: [] }],
      ...(webhooks && { webhooks: webhooks as never }),
    },
    hideUntagged: true,
  })
  app.get('/openapi.json', { schema: { hide: true }, config: { access: 'anyone' } }, async () => app.swagger())
  await app.register(async (docs) => {
    docs.addHook('onSend', async (_request, reply, page) => {
      const isPage = typeof page === 'string' && `${reply.getHeader('content-type')}`.startsWith('text/html')
      if (isPage) reply.header('content-security-policy', policyOf(page))
      return page
    })
    await docs.register(scalar, { routePrefix: '/docs', configuration: SCALAR })
  })
}

/** Nothing but our own files and the very scripts of this page runs. The reference writes its style sheet itself. */
const policyOf = (page: string): string =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...inlineScripts(page).map((script) => `'sha256-${sha256(script)}'`)].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const inlineScripts = (page: string): string[] =>
  [...page.matchAll(/<script(?![^>]* src=)[^>]*>(.*?)<\/script>/gs)].map(([, script = '']) => script)

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64')

/** Nothing of the page leads to, or asks, anybody else. */
const SCALAR = {
  url: '/openapi.json',
  pageTitle: 'Remit API reference',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  mcp: { disabled: true },
  agent: { disabled: true },
} as const

const DESCRIPTION = `Payments that a company runs itself: users, bank accounts, checks and signed webhooks.

**Requests** are JSON objects, and closed: an unknown field is a 400 that names it. Amounts are dollars with at most two
decimals. Every POST can carry an \`Idempotency-Key\`: repeated with it, a request gives the same answer for 24 hours
(\`Idempotent-Replayed: true\`) and does nothing again.

**Credentials** are an API key, \`Authorization: API_KEY:API_SECRET\`, or the token of an application that acts for an account
holder, \`Authorization: Bearer ACCESS_TOKEN\` (OAuth 2.0, discovery at \`/.well-known/oauth-authorization-server\`). A token
reads only the payments that its grant made.

**Answers** name times as \`YYYY-MM-DD HH:MM:SS\` in UTC, and carry \`x-request-id\` and \`RateLimit-*\`. A list has \`page\`,
\`pages\` and \`total\`, and names its next page in a \`Link\` header with a \`cursor\`; an answer to a \`cursor\` has no numbers
and stays fast.

**Webhooks** are POSTed to the user's \`developer.webhook_uri\`, and to the endpoints of its owner
(\`/v3/webhook/endpoint\`), at every change of a payment's status:
\`{"id", "status", "type": "CHECK", "deposit_option"}\`. The header \`signature: nonce=N,signature=HEX\` is the HMAC-SHA-256,
under the user's webhook key, of the body with the nonce behind it.

**Errors** have \`message\`, \`error\` (the same), \`code\`, and \`errors\` by field where fields are to blame:

${Object.entries(apiErrors)
  .map(([code, [status, message]]) => `- ${status} \`${code}\`: ${message}`)
  .join('\n')}
`
