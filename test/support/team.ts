import assert from 'node:assert/strict'
import type { Role } from '../../src/foundation/core/permission-rules.ts'
import { inTransaction } from '../../src/foundation/db/transaction.ts'
import { createLogin } from '../../src/people/auth/owner/owner-actions.ts'
import { addMember } from '../../src/people/auth/team/member-store.ts'
import { type Browser, openBrowser, signIn } from './browser.ts'
import { lastMail, newEmail } from './login.ts'
import { hashOfPassword, type TestService } from './service.ts'

export type Member = { browser: Browser; loginId: string; email: string; role: Role }

/** Adds a person to a platform, without an invitation, and signs in. The name is that of the role. */
export async function newMember(
  service: TestService,
  platformId: string,
  role: Role,
  { name = `The ${role}`, email = newEmail() } = {},
): Promise<Member> {
  const { deps } = service
  const passwordHash = await hashOfPassword()
  const loginId = await inTransaction(deps, async (tx) => {
    const id = await createLogin(tx, { email, name, passwordHash })
    await addMember(tx.sql, { platformId, loginId: id, role, now: deps.realClock.now() })
    return id
  })
  return { browser: await signIn(service, { email }), loginId, email, role }
}

/** Invites a person. @returns the token in the mail */
export async function inviteByMail(
  service: TestService,
  browser: Browser,
  { email, role }: { email: string; role: Role },
): Promise<string> {
  const { status, text } = await browser.post('/web/v1/invitation', { email, role })
  assert.equal(status, 201, text)
  const mail = await lastMail(openBrowser(service), email)
  const [, token] = /\/invitation\/(\w{40})/.exec(mail.text) ?? []
  assert.ok(token, mail.text)
  service.secrets.add(token)
  return token
}
