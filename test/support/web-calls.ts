import { isPublic, type Route } from '../../src/foundation/http/route.ts'
import { type MatrixCall, routeName } from './access-matrix.ts'
import type { Api } from './api.ts'
import type { Browser } from './browser.ts'
import { changingRoutes } from './changing-routes.ts'
import { authorizationAddress, obtainTokens, openConsent, registerApplication } from './oauth.ts'
import type { TestService } from './service.ts'
import { newMember } from './team.ts'

/** A platform on which the API story was played, and the user that sent its payments. */
type Platform = { id: string; owner: Api; userId: string }

/** The calls of the dashboard and of the pages for people without an account, with objects of a platform. */
export async function webCalls(
  service: TestService,
  routes: readonly Route[],
  platform: Platform,
): Promise<{ calls: MatrixCall[]; shown: string[] }> {
  const { browser, loginId } = await newMember(service, platform.id, 'owner', {
    name: 'Olive Owner',
    email: 'olive.second@example.com',
  })
  const ids = await makeObjects(service, browser, { ...platform, loginId })
  const calls = routes
    .filter((route) => !isPublic(route))
    .map((route) => ({ route, path: pathOf(route, ids, platform), body: bodyOf(route, platform) }))
  return { calls, shown: Object.values(ids) }
}

/** An object for each kind of id, by the beginning of the routes that take it. */
async function makeObjects(
  service: TestService,
  browser: Browser,
  { owner, loginId, userId }: Platform & { loginId: string },
): Promise<Record<string, string>> {
  const made = async (path: string, body: object) => idOf(await browser.post(path, body))
  const application = await registerApplication(browser)
  await obtainTokens(service, browser, application)
  await browser.post('/web/v1/invitation', { email: 'dana@example.com', role: 'viewer' })
  const listed = async (path: string, name: string) => idOf({ body: (await browser.get(path)).body[name][0] })
  const consent = await openConsent(browser, authorizationAddress(application))
  const invoice = { amount: 10, name: 'Dana Supplier', recipient: 'dana@example.com', description: 'Painting' }
  const { body: payments } = await owner.get(`/v3/payment?user=${userId}`)
  return {
    '/web/v1/users/': userId,
    '/web/v1/views/': await made('/web/v1/views', { name: 'Failed', filters: { status: 'FAILED' } }),
    '/web/v1/banks/': await made('/v3/bank', { routing: '021000021', account: '640193827465', type: 'CHECKING' }),
    '/web/v1/invoice/': await made('/v3/invoice', invoice),
    '/web/v1/payments/': payments.payments[0].id,
    '/web/v1/operator/statements/': userId, // no caller here has the permission `operate`
    '/web/v1/sessions/': await listed('/web/v1/sessions', 'sessions'),
    '/web/v1/team/': loginId,
    '/web/v1/invitation/': await listed('/web/v1/invitation', 'invitations'),
    '/web/v1/applications/': application.id,
    '/web/v1/grants/': await listed('/web/v1/grants', 'grants'),
    '/oauth/consent/': consent.split('/').at(-1) as string,
  }
}

function idOf({ body, text }: { body: { id?: string } | null; text?: string }): string {
  if (!body?.id) throw new Error(`no object was created: ${text}`)
  return body.id
}

/** @throws Error for a new route with an id: it needs an object in `makeObjects` */
function pathOf({ method, url, spec }: Route, ids: Record<string, string>, platform: Platform): string {
  const path = url.replace(/:\w+/, () => {
    const [, id] = Object.entries(ids).find(([beginning]) => url.startsWith(beginning)) ?? []
    if (id === undefined) throw new Error(`${method} ${url} needs an object in test/support/web-calls.ts`)
    return id
  })
  const values: Record<string, string> = { user: platform.userId, platform: platform.id }
  const names = Object.keys((spec.query as { properties?: object } | undefined)?.properties ?? {})
  const query = new URLSearchParams(Object.entries(values).filter(([name]) => names.includes(name)))
  return query.size > 0 ? `${path}?${query}` : path
}

/**
 * Pages for people without an account name their object by a secret link. Other callers do not have it, so they get no
 * body here.
 */
function bodyOf({ method, url, spec }: Route, platform: Platform): object | undefined {
  if (method === 'GET' || method === 'DELETE') return undefined
  if (spec.access === 'anyone') return {}
  const row = changingRoutes[routeName({ method, url })]
  if (row === undefined) throw new Error(`${method} ${url} needs a row in test/support/changing-routes.ts`)
  const body = typeof row === 'string' ? {} : row[1]
  return JSON.parse(JSON.stringify(body).replaceAll('0'.repeat(32), platform.id))
}
