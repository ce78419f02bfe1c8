import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { ApiError } from '../core/errors.ts'
import { StartProblem } from '../lib/start-problem.ts'
import { escapeHtml } from '../lib/text/html.ts'
import { routerUrl } from './route.ts'
import type { ServerPart } from './server-part.ts'

/** The folder of the browser app, which `npm ci` builds (package.json, "prepare"). */
const FOLDER = fileURLToPath(new URL('../../../web/dist', import.meta.url))

/** The URLs of pages. All have the same HTML file, whose script reads the URL. */
const pageAddresses = [
  '/',
  '/sign-in',
  '/sign-up',
  '/forgot-password',
  '/mail',
  '/oauth/consent/:uid',
  '/pay/:token',
  '/invoice/:token',
  '/invitation/:token',
  '/payments',
  '/payments/:id',
  '/send',
  '/accounts',
  '/accounts/wallets/:id',
  '/approvals',
  '/approvals/ended',
  '/batches',
  '/batches/new',
  '/batches/:id',
  '/invoices',
  '/invoices/new',
  '/invoices/:id',
  '/payees',
  '/payees/:id',
  '/recurring',
  '/recurring/:id',
  '/users',
  '/users/:id',
  '/settings',
  '/settings/banks',
  '/settings/statements',
  '/settings/developer',
  '/settings/webhooks',
  '/settings/webhooks/deliveries',
  '/settings/webhooks/deliveries/:event/:endpoint',
  '/settings/events',
  '/settings/events/:id',
  '/settings/requests',
  '/settings/requests/:id',
  '/settings/approval',
  '/settings/applications',
  '/settings/connected',
  '/settings/team',
  '/settings/profile',
  '/settings/security',
  '/settings/audit',
]

/** Headers of pages. A page runs only our own files, contacts no other site, and cannot be framed by other sites. */
const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'", // Mantine sets style attributes
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'same-origin', // URLs can contain secrets, but requireSameOrigin needs the origin
  'cache-control': 'no-store',
}

/** Returns the page for an OAuth error that must not be returned to the application (RFC 6749, 4.1.2.1). */
export type ErrorPage = (problem: OAuthProblem) => { html: string; headers: Record<string, string> }

type OAuthProblem = { error: string; description: string }

/** The page that browsers get for an unknown URL. */
export type MissingPage = { html: string; headers: Record<string, string> }

export type Pages = { part: ServerPart; errorPage: ErrorPage; missingPage: MissingPage }

/** Reads the files of the browser app. @throws StartProblem if the app has not been built */
export async function readPages(folder = FOLDER): Promise<Pages> {
  const assets = join(folder, 'assets')
  const [html, names] = await Promise.all([readFile(join(folder, 'index.html'), 'utf8'), readdir(assets)]).catch(() => {
    throw new StartProblem(
      'The pages are not built. Run "npm run build". If the packages for development are missing, run "npm ci" first.',
    )
  })
  const files = new Set(names)
  return {
    part: {
      addresses: pageAddresses.map((url) => ({ method: 'GET', url })),
      mount: async (app) => {
        for (const url of pageAddresses) {
          app.get(routerUrl(url), { schema: { hide: true } }, async (_request, reply) =>
            reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(html),
          )
        }
        await app.register(fastifyStatic, {
          root: assets,
          preCompressed: true, // vite.config.ts compresses them
          immutable: true, // file names contain a hash of the content
          maxAge: '365d',
          index: false,
          serve: false,
        })
        // One route for all files. With one route per file, the plugin took a third of the start of a service.
        app.get('/assets/:file', { schema: { hide: true } }, async (request, reply) => {
          const { file } = request.params as { file: string }
          if (!files.has(file)) throw new ApiError('not_found')
          return reply.sendFile(file)
        })
      },
    },
    missingPage: { html, headers: PAGE_HEADERS },
    errorPage: (problem) => ({
      html: html.replace('</head>', () => `${errorTags(problem)}</head>`),
      headers: PAGE_HEADERS,
    }),
  }
}

const errorTags = ({ error, description }: OAuthProblem) =>
  `<meta name="remit-error" content="${escapeHtml(error)}">
  <meta name="remit-error-description" content="${escapeHtml(description)}">
  `
