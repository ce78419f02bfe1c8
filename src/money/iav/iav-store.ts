import type { Sql } from '../../foundation/db/connect.ts'
import type { UserKey } from '../../people/user/user-store.ts'

/** A sign-in at an institution that waits for the answer to its challenge. */
export type InstitutionLoginRow = UserKey & { id: string; institutionId: string; stateSealed: Buffer; expiresAt: Date }

export async function insertInstitutionLogin(sql: Sql, login: InstitutionLoginRow): Promise<void> {
  await sql`
    insert into institution_logins ${sql.values(login)}
  `
}

type InstitutionLoginKey = UserKey & { id: string }

export const findInstitutionLogin = (
  sql: Sql,
  { platformId, userId, id }: InstitutionLoginKey,
  now: Date,
): Promise<(InstitutionLoginRow & { tries: number }) | null> =>
  sql<(InstitutionLoginRow & { tries: number })[]>`
    select platform_id, id, user_id, institution_id, state_sealed, expires_at, tries
    from institution_logins
    where platform_id = ${platformId} and id = ${id} and user_id = ${userId} and expires_at > ${now}
  `.first()

/**
 * Counts a try before it is made, so that simultaneous tries are all counted.
 *
 * @returns the number of tries so far, or null if there were too many
 */
export async function countInstitutionTry(
  sql: Sql,
  { platformId, id }: InstitutionLoginKey,
  maxTries: number,
): Promise<number | null> {
  const [row] = await sql<{ tries: number }[]>`
    update institution_logins
    set tries = tries + 1
    where platform_id = ${platformId} and id = ${id} and tries < ${maxTries}
    returning tries
  `
  return row?.tries ?? null
}

/** Deletes a login. If two right answers arrive at the same time, only one ends the login. @returns whether it existed */
export const deleteInstitutionLogin = (sql: Sql, { platformId, id }: InstitutionLoginKey): Promise<boolean> =>
  sql`
    delete from institution_logins
    where platform_id = ${platformId} and id = ${id}
  `.anyRow()

export async function deleteInstitutionLoginsOfUser(sql: Sql, { platformId, userId }: UserKey): Promise<void> {
  await sql`
    delete from institution_logins
    where platform_id = ${platformId} and user_id = ${userId}
  `
}
