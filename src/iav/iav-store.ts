import type { Sql } from '../db/connect.ts'
import type { OldRows } from '../db/old-rows.ts'
import type { UserKey } from '../user/user-store.ts'

/** A login that waits for the answer to its challenge. */
export type LoginRow = UserKey & { id: string; institutionId: string; stateSealed: Buffer; expiresAt: Date }

export async function insertLogin(sql: Sql, login: LoginRow): Promise<void> {
  await sql`
    insert into institution_logins (platform_id, id, user_id, institution_id, state_sealed, expires_at)
    values (
      ${login.platformId}, ${login.id}, ${login.userId}, ${login.institutionId}, ${login.stateSealed},
      ${login.expiresAt}
    )
  `
}

type LoginKey = UserKey & { id: string }

export async function findLogin(
  sql: Sql,
  { platformId, userId, id }: LoginKey,
  now: Date,
): Promise<(LoginRow & { tries: number }) | null> {
  const [row] = await sql<(LoginRow & { tries: number })[]>`
    select platform_id, id, user_id, institution_id, state_sealed, expires_at, tries
    from institution_logins
    where platform_id = ${platformId} and id = ${id} and user_id = ${userId} and expires_at > ${now}
  `
  return row ?? null
}

/** Counts a try before it is made, so that tries that race are counted too. @returns the tries so far, null: too many */
export async function countTry(sql: Sql, { platformId, id }: LoginKey, maxTries: number): Promise<number | null> {
  const [row] = await sql<{ tries: number }[]>`
    update institution_logins
    set tries = tries + 1
    where platform_id = ${platformId} and id = ${id} and tries < ${maxTries}
    returning tries
  `
  return row?.tries ?? null
}

/** @returns whether it was there: of two right answers, one ends the login */
export async function deleteLogin(sql: Sql, { platformId, id }: LoginKey): Promise<boolean> {
  const result = await sql`
    delete from institution_logins
    where platform_id = ${platformId} and id = ${id}
  `
  return result.count === 1
}

export async function deleteLoginsOfUser(sql: Sql, { platformId, userId }: UserKey): Promise<void> {
  await sql`
    delete from institution_logins
    where platform_id = ${platformId} and user_id = ${userId}
  `
}

export const oldLogins: OldRows = {
  table: 'institution_logins',
  key: ['platform_id', 'id'],
  unit: 'platform_id',
  age: 'expires_at',
}
