import type { Role } from '../../foundation/core/permission-rules.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import type { Policy, PolicyRule } from './approval-policy-rules.ts'

/** A proposed change of the policy, which waits for a second person. */
export type Proposal = { id: string; policy: Policy; proposedBy: string; proposedAt: Date }

export type PolicyRow = Policy & { changedBy: string | null; changedAt: Date | null; proposal: Proposal | null }

export async function findPolicy(sql: Sql, platformId: string): Promise<PolicyRow> {
  const rules = await sql<PolicyRule[]>`
    select min_cents, is_new_payee, rail, source, approvals
    from approval_rules
    where platform_id = ${platformId}
    order by position
  `
  const [row] = await sql<StoredPolicy[]>`
    select u.dual_control, p.changed_by, p.changed_at, p.proposal_id, p.proposal, p.proposed_by, p.proposed_at
    from users u
    left join approval_policies p on p.platform_id = u.platform_id
    where u.platform_id = ${platformId} and u.id = ${platformId}
  `
  const { dualControl, changedBy, changedAt, proposalId, proposal, proposedBy, proposedAt } = row as StoredPolicy
  return {
    dualControl,
    rules,
    changedBy,
    changedAt,
    proposal: proposalId && proposal ? { id: proposalId, policy: proposal, proposedBy, proposedAt } : null,
  }
}

type StoredPolicy = {
  dualControl: boolean
  changedBy: string | null
  changedAt: Date | null
  proposalId: string | null
  proposal: Policy | null
  /** The person who proposed the change. Null: there is no proposal. */
  proposedBy: string
  proposedAt: Date
}

/** Replaces the policy, and ends a proposed change. */
export async function updatePolicy(
  sql: Sql,
  platformId: string,
  { dualControl, rules }: Policy,
  { by, now }: { by: string; now: Date },
): Promise<void> {
  await sql`
    delete from approval_rules
    where platform_id = ${platformId}
  `
  for (const [position, rule] of rules.entries()) {
    await sql`
      insert into approval_rules ${sql.values({ platformId, position, ...rule })}
    `
  }
  await sql`
    update users
    set dual_control = ${dualControl}, has_approval_policy = ${rules.length > 0}
    where platform_id = ${platformId} and id = ${platformId}
  `
  await sql`
    insert into approval_policies (platform_id, changed_by, changed_at)
    values (${platformId}, ${by}, ${now})
    on conflict (platform_id) do update
    set changed_by = excluded.changed_by, changed_at = excluded.changed_at, proposal_id = null, proposal = null,
      proposed_by = null, proposed_at = null
  `
}

/** Stores a proposed change. It replaces an earlier proposed change. */
export async function updateProposal(
  sql: Sql,
  platformId: string,
  { id, policy, ...proposal }: Proposal,
): Promise<void> {
  await sql`
    insert into approval_policies (platform_id, proposal_id, proposal, proposed_by, proposed_at)
    values (${platformId}, ${id}, ${sql.json(policy)}, ${proposal.proposedBy}, ${proposal.proposedAt})
    on conflict (platform_id) do update
    set proposal_id = excluded.proposal_id, proposal = excluded.proposal, proposed_by = excluded.proposed_by,
      proposed_at = excluded.proposed_at
  `
}

export async function deleteProposal(sql: Sql, platformId: string): Promise<void> {
  await sql`
    update approval_policies
    set proposal_id = null, proposal = null, proposed_by = null, proposed_at = null
    where platform_id = ${platformId}
  `
}

/** A person of the platform. */
export type PersonRow = { loginId: string; role: Role; name: string; email: string }

/** Lists at most 200 people, longest membership first. */
export async function listPeople(sql: Sql, platformId: string): Promise<PersonRow[]> {
  return sql<PersonRow[]>`
    select m.login_id, m.role, l.name, l.email
    from members m
    join logins l on l.id = m.login_id
    where m.platform_id = ${platformId}
    order by m.joined_at, m.login_id
  `
}
