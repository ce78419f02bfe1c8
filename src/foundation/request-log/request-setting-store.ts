import type { Sql } from '../db/connect.ts'

/** Returns whether a platform keeps the bodies of its requests. By default it does not. */
export async function findKeepsBodies(sql: Sql, platformId: string): Promise<boolean> {
  return (await readSetting(sql, platformId, sql``)) ?? false
}

/** Reads the setting and prevents changes to it until the end of the transaction, so that no body is written after it was turned off. */
export async function shareKeepsBodies(sql: Sql, platformId: string): Promise<boolean> {
  return (await readSetting(sql, platformId, sql`for share`)) ?? false
}

/** Reads the setting and locks it until the end of the transaction. @returns null if the platform has none */
export const lockKeepsBodies = (sql: Sql, platformId: string): Promise<boolean | null> =>
  readSetting(sql, platformId, sql`for update`)

async function readSetting(sql: Sql, platformId: string, lock: ReturnType<Sql>): Promise<boolean | null> {
  const [row] = await sql<{ keepsBodies: boolean }[]>`
    select keeps_bodies
    from request_settings
    where platform_id = ${platformId}
    ${lock}
  `
  return row?.keepsBodies ?? null
}

export async function upsertKeepsBodies(
  sql: Sql,
  { platformId, keepsBodies }: { platformId: string; keepsBodies: boolean },
): Promise<void> {
  await sql`
    insert into request_settings (platform_id, keeps_bodies)
    values (${platformId}, ${keepsBodies})
    on conflict (platform_id) do update
    set keeps_bodies = excluded.keeps_bodies
  `
}

export async function deleteSetting(sql: Sql, platformId: string): Promise<void> {
  await sql`
    delete from request_settings
    where platform_id = ${platformId}
  `
}

/** Lists the platforms that no longer keep bodies and may still have some. */
export async function listPlatformsWithoutBodies(sql: Sql, limit: number): Promise<string[]> {
  const rows = await sql<{ platformId: string }[]>`
    select platform_id
    from request_settings
    where not keeps_bodies
    limit ${limit}
  `
  return rows.map(({ platformId }) => platformId)
}

/** Deletes bodies of a platform. @returns their number, at most `limit` */
export async function deleteBodies(sql: Sql, platformId: string, limit: number): Promise<number> {
  const result = await sql`
    update request_log
    set body_sealed = null
    where platform_id = ${platformId} and body_sealed is not null and id in (
      select id
      from request_log
      where platform_id = ${platformId} and body_sealed is not null
      order by id
      limit ${limit}
    )
  `
  return result.count
}
