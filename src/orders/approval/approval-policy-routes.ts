import { type Static, Type } from 'typebox'
import { centsToDollars, requireCents } from '../../foundation/core/money.ts'
import { del, get, post, put, type Route } from '../../foundation/http/route.ts'
import { closed, id, idParams, named, nothing, nullable, oneOf } from '../../foundation/http/schema.ts'
import { formatDateTime } from '../../foundation/lib/clock.ts'
import { RAILS } from '../../money/rail/rail-rules.ts'
import { changePolicy, confirmPolicy, endProposal, getPolicy, type ShownPolicy } from './approval-policy-actions.ts'
import { MAX_RULES, type Policy, RULE_SOURCES } from './approval-policy-rules.ts'

const tag = 'Approvals'

const PolicyBody = {
  dual_control: Type.Boolean({
    description: 'Whether every payment needs at least one approval, even if no rule asks for one',
  }),
  rules: Type.Array(
    named('ApprovalRule', {
      min_amount: Type.Number({
        minimum: 0,
        maximum: 99_999_999.99,
        description: 'The lowest amount that the rule applies to, in dollars',
      }),
      new_payee: Type.Boolean({
        description:
          'Limits the rule to payees that the owner has never paid or first paid within the last 7 days, and to users that added an account in that time',
      }),
      rail: nullable(
        oneOf(RAILS, { description: 'Limits the rule to payments that can use this rail; null for all payments' }),
      ),
      source: nullable(
        oneOf(RULE_SOURCES, {
          description: 'Limits the rule to payments that are made this way; null for all payments',
        }),
      ),
      approvals: Type.Integer({ minimum: 0, maximum: 2 }),
    }),
    { maxItems: MAX_RULES },
  ),
}

const PolicyRequest = closed(PolicyBody)

const PolicyAnswer = named('ApprovalPolicy', {
  ...PolicyBody,
  changed_at: nullable(Type.String()),
  changed_by: nullable(Type.String({ description: 'The name of the person who changed the policy' })),
  proposal: nullable(
    named('ApprovalPolicyProposal', {
      id,
      ...PolicyBody,
      proposed_at: Type.String(),
      proposed_by: Type.String(),
      is_own: Type.Boolean({ description: 'Whether you proposed it' }),
    }),
  ),
  people: named('ApprovalPeople', {
    members: Type.Integer(),
    approvers: Type.Integer({ description: 'Who may release payments' }),
    others: Type.Array(Type.String(), { description: 'The names of the other people who may release payments' }),
    are_enough: Type.Boolean({ description: 'Whether enough people may release payments to satisfy every rule' }),
  }),
})

const errors = ['second_person_needed', 'policy_change_not_found'] as const

export const approvalPolicyRoutes: Route[] = [
  get(
    '/v3/approval/policy',
    {
      access: 'owner',
      permission: 'read',
      tag,
      operationId: 'getApprovalPolicy',
      summary: 'Retrieve the approval policy',
      description:
        'Returns which payments of the owner need approvals. Of several rules that match, the one with the most approvals wins. Payments that no person sends (with an API key, by an application or a subscription) need one approval unless a rule with 0 approvals matches.',
      answer: PolicyAnswer,
    },
    async (deps, { caller }) => policyAnswer(await getPolicy(deps, caller)),
  ),

  put(
    '/v3/approval/policy',
    {
      access: 'owner',
      permission: 'policy',
      needsStepUp: true,
      tag,
      operationId: 'updateApprovalPolicy',
      summary: 'Change the approval policy',
      description:
        'Replaces the rules, at most 20. Under dual control the change waits as `proposal` for up to 30 days until a second person confirms it. No rule can need more people than the platform has.',
      body: PolicyRequest,
      answer: PolicyAnswer,
    },
    async (deps, { caller, body }) => policyAnswer(await changePolicy(deps, caller, policyOf(body))),
  ),

  post(
    '/v3/approval/policy/confirm',
    {
      access: 'owner',
      permission: 'release',
      needsStepUp: true,
      tag,
      operationId: 'confirmApprovalPolicyChange',
      summary: 'Confirm a change of the approval policy',
      description: 'Applies the change that another person proposed under dual control.',
      errors,
      body: closed({ id }),
      status: 201,
      answer: PolicyAnswer,
    },
    async (deps, { caller, body }) => policyAnswer(await confirmPolicy(deps, caller, body.id)),
  ),

  del(
    '/v3/approval/policy/proposal/:id',
    {
      access: 'owner',
      permission: 'release',
      tag,
      operationId: 'withdrawApprovalPolicyChange',
      summary: 'Withdraw or reject a change of the approval policy',
      description: 'Ends a change that waits for a second person. The policy stays as it is.',
      errors: ['policy_change_not_found'],
      params: idParams,
      answer: nothing,
    },
    async (deps, { caller, params }) => endProposal(deps, caller, params.id),
  ),
]

const policyOf = ({ dual_control, rules }: Static<typeof PolicyRequest>): Policy => ({
  dualControl: dual_control,
  rules: rules.map(({ min_amount, new_payee, rail, source, approvals }, index) => ({
    minCents: min_amount === 0 ? 0 : requireCents(min_amount, `rules.${index}.min_amount`),
    isNewPayee: new_payee,
    rail,
    source,
    approvals,
  })),
})

const rulesAnswer = ({ dualControl, rules }: Policy) => ({
  dual_control: dualControl,
  rules: rules.map(({ minCents, isNewPayee, rail, source, approvals }) => ({
    min_amount: centsToDollars(minCents),
    new_payee: isNewPayee,
    rail,
    source,
    approvals,
  })),
})

const policyAnswer = ({
  proposal,
  changedAt,
  changedBy,
  people,
  hasEnoughPeople,
  otherApprovers,
  nameOf,
  ...policy
}: ShownPolicy) => ({
  ...rulesAnswer(policy),
  changed_at: changedAt && formatDateTime(changedAt),
  changed_by: changedBy && nameOf(changedBy),
  proposal: proposal && {
    id: proposal.id,
    ...rulesAnswer(proposal.policy),
    proposed_at: formatDateTime(proposal.proposedAt),
    proposed_by: nameOf(proposal.proposedBy),
    is_own: proposal.isOwn,
  },
  people: {
    members: people.members,
    approvers: people.approvers,
    others: otherApprovers,
    are_enough: hasEnoughPeople,
  },
})
