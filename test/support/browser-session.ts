import assert from 'node:assert/strict'
import { type Answer, createApi } from './api.ts'
import type { TestService } from './service.ts'

type Headers = Record<string, string>

/** A browser on a page of the service: it keeps cookies and says where it comes from. */
export type Browser = {
  cookies: Map<string, string>
  get(path: string, headers?: Headers): Promise<Answer>
  post(path: string, body?: unknown, headers?: Headers): Promise<Answer>
  put(path: string, body?: unknown, headers?: Headers): Promise<Answer>
  del(path: string, headers?: Headers): Promise<Answer>
}

export const PASSWORD = 'correct horse battery'

/** `headers` go with every request: another Origin, or an address (X-Forwarded-For, where the service trusts it). */
export function openBrowser({ baseUrl, secrets }: Pick<TestService, 'baseUrl' | 'secrets'>, headers = {}): Browser {
  const api = createApi(baseUrl, '', secrets)
  const cookies = new Map<string, string>()

  const options = (own: Headers = {}) => ({
    headers: {
      origin: baseUrl,
      'user-agent': 'Test browser',
      ...(cookies.size > 0 && { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
      ...headers,
      ...own,
    },
  })

  async function answered(request: Promise<Answer>): Promise<Answer> {
    const answer = await request
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) as unknown as [string, string, string]
      if (/; (Max-Age=0|Expires=Thu, 01 Jan 1970)/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
      secrets.add(value)
    }
    noteSecrets(answer.body)
    return answer
  }

  function noteSecrets(body: Record<string, unknown> | null): void {
    for (const name of ['password', 'current', 'verification', 'secret']) {
      const value = body?.[name]
      // An e-mail that is tried as a password is no secret.
      if (typeof value === 'string' && !value.includes('@')) secrets.add(value)
    }
    for (const code of (body?.recovery_codes as string[] | undefined) ?? []) {
      secrets.add(code)
      secrets.add(code.replace('-', ''))
    }
  }

  const withBody = (method: 'post' | 'put') => (path: string, body?: unknown, own?: Headers) => {
    noteSecrets((body ?? null) as Record<string, unknown> | null)
    return answered(api[method](path, body, options(own)))
  }

  return {
    cookies,
    get: (path, own) => answered(api.get(path, options(own))),
    post: withBody('post'),
    put: withBody('put'),
    del: (path, own) => answered(api.del(path, options(own))),
  }
}

/** A browser in which an owner is signed in: one of `newOwner`, unless it has another password. */
export async function signIn(
  service: Pick<TestService, 'baseUrl' | 'secrets'>,
  { email, password = PASSWORD, code }: { email: string; password?: string; code?: string },
): Promise<Browser> {
  const browser = openBrowser(service)
  const answer = await browser.post('/web/v1/sign-in', { email, password, ...(code && { code }) })
  assert.deepEqual([answer.status, answer.body], [200, { second_factor: false }], answer.text)
  return browser
}

/** Whether somebody is signed in in a browser. */
export async function signedInAs(browser: Browser): Promise<string | null> {
  const { status, body } = await browser.get('/web/v1/context')
  assert.equal(status, 200)
  return body.owner?.email ?? null
}

/** The newest mail to an address, where mail is shown. */
export async function lastMail(browser: Browser, to: string): Promise<{ subject: string; text: string }> {
  const { body } = await browser.get('/web/v1/mail')
  const mail = body.mails.find((each: { to: string }) => each.to === to)
  assert.ok(mail, `there is a mail to ${to}`)
  return mail
}

/** The code in the newest mail to an address. */
export async function mailedCode(browser: Browser, to: string): Promise<string> {
  const { text } = await lastMail(browser, to)
  const [code] = /\b\d{6}\b/.exec(text) ?? []
  assert.ok(code, text)
  return code
}

/** A code that is not this one. */
export const otherCode = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

let emailCount = 0
export const newEmail = (): string => `person-${process.pid}-${++emailCount}@example.com`

/** What is done ten times at the same time: how many answers have each status and code. */
export async function tenTimes(request: () => Promise<Answer>): Promise<Record<string, number>> {
  const answers = await Promise.all(Array.from({ length: 10 }, request))
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const outcome = [status, body?.code].filter(Boolean).join(' ')
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}

/** The actions that were written down for an owner, oldest first. */
export async function auditActions({ deps }: Pick<TestService, 'deps'>, email: string): Promise<string[]> {
  const rows = await deps.sql<{ action: string }[]>`
    select a.action
    from audit_entries a
    join logins l using (platform_id)
    where l.email = ${email}
    order by a.created_at, a.id
  `
  return rows.map(({ action }) => action)
}
