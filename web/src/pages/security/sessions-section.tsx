import { Badge, Group, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Session } from '../../answers.ts'
import { api } from '../../api.ts'
import { leaveSignedOut } from '../../layout/leave-signed-out.ts'
import { Section } from '../../layout/section.tsx'
import { deviceName } from '../../shown/device-name.ts'
import { Loaded } from '../../shown/loaded.tsx'
import { Moment } from '../../shown/moment.tsx'
import { notify } from '../../shown/notify.ts'
import { QuestionButton } from '../../shown/question-button.tsx'
import { type Column, RecordsTable } from '../../shown/records-table.tsx'

export const SESSIONS = ['sessions']

/** Every browser in which the owner is signed in. */
export function SessionsSection() {
  const sessions = useQuery({ queryKey: SESSIONS, queryFn: api.sessions })
  return (
    <Section
      title="Sessions"
      about="Browsers where you’re signed in."
      action={
        <QuestionButton
          label="Sign out everywhere"
          title="Sign out everywhere?"
          confirm="Sign out"
          onConfirm={() => api.endAllSessions().then(leaveSignedOut)}
          button={{ size: 'sm' }}
        >
          <Text>This ends every session, including this one. API keys and connected applications keep working.</Text>
        </QuestionButton>
      }
    >
      <Loaded query={sessions}>
        {(rows) => <RecordsTable caption="Sessions" columns={columns} rows={rows} empty="No sessions." />}
      </Loaded>
    </Section>
  )
}

const columns: Column<Session>[] = [
  { head: 'Browser', cell: (session) => <Browser session={session} /> },
  { head: 'Address', cell: ({ address }) => address ?? 'Unknown' },
  { head: 'Signed in', cell: ({ date }) => <Moment utc={date} /> },
  { head: 'Last seen', cell: ({ last_seen }) => <Moment utc={last_seen} /> },
  { head: 'Action', isAction: true, cell: (session) => <EndSession session={session} /> },
]

const Browser = ({ session }: { session: Session }) => (
  <Group gap="xs">
    <Text fw={600}>{deviceName(session.user_agent)}</Text>
    {session.is_this && (
      <Badge variant="light" tt="none" radius="sm">
        This browser
      </Badge>
    )}
  </Group>
)

function EndSession({ session }: { session: Session }) {
  const queryClient = useQueryClient()
  if (session.is_this) return null
  const end = async () => {
    await api.endSession(session.id)
    await queryClient.invalidateQueries({ queryKey: SESSIONS })
    notify('Session ended')
  }
  const device = deviceName(session.user_agent)
  return (
    <QuestionButton label="End" name={`End session of ${device}`} title="End session?" confirm="End" onConfirm={end}>
      <Text>
        <strong>{device}</strong> will have to sign in again.
      </Text>
    </QuestionButton>
  )
}
