import { escapeHtml, slugOf } from './guide-html.ts'
import { readGuideMarkdown } from './guide-samples.ts'
import { guideNames, guides, guideUrl } from './guide-table.ts'

export type Found = { url: string; guide: string; heading: string; text: string }

/** The sections of all guides. They are read at the first search. */
let allSections: Promise<Found[]> | null = null

const MAX_FOUND = 30
const SHOWN_CHARACTERS = 180

/** Finds the sections of the guides that contain all words. Sections with the words in their heading come first. */
export async function searchGuides(query: string): Promise<Found[]> {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  allSections ??= Promise.all(guideNames.map(sectionsOf)).then((sections) => sections.flat())
  const found = (await allSections).filter((section) => includesAll(`${section.heading} ${section.text}`, words))
  const [inHeading, inText] = [true, false].map((wanted) =>
    found.filter(({ heading }) => includesAll(heading, words) === wanted),
  )
  return [...(inHeading ?? []), ...(inText ?? [])]
    .slice(0, MAX_FOUND)
    .map((section) => ({ ...section, text: excerptOf(section.text, words) }))
}

const includesAll = (text: string, words: string[]): boolean => words.every((word) => text.toLowerCase().includes(word))

async function sectionsOf(name: (typeof guideNames)[number]): Promise<Found[]> {
  const { file, title } = guides[name]
  const markdown = (await readGuideMarkdown(file)).replaceAll(/^(```.*\n)([\s\S]*?)^```$/gm, (block) =>
    block.replaceAll(/^#/gm, ' #'),
  )
  return markdown.split(/^#{1,3} /m).flatMap((section) => {
    const [heading = '', ...lines] = section.split('\n')
    if (heading === '') return []
    return [{ url: `${guideUrl(name)}#${slugOf(heading)}`, guide: title, heading, text: plainText(lines.join('\n')) }]
  })
}

const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/^ ?```[\s\S]*?^ ?```$/gm, ' ')
    .replaceAll(/^[|-]+$/gm, ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

function excerptOf(text: string, words: string[]): string {
  const at = Math.max(0, text.toLowerCase().indexOf(words[0] as string) - 60)
  const start = at === 0 ? 0 : text.indexOf(' ', at) + 1
  const excerpt = text.slice(start, start + SHOWN_CHARACTERS)
  return `${start > 0 ? '… ' : ''}${excerpt}${start + SHOWN_CHARACTERS < text.length ? ' …' : ''}`
}

/** Returns the page with the results of a search. */
export function searchHtml(query: string, found: Found[]): string {
  const results = found.map(
    ({ url, guide, heading, text }) =>
      `<li><a href="${escapeHtml(url)}">${escapeHtml(heading)}</a> <span class="dimmed">${escapeHtml(guide)}</span><p>${escapeHtml(text)}</p></li>`,
  )
  if (results.length === 0)
    return `<h1 id="search">No results</h1><p>No section of the guides contains “${escapeHtml(query)}”. The <a href="/docs/">API reference</a> has a search of its own.</p>`
  return `<h1 id="search">Results for “${escapeHtml(query)}”</h1><ol class="results">${results.join('')}</ol>`
}
