import type { Sql } from '../db/connect.ts'

export async function insertLogin(
  sql: Sql,
  login: { email: string; platformId: string; passwordHash: string; emailVerifiedAt: Date | null; createdAt: Date },
): Promise<void> {
  await sql`
    insert into logins (email, platform_id, password_hash, email_verified_at, created_at)
    values (${login.email}, ${login.platformId}, ${login.passwordHash}, ${login.emailVerifiedAt}, ${login.createdAt})
  `
}
