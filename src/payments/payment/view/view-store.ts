import type { Sql } from '../../../foundation/db/connect.ts'
import type { View } from './view-rules.ts'

/** The member that saved a view. */
export type Viewer = { platformId: string; loginId: string }

/** Locks the member until the end of the transaction, so that two requests do not exceed the limit together. */
export async function lockViewer(sql: Sql, { platformId, loginId }: Viewer): Promise<void> {
  await sql`
    select 1
    from members
    where platform_id = ${platformId} and login_id = ${loginId}
    for no key update
  `
}

/** Lists the views of a member, the oldest first, at most MAX_VIEWS. */
export async function listViews(sql: Sql, { platformId, loginId }: Viewer): Promise<View[]> {
  return sql<View[]>`
    select id, name, filters
    from payment_views
    where platform_id = ${platformId} and login_id = ${loginId}
    order by id
  `
}

export async function insertView(sql: Sql, { platformId, loginId }: Viewer, view: View): Promise<void> {
  await sql`
    insert into payment_views (platform_id, login_id, id, name, filters)
    values (${platformId}, ${loginId}, ${view.id}, ${view.name}, ${JSON.stringify(view.filters)}::jsonb)
  `
}

export async function updateView(sql: Sql, { platformId, loginId }: Viewer, view: View): Promise<void> {
  await sql`
    update payment_views
    set name = ${view.name}, filters = ${JSON.stringify(view.filters)}::jsonb
    where platform_id = ${platformId} and login_id = ${loginId} and id = ${view.id}
  `
}

export async function deleteView(sql: Sql, { platformId, loginId }: Viewer, id: string): Promise<boolean> {
  const result = await sql`
    delete from payment_views
    where platform_id = ${platformId} and login_id = ${loginId} and id = ${id}
  `
  return result.count > 0
}
