import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import {
  authorizationAddress,
  authorize,
  codeForm,
  newAccountHolder,
  obtainTokens,
  openConsent,
  postForm,
  refreshForm,
  registerApplication,
  TOKEN_PATH,
} from './support/oauth.ts'
import { rowCounts } from './support/rows.ts'
import { startTestService } from './support/service.ts'

// The applications of the developer settings.

const service = await startTestService({ after })
const { deps } = service
const developer = await newAccountHolder(service)
const { browser } = developer

const good = {
  name: 'Bookkeeper',
  site: 'https://bookkeeper.example.com',
  redirect_uris: ['https://bookkeeper.example.com/callback'],
}

suite('registration', () => {
  test('returns client_id and client_secret, and lists do not show the secret', async () => {
    const { status, body, headers } = await browser.post('/web/v1/applications', good)
    assert.equal(status, 201)
    assert.match(body.id, /^[0-9a-f]{32}$/)
    assert.match(body.secret, /^[A-Za-z0-9]{40}$/)
    assert.equal(headers.get('cache-control'), 'no-store')
    const { secret: _secret, ...shown } = body
    const { applications } = (await browser.get('/web/v1/applications')).body
    assert.deepEqual(applications.at(-1), shown)
    assert.deepEqual(shown, {
      ...good,
      id: body.id,
      site: 'https://bookkeeper.example.com/',
      webhook_url: null,
      requires_pkce: false,
      rotates_refresh_tokens: false,
      date: body.date,
      previous_secret_expires: null,
      is_secret_kept: true,
    })
  })

  test('accepts several URLs on the owner’s own machine, and a webhook URL', async () => {
    const fields = {
      ...good,
      site: 'http://localhost:3000',
      redirect_uris: ['http://localhost:3000/callback', 'http://127.0.0.1:3000/cb', 'http://[::1]/cb?a=b'],
      webhook_url: 'https://hooks.example.com/remit',
      requires_pkce: true,
    }
    const { status, body, text } = await browser.post('/web/v1/applications', fields)
    assert.equal(status, 201, text)
    assert.deepEqual(body.redirect_uris, fields.redirect_uris)
    assert.equal(body.webhook_url, fields.webhook_url)
    assert.equal(body.requires_pkce, true)
  })

  const refused: [what: string, fields: object, field: string][] = [
    ['no name', { name: undefined }, 'name'],
    ['a blank name', { name: '   ' }, 'name'],
    ['no site', { site: undefined }, 'site'],
    ['a site that is a script', { site: 'javascript:alert(1)' }, 'site'],
    ['a site that is not a URL', { site: 'bookkeeper' }, 'site'],
    ['a site over plain HTTP', { site: 'http://bookkeeper.example.com' }, 'site'],
    ['no redirect URI', { redirect_uris: [] }, 'redirect_uris'],
    [
      'eleven redirect URIs',
      { redirect_uris: Array.from({ length: 11 }, (_, n) => `https://a.example/${n}`) },
      'redirect_uris',
    ],
    ['a redirect URI twice', { redirect_uris: ['https://a.example/', 'https://a.example/'] }, 'redirect_uris'],
    ['a redirect URI over plain HTTP', { redirect_uris: ['http://a.example/'] }, 'redirect_uris.0'],
    ['a redirect URI with a fragment', { redirect_uris: ['https://a.example/#x'] }, 'redirect_uris.0'],
    ['a redirect URI with an empty fragment', { redirect_uris: ['https://a.example/#'] }, 'redirect_uris.0'],
    ['a redirect URI with a wildcard', { redirect_uris: ['https://*.a.example/'] }, 'redirect_uris.0'],
    ['a redirect URI with a password', { redirect_uris: ['https://u:p@a.example/'] }, 'redirect_uris.0'],
    ['a relative redirect URI', { redirect_uris: ['/callback'] }, 'redirect_uris.0'],
    ['a script as redirect URI', { redirect_uris: ['https://a.example/', 'javascript:alert(1)'] }, 'redirect_uris.1'],
    ['a custom scheme', { redirect_uris: ['myapp://callback'] }, 'redirect_uris.0'],
    ['a redirect URI with a blank', { redirect_uris: ['https://a.example/a b'] }, 'redirect_uris.0'],
    ['a webhook URL over plain HTTP', { webhook_url: 'http://hooks.example.com/' }, 'webhook_url'],
    ['a webhook URL in a private network', { webhook_url: 'https://10.0.0.1/' }, 'webhook_url'],
    ['an unknown field', { colour: 'blue' }, 'colour'],
  ]
  for (const [what, fields, field] of refused) {
    test(`${what} causes a 400 that names ${field}, also in an update`, async () => {
      const application = await registerApplication(browser)
      const before = await rowCounts(deps.sql)
      const made = await browser.post('/web/v1/applications', { ...good, ...fields })
      assert.deepEqual([made.status, Object.keys(made.body.errors ?? {})], [400, [field]], made.text)
      if (!Object.values(fields).includes(undefined)) {
        const changed = await browser.put(`/web/v1/applications/${application.id}`, fields)
        assert.deepEqual([changed.status, Object.keys(changed.body.errors ?? {})], [400, [field]], changed.text)
      }
      assert.deepEqual(await rowCounts(deps.sql), before)
    })
  }
})

suite('an application', () => {
  test('changes the given fields, and the old redirect URI stops working at once', async () => {
    const application = await registerApplication(browser)
    const redirectUri = 'https://new.example.com/cb'
    const path = `/web/v1/applications/${application.id}`
    assert.deepEqual((await browser.put(path, { redirect_uris: [redirectUri], requires_pkce: true })).body, {})
    assert.equal((await browser.get(authorizationAddress(application))).status, 400)
    await browser.put(path, { requires_pkce: false })
    await openConsent(browser, authorizationAddress({ ...application, redirectUri }))
    const { applications } = (await browser.get('/web/v1/applications')).body
    const shown = applications.find(({ id }: { id: string }) => id === application.id)
    assert.deepEqual([shown.name, shown.redirect_uris, shown.requires_pkce], ['Bookkeeper', [redirectUri], false])
  })

  test('a new secret works at once, the previous one for another 24 hours, and older ones no longer', async (t) => {
    const application = await registerApplication(browser)
    const tokens = await obtainTokens(service, browser, application)
    const secrets = [application.secret]
    for (let count = 0; count < 2; count++) {
      const { status, body } = await browser.post(`/web/v1/applications/${application.id}/secret`)
      assert.equal(status, 201)
      secrets.push(body.secret)
    }
    const works = async () =>
      Promise.all(
        secrets.map(async (secret) => {
          const answer = await postForm(
            service,
            TOKEN_PATH,
            refreshForm({ ...application, secret }, tokens.refresh_token),
          )
          return answer.status === 200
        }),
      )
    assert.deepEqual(await works(), [false, true, true])
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 24 * 60 * 60 * 1000 - 60_000 })
    assert.deepEqual(await works(), [false, true, true])
    t.mock.timers.setTime(Date.now() + 120_000)
    assert.deepEqual(await works(), [false, false, true])
  })

  test('that is deleted is unknown, and its tokens are invalid', async () => {
    const application = await registerApplication(browser, { name: 'To be deleted' })
    const tokens = await obtainTokens(service, browser, application)
    const code = await authorize(service, browser, application)
    const other = await newAccountHolder(service)
    const tokensOfOther = await obtainTokens(service, other.browser, application)
    assert.equal((await browser.del(`/web/v1/applications/${application.id}`)).status, 200)
    for (const { access_token: token } of [tokens, tokensOfOther])
      assert.equal((await service.as(`Bearer ${token}`).get('/v3/user')).body.code, 'invalid_token')
    assert.deepEqual((await other.browser.get('/web/v1/grants')).body.grants, [])
    assert.equal((await postForm(service, TOKEN_PATH, codeForm(application, code))).body.error, 'invalid_client')
    assert.equal((await browser.get(authorizationAddress(application))).status, 400)
    const again = await browser.del(`/web/v1/applications/${application.id}`)
    assert.deepEqual([again.status, again.body.code], [404, 'application_not_found'])
    const connected = (await browser.get('/web/v1/grants')).body.grants
    assert.ok(!connected.some((grant: { application: { name: string } }) => grant.application.name === 'To be deleted'))
  })

  test('of another owner does not exist', async () => {
    const application = await registerApplication(browser)
    const stranger = await newAccountHolder(service)
    const path = `/web/v1/applications/${application.id}`
    for (const answer of [
      await stranger.browser.put(path, { name: 'Taken over' }),
      await stranger.browser.del(path),
      await stranger.browser.post(`${path}/secret`),
    ]) {
      assert.deepEqual([answer.status, answer.body.code], [404, 'application_not_found'])
    }
    assert.deepEqual((await stranger.browser.get('/web/v1/applications')).body.applications, [])
    await openConsent(stranger.browser, authorizationAddress(application))
  })
})

test('the audit trail contains applications, secrets, grants and denials, but no secret value', async () => {
  const owner = await newAccountHolder(service)
  const application = await registerApplication(owner.browser)
  await owner.browser.put(`/web/v1/applications/${application.id}`, { name: 'Renamed' })
  await owner.browser.post(`/web/v1/applications/${application.id}/secret`)
  await obtainTokens(service, owner.browser, application)
  const { grants } = (await owner.browser.get('/web/v1/grants')).body
  await owner.browser.del(`/web/v1/grants/${grants[0].id}`)
  const consent = await openConsent(owner.browser, authorizationAddress(application))
  await owner.browser.post(`${consent}/deny`)
  await owner.browser.del(`/web/v1/applications/${application.id}`)
  const { body } = await owner.api.get('/v3/audit?per_page=10')
  const entries = body.audit.filter(({ subject }: { subject: string | null }) => subject === application.id)
  assert.deepEqual(
    entries.map(({ action }: { action: string }) => action),
    [
      'application_deleted',
      'grant_denied',
      'grant_revoked',
      'grant_created',
      'client_secret_rotated',
      'application_changed',
      'application_created',
    ],
  )
  for (const entry of entries) {
    assert.deepEqual([entry.actor, entry.address, entry.user_id], ['owner', '127.0.0.1', owner.id])
    assert.match(entry.date, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    assert.ok(entry.user_agent)
  }
})
