import { hashPassword } from '../../src/auth/login/password-actions.ts'
import { createLogin } from '../../src/auth/owner/owner-actions.ts'
import { addMember } from '../../src/auth/team/member-store.ts'
import type { Role } from '../../src/core/permission-rules.ts'
import { inTransaction } from '../../src/db/transaction.ts'
import { type Browser, signIn } from './browser.ts'
import { newEmail } from './login.ts'
import { PASSWORD, type TestService } from './service.ts'

export type Member = { browser: Browser; loginId: string; email: string; role: Role }

const passwordHash = hashPassword(PASSWORD)

/** Adds a person to a platform, without an invitation, and signs in. The name is that of the role. */
export async function newMember(service: TestService, platformId: string, role: Role): Promise<Member> {
  const email = newEmail()
  const { deps } = service
  const hash = await passwordHash
  const loginId = await inTransaction(deps, async (tx) => {
    const id = await createLogin(tx, { email, name: `The ${role}`, passwordHash: hash })
    await addMember(tx.sql, { platformId, loginId: id, role, now: deps.realClock.now() })
    return id
  })
  return { browser: await signIn(service, { email }), loginId, email, role }
}
