/** The colors of the browser app (web/src/theme.ts), light and dark. */
const STYLE = `
:root { color-scheme: light dark; --text: #171c21; --dimmed: #5d6772; --page: #fff; --line: #e3e7eb; --code: #f6f8f9; --link: #0c5f80 }
@media (prefers-color-scheme: dark) {
  :root { --text: #e4e8ec; --dimmed: #9aa5b0; --page: #161b20; --line: #2a3239; --code: #1e252b; --link: #86c3d9 }
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
  ['/docs/guides/getting-started', 'Getting started'],
  ['/docs/', 'API reference'],
  ['/docs/guides/webhooks', 'Webhooks'],
  ['/docs/guides/money', 'Money'],
  ['/settings', 'Settings'],
] as const

export const header = `<header class="remit-header"><a class="remit-home" href="/">${LOGO}Remit</a>
<nav aria-label="Documents" style="display: contents">${PLACES.map(([url, name]) => `<a href="${url}">${name}</a>`).join('\n')}</nav></header>`

const ARTICLE_STYLE = `
body { margin: 0; background: var(--page); color: var(--text);
  font: 16px/1.65 -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif }
main { max-width: 800px; margin: 0 auto; padding: 32px 24px 96px }
h1, h2, h3 { line-height: 1.3; letter-spacing: -0.012em; scroll-margin-top: 76px }
h1 { font-size: 30px } h2 { margin-top: 48px; font-size: 21px } h3 { margin-top: 32px; font-size: 17px }
a { color: var(--link); text-underline-offset: 2px } a:focus-visible { outline: 2px solid #3291b2; outline-offset: 2px }
code { padding: 1px 5px; border-radius: 5px; background: var(--code); font: 0.875em/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  overflow-wrap: anywhere }
pre { padding: 14px 18px; overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; background: var(--code) }
pre code { padding: 0; background: none; overflow-wrap: normal }
.wide { overflow-x: auto; margin: 20px 0 } .wide code { overflow-wrap: normal }
table { width: 100%; border-collapse: collapse; font-size: 15px; line-height: 1.5 }
th, td { padding: 8px 14px 8px 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line) }
th { color: var(--dimmed); font-size: 13px; font-weight: 600 }
@media (max-width: 36em) { main { padding: 20px 16px 64px } }
`

/** Wraps a document in a page. `content` is trusted HTML. */
export const documentPage = ({ title, content }: { title: string; content: string }): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Remit</title>
<style>${headerStyle}${ARTICLE_STYLE}</style>
</head>
<body>
${header}
<main>
${content}</main>
</body>
</html>
`
