import type { TestService } from './service.ts'

export type Page = {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: an answer can be anything
  body: any
  /** Where the answer leads, as an absolute address. */
  location: URL | null
}

/** What a browser does without its pages: it keeps cookies by path, says its origin, and does not follow by itself. */
export type Browser = {
  get(address: string, headers?: Record<string, string>): Promise<Page>
  post(address: string, body?: unknown, headers?: Record<string, string>): Promise<Page>
  put(address: string, body?: unknown): Promise<Page>
  del(address: string): Promise<Page>
  cookies: Map<string, { value: string; path: string }>
}

export function openBrowser({ baseUrl, secrets }: Pick<TestService, 'baseUrl' | 'secrets'>): Browser {
  const cookies: Browser['cookies'] = new Map()

  function keepCookies(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair, ...attributes] = line.split(/; ?/) as [string, ...string[]]
      const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
      const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? '/'
      const isGone =
        value === '' || attributes.some((attribute) => /^(max-age=0|expires=Thu, 01 Jan 1970)/i.test(attribute))
      if (isGone) cookies.delete(name)
      else cookies.set(name, { value, path })
      if (!name.endsWith('.sig')) secrets.add(value)
    }
  }

  async function send(method: string, address: string, body?: unknown, headers: Record<string, string> = {}) {
    const url = new URL(address, baseUrl)
    const sent = [...cookies].filter(([, { path }]) => url.pathname.startsWith(path))
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headers: {
        ...(sent.length > 0 && { cookie: sent.map(([name, { value }]) => `${name}=${value}`).join('; ') }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(method !== 'GET' && { origin: url.origin, 'sec-fetch-site': 'same-origin' }),
        ...headers,
      },
    })
    keepCookies(response.headers)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const location = response.headers.get('location')
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text ? JSON.parse(text) : null,
      location: location === null ? null : new URL(location, url),
    }
  }

  return {
    get: (address, headers) => send('GET', address, undefined, headers),
    post: (address, body = {}, headers) => send('POST', address, body, headers),
    put: (address, body) => send('PUT', address, body),
    del: (address) => send('DELETE', address),
    cookies,
  }
}

type Login = { email: string; password?: string }

/** A browser in which an owner has signed in. */
export async function signIn(service: TestService, { email, password = TEST_PASSWORD }: Login): Promise<Browser> {
  const browser = openBrowser(service)
  await signInAt(browser, { email, password })
  return browser
}

export async function signInAt(browser: Browser, { email, password = TEST_PASSWORD }: Login): Promise<void> {
  const { status, text } = await browser.post('/web/v1/sign-in', { email, password })
  if (status !== 200) throw new Error(`not signed in: ${text}`)
}

/** Of the owners that `newOwner` makes. */
export const TEST_PASSWORD = 'correct horse battery'
