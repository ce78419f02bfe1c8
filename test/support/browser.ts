import assert from 'node:assert/strict'
import { type Answer, createApi } from './api.ts'
import { PASSWORD, type TestService } from './service.ts'

type Headers = Record<string, string>

/** `location`: the redirect target as an absolute URL. */
export type Page = Answer & { location: URL | null }

/** A browser without pages: it stores cookies by path, sends its origin, and does not follow redirects. */
export type Browser = {
  cookies: Map<string, { value: string; path: string }>
  get(address: string, headers?: Headers): Promise<Page>
  post(address: string, body?: unknown, headers?: Headers): Promise<Page>
  put(address: string, body?: unknown, headers?: Headers): Promise<Page>
  del(address: string, headers?: Headers): Promise<Page>
}

/** `headers` are sent with every request. */
export function openBrowser({ baseUrl, secrets }: Pick<TestService, 'baseUrl' | 'secrets'>, headers = {}): Browser {
  const api = createApi(baseUrl, '', secrets)
  const cookies: Browser['cookies'] = new Map()

  function keepCookies(answer: Answer): void {
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) as unknown as [string, string, string]
      const [, path = '/'] = /; ?path=([^;]*)/i.exec(line) ?? []
      if (value === '' || /; ?(max-age=0|expires=Thu, 01 Jan 1970)/i.test(line)) cookies.delete(name)
      else cookies.set(name, { value, path })
      if (!name.endsWith('.sig')) secrets.add(value)
    }
  }

  async function visit(
    address: string,
    own: Headers | undefined,
    send: (path: string, options: { headers: Headers }) => Promise<Answer>,
  ): Promise<Page> {
    const url = new URL(address, baseUrl)
    const sent = [...cookies].filter(([, { path }]) => url.pathname.startsWith(path))
    const answer = await send(url.pathname + url.search, {
      headers: {
        origin: baseUrl,
        'user-agent': 'Test browser',
        ...(sent.length > 0 && { cookie: sent.map(([name, { value }]) => `${name}=${value}`).join('; ') }),
        ...headers,
        ...own,
      },
    })
    keepCookies(answer)
    const location = answer.headers.get('location')
    return { ...answer, location: location === null ? null : new URL(location, url) }
  }

  return {
    cookies,
    get: (address, own) => visit(address, own, (path, options) => api.get(path, options)),
    post: (address, body, own) => visit(address, own, (path, options) => api.post(path, body, options)),
    put: (address, body, own) => visit(address, own, (path, options) => api.put(path, body, options)),
    del: (address, own) => visit(address, own, (path, options) => api.del(path, options)),
  }
}

let addressCount = 0

/** An IP address without earlier attempts. */
export const newAddress = (): string => `198.18.${++addressCount >> 8}.${addressCount & 255}`

/** A browser with its own IP address in X-Forwarded-For, because attempts are counted by address. */
export const openBrowserAt = (service: TestService, address = newAddress()): Browser =>
  openBrowser(service, { 'x-forwarded-for': address })

/** Signs an owner in with a browser, with the password of `newOwner` unless another is given. */
export async function signIn(
  service: TestService,
  { email, password = PASSWORD }: { email: string; password?: string },
): Promise<Browser> {
  const browser = openBrowser(service)
  const answer = await browser.post('/web/v1/sign-in', { email, password })
  assert.deepEqual([answer.status, answer.body], [200, { second_factor: false }], answer.text)
  return browser
}

/** The email of the signed-in owner, or null. */
export async function signedInAs(browser: Browser): Promise<string | null> {
  const { status, body } = await browser.get('/web/v1/context')
  assert.equal(status, 200)
  return body.owner?.email ?? null
}
