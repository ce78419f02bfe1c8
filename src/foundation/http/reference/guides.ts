import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { Marked } from 'marked'
import { documentPage } from './document-page.ts'

/** The documents that the service shows, by page name. */
export const guides = {
  'getting-started': { file: 'README.md', title: 'Getting started', about: 'Start Remit and send a first check' },
  typescript: {
    file: 'packages/sdk/README.md',
    title: 'TypeScript',
    about: 'The client for TypeScript and JavaScript',
  },
  money: { file: 'docs/money.md', title: 'Money', about: 'Statuses, rails, days, returns, and the magic values' },
  webhooks: { file: 'docs/webhooks.md', title: 'Webhooks', about: 'Receive events, check signatures, replay' },
  'return-codes': { file: 'docs/return-codes.md', title: 'Return codes', about: 'Why a payment came back' },
  production: { file: 'docs/production.md', title: 'Production', about: 'Roles, TLS and upgrades of the database' },
  operating: { file: 'docs/operating.md', title: 'Operating', about: 'Install, find problems, monitor, runbook' },
  backup: { file: 'docs/backup.md', title: 'Backup and restore', about: 'For operators of production' },
  'background-work': {
    file: 'docs/background-work.md',
    title: 'Background work',
    about: 'For operators: when background work fails for one platform',
  },
} as const

type GuideName = keyof typeof guides

const PROJECT = new URL('../../../../', import.meta.url)

export const guideUrl = (name: GuideName): string => `/docs/guides/${name}`

/** Serves each guide as a page, and as Markdown for language models (llmstxt.org). */
export function serveGuides(app: FastifyInstance): void {
  for (const [name, { file, title }] of Object.entries(guides)) {
    const url = guideUrl(name as GuideName)
    let page: Promise<string> | null = null
    app.get(url, HIDDEN, async (_request, reply) => {
      page ??= readGuide(file).then((text) => documentPage({ title, content: htmlOf(text) }))
      return reply
        .headers(PAGE_HEADERS)
        .type('text/html; charset=utf-8')
        .send(await page)
    })
    app.get(`${url}.md`, HIDDEN, async (_request, reply) =>
      reply.type('text/markdown; charset=utf-8').send(await readGuide(file)),
    )
  }
}

const HIDDEN = { schema: { hide: true }, config: { access: 'anyone' } } as const

const PAGE_HEADERS = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
}

const readGuide = (file: string): Promise<string> => readFile(new URL(file, PROJECT), 'utf8')

/** Headings get the same ids as on GitHub. A link to a file that is not served becomes plain text. */
const htmlOf = (markdown: string): string => {
  const marked = new Marked()
  marked.use({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        const shown = shownAt(href)
        return shown === null ? text : `<a href="${shown.replaceAll('"', '&quot;')}">${text}</a>`
      },
      table(token) {
        const row = (cells: typeof token.header, tag: string) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
        const body = token.rows.map((cells) => row(cells, 'td')).join('')
        return `<div class="wide" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>`
      },
    },
  })
  return marked.parse(markdown, { async: false })
}

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

function shownAt(href: string): string | null {
  if (/^(https?:|#)/.test(href)) return href
  const [path = '', anchor] = href.split('#')
  const file = path.replace(/^(?:\.{1,2}\/)+/, '')
  if (file === 'openapi.json') return '/openapi.json'
  const name = Object.entries(guides).find(([, guide]) => `/${guide.file}`.endsWith(`/${file}`))?.[0]
  if (name === undefined) return null
  return anchor === undefined ? guideUrl(name as GuideName) : `${guideUrl(name as GuideName)}#${anchor}`
}
