import type { Role } from '../../../foundation/core/permission-rules.ts'
import type { Sql } from '../../../foundation/db/connect.ts'

export type InvitationRow = {
  platformId: string
  id: string
  email: string
  role: Role
  /** The member who invites. */
  invitedBy: string
  createdAt: Date
  expiresAt: Date
}

const columns = (sql: Sql) => sql`i.platform_id, i.id, i.email, i.role, i.invited_by, i.created_at, i.expires_at`

type SentInvitation = InvitationRow & { inviterName: string }

export async function insertInvitation(sql: Sql, tokenHash: Buffer, invitation: InvitationRow): Promise<void> {
  await sql`
    insert into invitations (token_hash, platform_id, id, email, role, invited_by, created_at, expires_at)
    values (
      ${tokenHash}, ${invitation.platformId}, ${invitation.id}, ${invitation.email}, ${invitation.role},
      ${invitation.invitedBy}, ${invitation.createdAt}, ${invitation.expiresAt}
    )
  `
}

/**
 * Finds an open invitation with the names of the platform and of the inviting member. Two statements, because the platform's rows may be
 * on another node.
 */
export async function findInvitation(
  sql: Sql,
  tokenHash: Buffer,
  now: Date,
): Promise<(SentInvitation & { platformName: string }) | null> {
  const [invitation] = await sql<SentInvitation[]>`
    select ${columns(sql)}, l.name as inviter_name
    from invitations i
    join logins l on l.id = i.invited_by
    where i.token_hash = ${tokenHash} and i.expires_at > ${now}
  `
  if (!invitation) return null
  const [platform] = await sql<{ name: string }[]>`
    select coalesce(business_name, name) as name
    from users
    where platform_id = ${invitation.platformId} and id = ${invitation.platformId}
  `
  return platform ? { ...invitation, platformName: platform.name } : null
}

/** Deletes an open invitation, because it is used now. @returns null if it was already used or revoked, or has expired */
export async function takeInvitation(sql: Sql, tokenHash: Buffer, now: Date): Promise<InvitationRow | null> {
  const [row] = await sql<InvitationRow[]>`
    delete from invitations i
    where token_hash = ${tokenHash} and expires_at > ${now}
    returning ${columns(sql)}
  `
  return row ?? null
}

/** Lists the open invitations of a platform, newest first, with the name of the member who invited. */
export async function listInvitations(sql: Sql, platformId: string, now: Date): Promise<SentInvitation[]> {
  return sql<SentInvitation[]>`
    select ${columns(sql)}, l.name as inviter_name
    from invitations i
    join logins l on l.id = i.invited_by
    where i.platform_id = ${platformId} and i.expires_at > ${now}
    order by i.created_at desc, i.id
  `
}

/** Deletes an invitation. @param which the invitation by its id, or by its email */
export async function deleteInvitation(
  sql: Sql,
  platformId: string,
  which: { id: string } | { email: string },
): Promise<InvitationRow | null> {
  const [row] = await sql<InvitationRow[]>`
    delete from invitations i
    where platform_id = ${platformId}
      and ${'id' in which ? sql`id = ${which.id}` : sql`email = ${which.email}`}
    returning ${columns(sql)}
  `
  return row ?? null
}

/** Deletes the invitations that a member sent, except those to the given roles. */
export async function deleteInvitationsBy(
  sql: Sql,
  { platformId, loginId, keptRoles }: { platformId: string; loginId: string; keptRoles: readonly Role[] },
): Promise<void> {
  await sql`
    delete from invitations
    where platform_id = ${platformId} and invited_by = ${loginId} and role <> all (${keptRoles as Role[]}::text[])
  `
}
