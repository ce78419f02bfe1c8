import { List, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { LeftKeys, TeamMember } from '../../answers.ts'
import { api } from '../../api.ts'
import { notify } from '../../shown/notify.ts'
import { QuestionButton } from '../../shown/question-button.tsx'
import { keyName } from './key-name.ts'
import { invitationsQuery, teamQuery } from './team-query.ts'

type Props = { member: TeamMember; onRemoved: (left: LeftKeys) => void }

export function RemoveMemberButton({ member, onRemoved }: Props) {
  const queryClient = useQueryClient()
  const { id, name, api_keys: keys } = member
  const remove = async () => {
    const { api_keys } = await api.removeMember(id)
    await Promise.all([queryClient.invalidateQueries(teamQuery), queryClient.invalidateQueries(invitationsQuery)])
    notify(`${name} removed`)
    if (api_keys.length > 0) onRemoved({ name, keys: api_keys })
  }
  return (
    <QuestionButton
      label="Remove"
      name={`Remove ${name}`}
      title={`Remove ${name}?`}
      confirm="Remove"
      onConfirm={remove}
    >
      <Text>
        <strong>{member.email}</strong> is signed out right away, and invitations that this person sent are revoked.
      </Text>
      {keys.length > 0 && (
        <div>
          <Text>These API keys of {name} stop working. Replace them first if your programs use them:</Text>
          <List size="sm" mt={6}>
            {keys.map((key) => (
              <List.Item key={key.id}>{keyName(key)}</List.Item>
            ))}
          </List>
        </div>
      )}
    </QuestionButton>
  )
}
