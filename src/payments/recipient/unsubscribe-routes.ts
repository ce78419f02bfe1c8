import type { FastifyReply } from 'fastify'
import { ApiError } from '../../foundation/core/errors.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { routerUrl } from '../../foundation/http/route.ts'
import type { ServerPart } from '../../foundation/http/server-part.ts'
import { addressOfToken, setSuppressed } from './unsubscribe-actions.ts'

const url = '/unsubscribe/:mail'

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

type Params = { mail: string }

/**
 * Serves the unsubscribe page. A POST with the body of RFC 8058, or of the page's button, unsubscribes at once. A GET, and a POST without
 * either, asks first, because programs that scan mail open every link and send empty forms.
 */
export const unsubscribePages = (deps: Deps): ServerPart => ({
  addresses: [
    { method: 'GET', url },
    { method: 'POST', url },
  ],
  mount: async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 1_024 }, (_request, body, done) => done(null, body))
    app.get<{ Params: Params }>(routerUrl(url), { schema: { hide: true } }, async ({ params }, reply) => {
      if (!isKnown(deps, params.mail)) return send(reply.code(404), DEAD_LINK)
      return send(reply, QUESTION)
    })
    app.post<{ Params: Params; Body: unknown }>(
      routerUrl(url),
      { schema: { hide: true }, config: { limitsAddress: true } },
      async ({ params, body }, reply) => {
        const given = String(body ?? '')
        const isResumed = given.includes('action=resume')
        if (!isResumed && !STOP.test(given)) {
          return isKnown(deps, params.mail) ? send(reply.code(400), QUESTION) : send(reply.code(404), DEAD_LINK)
        }
        await setSuppressed(deps, params.mail, !isResumed)
        if (isResumed)
          return send(reply, { title: 'You’re subscribed', text: 'You’ll get emails about your payments again.' })
        return send(reply, {
          title: 'You’re unsubscribed',
          text: 'You’ll no longer get emails about payments from this service.',
          button: { action: 'resume', label: 'Subscribe again' },
        })
      },
    )
  },
})

const QUESTION = {
  title: 'Unsubscribe from payment emails?',
  text: 'You’ll no longer get emails about payments from this service.',
  button: { action: 'stop', label: 'Unsubscribe' },
}

/** Matches the field of RFC 8058, 3.1 in a form of either encoding, or the button of the page. */
const STOP = /List-Unsubscribe(=|"\s+)One-Click|\baction=stop\b/i

const DEAD_LINK = {
  title: 'This link does not work',
  text: 'It may be incomplete. Open the link in the latest email again.',
}

/** Returns whether the token of a link is valid. */
function isKnown(deps: Deps, token: string): boolean {
  try {
    addressOfToken(deps, token)
    return true
  } catch (err) {
    if (err instanceof ApiError && err.code === 'link_not_found') return false
    throw err
  }
}

// The colors of the pages and of mails.
const STYLE = `
:root { color-scheme: light dark }
body { margin: 0; padding: 64px 16px; background: #f6f8f9; color: #171c21; font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif }
main { max-width: 26rem; margin: 0 auto; padding: 28px; border: 1px solid #e3e7eb; border-radius: 12px; background: #fff }
h1 { margin: 0 0 8px; font-size: 1.5rem; line-height: 1.25 }
p { margin: 0; color: #5d6772 }
button { margin-top: 20px; padding: 9px 18px; border: 0; border-radius: 8px; background: #0c5f80; color: #fff; font: inherit; font-weight: 600; cursor: pointer }
button:focus-visible { outline: 2px solid #3291b2; outline-offset: 2px }
@media (prefers-color-scheme: dark) {
  body { background: #0f1317; color: #e4e8ec }
  main { background: #161b20; border-color: #2a3239 }
  p { color: #9aa5b0 }
  button { background: #17769a }
}`

type Content = { title: string; text: string; button?: { action: string; label: string } }

/** Sends a page of fixed texts without user input. */
function send(reply: FastifyReply, { title, text, button }: Content) {
  const form = button
    ? `<form method="post"><button name="action" value="${button.action}">${button.label}</button></form>`
    : ''
  return reply
    .headers(HEADERS)
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${STYLE}</style>
<main>
<h1>${title}</h1>
<p>${text}</p>
${form}
</main>
</html>
`)
}
