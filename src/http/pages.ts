import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { StartProblem } from '../lib/start-problem.ts'
import { escapeHtml } from '../lib/text/html.ts'
import { routerUrl } from './route.ts'
import type { ServerPart } from './server-part.ts'

/** The browser app, built by `npm ci` (package.json, "prepare"). */
const FOLDER = fileURLToPath(new URL('../../web/dist', import.meta.url))

/** One page with the program of all of them, which looks at the address. */
const pageAddresses = [
  '/',
  '/sign-in',
  '/sign-up',
  '/forgot-password',
  '/mail',
  '/oauth/consent/:uid',
  '/pay/:token',
  '/settings',
  '/settings/developer',
  '/settings/webhooks',
  '/settings/webhooks/deliveries',
  '/settings/webhooks/deliveries/:event/:endpoint',
  '/settings/applications',
  '/settings/connected',
  '/settings/profile',
  '/settings/security',
  '/settings/audit',
]

/** Nothing but our own files runs, nothing is asked of anybody else, and no other site can frame a page. */
const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'", // what Mantine writes into style attributes
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'same-origin', // an address can hold a secret; and browsers still tell their origin to us
  'cache-control': 'no-store',
}

/** The page of an error which must not be sent to the application (RFC 6749, 4.1.2.1). */
export type ErrorPage = (problem: OAuthProblem) => { html: string; headers: Record<string, string> }

type OAuthProblem = { error: string; description: string }

/** The page of an address that does not exist, for somebody in a browser. */
export type MissingPage = { html: string; headers: Record<string, string> }

export type Pages = { part: ServerPart; errorPage: ErrorPage; missingPage: MissingPage }

/** @throws StartProblem when the browser app has not been built */
export async function readPages(folder = FOLDER): Promise<Pages> {
  const html = await readFile(join(folder, 'index.html'), 'utf8').catch(() => {
    throw new StartProblem('The pages are not built. Run: npm run build')
  })
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
          root: join(folder, 'assets'),
          prefix: '/assets/',
          immutable: true, // the name of a file holds a hash of what is in it
          maxAge: '365d',
          index: false,
          wildcard: false,
          schemaHide: true,
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
