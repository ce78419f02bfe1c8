import { recordAudit } from '../../foundation/audit/audit-actions.ts'
import { ApiError, fieldError } from '../../foundation/core/errors.ts'
import { formatDollars } from '../../foundation/core/money.ts'
import { permissionsOf } from '../../foundation/core/permission-rules.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { type Caller, memberOf } from '../../foundation/http/caller.ts'
import { addDays } from '../../foundation/lib/clock.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { requirePersonOfTeam } from '../../people/user/user-actions.ts'
import { lockCaller } from '../../people/user/user-lock-actions.ts'
import { requirePerson } from './approval-actions.ts'
import { hasPeopleFor, type People, type Policy } from './approval-policy-rules.ts'
import {
  deleteProposal,
  findPolicy,
  listPeople,
  type PersonRow,
  type PolicyRow,
  type Proposal,
  updatePolicy,
  updateProposal,
} from './approval-policy-store.ts'
import { APPROVAL_DAYS } from './approval-rules.ts'

export type ShownPolicy = Omit<PolicyRow, 'proposal'> & {
  proposal: (Proposal & { isOwn: boolean }) | null
  people: People
  /** Whether enough people can release payments under each rule, and under dual control. */
  hasEnoughPeople: boolean
  /** The people who may release payments, except the caller. */
  otherApprovers: string[]
  nameOf: (person: string) => string
}

export async function getPolicy(deps: Deps | TxDeps, caller: Caller): Promise<ShownPolicy> {
  const rows = await listPeople(deps.sql, caller.platformId)
  const policy = await findPolicy(deps.sql, caller.platformId)
  const proposal = openProposal(deps, policy)
  const people = peopleOf(deps, rows)
  return {
    ...policy,
    proposal: proposal && { ...proposal, isOwn: proposal.proposedBy === memberOf(caller) },
    people,
    hasEnoughPeople: (policy.dualControl ? [{ approvals: 1 }, ...policy.rules] : policy.rules).every(({ approvals }) =>
      hasPeopleFor(approvals, people),
    ),
    otherApprovers: besides(rows, caller, memberOf(caller) ?? caller.platformId)
      .filter(({ role }) => permissionsOf(role, deps.settings.name).has('release'))
      .map(({ name }) => name),
    nameOf: (person) => rows.find(({ loginId }) => loginId === person)?.name ?? 'API key',
  }
}

/** Returns the proposed change, unless it has expired. It expires after the same number of days as an approval. */
const openProposal = ({ clock }: Pick<Deps, 'clock'>, { proposal }: PolicyRow): Proposal | null =>
  proposal && clock.now() < addDays(proposal.proposedAt, APPROVAL_DAYS) ? proposal : null

function peopleOf({ settings }: Pick<Deps, 'settings'>, rows: readonly PersonRow[]): People {
  const people = rows.map(({ role }) => permissionsOf(role, settings.name))
  return {
    members: people.length,
    approvers: people.filter((may) => may.has('release')).length,
    onlyPreparers: people.filter((may) => may.has('prepare') && !may.has('release')).length,
    onlyApprovers: people.filter((may) => may.has('release') && !may.has('prepare')).length,
  }
}

/**
 * Replaces the policy. Under dual control the change waits for a second person, if there is one.
 *
 * @throws ApiError invalid_request, permission_denied
 */
export async function changePolicy(deps: TxDeps, caller: Caller, policy: Policy): Promise<ShownPolicy> {
  await lockCaller(deps, caller)
  await requirePersonOfTeam(deps, caller)
  const { platformId } = caller
  const by = await requirePerson(deps, caller, 'policy')
  const before = await findPolicy(deps.sql, platformId)
  const people = await listPeople(deps.sql, platformId)
  requirePeople(policy, peopleOf(deps, people))
  if (before.dualControl && hasSecondPerson(deps, besides(people, caller, by))) {
    const proposal = { id: newId(deps), policy, proposedBy: by, proposedAt: deps.clock.now() }
    await updateProposal(deps.sql, platformId, proposal)
    await recordAudit(deps, caller, 'approval_policy_proposed', summaryOf(policy))
  } else {
    await apply(deps, caller, policy, by)
  }
  return getPolicy(deps, caller)
}

/** Applies a change that another person proposed. @throws ApiError policy_change_not_found, second_person_needed */
export async function confirmPolicy(deps: TxDeps, caller: Caller, id: string): Promise<ShownPolicy> {
  await lockCaller(deps, caller)
  const by = await requirePerson(deps, caller, 'release')
  const { platformId } = caller
  const proposal = openProposal(deps, await findPolicy(deps.sql, platformId))
  if (proposal?.id !== id) throw new ApiError('policy_change_not_found')
  const people = await listPeople(deps.sql, platformId)
  // A key that no member created does not count as a second person, because the proposer may have it.
  if (!besides(people, caller, proposal.proposedBy).some(({ loginId }) => loginId === by)) {
    throw new ApiError('second_person_needed', {
      message: 'You proposed this change, so another person who can release payments must confirm it.',
    })
  }
  const isByKey = proposal.proposedBy === platformId
  const proposer = people.find(({ loginId }) => loginId === proposal.proposedBy)
  const mayPropose = isByKey || (proposer && permissionsOf(proposer.role, deps.settings.name).has('policy'))
  if (!mayPropose) throw new ApiError('policy_change_not_found')
  requirePeople(proposal.policy, peopleOf(deps, people))
  await apply(deps, caller, proposal.policy, by)
  return getPolicy(deps, caller)
}

/** Withdraws or rejects a proposed change. @throws ApiError policy_change_not_found, permission_denied */
export async function endProposal(deps: TxDeps, caller: Caller, id: string): Promise<void> {
  await lockCaller(deps, caller)
  await requirePerson(deps, caller, 'release')
  const { platformId } = caller
  const proposal = openProposal(deps, await findPolicy(deps.sql, platformId))
  if (proposal?.id !== id) throw new ApiError('policy_change_not_found')
  await deleteProposal(deps.sql, platformId)
  await recordAudit(deps, caller, 'approval_policy_proposal_ended', summaryOf(proposal.policy))
}

/** Checks that the caller can switch off dual control at once. @throws ApiError permission_denied, second_person_needed */
export async function requireMayEndDualControl(deps: TxDeps, caller: Caller): Promise<void> {
  await lockCaller(deps, caller)
  await requirePersonOfTeam(deps, caller)
  const { platformId, userId } = caller
  if (userId !== platformId || !(await findPolicy(deps.sql, platformId)).dualControl) return
  const by = await requirePerson(deps, caller, 'policy')
  if (!hasSecondPerson(deps, besides(await listPeople(deps.sql, platformId), caller, by))) return
  throw new ApiError('second_person_needed', {
    message:
      'Another person must agree that dual control is switched off. Propose it with PUT /v3/approval/policy or under Settings, Approval policy.',
  })
}

/** Ends a proposed change after dual control was switched off. From then on, changes need no second person. */
export async function dropProposal(deps: TxDeps, { platformId, userId }: Caller): Promise<void> {
  if (userId === platformId) await deleteProposal(deps.sql, platformId)
}

const hasSecondPerson = (deps: Pick<Deps, 'settings'>, others: readonly PersonRow[]): boolean =>
  peopleOf(deps, others).approvers > 0

/** Returns the people except the one who acts. A key that no member created acts for the first owner (see `isSecondPerson`). */
function besides(people: readonly PersonRow[], { platformId }: Caller, by: string): PersonRow[] {
  const person = by === platformId ? people.find(({ role }) => role === 'owner')?.loginId : by
  return people.filter(({ loginId }) => loginId !== person)
}

function requirePeople({ rules }: Policy, people: People): void {
  const index = rules.findIndex(({ approvals }) => !hasPeopleFor(approvals, people))
  if (index === -1) return
  const needed = rules[index]?.approvals === 1 ? 'an approver besides' : 'two approvers besides'
  throw fieldError(
    'invalid_request',
    `rules.${index}.approvals`,
    `needs ${needed} the person who prepares. Invite people first`,
  )
}

async function apply(deps: TxDeps, caller: Caller, policy: Policy, by: string): Promise<void> {
  await updatePolicy(deps.sql, caller.platformId, policy, { by, now: deps.clock.now() })
  await recordAudit(deps, caller, 'approval_policy_changed', summaryOf(policy))
}

/** Summarizes the policy in one line, for the audit trail. */
function summaryOf({ dualControl, rules }: Policy): string {
  const words = rules.map(({ minCents, isNewPayee, rail, source, approvals }) =>
    [
      `from ${formatDollars(minCents)}`,
      isNewPayee && 'new payee',
      rail,
      source,
      `${approvals} ${approvals === 1 ? 'approval' : 'approvals'}`,
    ]
      .filter((word) => word)
      .join(' '),
  )
  return [dualControl && 'dual control', ...words].filter((word) => word).join('; ') || 'no rules'
}
