import type { FastifyInstance } from 'fastify'
import { documentPage, pagePolicy } from './document-page.ts'
import { htmlOf } from './guide-html.ts'
import { readGuideMarkdown, readParts, readProjectFile } from './guide-samples.ts'
import { searchGuides, searchHtml } from './guide-search.ts'
import { type GuideName, guideImages, guideImageUrl, guideNames, guides, guideUrl } from './guide-table.ts'

export const SEARCH_URL = '/docs/search'

/** Serves each guide as a page, and as Markdown for language models (llmstxt.org). */
export function serveGuides(app: FastifyInstance): void {
  for (const name of guideNames) serveGuide(app, name)
  for (const name of guideImages) serveImage(app, name)
  app.get<{ Querystring: { q?: string | string[] } }>(SEARCH_URL, HIDDEN, async ({ query }, reply) => {
    const words = [query.q ?? ''].flat().join(' ').slice(0, 200)
    const content = searchHtml(words, await searchGuides(words))
    return reply
      .headers(PAGE_HEADERS)
      .type('text/html; charset=utf-8')
      .send(documentPage({ title: 'Search', content, name: null, query: words }))
  })
}

function serveGuide(app: FastifyInstance, name: GuideName): void {
  const { file, title } = guides[name]
  let page: Promise<string> | null = null
  app.get(guideUrl(name), HIDDEN, async (_request, reply) => {
    page ??= readProjectFile(file)
      .then(readParts)
      .then((parts) => documentPage({ title, content: htmlOf(parts), name, query: '' }))
    return reply
      .headers(PAGE_HEADERS)
      .type('text/html; charset=utf-8')
      .send(await page)
  })
  app.get(`${guideUrl(name)}.md`, HIDDEN, async (_request, reply) =>
    reply.type('text/markdown; charset=utf-8').send(await readGuideMarkdown(file)),
  )
}

function serveImage(app: FastifyInstance, name: string): void {
  app.get(guideImageUrl(name), HIDDEN, async (_request, reply) =>
    reply
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .type('image/svg+xml')
      .send(await readProjectFile(`docs/images/${name}`)),
  )
}

const HIDDEN = { schema: { hide: true }, config: { access: 'anyone' } } as const

const PAGE_HEADERS = { 'content-security-policy': pagePolicy }
