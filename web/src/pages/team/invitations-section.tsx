import { Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Invitation, Team } from '../../answers.ts'
import { api } from '../../api.ts'
import { Section } from '../../layout/section.tsx'
import { roleWords } from '../../role-words.ts'
import { Loaded } from '../../shown/loaded.tsx'
import { Moment } from '../../shown/moment.tsx'
import { notify } from '../../shown/notify.ts'
import { QuestionButton } from '../../shown/question-button.tsx'
import { type Column, RecordsTable } from '../../shown/records-table.tsx'
import classes from './team.module.css'
import { invitationsQuery } from './team-query.ts'

/** Lists the open invitations. */
export function InvitationsSection({ team }: { team: Team | null }) {
  const invitations = useQuery(invitationsQuery)
  return (
    <Section title="Pending invitations">
      <Loaded query={invitations}>
        {(rows) => (
          <RecordsTable
            caption="Pending invitations"
            columns={columnsOf(team)}
            rows={rows}
            empty="No pending invitations. People you invite appear here until they join."
          />
        )}
      </Loaded>
    </Section>
  )
}

const columnsOf = (team: Team | null): Column<Invitation>[] => [
  { head: 'Email', cell: ({ email }) => <Text fw={600}>{email}</Text> },
  { head: 'Role', cell: ({ role }) => roleWords[role].name },
  { head: 'Invited by', cell: ({ invited_by }) => invited_by },
  { head: 'Expires', cell: ({ expires }) => <Moment utc={expires} /> },
  {
    head: 'Actions',
    isAction: true,
    cell: (invitation) =>
      team?.roles.some(({ role, may_give }) => may_give && role === invitation.role) && (
        <Actions invitation={invitation} />
      ),
  },
]

function Actions({ invitation: { id, email } }: { invitation: Invitation }) {
  const queryClient = useQueryClient()
  const revoke = async () => {
    await api.revokeInvitation(id)
    await queryClient.invalidateQueries(invitationsQuery)
    notify('Invitation revoked')
  }
  return (
    <div className={classes.actions}>
      <QuestionButton
        label="Revoke"
        name={`Revoke invitation of ${email}`}
        title="Revoke invitation?"
        confirm="Revoke"
        onConfirm={revoke}
      >
        <Text>
          The link that we sent to <strong>{email}</strong> stops working.
        </Text>
      </QuestionButton>
    </div>
  )
}
