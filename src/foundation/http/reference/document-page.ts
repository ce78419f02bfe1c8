import { createHash } from 'node:crypto'
import { escapeHtml } from './guide-html.ts'
import { GUIDE_GROUPS, type GuideName, guideNames, guides, guideUrl } from './guide-table.ts'

/** The colors of the browser app (web/src/theme.ts), light and dark. */
const STYLE = `
:root { color-scheme: light dark; --text: #171c21; --dimmed: #5d6772; --page: #fff; --line: #e3e7eb; --border: #b9c2ca; --code: #f6f8f9; --link: #0c5f80 }
@media (prefers-color-scheme: dark) {
  :root { --text: #e4e8ec; --dimmed: #9aa5b0; --page: #161b20; --line: #2a3239; --border: #4a5560; --code: #1e252b; --link: #86c3d9 }
}
`

/** The top bar of the API reference and the guides, with links to home and the other documents. */
const HEADER_STYLE = `
.remit-header { position: sticky; top: 0; z-index: 100; box-sizing: border-box; display: flex; align-items: center; gap: 4px 20px;
  height: 60px; padding: 0 24px; overflow-x: auto; white-space: nowrap; background: var(--page); color: var(--text);
  border-bottom: 1px solid var(--line); font: 15px/1.5 ${'-apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'} }
.remit-header a { color: var(--dimmed); text-decoration: none; border-radius: 8px }
.remit-header a:hover { color: var(--text) }
.remit-header a:focus-visible { outline: 2px solid #3291b2; outline-offset: 2px }
.remit-header .remit-home { display: inline-flex; align-items: center; gap: 9px; margin-right: auto; color: var(--text);
  font-size: 19px; font-weight: 700; letter-spacing: -0.025em }
@media (max-width: 36em) { .remit-header { padding: 0 16px; gap: 4px 14px } }
`

export const headerStyle = STYLE + HEADER_STYLE

const LOGO = `<svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0c5f80"/>
<path d="M8 11h14m-5-5 5 5-5 5M24 21H10m5-5-5 5 5 5" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/></svg>`

const PLACES = [
  [guideUrl('quickstart'), 'Guides'],
  ['/docs/', 'API reference'],
  ['/settings', 'Settings'],
] as const

export const header = `<header class="remit-header"><a class="remit-home" href="/">${LOGO}Remit</a>
<nav aria-label="Documents" style="display: contents">${PLACES.map(([url, name]) => `<a href="${url}">${name}</a>`).join('\n')}</nav></header>`

const ARTICLE_STYLE = `
body { margin: 0; background: var(--page); color: var(--text);
  font: 16px/1.65 -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif }
.layout { display: grid; grid-template-columns: 264px minmax(0, 1fr) }
main { box-sizing: border-box; width: 100%; max-width: 848px; margin: 0 auto; padding: 32px 24px 96px }
h1, h2, h3 { line-height: 1.3; letter-spacing: -0.012em; scroll-margin-top: 76px }
h1 { margin-top: 0; font-size: 30px } h2 { margin-top: 48px; font-size: 21px } h3 { margin-top: 32px; font-size: 17px }
a { color: var(--link); text-underline-offset: 2px }
a:focus-visible, pre:focus-visible, summary:focus-visible { outline: 2px solid #3291b2; outline-offset: 2px }
code { padding: 1px 5px; border-radius: 5px; background: var(--code); font: 0.875em/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  overflow-wrap: anywhere }
pre { position: relative; padding: 14px 18px; overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; background: var(--code) }
pre code { padding: 0; background: none; overflow-wrap: normal }
.wide { overflow-x: auto; margin: 20px 0 } .wide code { overflow-wrap: normal }
img { max-width: 100%; height: auto }
table { width: 100%; border-collapse: collapse; font-size: 15px; line-height: 1.5 }
th, td { padding: 8px 14px 8px 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line) }
th { color: var(--dimmed); font-size: 13px; font-weight: 600 }
.dimmed { color: var(--dimmed); font-size: 14px }
.results { padding: 0; list-style: none } .results p { margin: 4px 0 24px; color: var(--dimmed); overflow-wrap: anywhere }
`

const MENU_STYLE = `
.menu { box-sizing: border-box; position: sticky; top: 60px; height: calc(100vh - 60px); overflow-y: auto; padding: 24px 16px 48px 24px;
  border-right: 1px solid var(--line); font-size: 15px }
.menu summary { display: none }
.menu h2 { margin: 24px 0 4px 12px; color: var(--dimmed); font-size: 13px; font-weight: 600; letter-spacing: 0 }
.menu ul { margin: 0; padding: 0; list-style: none }
.menu li a { display: block; padding: 5px 12px; border-radius: 6px; color: var(--text); text-decoration: none }
.menu li a:hover { background: var(--code) }
.menu li a[aria-current] { background: var(--code); color: var(--link); font-weight: 600 }
.menu input { box-sizing: border-box; width: 100%; height: 38px; padding: 0 12px; border: 1px solid var(--border); border-radius: 8px;
  background: var(--page); color: var(--text); font: inherit }
.menu input:focus-visible { outline: 2px solid #3291b2; outline-offset: 1px }
@media (max-width: 60em) {
  .layout { display: block }
  .menu { position: static; height: auto; padding: 12px 24px; border-right: 0; border-bottom: 1px solid var(--line) }
  .menu details:not([open]) .items { display: none }
  .menu summary { display: block; padding: 8px 0; font-weight: 600; cursor: pointer; list-style: none }
  .menu summary::after { content: ""; display: inline-block; width: 6px; height: 6px; margin: 0 0 4px 10px; transform: rotate(45deg);
    border: solid var(--dimmed); border-width: 0 2px 2px 0 }
  .menu li a { padding: 9px 12px }
}
@media (max-width: 36em) { main { padding: 20px 16px 64px } .menu { padding: 8px 16px } }
`

const SAMPLE_STYLE = `
.sample { display: grid; grid-template-columns: repeat(3, max-content) 1fr; margin: 20px 0; border: 1px solid var(--line); border-radius: 8px;
  background: var(--code) }
.sample input { position: absolute; opacity: 0 }
.sample label { padding: 9px 0 8px; margin: 0 2px 0 18px; border-bottom: 2px solid transparent; color: var(--dimmed); font-size: 14px; cursor: pointer }
.sample label:hover { color: var(--text) }
.sample input:checked + label { border-color: var(--link); color: var(--text); font-weight: 600 }
.sample input:focus-visible + label { outline: 2px solid #3291b2; outline-offset: -2px; border-radius: 4px }
.sample .panel { display: none; grid-column: 1 / -1; grid-row: 2; min-width: 0; border-top: 1px solid var(--line) }
.sample pre { margin: 0; border: 0 }
${[1, 2, 3].map((place) => `.sample input:nth-of-type(${place}):checked ~ .panel:nth-of-type(${place})`).join(', ')} { display: block }
.block { position: relative } .block .copy { position: absolute; top: 8px; right: 8px }
.sample > .copy { grid-row: 1; grid-column: -2; justify-self: end; margin: 5px 8px }
.copy { padding: 3px 10px; border: 1px solid var(--border); border-radius: 6px; background: var(--page); color: var(--dimmed); font: inherit;
  font-size: 13px; cursor: pointer }
.copy:hover { color: var(--text) } .copy:focus-visible { outline: 2px solid #3291b2; outline-offset: 2px }
`

/** Adds buttons that copy code, and shows all samples in the language that was chosen last. */
const SCRIPT = `
const samples = [...document.querySelectorAll('.sample')]
const choose = (language) => samples.forEach((sample) => {
  const tab = sample.querySelector('[data-language="' + language + '"]')
  if (tab) tab.checked = true
})
try { choose(localStorage.getItem('language') ?? 'curl') } catch {}
for (const input of document.querySelectorAll('.sample input')) input.onchange = () => {
  const top = input.getBoundingClientRect().top
  choose(input.dataset.language)
  scrollBy(0, input.getBoundingClientRect().top - top)
  try { localStorage.setItem('language', input.dataset.language) } catch {}
}
const addCopy = (holder, code) => {
  const button = holder.appendChild(document.createElement('button'))
  button.className = 'copy'
  button.textContent = 'Copy'
  button.onclick = async () => {
    await navigator.clipboard.writeText(code())
    button.textContent = 'Copied'
    setTimeout(() => { button.textContent = 'Copy' }, 2000)
  }
}
for (const sample of samples) addCopy(sample, () =>
  sample.querySelectorAll('pre')[[...sample.querySelectorAll('input')].findIndex((input) => input.checked)].textContent)
for (const pre of document.querySelectorAll('main > pre')) {
  const block = document.createElement('div')
  block.className = 'block'
  pre.replaceWith(block)
  block.append(pre)
  addCopy(block, () => pre.textContent)
}
if (matchMedia('(max-width: 60em)').matches) document.querySelector('.menu details').open = false
`

/** The policy allows only the script of these pages. */
export const pagePolicy = [
  "default-src 'none'",
  `script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`,
  "style-src 'unsafe-inline'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

type Page = { title: string; content: string; name: GuideName | null; query: string }

const menu = ({ name, query }: Page): string => {
  const link = (guide: GuideName) =>
    `<li><a href="${guideUrl(guide)}"${guide === name ? ' aria-current="page"' : ''}>${guides[guide].title}</a></li>`
  const groups = GUIDE_GROUPS.map((group) => {
    const links = guideNames.filter((guide) => guides[guide].group === group).map(link)
    return `<h2>${group}</h2><ul>${links.join('')}</ul>`
  })
  return `<nav class="menu" aria-label="Guides"><form action="/docs/search" role="search">
<input type="search" name="q" value="${escapeHtml(query)}" placeholder="Search guides" aria-label="Search guides" maxlength="200"></form>
<details open><summary>${name === null ? 'Guides' : guides[name].title}</summary><div class="items">${groups.join('')}</div></details></nav>`
}

/** Wraps a document in a page. `content` is trusted HTML. `name` is the guide, or null for the results of a search. */
export const documentPage = (page: Page): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title} · Remit</title>
<style>${headerStyle}${ARTICLE_STYLE}${MENU_STYLE}${SAMPLE_STYLE}</style>
</head>
<body>
${header}
<div class="layout">
${menu(page)}
<main>
${page.content}</main>
</div>
<script>${SCRIPT}</script>
</body>
</html>
`
