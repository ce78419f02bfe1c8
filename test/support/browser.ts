import assert from 'node:assert/strict'
import { type Answer, createApi } from './api.ts'
import { PASSWORD, type TestService } from './service.ts'

type Headers = Record<string, string>

/** `location`: where the answer leads, as an absolute address. */
export type Page = Answer & { location: URL | null }

/** What a browser does without its pages: it keeps cookies by path, says its origin, and does not follow by itself. */
export type Browser = {
  cookies: Map<string, { value: string; path: string }>
  get(address: string, headers?: Headers): Promise<Page>
  post(address: string, body?: unknown, headers?: Headers): Promise<Page>
  put(address: string, body?: unknown, headers?: Headers): Promise<Page>
  del(address: string, headers?: Headers): Promise<Page>
}

/** `headers` go with every request. */
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

/** An IP address that nobody has tried from. */
export const newAddress = (): string => `198.18.${++addressCount >> 8}.${addressCount & 255}`

/** A browser at an IP address of its own, where the service believes X-Forwarded-For: tries are counted by address. */
export const openBrowserAt = (service: TestService, address = newAddress()): Browser =>
  openBrowser(service, { 'x-forwarded-for': address })

/** A browser in which an owner is signed in: one of `newOwner`, unless it has another password. */
export async function signIn(
  service: TestService,
  { email, password = PASSWORD }: { email: string; password?: string },
): Promise<Browser> {
  const browser = openBrowser(service)
  const answer = await browser.post('/web/v1/sign-in', { email, password })
  assert.deepEqual([answer.status, answer.body], [200, { second_factor: false }], answer.text)
  return browser
}

/** Who is signed in in a browser, by the email; null for nobody. */
export async function signedInAs(browser: Browser): Promise<string | null> {
  const { status, body } = await browser.get('/web/v1/context')
  assert.equal(status, 200)
  return body.owner?.email ?? null
}
