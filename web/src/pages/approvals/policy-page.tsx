import { Alert, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ApprovalPolicy, PolicyRule } from '../../answers.ts'
import { api } from '../../api.ts'
import { PageHeading } from '../../layout/page-heading.tsx'
import { Section } from '../../layout/section.tsx'
import { useMay } from '../../permission.ts'
import { dollars } from '../../shown/dollars.ts'
import { Loaded } from '../../shown/loaded.tsx'
import { Moment } from '../../shown/moment.tsx'
import { notify } from '../../shown/notify.ts'
import { QuestionButton } from '../../shown/question-button.tsx'
import { policyQuery } from './approval-queries.ts'
import { PolicyForm } from './policy-form.tsx'
import { railNames, sourceNames } from './policy-words.ts'

/** The rules that say which payments need approvals. Owners can change them, and other members can read them. */
export function PolicyPage() {
  const policy = useQuery(policyQuery)
  const mayChange = useMay('policy')
  return (
    <>
      <PageHeading title="Approval policy">
        Rules for the payments of your own account. If several match, the one with the most approvals counts.
      </PageHeading>
      <Loaded query={policy}>
        {(data) => (
          <>
            {!data.people.are_enough && <TooFewPeople />}
            {data.proposal && <ProposalSection proposal={data.proposal} />}
            <Section title="Rules" about={aboutWords(data)}>
              {mayChange ? <PolicyForm key={data.changed_at} policy={data} /> : <Rules policy={data} />}
            </Section>
          </>
        )}
      </Loaded>
    </>
  )
}

const aboutWords = ({ changed_at, changed_by, people }: ApprovalPolicy) => (
  <>
    {changed_at && changed_by && (
      <>
        Changed by {changed_by} on <Moment utc={changed_at} />.{' '}
      </>
    )}
    {people.approvers === 1 ? 'One person' : `${people.approvers} people`} can release payments. Payments with API keys,
    applications and recurring payments need one approval unless a rule with no approvals matches.
  </>
)

const Rules = ({ policy }: { policy: Pick<ApprovalPolicy, 'dual_control' | 'rules'> }) => (
  <Stack component="ul" gap={4} m={0} pl="lg">
    {policy.dual_control && <li>Every payment needs one approval</li>}
    {policy.rules.map((rule) => (
      <li key={JSON.stringify(rule)}>{ruleWords(rule)}</li>
    ))}
    {!policy.dual_control && policy.rules.length === 0 && <li>No rules. People send without an approval.</li>}
  </Stack>
)

function ruleWords({ min_amount, new_payee, rail, source, approvals }: PolicyRule): string {
  const words = [
    min_amount > 0 ? `Payments of ${dollars(min_amount)} or more` : 'Payments of any amount',
    new_payee && 'to new payees or accounts',
    rail && `by ${railNames[rail]}`,
    source && `made ${sourceNames[source]}`,
  ]
  const need = ['no approval', 'one approval', 'two approvals'][approvals]
  return `${words.filter(Boolean).join(' ')} need ${need}`
}

/** Warns that too few people can release payments since a member left or got another role. */
const TooFewPeople = () => (
  <Alert color="yellow" role="status" icon={<IconAlertTriangle aria-hidden />} title="Some payments cannot be released">
    A rule asks for more approvals than your team can give. Invite an approver, or change the rule.
  </Alert>
)

/** Shows a change of the rules that waits for the confirmation of a second person. */
function ProposalSection({ proposal }: { proposal: NonNullable<ApprovalPolicy['proposal']> }) {
  const queryClient = useQueryClient()
  const mayConfirm = useMay('release')
  const confirm = async () => {
    await api.confirmApprovalPolicy(proposal.id)
    await queryClient.invalidateQueries(policyQuery)
    notify('Approval policy changed')
  }
  const end = async () => {
    await api.endPolicyProposal(proposal.id)
    await queryClient.invalidateQueries(policyQuery)
    notify(proposal.is_own ? 'Change withdrawn' : 'Change rejected')
  }
  return (
    <Section title={`${proposal.proposed_by} proposed a change`}>
      <Stack gap="sm">
        <Rules policy={proposal} />
        <Group gap="sm">
          {mayConfirm && !proposal.is_own ? (
            <QuestionButton
              label="Confirm change"
              title="Confirm the change of the approval policy?"
              confirm="Confirm"
              color="petrol"
              button={{ size: 'sm', variant: 'filled' }}
              onConfirm={confirm}
            >
              <Text>The new rules apply at once.</Text>
            </QuestionButton>
          ) : (
            <Text size="sm">Another person who can release payments must confirm it.</Text>
          )}
          {mayConfirm && (
            <QuestionButton
              label={proposal.is_own ? 'Withdraw' : 'Reject'}
              title={proposal.is_own ? 'Withdraw this change?' : 'Reject this change?'}
              confirm={proposal.is_own ? 'Withdraw' : 'Reject'}
              button={{ size: 'sm', variant: 'default' }}
              onConfirm={end}
            >
              <Text>The approval policy stays as it is.</Text>
            </QuestionButton>
          )}
        </Group>
      </Stack>
    </Section>
  )
}
