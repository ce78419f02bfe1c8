import { createHash } from 'node:crypto'
import swagger from '@fastify/swagger'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import type { Route } from '../route.ts'
import { completeDocument } from './api-document.ts'
import { header, headerStyle } from './document-page.ts'
import type { ApiDocument, ApiExamples } from './document-types.ts'
import type { Permissions } from './documented-errors.ts'
import { guideImages, guideImageUrl, guideNames, guides, guideUrl } from './guide-table.ts'
import { SEARCH_URL, serveGuides } from './guides.ts'
import { PACKAGE_NAMES, packageUrl, servePackages } from './served-packages.ts'

/** The input of the API reference. `baseUrl`: null for the host of the request. `webhooks`: the webhook bodies in OpenAPI form. */
export type ApiReference = { version: string; baseUrl: string | null; examples: ApiExamples; webhooks?: object }

/** URLs of documents in addition to `/docs/`. */
export const documentAddresses = [
  '/openapi.json',
  '/llms.txt',
  ...PACKAGE_NAMES.map(packageUrl),
  SEARCH_URL,
  ...guideNames.flatMap((name) => [guideUrl(name), `${guideUrl(name)}.md`]),
  ...guideImages.map(guideImageUrl),
]

/** Serves `/openapi.json` from the route schemas, the reference at `/docs` with its own script, and the guides. */
export async function serveApiReference(
  app: FastifyInstance,
  { version, baseUrl, examples, webhooks }: ApiReference,
  { routes, ...permissions }: { routes: readonly Route[] } & Permissions,
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
      tags: TAGS,
      externalDocs: { description: 'Quickstart', url: guideUrl('quickstart') },
      ...(webhooks && { webhooks: webhooks as never }),
    },
    hideUntagged: true,
    transformObject: (document) =>
      'openapiObject' in document
        ? (completeDocument(document.openapiObject as ApiDocument, { routes, permissions, examples }) as never)
        : document.swaggerObject,
  })
  app.get('/openapi.json', { schema: { hide: true }, config: { access: 'anyone' } }, async () => app.swagger())
  app.get('/llms.txt', { schema: { hide: true }, config: { access: 'anyone' } }, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(LLMS_TEXT),
  )
  serveGuides(app)
  servePackages(app)
  await app.register(async (docs) => {
    docs.addHook('onSend', async (_request, reply, page) => {
      const isPage = typeof page === 'string' && `${reply.getHeader('content-type')}`.startsWith('text/html')
      if (!isPage) return page
      reply.header('content-security-policy', policyOf(page))
      // Scalar's page has no link back to our pages.
      return page.replace('<html>', '<html lang="en">').replace('<body>', () => `<body>${header}`)
    })
    await docs.register(scalar, { routePrefix: '/docs', configuration: SCALAR })
  })
}

/**
 * Returns the content security policy of the reference page. Only our own files and the inline scripts of this page may run. The reference
 * writes its style sheet itself.
 */
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

const HIDDEN_CLIENTS = [
  ...[
    'c',
    'clojure',
    'csharp',
    'dart',
    'fsharp',
    'go',
    'http',
    'java',
    'js',
    'julia',
    'kotlin',
    'node',
    'objc',
    'ocaml',
    'php',
  ],
  ...['powershell', 'python', 'r', 'ruby', 'rust', 'swift', 'shell/httpie', 'shell/wget'],
] as never[]

/** Disables all features of Scalar that contact other sites or link to them. */
const SCALAR = {
  url: '/openapi.json',
  pageTitle: 'Remit API reference',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  // The reference shows only languages whose samples are tested. `x-codeSamples` has TypeScript and Python.
  hiddenClients: HIDDEN_CLIENTS,
  showDeveloperTools: 'never',
  mcp: { disabled: true },
  agent: { disabled: true },
  customCss: `${headerStyle}
:root { --scalar-custom-header-height: 60px }
.light-mode { --page: #fff; --text: #171c21; --dimmed: #5d6772; --line: #e3e7eb; --scalar-color-accent: #0c5f80 }
.dark-mode { --page: #161b20; --text: #e4e8ec; --dimmed: #9aa5b0; --line: #2a3239; --scalar-color-accent: #86c3d9 }`,
} as const

const TAGS = [
  { name: 'Users', description: 'Owners, and the users that they create for their customers.' },
  { name: 'API keys', description: 'Each key acts for one user.' },
  {
    name: 'Banks',
    description: `Bank accounts that send and receive money. Two micro-deposits verify a bank. In the sandbox, certain account numbers cause returns: see [magic values](${guideUrl('money')}#magic-values-of-sandbox-and-demo).`,
  },
  {
    name: 'Payments',
    description: `Checks and other payments, and their statuses. [Money](${guideUrl('money')}) explains statuses, rails and banking days; [return codes](${guideUrl('return-codes')}) lists the reasons for returns.`,
  },
  { name: 'Wallets', description: 'Balances in this service, for instant payments.' },
  { name: 'Other accounts', description: 'Cards, PayPal, Venmo, Interac and wire accounts that receive payments.' },
  { name: 'Virtual cards', description: 'Cards that are issued here, receive payments and can be spent.' },
  { name: 'Directory', description: 'Saved payees with their bank accounts and cards.' },
  { name: 'Checkbooks', description: 'Books of blank checks, printed and mailed.' },
  { name: 'Mailboxes', description: 'Postal addresses whose mail arrives as scans.' },
  { name: 'Invoices', description: 'Requests for a payment, which their recipient pays.' },
  { name: 'Approvals', description: 'Payments that are prepared, and released later by a second person.' },
  { name: 'Batches', description: 'The payments of a file, which are released together.' },
  { name: 'Subscriptions', description: 'Payments that repeat each week or month.' },
  { name: 'Overview', description: 'The state of your platform: balances, statistics, and what needs attention.' },
  {
    name: 'Webhooks',
    description: `Endpoints, events, deliveries and attempts. [Webhooks](${guideUrl('webhooks')}) shows how to receive them and verify their signatures.`,
  },
  { name: 'Requests', description: 'The requests of your programs in the last seven days.' },
  { name: 'Audit', description: 'The actions on your platform and who performed them.' },
  {
    name: 'Sandbox',
    description: `Sandbox and demo only: advance the clock, trigger a status, fund a wallet. Certain account numbers and cents cause returns without a call: see [magic values](${guideUrl('money')}#magic-values-of-sandbox-and-demo).`,
  },
]

/** The index of the documents for language models, in the format of llmstxt.org. */
const LLMS_TEXT = `# Remit

> A payments service that a company runs itself: users, bank accounts, checks and other payments, signed webhooks, and OAuth 2.0 for
> applications. The API is JSON over HTTP below /v3. Send \`Authorization: API_KEY:API_SECRET\`. Amounts are dollars. Requests with
> unknown fields are refused. Repeat a POST safely with an \`Idempotency-Key\`.

## API

- [OpenAPI 3.1 document](/openapi.json): every operation with its schemas, a recorded example and its error codes
- [API reference](/docs/): the same for people
- [TypeScript client](${packageUrl('remit-payments-sdk')}): an npm package of this version. Install it with \`npm install\` and the URL of this service
- [MCP server](${packageUrl('remit-payments-mcp')}): an npm package that lets language models read, and prepare payments for approval

## Guides

${guideNames.map((name) => `- [${guides[name].title}](${guideUrl(name)}.md): ${guides[name].about}`).join('\n')}
`

const DESCRIPTION = `Payments that a company runs itself: users, bank accounts, checks and signed webhooks.

**Requests** are JSON objects, and closed: an unknown field is a 400 that names it. Amounts are dollars with at most two
decimals. Every POST can carry an \`Idempotency-Key\`: repeated with it, a request gives the same answer for 24 hours
(\`Idempotent-Replayed: true\`) and does nothing again. \`x-idempotency\` says whether a request may be sent again when its
answer was lost: \`read\` changes nothing, \`repeatable\` does the same again, \`key\` needs an \`Idempotency-Key\`, and \`none\`
may not be sent again.

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

**Errors** have \`message\`, \`error\` (the same), \`code\`, and \`errors\` by field where fields are to blame. Each operation lists
the codes that it can answer with: its own by status, and those of requests in general under \`4XX\` and \`5XX\`. The schema
\`ErrorCode\` has the status and the message of each.

**Guides**: ${guideNames.map((name) => `[${guides[name].title}](${guideUrl(name)})`).join(', ')}.
In sandbox and demo, certain account numbers and cents provoke every outcome: see
[magic values](${guideUrl('money')}#magic-values-of-sandbox-and-demo).
`
