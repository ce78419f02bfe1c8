import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { answerConsent, newAccountHolder, openConsent, registerApplication } from '../../../test/support/oauth.ts'
import { startTestService } from '../../../test/support/service.ts'
import { AuthenticationError, OAuth, OAuthError, Remit } from '../src/index.ts'

const service = await startTestService({ after })
const { baseUrl } = service
const holder = await newAccountHolder(service)
const application = await registerApplication((await newAccountHolder(service)).browser, { requires_pkce: true })
const { id: clientId, secret: clientSecret, redirectUri } = application
const oauth = new OAuth({ baseUrl, clientId, clientSecret, redirectUri })

/** Simulates the person's browser at the URL. @returns the callback */
async function consent(url: string, button: 'authorize' | 'deny'): Promise<URL> {
  const { pathname, search } = new URL(url)
  return answerConsent(holder.browser, await openConsent(holder.browser, pathname + search), button)
}

test('an application is authorized with PKCE, pays, refreshes its tokens and ends them', async () => {
  const pending = await oauth.authorizeUrl({ scope: 'check' })
  const callback = await consent(pending.url, 'authorize')
  await assert.rejects(oauth.exchange(callback, { ...pending, state: 'of another session' }), {
    code: 'invalid_callback',
  })
  await assert.rejects(oauth.exchange(callback, { ...pending, state: '' }), { code: 'invalid_callback' })
  const foreign = new URL(callback)
  foreign.searchParams.set('iss', 'https://attacker.example')
  await assert.rejects(oauth.exchange(foreign, pending), { code: 'invalid_callback' })

  const tokens = await oauth.exchange(callback, pending)
  assert.equal(tokens.scope, 'check')
  assert.ok(Date.parse(tokens.expires_at ?? '') > Date.now())
  const remit = new Remit({ baseUrl, tokens, oauth })
  const payment = await remit.payments.sendDigital({ amount: 12.5, name: 'Bob', recipient: 'bob@example.com' })
  assert.equal(payment.status, 'UNPAID')

  const refreshed = await oauth.refresh(tokens)
  assert.notEqual(refreshed.access_token, tokens.access_token)
  await oauth.revoke(refreshed)
  await assert.rejects(new Remit({ baseUrl, tokens: refreshed }).payments.get(payment.id), AuthenticationError)
  await assert.rejects(oauth.refresh(tokens), (error) => error instanceof OAuthError && error.code === 'invalid_grant')
})

test('a refusal by the person, and a wrong code verifier, cause errors of the authorization', async () => {
  const declined = await oauth.authorizeUrl({ scope: 'single-use' })
  await assert.rejects(oauth.exchange(await consent(declined.url, 'deny'), declined), { code: 'access_denied' })
  const pending = await oauth.authorizeUrl({ scope: 'check' })
  const callback = await consent(pending.url, 'authorize')
  const codeVerifier = declined.codeVerifier
  await assert.rejects(oauth.exchange(callback, { ...pending, codeVerifier }), { code: 'invalid_grant' })
})
