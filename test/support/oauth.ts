import { createHash, randomBytes } from 'node:crypto'
import { type Browser, signIn } from './browser.ts'
import { addVerifiedBank, type TestService } from './service.ts'

export type TestApplication = { id: string; secret: string; redirectUri: string }

export type Tokens = {
  access_token: string
  token_type: string
  expires_in: number
  refresh_token: string
  scope: string
}

/** An owner with a verified bank, signed in with a browser. */
export async function newAccountHolder(service: TestService) {
  const owner = await service.newOwner()
  await addVerifiedBank(owner.api)
  return { ...owner, browser: await signIn(service, owner) }
}

/** Registers an application with the browser of its owner. */
export async function registerApplication(
  browser: Browser,
  fields: Record<string, unknown> = {},
): Promise<TestApplication> {
  const redirectUri = `https://app-${randomBytes(4).toString('hex')}.example.com/callback?from=remit`
  const { status, body, text } = await browser.post('/web/v1/applications', {
    name: 'Bookkeeper',
    site: 'https://bookkeeper.example.com',
    redirect_uris: [redirectUri],
    ...fields,
  })
  if (status !== 201) throw new Error(`no application was registered: ${text}`)
  return { id: body.id, secret: body.secret, redirectUri: body.redirect_uris[0] }
}

export type AuthorizationParameters = Record<string, string | undefined>

/** The URL to which an application sends the browser (specification.md 2.3). */
export function authorizationAddress(application: TestApplication, parameters: AuthorizationParameters = {}): string {
  const all = {
    client_id: application.id,
    redirect_uri: application.redirectUri,
    response_type: 'code',
    scope: 'check',
    state: 'xyz',
    ...parameters,
  }
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `/oauth/authorize?${new URLSearchParams(given)}`
}

/** Opens the consent page. @returns its path */
export async function openConsent(browser: Browser, address: string): Promise<string> {
  const { location, status, text } = await browser.get(address)
  if (status !== 303 || !location?.pathname.startsWith('/oauth/consent/')) {
    throw new Error(`no consent page: ${status} ${location} ${text.slice(0, 300)}`)
  }
  return location.pathname
}

/** Presses a button on the consent page. @returns the redirect to the application */
export async function answerConsent(browser: Browser, consentPath: string, button: 'authorize' | 'deny'): Promise<URL> {
  const { body: details } = await browser.get(`${consentPath}/details`)
  const body = button === 'authorize' ? { owner: details.owner?.id } : {}
  const answer = await browser.post(`${consentPath}/${button}`, body)
  if (answer.status !== 201) throw new Error(`not answered: ${answer.text}`)
  const { location, status, text } = await browser.get(answer.body.redirect_to)
  if (!location) throw new Error(`the browser was not redirected: ${status} ${text.slice(0, 300)}`)
  return location
}

/** Completes an authorization in a browser. @returns the code */
export async function authorize(
  service: TestService,
  browser: Browser,
  application: TestApplication,
  parameters: AuthorizationParameters = {},
): Promise<string> {
  const consent = await openConsent(browser, authorizationAddress(application, parameters))
  const code = (await answerConsent(browser, consent, 'authorize')).searchParams.get('code')
  if (!code) throw new Error('no code')
  service.secrets.add(code)
  return code
}

export type FormAnswer = {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: an answer can be anything
  body: any
}

/** Posts a form to the authorization server as a client does. */
export async function postForm(
  service: TestService,
  path: string,
  form: Record<string, string | undefined> | URLSearchParams,
  headers: Record<string, string> = {},
): Promise<FormAnswer> {
  const body =
    form instanceof URLSearchParams
      ? form
      : new URLSearchParams(Object.entries(form).filter((entry): entry is [string, string] => entry[1] !== undefined))
  const response = await fetch(`${service.baseUrl}${path}`, { method: 'POST', body, headers })
  const text = await response.text()
  const answer = text === '' ? null : JSON.parse(text)
  for (const name of ['access_token', 'refresh_token']) if (answer?.[name]) service.secrets.add(answer[name])
  return { status: response.status, headers: response.headers, body: answer }
}

export const TOKEN_PATH = '/web/v1/auth/oauth/token'

/** The form of specification.md 2.4, with changed or removed fields. */
export const codeForm = (
  application: TestApplication,
  code: string,
  more: Record<string, string | undefined> = {},
) => ({
  grant_type: 'authorization_code',
  client_id: application.id,
  client_secret: application.secret,
  code,
  redirect_uri: application.redirectUri,
  ...more,
})

export const refreshForm = (
  application: TestApplication,
  refreshToken: string,
  more: Record<string, string | undefined> = {},
) => ({
  grant_type: 'refresh_token',
  client_id: application.id,
  client_secret: application.secret,
  refresh_token: refreshToken,
  ...more,
})

/** A consent and the exchange of its code. */
export async function obtainTokens(
  service: TestService,
  browser: Browser,
  application: TestApplication,
  scope: 'check' | 'single-use' = 'check',
): Promise<Tokens> {
  const code = await authorize(service, browser, application, { scope })
  const { status, body } = await postForm(service, TOKEN_PATH, codeForm(application, code, { scope }))
  if (status !== 200) throw new Error(`no tokens: ${JSON.stringify(body)}`)
  return body
}

export function newPkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}
