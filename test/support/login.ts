import assert from 'node:assert/strict'
import type { Answer } from './api.ts'
import { type Browser, openBrowserAt } from './browser.ts'
import { PASSWORD, type TestService } from './service.ts'

// Shared by the tests of logins: mail and codes, simultaneous attempts, the audit trail.

/** The newest mail to an address, in environments that show mail. */
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

/** A different code. */
export const otherCode = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

let emailCount = 0
export const newEmail = (): string => `person-${process.pid}-${++emailCount}@example.com`

/** Sends a request ten times at once. Returns the number of answers by status and code. */
export async function tenTimes(request: () => Promise<Answer>): Promise<Record<string, number>> {
  const answers = await Promise.all(Array.from({ length: 10 }, request))
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const outcome = [status, body?.code].filter(Boolean).join(' ')
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}

/** The audited actions of an owner, oldest first. */
export async function auditActions({ deps }: Pick<TestService, 'deps'>, email: string): Promise<string[]> {
  const rows = await deps.sql<{ action: string }[]>`
    select a.action
    from audit_entries a
    where a.platform_id in (
      select m.platform_id
      from members m
      join logins l on l.id = m.login_id
      where l.email = ${email}
    )
    order by a.created_at, a.id
  `
  return rows.map(({ action }) => action)
}

/** Signs up with the mailed code, in environments that show mail. */
export async function signUp(service: TestService, email: string): Promise<Browser> {
  const browser = openBrowserAt(service)
  const begun = await browser.post('/web/v1/sign-up', { email, password: PASSWORD, name: 'Ada Outside' })
  assert.equal(begun.status, 201, begun.text)
  const { verification } = begun.body
  const code = await mailedCode(browser, email)
  const { status, text } = await browser.post('/web/v1/sign-up/confirm', { verification, code })
  assert.equal(status, 201, text)
  return browser
}
