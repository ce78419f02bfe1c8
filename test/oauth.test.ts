import assert from 'node:assert/strict'
import { after, suite, type TestContext, test } from 'node:test'
import { readPages } from '../src/foundation/http/pages.ts'
import { hashSecret } from '../src/foundation/lib/secret.ts'
import { sweep } from '../src/operation/scheduler/sweep-table.ts'
import { openBrowser, signIn } from './support/browser.ts'
import {
  answerConsent,
  authorizationAddress,
  authorize,
  codeForm,
  newAccountHolder,
  newPkce,
  obtainTokens,
  openConsent,
  postForm,
  refreshForm,
  registerApplication,
  TOKEN_PATH,
} from './support/oauth.ts'
import { rowCounts } from './support/rows.ts'
import { PASSWORD, startTestService } from './support/service.ts'

// The authorization server of specification.md 2.3 and 2.4, tested as an application and a browser use it.

const REVOCATION_PATH = '/web/v1/auth/oauth/revoke'
const INTROSPECTION_PATH = '/web/v1/auth/oauth/introspect'

const service = await startTestService({ after })
const { baseUrl, deps } = service
const holder = await newAccountHolder(service)
const developer = await service.newOwner()
const developerBrowser = await signIn(service, developer)
const application = await registerApplication(developerBrowser)
const strict = await registerApplication(developerBrowser, { requires_pkce: true })
const foreign = await registerApplication((await newAccountHolder(service)).browser)

const exchange = (code: string, more: Record<string, string | undefined> = {}) =>
  postForm(service, TOKEN_PATH, codeForm(application, code, more))

const callApi = (token: string) => service.as(`Bearer ${token}`).get('/v3/user')

suite('the authorization request', () => {
  const { id, redirectUri } = application
  const good = { client_id: id, redirect_uri: redirectUri, response_type: 'code', scope: 'check', state: 'xyz' }
  const query = (parameters: Record<string, string | undefined>, doubled = '') => {
    const given = Object.entries({ ...good, ...parameters }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    )
    return `/oauth/authorize?${new URLSearchParams(given)}${doubled}`
  }

  const shown: [rfc: string, what: string, address: string][] = [
    ['RFC 6749 4.1.2.1', 'an unknown client', query({ client_id: '0'.repeat(32) })],
    ['RFC 6749 4.1.2.1', 'an invalid client_id', query({ client_id: 'x' })],
    ['RFC 6749 4.1.1', 'no client_id', query({ client_id: undefined })],
    ['RFC 6749 3.1', 'two client_ids', query({}, `&client_id=${id}`)],
    ['RFC 6749 3.1.2.4', 'a foreign redirect_uri', query({ redirect_uri: 'https://evil.example.com/' })],
    ['RFC 9700 4.1.3', 'a redirect_uri with a path below', query({ redirect_uri: `${redirectUri.split('?')[0]}/x` })],
    ['RFC 9700 4.1.3', 'a redirect_uri without its query', query({ redirect_uri: redirectUri.split('?')[0] })],
    [
      'RFC 9700 4.1.3',
      'a redirect_uri in capitals',
      query({ redirect_uri: redirectUri.replace('callback', 'CALLBACK') }),
    ],
    [
      'RFC 9700 4.1.3',
      'a redirect_uri with another port',
      query({ redirect_uri: redirectUri.replace('.com', '.com:444') }),
    ],
    ['RFC 9700 4.1.3', 'the redirect_uri of another application', query({ redirect_uri: foreign.redirectUri })],
    ['specification.md 2.3', 'no redirect_uri', query({ redirect_uri: undefined })],
    ['RFC 6749 3.1', 'two redirect_uris', query({}, `&redirect_uri=${encodeURIComponent(redirectUri)}`)],
    [
      'RFC 6749 4.1.2.1',
      'an unknown client together with another error',
      query({ client_id: '1'.repeat(32), scope: undefined }),
    ],
    [
      'RFC 6749 4.1.2.1',
      'a foreign redirect_uri together with another error',
      query({ redirect_uri: 'https://evil.example.com/', response_type: 'x' }),
    ],
  ]
  for (const [rfc, what, address] of shown) {
    test(`${rfc}: ${what} is shown to the owner and never redirects`, async () => {
      const answer = await openBrowser(service).get(address)
      assert.equal(answer.status, 400)
      assert.equal(answer.location, null)
      assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
      assert.match(answer.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
      assert.match(answer.text, /<meta name="remit-error" content="[a-z_]+">/)
      assert.doesNotMatch(answer.text, /evil\.example\.com/)
    })
  }

  test('the page of an error shows text, never markup', async () => {
    const { errorPage } = await readPages()
    const { html } = errorPage({ error: 'invalid_request', description: `"><script>alert('x')</script>&$'` })
    assert.doesNotMatch(html, /<script>alert/)
    assert.match(html, /content="&#34;&#62;&#60;script&#62;alert\(&#39;x&#39;\)&#60;\/script&#62;&#38;\$&#39;"/)
  })

  const redirected: [rfc: string, what: string, address: string, error: string][] = [
    ['specification.md 2.3', 'no response_type', query({ response_type: undefined }), 'invalid_request'],
    ['RFC 6749 4.2', 'response_type token', query({ response_type: 'token' }), 'unsupported_response_type'],
    ['OpenID Connect 3.3', 'two of them', query({ response_type: 'code token' }), 'unsupported_response_type'],
    ['RFC 6749 3.1', 'two scopes parameters', query({}, '&scope=check'), 'invalid_request'],
    ['RFC 6749 3.1', 'two response_types', query({}, '&response_type=code'), 'invalid_request'],
    ['specification.md 2.3', 'no scope', query({ scope: undefined }), 'invalid_scope'],
    ['specification.md 2.3', 'an empty scope', query({ scope: '' }), 'invalid_scope'],
    ['specification.md 2.3', 'both scopes', query({ scope: 'check single-use' }), 'invalid_scope'],
    ['specification.md 2.3', 'an unknown scope', query({ scope: 'everything' }), 'invalid_scope'],
    ['specification.md 2.3', 'a known scope and an unknown one', query({ scope: 'check everything' }), 'invalid_scope'],
    ['specification.md 2.3', 'one scope twice', query({ scope: 'check check' }), 'invalid_scope'],
    ['specification.md 2.3', 'openid', query({ scope: 'openid' }), 'invalid_scope'],
    ['specification.md 2.3', 'a scope in capitals', query({ scope: 'CHECK' }), 'invalid_scope'],
    [
      'RFC 7636 4.4.1',
      'a challenge without its method',
      query({ code_challenge: newPkce().challenge }),
      'invalid_request',
    ],
    [
      'RFC 9700 2.1.1',
      'a plain challenge',
      query({ code_challenge: newPkce().challenge, code_challenge_method: 'plain' }),
      'invalid_request',
    ],
    ['RFC 7636 4.2', 'a method without a challenge', query({ code_challenge_method: 'S256' }), 'invalid_request'],
    [
      'specification.md 2.3',
      'no challenge from an application that requires PKCE',
      query({ client_id: strict.id, redirect_uri: strict.redirectUri }),
      'invalid_request',
    ],
    ['RFC 9101', 'a request object', query({ request: 'x.y.z' }), 'request_not_supported'],
    ['OpenID Connect 3.1.2.1', 'prompt none', query({ prompt: 'none' }), 'login_required'],
  ]
  for (const [rfc, what, address, error] of redirected) {
    test(`${rfc}: ${what} goes back to the application as ${error}, with state and iss`, async () => {
      const { location, status } = await openBrowser(service).get(address)
      assert.equal(status, 303)
      const { hash, searchParams } = location as URL
      assert.equal(hash, '', 'a request for an answer in the fragment gets its error in the query')
      assert.deepEqual(
        [searchParams.get('error'), searchParams.get('state'), searchParams.get('iss'), searchParams.get('code')],
        [error, 'xyz', baseUrl, null],
      )
      const expected = address.includes(strict.id) ? strict.redirectUri : redirectUri
      assert.ok(location?.href.startsWith(expected), 'its own query is kept')
    })
  }

  for (const [name, value] of [
    ['colour', 'blue'],
    ['max_age', 'never'],
    ['max_age', '0'],
    ['acr_values', 'phr'],
    ['id_token_hint', 'x.y.z'],
    ['registration', '{}'],
    ['claims', 'none'],
    ['nonce', 'n-0S6_WzA2Mj'],
  ] as const) {
    test(`RFC 6749 3.1: ${name}=${value} is ignored, because the server does not know the parameter`, async () => {
      const consent = await openConsent(holder.browser, query({ [name]: value }))
      const { searchParams } = await answerConsent(holder.browser, consent, 'authorize')
      const code = searchParams.get('code') ?? ''
      service.secrets.add(code)
      assert.equal((await exchange(code)).status, 200)
    })
  }

  test('specification.md 2.3: the answer is always in the query, even if a fragment or a form is requested', async () => {
    for (const response_mode of ['fragment', 'form_post', 'jwt']) {
      const refused = await openBrowser(service).get(query({ response_mode, scope: 'everything' }))
      assert.equal(refused.location?.searchParams.get('error'), 'invalid_scope')
      const consent = await openConsent(holder.browser, query({ response_mode }))
      const granted = await answerConsent(holder.browser, consent, 'authorize')
      assert.deepEqual([...granted.searchParams.keys()], ['from', 'code', 'state', 'iss'])
      service.secrets.add(granted.searchParams.get('code') ?? '')
    }
  })

  test('the page shows what the application may do, for which owner, and where it leads', async () => {
    const consent = await openConsent(holder.browser, authorizationAddress(application))
    const details = (await holder.browser.get(`${consent}/details`)).body
    assert.deepEqual(details, {
      application: { name: 'Bookkeeper', site: 'https://bookkeeper.example.com/' },
      scope: 'check',
      redirect_uri: application.redirectUri,
      owner: { id: holder.id, email: holder.email, name: details.owner.name },
    })
    const page = await holder.browser.get(consent)
    assert.equal(page.status, 200)
    assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'self'/)
  })

  test('denial returns access_denied with state and iss, and creates no grant', async () => {
    const { grants } = await rowCounts(deps.sql)
    const consent = await openConsent(holder.browser, authorizationAddress(application))
    const { searchParams } = await answerConsent(holder.browser, consent, 'deny')
    assert.deepEqual(Object.fromEntries(searchParams), {
      from: 'remit',
      error: 'access_denied',
      error_description: 'the owner denied the request',
      state: 'xyz',
      iss: baseUrl,
    })
    assert.equal((await rowCounts(deps.sql)).grants, grants)
  })

  test('a grant returns code, state and iss, and a redirect_uri keeps its query', async () => {
    const consent = await openConsent(holder.browser, authorizationAddress(application))
    const location = await answerConsent(holder.browser, consent, 'authorize')
    assert.ok(location.href.startsWith(`${application.redirectUri}&`))
    assert.deepEqual([...location.searchParams.keys()].sort(), ['code', 'from', 'iss', 'state'])
    assert.equal(location.searchParams.get('iss'), baseUrl)
    service.secrets.add(location.searchParams.get('code') ?? '')
  })
})

suite('the consent', () => {
  test('a second authorization in the same browser asks again and creates a separate grant', async () => {
    await authorize(service, holder.browser, application)
    const { grants } = await rowCounts(deps.sql)
    await authorize(service, holder.browser, application)
    assert.equal((await rowCounts(deps.sql)).grants, (grants ?? 0) + 1)
  })

  test('the authorization server leaves no session of its own in the browser', async () => {
    const browser = await signIn(service, holder)
    await authorize(service, browser, application)
    const left = [...browser.cookies.keys()].filter((name) => name.includes('oauth_session'))
    assert.deepEqual(left, [])
  })

  test('without a signed-in owner, the page asks to sign in, and Authorize causes a 401', async () => {
    const browser = openBrowser(service)
    const consent = await openConsent(browser, authorizationAddress(application))
    assert.equal((await browser.get(`${consent}/details`)).body.owner, null)
    const answer = await browser.post(`${consent}/authorize`, { owner: holder.id })
    assert.deepEqual([answer.status, answer.body.code], [401, 'not_signed_in'])
  })

  test('after a sign-out, consent is never recorded under another owner’s name', async () => {
    const other = await newAccountHolder(service)
    const browser = await signIn(service, holder)
    const consent = await openConsent(browser, authorizationAddress(application))
    await browser.post('/web/v1/sign-out')
    await browser.post('/web/v1/sign-in', { email: other.email, password: PASSWORD })
    const stale = await browser.post(`${consent}/authorize`, { owner: holder.id })
    assert.deepEqual([stale.status, stale.body.code], [400, 'owner_changed'])
    const location = await answerConsent(browser, consent, 'authorize')
    const { body } = await exchange(location.searchParams.get('code') ?? '')
    assert.equal((await callApi(body.access_token)).body.user.id, other.id)
    // The next request in this browser belongs only to her.
    const next = await obtainTokens(service, browser, application)
    assert.equal((await callApi(next.access_token)).body.user.id, other.id)
  })

  test('an answer that one owner gave and did not follow is not used for the next owner who signs in', async () => {
    const other = await newAccountHolder(service)
    const browser = await signIn(service, holder)
    const consent = await openConsent(browser, authorizationAddress(application))
    assert.equal((await browser.post(`${consent}/authorize`, { owner: holder.id })).status, 201)
    await browser.post('/web/v1/sign-out')
    await browser.post('/web/v1/sign-in', { email: other.email, password: PASSWORD })
    const answer = await browser.post(`${consent}/authorize`, { owner: other.id })
    assert.deepEqual([answer.status, answer.body.code], [400, 'authorization_expired'])
  })

  test('neither Authorize nor Deny can be replaced by the other later', async () => {
    for (const [first, second] of [
      ['authorize', 'deny'],
      ['deny', 'authorize'],
    ]) {
      const consent = await openConsent(holder.browser, authorizationAddress(application))
      const body = (button: string | undefined) => (button === 'authorize' ? { owner: holder.id } : {})
      assert.equal((await holder.browser.post(`${consent}/${first}`, body(first))).status, 201)
      const answer = await holder.browser.post(`${consent}/${second}`, body(second))
      assert.deepEqual([answer.status, answer.body.code], [400, 'authorization_expired'], `${first}, then ${second}`)
      assert.equal((await holder.browser.post(`${consent}/${first}`, body(first))).status, 201, 'pressed twice')
    }
  })

  test('an authorization request belongs to the browser that started it', async () => {
    const consent = await openConsent(openBrowser(service), authorizationAddress(application))
    const stranger = await signIn(service, holder)
    for (const answer of [
      await stranger.get(`${consent}/details`),
      await stranger.post(`${consent}/authorize`, { owner: holder.id }),
      await stranger.post(`${consent}/deny`),
    ]) {
      assert.deepEqual([answer.status, answer.body.code], [400, 'authorization_expired'])
    }
  })

  test('pressed twice, and ten times concurrently, Authorize creates one grant and one code', async () => {
    const { grants } = await rowCounts(deps.sql)
    const consent = await openConsent(holder.browser, authorizationAddress(application))
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => holder.browser.post(`${consent}/authorize`, { owner: holder.id })),
    )
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
    assert.equal(new Set(answers.map(({ body }) => body.redirect_to)).size, 1)
    assert.equal((await rowCounts(deps.sql)).grants, (grants ?? 0) + 1)
    const first = await holder.browser.get(answers[0]?.body.redirect_to)
    service.secrets.add(first.location?.searchParams.get('code') ?? '')
    const second = await holder.browser.get(answers[0]?.body.redirect_to)
    assert.deepEqual([second.status, second.location], [400, null], 'its request is used up')
  })

  test('a page of another site can neither authorize nor deny nor read the request', async () => {
    const consent = await openConsent(holder.browser, authorizationAddress(application))
    const before = await rowCounts(deps.sql)
    for (const headers of [
      { origin: 'https://evil.example.com', 'sec-fetch-site': 'cross-site' },
      { origin: baseUrl.replace('localhost', 'other.localhost'), 'sec-fetch-site': 'same-site' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
    ]) {
      for (const button of ['authorize', 'deny']) {
        const answer = await holder.browser.post(`${consent}/${button}`, { owner: holder.id }, headers)
        assert.deepEqual([answer.status, answer.body.code], [403, 'foreign_origin'])
      }
    }
    assert.deepEqual(await rowCounts(deps.sql), before)
  })
})

suite('the token endpoint', () => {
  test('specification.md 2.4: the form exactly as specified gives exactly the specified response', async () => {
    const code = await authorize(service, holder.browser, application)
    const { status, headers, body } = await exchange(code, { scope: 'check' })
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body).sort(), ['access_token', 'expires_in', 'refresh_token', 'scope', 'token_type'])
    assert.equal(body.token_type, 'Bearer')
    assert.equal(body.expires_in, 3600)
    assert.equal(body.scope, 'check')
    assert.match(body.access_token, /^[\w-]{43}$/)
    assert.match(body.refresh_token, /^[\w-]{43}$/)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('pragma'), 'no-cache', 'RFC 6749 5.1')
    assert.match(headers.get('content-type') ?? '', /^application\/json/)
  })

  test('RFC 6749 2.3.1: the secret is sent in the form or in HTTP Basic, and an omitted scope is the granted one', async () => {
    const code = await authorize(service, holder.browser, application, { scope: 'single-use' })
    const basic = Buffer.from(`${application.id}:${application.secret}`).toString('base64')
    const form = codeForm(application, code, { client_id: undefined, client_secret: undefined })
    const { status, body } = await postForm(service, TOKEN_PATH, form, { authorization: `Basic ${basic}` })
    assert.equal(status, 200)
    assert.equal(body.scope, 'single-use')
  })

  test('RFC 6749 3.2: a parameter without a value counts as omitted', async () => {
    const code = await authorize(service, holder.browser, application)
    const { status, body } = await exchange(code, { scope: '', code_verifier: '', refresh_token: '' })
    assert.deepEqual([status, body.scope], [200, 'check'])
  })

  test('RFC 6749 5.2: errors are JSON, even for a client that prefers HTML', async () => {
    // HttpURLConnection of Java sends this unless told otherwise.
    const headers = { accept: 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2' }
    for (const path of [TOKEN_PATH, REVOCATION_PATH, INTROSPECTION_PATH]) {
      const { status, headers: answered, body } = await postForm(service, path, { client_id: 'x' }, headers)
      assert.deepEqual([status, body.error], [401, 'invalid_client'], path)
      assert.match(answered.get('content-type') ?? '', /^application\/json/, path)
    }
  })

  test('RFC 9110 15.5.2: a 401 contains the authentication challenge, wherever the wrong secret was', async () => {
    const secret = 'x'.repeat(40)
    const basic = { authorization: `Basic ${Buffer.from(`${application.id}:${secret}`).toString('base64')}` }
    for (const path of [TOKEN_PATH, REVOCATION_PATH, INTROSPECTION_PATH]) {
      for (const [form, headers] of [
        [{ client_id: application.id, client_secret: secret }, {}],
        [{ client_id: application.id }, {}],
        [{}, basic],
      ] as const) {
        const answer = await postForm(service, path, { token: 'x', ...form }, headers)
        assert.equal(answer.status, 401)
        const challenge = answer.headers.get('www-authenticate') ?? ''
        assert.ok(challenge.startsWith(`Basic realm="${baseUrl}"`), `${path} ${challenge}`)
      }
    }
  })

  const refused: [
    rfc: string,
    what: string,
    more: Record<string, string | undefined>,
    status: number,
    error: string,
  ][] = [
    ['RFC 6749 5.2', 'a wrong secret', { client_secret: 'x'.repeat(40) }, 401, 'invalid_client'],
    ['RFC 6749 5.2', 'no secret', { client_secret: undefined }, 401, 'invalid_client'],
    ['RFC 6749 5.2', 'an unknown client', { client_id: '0'.repeat(32) }, 401, 'invalid_client'],
    ['RFC 6749 5.2', 'no client', { client_id: undefined, client_secret: undefined }, 400, 'invalid_request'],
    ['RFC 6749 5.2', 'the secret of another application', { client_secret: foreign.secret }, 401, 'invalid_client'],
    ['RFC 6749 5.2', 'no grant_type', { grant_type: undefined }, 400, 'invalid_request'],
    ['RFC 6749 5.2', 'an unknown grant_type', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['RFC 6749 4.4', 'client_credentials', { grant_type: 'client_credentials' }, 400, 'unsupported_grant_type'],
    ['RFC 6749 4.1.3', 'no code', { code: undefined }, 400, 'invalid_request'],
    ['RFC 6749 5.2', 'an unknown code', { code: 'x'.repeat(43) }, 400, 'invalid_grant'],
    ['RFC 6749 4.1.3', 'no redirect_uri', { redirect_uri: undefined }, 400, 'invalid_request'],
    ['RFC 6749 5.2', 'another redirect_uri', { redirect_uri: 'https://evil.example.com/' }, 400, 'invalid_grant'],
    ['specification.md 2.4', 'the other scope', { scope: 'single-use' }, 400, 'invalid_scope'],
    ['specification.md 2.4', 'both scopes', { scope: 'check single-use' }, 400, 'invalid_scope'],
    ['specification.md 2.4', 'an unknown scope', { scope: 'everything' }, 400, 'invalid_scope'],
    [
      'RFC 9700 2.1.1',
      'a verifier where there was no challenge',
      { code_verifier: newPkce().verifier },
      400,
      'invalid_grant',
    ],
  ]
  test('none of these forms gets a token or uses up the code', async (t) => {
    const code = await authorize(service, holder.browser, application)
    for (const [rfc, what, more, status, error] of refused) {
      await t.test(`${rfc}: ${what} causes ${error}`, async () => {
        const answer = await exchange(code, more)
        assert.deepEqual([answer.status, answer.body.error], [status, error], JSON.stringify(answer.body))
        assert.equal(answer.headers.get('cache-control'), 'no-store')
        if (error === 'invalid_grant') assert.notEqual(answer.body.error_description, 'grant request is invalid')
      })
    }
    await t.test('RFC 6749 4.1.3: the code of another application is invalid_grant', async () => {
      const { redirectUri } = application
      const answer = await postForm(service, TOKEN_PATH, codeForm({ ...foreign, redirectUri }, code))
      assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_grant'])
    })
    await t.test('RFC 6749 3.2: a repeated parameter is invalid_request', async () => {
      for (const name of ['code', 'grant_type', 'client_id', 'redirect_uri', 'client_secret']) {
        const form = new URLSearchParams(codeForm(application, code) as Record<string, string>)
        form.append(name, form.get(name) as string)
        const answer = await postForm(service, TOKEN_PATH, form)
        assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_request'], name)
      }
    })
    await t.test('RFC 6749 2.3: two ways of authentication at once are invalid_request', async () => {
      const basic = Buffer.from(`${application.id}:${application.secret}`).toString('base64')
      const answer = await postForm(service, TOKEN_PATH, codeForm(application, code), {
        authorization: `Basic ${basic}`,
      })
      assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_request'])
    })
    await t.test('specification.md 2.4: a body that is not a form is invalid_request', async () => {
      const response = await fetch(`${baseUrl}${TOKEN_PATH}`, {
        method: 'POST',
        body: JSON.stringify(codeForm(application, code)),
        headers: { 'content-type': 'application/json' },
      })
      const { error } = (await response.json()) as { error: string }
      assert.deepEqual([response.status, error], [400, 'invalid_request'])
    })
    assert.equal((await exchange(code)).status, 200)
  })

  test('RFC 6749 4.1.2: a code used twice is refused, and its tokens are revoked, but other grants are not', async () => {
    const untouched = await obtainTokens(service, holder.browser, application)
    const code = await authorize(service, holder.browser, application)
    const { body: tokens } = await exchange(code)
    assert.equal((await callApi(tokens.access_token)).status, 200)
    const again = await exchange(code)
    assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant'])
    assertDead(await callApi(tokens.access_token))
    const refresh = await postForm(service, TOKEN_PATH, refreshForm(application, tokens.refresh_token))
    assert.deepEqual([refresh.status, refresh.body.error], [400, 'invalid_grant'])
    assert.equal((await callApi(untouched.access_token)).status, 200)
  })

  test('a code used by another application after its owner used it revokes nothing', async () => {
    const code = await authorize(service, holder.browser, application)
    const { body: tokens } = await exchange(code)
    const { redirectUri } = application
    const answer = await postForm(service, TOKEN_PATH, codeForm({ ...foreign, redirectUri }, code))
    assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_grant'])
    assert.equal((await callApi(tokens.access_token)).status, 200)
  })

  test('of five concurrent exchanges of a code, one succeeds', async () => {
    const code = await authorize(service, holder.browser, application)
    const answers = await Promise.all(Array.from({ length: 5 }, () => exchange(code)))
    const statuses = answers.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [200, 400, 400, 400, 400])
  })

  test('a code works for 60 seconds; its reuse a day later still revokes its tokens', async (t) => {
    const [late, used] = [
      await authorize(service, holder.browser, application),
      await authorize(service, holder.browser, application),
    ]
    const { body: tokens } = await exchange(used)
    const { body: kept } = await exchange(await authorize(service, holder.browser, application))
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 61_000 })
    const expired = await exchange(late)
    assert.deepEqual([expired.status, expired.body.error], [400, 'invalid_grant'])
    t.mock.timers.setTime(Date.now() + 24 * 60 * 60 * 1000)
    assert.match(expired.body.error_description, /expired: it is valid for 60 seconds/)
    assert.match((await exchange(used)).body.error_description, /used before/)
    const refresh = (token: string) => postForm(service, TOKEN_PATH, refreshForm(application, token))
    assert.equal((await refresh(tokens.refresh_token)).status, 400)
    assert.equal((await refresh(kept.refresh_token)).status, 200)
  })

  test('PKCE: the right verifier is required if there was a challenge', async () => {
    const { verifier, challenge } = newPkce()
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
    const code = await authorize(service, holder.browser, strict, pkce)
    for (const wrong of [undefined, newPkce().verifier]) {
      const answer = await postForm(service, TOKEN_PATH, codeForm(strict, code, { code_verifier: wrong }))
      assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_grant'], `verifier ${wrong}`)
      assert.match(answer.body.error_description, wrong ? /does not belong/ : /code_verifier is missing/)
    }
    const answer = await postForm(service, TOKEN_PATH, codeForm(strict, code, { code_verifier: verifier }))
    assert.equal(answer.status, 200)
  })
})

suite('rotating refresh tokens, for an application that requests them', async () => {
  const rotating = await registerApplication(developerBrowser, { rotates_refresh_tokens: true })
  const refresh = async (token: string) => {
    const answer = await postForm(service, TOKEN_PATH, refreshForm(rotating, token))
    if (answer.status === 200) service.secrets.add(answer.body.refresh_token)
    return answer
  }
  const isDead = async (token: string) => {
    const { status, body } = await refresh(token)
    return status === 400 && body.error === 'invalid_grant'
  }
  const later = (t: TestContext, seconds: number) =>
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + seconds * 1_000 })

  test('each refresh returns another refresh token of the same shape', async (t) => {
    const tokens = await obtainTokens(service, holder.browser, rotating)
    const { status, body } = await refresh(tokens.refresh_token)
    assert.deepEqual([status, Object.keys(body).sort()], [200, Object.keys(tokens).sort()])
    assert.notEqual(body.refresh_token, tokens.refresh_token)
    assert.match(body.refresh_token, /^[\w-]{43}$/)
    later(t, 24 * 3_600)
    const next = await refresh(body.refresh_token)
    assert.deepEqual([next.status, next.body.refresh_token === body.refresh_token], [200, false])
    assert.equal((await callApi(next.body.access_token)).status, 200)
  })

  test('RFC 9700 4.14.2: a token that is used again after its successor ends the grant with all its tokens, and this is recorded', async () => {
    const owner = await newAccountHolder(service)
    const tokens = await obtainTokens(service, owner.browser, rotating)
    const { body } = await refresh(tokens.refresh_token)
    const { body: next } = await refresh(body.refresh_token)
    const replayed = await refresh(tokens.refresh_token)
    assert.match(replayed.body.error_description, /used before/)
    assert.ok(await isDead(next.refresh_token))
    assertDead(await callApi(next.access_token))
    const entries = (await owner.api.get('/v3/audit')).body.audit
    assert.deepEqual([entries[0].action, entries[0].actor], ['grant_replayed', 'application'])
    assert.ok(!entries.some(({ action }: { action: string }) => action === 'grant_revoked'))
  })

  test('a lost answer can be requested again until its refresh token is used', async (t) => {
    const tokens = await obtainTokens(service, holder.browser, rotating)
    const first = await refresh(tokens.refresh_token)
    const again = await Promise.all(Array.from({ length: 5 }, () => refresh(tokens.refresh_token)))
    for (const { status, body } of again) {
      assert.deepEqual([status, body.refresh_token], [200, first.body.refresh_token])
      assert.equal((await callApi(body.access_token)).status, 200)
    }
    later(t, 20 * 24 * 3_600)
    assert.equal((await refresh(tokens.refresh_token)).body.refresh_token, first.body.refresh_token)
    assert.equal((await refresh(first.body.refresh_token)).status, 200)
  })

  test('concurrent refreshes get the same refresh token', async () => {
    const tokens = await obtainTokens(service, holder.browser, rotating)
    const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(tokens.refresh_token)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.equal(new Set(answers.map(({ body }) => body.refresh_token)).size, 1)
  })

  test('an interrupted or running exchange can be repeated', async (t) => {
    const tokens = await obtainTokens(service, holder.browser, rotating)
    const consumed = await service.deps.sql`
      update oauth_tokens
      set consumed_at = ${new Date()}
      where token_hash = ${hashSecret(tokens.refresh_token)}
    `
    assert.equal(consumed.count, 1)
    const { status, body } = await refresh(tokens.refresh_token)
    assert.equal(status, 200)
    later(t, 3_600)
    assert.equal((await refresh(tokens.refresh_token)).body.refresh_token, body.refresh_token)
  })

  test('an answer that was used was not lost: the old token ends the grant at once', async () => {
    const tokens = await obtainTokens(service, holder.browser, rotating)
    const { body: second } = await refresh(tokens.refresh_token)
    const { body: third } = await refresh(second.refresh_token)
    assert.ok(await isDead(tokens.refresh_token))
    assert.ok(await isDead(third.refresh_token))
    assertDead(await callApi(third.access_token))
  })

  test('is turned on and off in the settings of the application', async () => {
    const { browser } = await newAccountHolder(service)
    const own = await registerApplication(browser)
    const { refresh_token: token } = await obtainTokens(service, holder.browser, own)
    const isSame = async () => {
      const { body } = await postForm(service, TOKEN_PATH, refreshForm(own, token))
      service.secrets.add(body.refresh_token)
      return body.refresh_token === token
    }
    assert.equal(await isSame(), true)
    await browser.put(`/web/v1/applications/${own.id}`, { rotates_refresh_tokens: true })
    assert.equal((await browser.get('/web/v1/applications')).body.applications[0].rotates_refresh_tokens, true)
    assert.equal(await isSame(), false)
  })
})

suite('refreshing', () => {
  const refresh = (token: string, more: Record<string, string | undefined> = {}) =>
    postForm(service, TOKEN_PATH, refreshForm(application, token, more))

  test('specification.md 2.4: it gives the same shape again, the refresh token stays the same, and both access tokens work', async () => {
    const tokens = await obtainTokens(service, holder.browser, application)
    const { status, body } = await refresh(tokens.refresh_token)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body).sort(), Object.keys(tokens).sort())
    assert.equal(body.refresh_token, tokens.refresh_token)
    assert.deepEqual([body.scope, body.expires_in, body.token_type], ['check', 3600, 'Bearer'])
    assert.notEqual(body.access_token, tokens.access_token)
    for (const { access_token } of [tokens, body]) assert.equal((await callApi(access_token)).status, 200)
  })

  test('it works after the owner signed out, and a day later, when the access token has expired', async (t) => {
    const browser = await signIn(service, holder)
    const tokens = await obtainTokens(service, browser, application)
    await browser.post('/web/v1/sign-out')
    assert.equal((await refresh(tokens.refresh_token)).status, 200)
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 24 * 60 * 60 * 1000 })
    assertDead(await callApi(tokens.access_token))
    assert.equal((await refresh(tokens.refresh_token)).status, 200)
    t.mock.timers.setTime(Date.now() + 179 * 24 * 60 * 60 * 1000)
    assert.deepEqual((await refresh(tokens.refresh_token)).body.error, 'invalid_grant', 'after 180 days')
  })

  test('the refresh token of another application, an unknown one and an access token are invalid_grant', async () => {
    const tokens = await obtainTokens(service, holder.browser, foreign)
    const own = await obtainTokens(service, holder.browser, application)
    for (const token of [tokens.refresh_token, 'x'.repeat(43), own.access_token]) {
      const answer = await refresh(token)
      assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_grant'])
    }
    assert.equal((await callApi(tokens.access_token)).status, 200)
  })

  test('RFC 6749 6: the granted scope may be named, but not another one', async () => {
    const tokens = await obtainTokens(service, holder.browser, application)
    assert.equal((await refresh(tokens.refresh_token, { scope: 'check' })).body.scope, 'check')
    for (const scope of ['single-use', 'check single-use', 'everything']) {
      const answer = await refresh(tokens.refresh_token, { scope })
      assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_scope'], scope)
    }
  })
})

test('expired tokens are deleted, and a used code is kept as long as its tokens may be valid', async (t) => {
  const own = await startTestService(t)
  const { browser } = await newAccountHolder(own)
  const client = await registerApplication(browser)
  const used = await authorize(own, browser, client)
  assert.equal((await postForm(own, TOKEN_PATH, codeForm(client, used))).status, 200)
  await authorize(own, browser, client)
  await openConsent(browser, authorizationAddress(client))
  assert.equal(await sweep(own.deps, 'sweep tokens'), 0)
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 2 * 60 * 60 * 1000 })
  assert.equal(await sweep(own.deps, 'sweep tokens'), 3, 'a code, an access token, and a request that nobody answered')
  t.mock.timers.setTime(Date.now() + 178 * 24 * 60 * 60 * 1000)
  assert.equal(await sweep(own.deps, 'sweep tokens'), 0)
  t.mock.timers.setTime(Date.now() + 2 * 24 * 60 * 60 * 1000)
  assert.equal(await sweep(own.deps, 'sweep tokens'), 2, 'the used code and the refresh token')
})

suite('revocation and introspection', () => {
  const credentials = { client_id: application.id, client_secret: application.secret }
  const introspect = (token: string, client: Record<string, string> = credentials) =>
    postForm(service, INTROSPECTION_PATH, { token, ...client })
  const revoke = (token: string, client: Record<string, string> = credentials) =>
    postForm(service, REVOCATION_PATH, { token, ...client })

  for (const kind of ['access_token', 'refresh_token'] as const) {
    test(`RFC 7009: revoking the ${kind} ends its grant and no other`, async () => {
      const [tokens, others] = [
        await obtainTokens(service, holder.browser, application),
        await obtainTokens(service, holder.browser, application),
      ]
      assert.equal((await revoke(tokens[kind])).status, 200)
      assertDead(await callApi(tokens.access_token))
      assert.equal((await postForm(service, TOKEN_PATH, refreshForm(application, tokens.refresh_token))).status, 400)
      assert.deepEqual((await introspect(tokens.access_token)).body, { active: false })
      assert.equal((await callApi(others.access_token)).status, 200)
    })
  }

  test('RFC 7009 2.1: a foreign token is not revoked, an unknown one is no error, and a wrong secret is', async () => {
    const tokens = await obtainTokens(service, holder.browser, foreign)
    await revoke(tokens.access_token)
    assert.equal((await callApi(tokens.access_token)).status, 200)
    assert.equal((await revoke('x'.repeat(43))).status, 200)
    const wrong = await revoke(tokens.access_token, { ...credentials, client_secret: 'x'.repeat(40) })
    assert.deepEqual([wrong.status, wrong.body.error], [401, 'invalid_client'])
  })

  test('RFC 7662: an application can inspect its own tokens; a foreign one is inactive and reveals nothing', async () => {
    const tokens = await obtainTokens(service, holder.browser, application)
    const { body } = await introspect(tokens.access_token)
    assert.deepEqual([body.active, body.scope, body.client_id, body.sub], [true, 'check', application.id, holder.id])
    assert.equal(body.exp - body.iat, 3600)
    assert.equal((await introspect(tokens.refresh_token)).body.active, true)
    const client = { client_id: foreign.id, client_secret: foreign.secret }
    for (const token of [tokens.access_token, tokens.refresh_token, 'x'.repeat(43)]) {
      assert.deepEqual((await introspect(token, client)).body, { active: false })
    }
  })

  test('tokens of a disconnected application stop working at once', async () => {
    const tokens = await obtainTokens(service, holder.browser, application)
    const { grants } = (await holder.browser.get('/web/v1/grants')).body
    const stranger = await newAccountHolder(service)
    const [{ id }] = grants
    assert.deepEqual((await stranger.browser.get('/web/v1/grants')).body.grants, [])
    assert.equal((await stranger.browser.del(`/web/v1/grants/${id}`)).body.code, 'grant_not_found')
    assert.equal((await callApi(tokens.access_token)).status, 200)
    assert.equal((await holder.browser.del(`/web/v1/grants/${id}`)).status, 200)
    assertDead(await callApi(tokens.access_token))
    assert.equal((await holder.browser.del(`/web/v1/grants/${id}`)).body.code, 'grant_not_found')
  })
})

suite('discovery', () => {
  test('RFC 8414: the metadata contains the paths of the specification and the supported features, and nothing else', async () => {
    const { body } = await service.as('').get('/.well-known/oauth-authorization-server')
    assert.equal(body.issuer, baseUrl)
    assert.equal(body.authorization_endpoint, `${baseUrl}/oauth/authorize`)
    assert.equal(body.token_endpoint, `${baseUrl}${TOKEN_PATH}`)
    assert.equal(body.revocation_endpoint, `${baseUrl}${REVOCATION_PATH}`)
    assert.equal(body.introspection_endpoint, `${baseUrl}${INTROSPECTION_PATH}`)
    assert.deepEqual(body.scopes_supported, ['check', 'single-use'])
    assert.deepEqual(body.response_types_supported, ['code'])
    assert.deepEqual(body.response_modes_supported, ['query'])
    assert.deepEqual(body.grant_types_supported, ['authorization_code', 'refresh_token'])
    assert.deepEqual(body.code_challenge_methods_supported, ['S256'])
    assert.deepEqual(body.token_endpoint_auth_methods_supported, ['client_secret_basic', 'client_secret_post'])
    assert.equal(body.authorization_response_iss_parameter_supported, true)
  })

  test('HEAD has the answer of GET without a body, as the Allow header of these URLs lists', async () => {
    for (const [path, status] of [
      ['/.well-known/oauth-authorization-server', 200],
      [authorizationAddress(application), 303],
      ['/oauth/authorize?client_id=unknown', 400],
    ] as const) {
      const answer = await fetch(`${baseUrl}${path}`, { method: 'HEAD', redirect: 'manual' })
      assert.equal(answer.status, status, path)
    }
  })

  test('behind a proxy, every URL is the public one, regardless of the request', async (t) => {
    const publicUrl = 'https://pay.example.com'
    const proxied = await startTestService(t, { settings: { baseUrl: publicUrl } })
    const response = await fetch(`${proxied.listeningAt}/.well-known/oauth-authorization-server`, {
      headers: { 'x-forwarded-host': 'evil.example.com', 'x-forwarded-proto': 'http' },
    })
    const metadata = (await response.json()) as Record<string, string>
    assert.equal(metadata.issuer, publicUrl)
    assert.equal(metadata.token_endpoint, `${publicUrl}${TOKEN_PATH}`)
  })
})

function assertDead(answer: { status: number; body: { code: string }; headers: Headers }): void {
  assert.deepEqual([answer.status, answer.body.code], [401, 'invalid_token'])
  assert.equal(answer.headers.get('www-authenticate'), 'Bearer realm="remit", error="invalid_token"')
}
