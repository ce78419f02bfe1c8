import { Marked } from 'marked'
import type { GuidePart, SampleCode } from './guide-samples.ts'
import { guideNames, guides, guideUrl } from './guide-table.ts'

/** Returns the HTML of a guide. Headings get the same ids as on GitHub. A link to a file that is not served becomes plain text. */
export const htmlOf = (parts: GuidePart[]): string =>
  parts
    .map((part, index) => ('markdown' in part ? markdownHtml(part.markdown) : tabsHtml(part.languages, index)))
    .join('\n')

function markdownHtml(markdown: string): string {
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
      code: ({ text }) => blockHtml(text),
    },
  })
  return marked.parse(markdown, { async: false })
}

/** Returns the languages of a sample as tabs, which work without a script. */
function tabsHtml(languages: SampleCode[], number: number): string {
  const tabs = languages.map(
    ({ label }, index) =>
      `<input type="radio" name="sample-${number}" id="sample-${number}-${index}" data-language="${label}"${index === 0 ? ' checked' : ''}>` +
      `<label for="sample-${number}-${index}">${label}</label>`,
  )
  const panels = languages.map(({ code }) => `<div class="panel">${blockHtml(code.trimEnd())}</div>`)
  return `<div class="sample" role="group" aria-label="Sample">${tabs.join('')}${panels.join('')}</div>`
}

const blockHtml = (code: string): string => `<pre tabindex="0"><code>${escapeHtml(code)}</code></pre>\n`

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

function shownAt(href: string): string | null {
  if (/^(https?:|#)/.test(href)) return href
  const [path = '', anchor] = href.split('#')
  const file = path.replace(/^(?:\.{1,2}\/)+/, '')
  if (file === 'openapi.json') return '/openapi.json'
  const name = guideNames.find((guide) => `/${guides[guide].file}`.endsWith(`/${file}`))
  if (name === undefined) return null
  return anchor === undefined ? guideUrl(name) : `${guideUrl(name)}#${anchor}`
}
