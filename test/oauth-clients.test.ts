import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import * as openid from 'openid-client'
import type { Page } from 'playwright-core'
import { AuthorizationCode } from 'simple-oauth2'
import { startChromium } from './support/chromium.ts'
import { newAccountHolder, registerApplication } from './support/oauth.ts'
import { PASSWORD, startTestService } from './support/service.ts'

// Third-party client libraries, with the consent given in a real browser.

const service = await startTestService({ after })
const { baseUrl } = service
const openContext = await startChromium({ after })
const holder = await newAccountHolder(service)
const developer = await newAccountHolder(service)

/** The application's URL, to which the browser returns. */
const callbacks: URL[] = []
const server = createServer((request, response) => {
  callbacks.push(new URL(request.url as string, redirectUri))
  response.end('Welcome back')
})
await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
after(() => void server.close())
const redirectUri = `http://localhost:${(server.address() as AddressInfo).port}/callback`

/**
 * Opens the authorization URL, signs in if asked, and presses a button.
 * @returns the URL to which the browser returned
 */
async function answerInBrowser(page: Page, url: string, button: 'Authorize' | 'Deny'): Promise<URL> {
  const before = callbacks.length
  await page.goto(url)
  const choice = page.getByRole('button', { name: button, exact: true })
  const password = page.getByLabel('Password', { exact: true })
  await choice.or(password).first().waitFor()
  if (button === 'Authorize' && (await password.isVisible())) {
    await page.getByLabel('Email', { exact: true }).fill(holder.email)
    await password.fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  await choice.click()
  await page.waitForURL(`${redirectUri}*`)
  const callback = callbacks.slice(before).find(({ pathname }) => pathname === '/callback')
  if (!callback) throw new Error('the browser did not return')
  return callback
}

test('openid-client: discovery, code with PKCE, a payment, refresh, introspection, revocation, refused', async () => {
  const application = await registerApplication(developer.browser, {
    redirect_uris: [redirectUri],
    requires_pkce: true,
  })
  const config = await openid.discovery(new URL(baseUrl), application.id, application.secret, undefined, {
    algorithm: 'oauth2',
    execute: [openid.allowInsecureRequests],
  })
  const verifier = openid.randomPKCECodeVerifier()
  const state = openid.randomState()
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'check',
    state,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const page = await (await openContext()).newPage()
  const callback = await answerInBrowser(page, url.href, 'Authorize')
  // It checks state and iss itself.
  const checks = { expectedState: state, pkceCodeVerifier: verifier }
  const tokens = await openid.authorizationCodeGrant(config, callback, checks)
  for (const token of [tokens.access_token, tokens.refresh_token]) service.secrets.add(token ?? '')
  assert.deepEqual([tokens.token_type, tokens.expires_in, tokens.scope], ['bearer', 3600, 'check'])

  const send = (token: string) =>
    openid.fetchProtectedResource(
      config,
      token,
      new URL(`${baseUrl}/v3/check/digital`),
      'POST',
      JSON.stringify({ amount: 12.5, name: 'Recipient', recipient: 'recipient@example.com' }),
      new Headers({ 'content-type': 'application/json' }),
    )
  const payment = await send(tokens.access_token)
  assert.equal(payment.status, 201)
  assert.equal(((await payment.json()) as { status: string }).status, 'UNPAID')

  const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token as string)
  service.secrets.add(refreshed.access_token)
  assert.equal((await send(refreshed.access_token)).status, 201)
  assert.equal((await openid.tokenIntrospection(config, refreshed.access_token)).active, true)
  await openid.tokenRevocation(config, refreshed.access_token)
  assert.equal((await openid.tokenIntrospection(config, refreshed.access_token)).active, false)
  await assert.rejects(send(refreshed.access_token), (error: openid.WWWAuthenticateChallengeError) => {
    assert.equal(error.cause[0]?.parameters.error, 'invalid_token')
    return true
  })
  await assert.rejects(openid.refreshTokenGrant(config, tokens.refresh_token as string), { error: 'invalid_grant' })
})

test('openid-client: after a denial in the browser, it gets access_denied from this issuer', async () => {
  const application = await registerApplication(developer.browser, { redirect_uris: [redirectUri] })
  const config = await openid.discovery(new URL(baseUrl), application.id, application.secret, undefined, {
    execute: [openid.allowInsecureRequests],
  })
  const state = openid.randomState()
  const url = openid.buildAuthorizationUrl(config, { redirect_uri: redirectUri, scope: 'single-use', state })
  const page = await (await openContext()).newPage()
  const callback = await answerInBrowser(page, url.href, 'Deny')
  assert.deepEqual([callback.searchParams.get('state'), callback.searchParams.get('iss')], [state, baseUrl])
  const checks = { expectedState: state }
  await assert.rejects(openid.authorizationCodeGrant(config, callback, checks), { error: 'access_denied' })
})

test('simple-oauth2: code, call, refresh, revoke, refused; the consent is requested again the second time', async () => {
  const application = await registerApplication(developer.browser, { redirect_uris: [redirectUri] })
  const client = new AuthorizationCode({
    client: { id: application.id, secret: application.secret },
    auth: {
      tokenHost: baseUrl,
      tokenPath: '/web/v1/auth/oauth/token',
      authorizePath: '/oauth/authorize',
      revokePath: '/web/v1/auth/oauth/revoke',
    },
    options: { authorizationMethod: 'body' },
  })
  const page = await (await openContext()).newPage()
  const obtain = async (scope: string) => {
    const url = client.authorizeURL({ redirect_uri: redirectUri, scope, state: 'abc' })
    const callback = await answerInBrowser(page, url, 'Authorize')
    const token = await client.getToken({
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: redirectUri,
      scope,
    })
    for (const secret of [token.token.access_token, token.token.refresh_token]) service.secrets.add(secret)
    return token
  }
  const call = ({ token }: { token: { access_token: string } }) =>
    service.as(`bearer ${token.access_token}`).get('/v3/user')

  const [first, second] = [await obtain('check'), await obtain('single-use')]
  assert.deepEqual([first.token.scope, second.token.scope], ['check', 'single-use'])
  assert.equal((await call(first)).body.user.id, holder.id)
  const refreshed = await first.refresh()
  service.secrets.add(refreshed.token.access_token)
  assert.equal((await call(refreshed)).status, 200)
  await refreshed.revokeAll()
  for (const token of [first, refreshed]) assert.equal((await call(token)).body.code, 'invalid_token')
  assert.equal((await call(second)).status, 200)
})
