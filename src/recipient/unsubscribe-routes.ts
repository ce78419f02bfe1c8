import type { FastifyReply } from 'fastify'
import type { Deps } from '../db/deps.ts'
import { routerUrl } from '../http/route.ts'
import type { ServerPart } from '../http/server-part.ts'
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
 * The unsubscribe page. POST unsubscribes at once, as mail programs do (RFC 8058). GET asks first, because malware
 * scanners open every link.
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
      addressOfToken(deps, params.mail)
      return send(
        reply,
        'Unsubscribe from payment emails?',
        'You’ll no longer get emails about payments from this service.',
        {
          action: 'stop',
          label: 'Unsubscribe',
        },
      )
    })
    app.post<{ Params: Params; Body: unknown }>(
      routerUrl(url),
      { schema: { hide: true }, config: { limitsAddress: true } },
      async ({ params, body }, reply) => {
        const isResumed = String(body ?? '').includes('action=resume')
        await setSuppressed(deps, params.mail, !isResumed)
        if (isResumed) return send(reply, 'You’re subscribed', 'You’ll get emails about your payments again.', null)
        return send(reply, 'You’re unsubscribed', 'You’ll no longer get emails about payments from this service.', {
          action: 'resume',
          label: 'Subscribe again',
        })
      },
    )
  },
})

/** Fixed texts without user input. */
function send(reply: FastifyReply, title: string, text: string, button: { action: string; label: string } | null) {
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
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:4rem auto;padding:0 1rem}button{font:inherit;padding:.5rem 1rem}</style>
<h1>${title}</h1>
<p>${text}</p>
${form}
</html>
`)
}
