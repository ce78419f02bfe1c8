import type { Role } from '../../../foundation/core/permission-rules.ts'
import type { Sql } from '../../../foundation/db/connect.ts'
import { emailHash } from '../../../foundation/lib/text/email.ts'
import { reportChangedKeys } from '../../user/api-key/key-changes-store.ts'

export type MemberKey = { platformId: string; loginId: string }

/** Creates the team of a new platform with its first owner. Payments to the owner's email address are then assigned to the platform. */
export async function insertFirstOwner(
  sql: Sql,
  { platformId, loginId, email, isPayee, now }: MemberKey & { email: string; isPayee: boolean; now: Date },
): Promise<void> {
  await sql`
    insert into teams (platform_id, owner_count, member_count, is_payee)
    values (${platformId}, 1, 1, ${isPayee})
  `
  await insertMember(sql, { platformId, loginId, role: 'owner', now })
  await sql`
    insert into receiving_addresses (email_hash, platform_id, login_id, verified_at)
    values (${emailHash(email)}, ${platformId}, ${loginId}, ${now})
    on conflict do nothing -- the address belongs to another platform
  `
}

/** Inserts a member. @returns false if the person is already a member */
async function insertMember(
  sql: Sql,
  { platformId, loginId, role, now }: MemberKey & { role: Role; now: Date },
): Promise<boolean> {
  const result = await sql`
    insert into members (platform_id, login_id, role, joined_at)
    values (${platformId}, ${loginId}, ${role}, ${now})
    on conflict do nothing
  `
  if (result.count === 0) return false
  await sql`
    insert into login_platforms (login_id, platform_id, used_at)
    values (${loginId}, ${platformId}, ${now})
  `
  return true
}

/** A person's membership of a platform. `isPayee`: the platform has the pages of a payee. */
export type Membership = { role: Role; platformName: string; isPayee: boolean }

export async function findMembership(sql: Sql, { platformId, loginId }: MemberKey): Promise<Membership | null> {
  const [row] = await sql<Membership[]>`
    select m.role, coalesce(u.business_name, u.name) as platform_name, t.is_payee
    from members m
    join users u on u.platform_id = m.platform_id and u.id = m.platform_id
    join teams t on t.platform_id = m.platform_id
    where m.platform_id = ${platformId} and m.login_id = ${loginId}
  `
  return row ?? null
}

/** Returns the platform that a person used last, or null if the person has none. */
export async function findLastPlatform(sql: Sql, loginId: string): Promise<string | null> {
  const [row] = await sql<{ platformId: string }[]>`
    select platform_id
    from login_platforms
    where login_id = ${loginId}
    order by used_at desc, platform_id
    limit 1
  `
  return row?.platformId ?? null
}

export async function updatePlatformUse(sql: Sql, { platformId, loginId }: MemberKey, now: Date): Promise<void> {
  await sql`
    update login_platforms
    set used_at = ${now}
    where login_id = ${loginId} and platform_id = ${platformId}
  `
}

export type Team = { ownerCount: number; memberCount: number; requiresTwoFactor: boolean }

export const findTeam = (sql: Sql, platformId: string): Promise<Team | null> => readTeam(sql, platformId, sql``)

/** Locks a team, so that changes of its members run one at a time. */
export const lockTeam = (sql: Sql, platformId: string): Promise<Team | null> =>
  readTeam(sql, platformId, sql`for update`)

async function readTeam(sql: Sql, platformId: string, lock: ReturnType<Sql>): Promise<Team | null> {
  const [row] = await sql<Team[]>`
    select owner_count, member_count, requires_two_factor
    from teams
    where platform_id = ${platformId}
    ${lock}
  `
  return row ?? null
}

/** Lists the roles of a platform's members, except some people, if the platform has dual control. Otherwise returns null. */
export async function listRolesUnderDualControl(
  sql: Sql,
  { platformId, except }: { platformId: string; except: readonly string[] },
): Promise<Role[] | null> {
  const [row] = await sql<{ roles: Role[] }[]>`
    select array(
      select m.role
      from members m
      where m.platform_id = ${platformId} and m.login_id <> all (${except as string[]}::uuid[])
    ) as roles
    from users u
    where u.platform_id = ${platformId} and u.id = ${platformId} and u.dual_control
  `
  return row?.roles ?? null
}

export async function updateTwoFactorRule(sql: Sql, platformId: string, isRequired: boolean): Promise<boolean> {
  const result = await sql`
    update teams
    set requires_two_factor = ${isRequired}
    where platform_id = ${platformId} and requires_two_factor <> ${isRequired}
  `
  return result.count === 1
}

/** Shows a payee all pages of a platform from now on, and not only those for payees. @returns false if it already has them */
export async function endPayeePages(sql: Sql, platformId: string): Promise<boolean> {
  const result = await sql`
    update teams
    set is_payee = false
    where platform_id = ${platformId} and is_payee
  `
  return result.count === 1
}

export type MemberRow = {
  loginId: string
  name: string
  email: string
  role: Role
  hasTwoFactor: boolean
  joinedAt: Date
  lastSeenAt: Date | null
}

/** Lists the members of a platform, longest membership first. A team has at most 200. */
export async function listMembers(sql: Sql, platformId: string): Promise<MemberRow[]> {
  const members = await sql<Pick<MemberRow, 'loginId' | 'role' | 'joinedAt'>[]>`
    select login_id, role, joined_at
    from members
    where platform_id = ${platformId}
    order by joined_at, login_id
  `
  const logins = await sql<Omit<MemberRow, 'role' | 'joinedAt'>[]>`
    select
      l.id as login_id, l.name, l.email, l.totp_sealed is not null as has_two_factor,
      (
        select max(s.last_seen_at)
        from sessions s
        where s.login_id = l.id and s.platform_id = ${platformId}
      ) as last_seen_at
    from logins l
    where l.id = any (${members.map(({ loginId }) => loginId)}::uuid[])
  `
  const loginOf = new Map(logins.map((login) => [login.loginId, login]))
  return members.flatMap((member) => {
    const login = loginOf.get(member.loginId)
    return login ? [{ ...member, ...login }] : []
  })
}

export type Member = Pick<MemberRow, 'role' | 'name' | 'email'>

export async function findMember(sql: Sql, { platformId, loginId }: MemberKey): Promise<Member | null> {
  const [row] = await sql<Member[]>`
    select m.role, l.name, l.email
    from members m
    join logins l on l.id = m.login_id
    where m.platform_id = ${platformId} and m.login_id = ${loginId}
  `
  return row ?? null
}

/** Adds a person to a team. @returns false if the person is already a member @throws a violation of teams_size */
export async function addMember(sql: Sql, member: MemberKey & { role: Role; now: Date }): Promise<boolean> {
  if (!(await insertMember(sql, member))) return false
  await countMembers(sql, member.platformId, { members: 1, owners: member.role === 'owner' ? 1 : 0 })
  await reportChangedKeys(sql, { platformId: member.platformId })
  return true
}

/** Changes the role of a member. @returns false if the member does not have the role `from` @throws a violation of teams_last_owner */
export async function updateRole(
  sql: Sql,
  { platformId, loginId, from, to }: MemberKey & { from: Role; to: Role },
): Promise<boolean> {
  const result = await sql`
    update members
    set role = ${to}
    where platform_id = ${platformId} and login_id = ${loginId} and role = ${from}
  `
  if (result.count === 0) return false
  await countMembers(sql, platformId, { members: 0, owners: Number(to === 'owner') - Number(from === 'owner') })
  await reportChangedKeys(sql, { platformId })
  return true
}

/** Removes a member with its sessions and saved views on the platform. @throws a violation of teams_last_owner */
export async function deleteMember(
  sql: Sql,
  { platformId, loginId, role }: MemberKey & { role: Role },
): Promise<boolean> {
  const result = await sql`
    delete from members
    where platform_id = ${platformId} and login_id = ${loginId} and role = ${role}
  `
  if (result.count === 0) return false
  await countMembers(sql, platformId, { members: -1, owners: role === 'owner' ? -1 : 0 })
  await reportChangedKeys(sql, { platformId })
  await sql`
    delete from payment_views
    where platform_id = ${platformId} and login_id = ${loginId}
  `
  await sql`
    delete from login_platforms
    where login_id = ${loginId} and platform_id = ${platformId}
  `
  await sql`
    delete from sessions
    where login_id = ${loginId} and platform_id = ${platformId}
  `
  return true
}

async function countMembers(
  sql: Sql,
  platformId: string,
  { members, owners }: { members: number; owners: number },
): Promise<void> {
  await sql`
    update teams
    set member_count = member_count + ${members}, owner_count = owner_count + ${owners}
    where platform_id = ${platformId}
  `
}

/**
 * Sets the receiving address of a platform: the email of its longest-serving owner whose email is not yet the address of another platform.
 */
export async function renewReceivingAddress(sql: Sql, platformId: string): Promise<void> {
  const owners = await sql<{ loginId: string; email: string; verifiedAt: Date | null }[]>`
    select m.login_id, l.email, l.email_verified_at as verified_at
    from members m
    join logins l on l.id = m.login_id
    where m.platform_id = ${platformId} and m.role = 'owner'
    order by m.joined_at, m.login_id
    for share of l -- prevents changes of the emails until the commit
  `
  await sql`
    delete from receiving_addresses
    where platform_id = ${platformId}
  `
  for (const { loginId, email, verifiedAt } of owners) {
    const result = await sql`
      insert into receiving_addresses (email_hash, platform_id, login_id, verified_at, is_new)
      values (${emailHash(email)}, ${platformId}, ${loginId}, ${verifiedAt}, false) -- not new, so earlier payments are not assigned
      on conflict do nothing
    `
    if (result.count === 1) return
  }
}

/** A platform of a person, with the person's role. */
export type PlatformRow = { platformId: string; name: string; role: Role }

/** Lists the platforms of a person, sorted by name. Each platform has its own statement, because it may be on another node. */
export async function listPlatforms(sql: Sql, loginId: string): Promise<PlatformRow[]> {
  const known = await sql<{ platformId: string }[]>`
    select platform_id
    from login_platforms
    where login_id = ${loginId}
    order by platform_id
  `
  const platforms: PlatformRow[] = []
  for (const { platformId } of known) {
    const membership = await findMembership(sql, { platformId, loginId })
    if (membership) platforms.push({ platformId, name: membership.platformName, role: membership.role })
  }
  return platforms.sort((one, other) => one.name.localeCompare(other.name, 'en'))
}
