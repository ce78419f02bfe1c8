import { Group, Stack, Text } from '@mantine/core'
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

/** Which payments need approvals. Owners change it, and everybody else reads it. */
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

/** A change that waits for a second person. */
function ProposalSection({ proposal }: { proposal: NonNullable<ApprovalPolicy['proposal']> }) {
  const queryClient = useQueryClient()
  const mayConfirm = useMay('release')
  const confirm = async () => {
    await api.confirmApprovalPolicy(proposal.id)
    await queryClient.invalidateQueries(policyQuery)
    notify('Approval policy changed')
  }
  return (
    <Section title={`${proposal.proposed_by} proposed a change`}>
      <Stack gap="sm">
        <Rules policy={proposal} />
        <Group gap="sm">
          {mayConfirm && !proposal.is_own ? (
            <QuestionButton
              label="Confirm the change"
              title="Confirm the change of the approval policy?"
              confirm="Confirm"
              color="petrol"
              button={{ size: 'sm' }}
              onConfirm={confirm}
            >
              <Text>The new rules apply at once.</Text>
            </QuestionButton>
          ) : (
            <Text size="sm">Another person who can release payments must confirm it.</Text>
          )}
        </Group>
      </Stack>
    </Section>
  )
}
