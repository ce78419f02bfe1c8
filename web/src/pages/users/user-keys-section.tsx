import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { UserDetails } from '../../answers.ts'
import { api } from '../../api.ts'
import { Section } from '../../layout/section.tsx'
import { useMay } from '../../permission.ts'
import { Day, Moment } from '../../shown/moment.tsx'
import { notify } from '../../shown/notify.ts'
import { QuestionButton } from '../../shown/question-button.tsx'
import { type Column, RecordsTable } from '../../shown/records-table.tsx'
import classes from '../developer/developer.module.css'
import { NewApiKeyButton } from '../developer/new-api-key-button.tsx'
import { userQuery } from './user-queries.ts'

/** Lists the API keys of a user. */
export function UserKeysSection({ user: { id, api_keys } }: { user: UserDetails }) {
  const queryClient = useQueryClient()
  const mayCreate = useMay('users')
  return (
    <Section
      title="API keys"
      about="A program that acts for this user needs one of its keys."
      action={
        mayCreate && (
          <NewApiKeyButton
            create={(body) => api.createUserKey(id, body)}
            onCreated={() => queryClient.invalidateQueries(userQuery(id))}
          />
        )
      }
    >
      <RecordsTable
        caption="API keys of the user"
        columns={columnsOf(id, mayCreate)}
        rows={api_keys}
        empty="No API keys."
      />
    </Section>
  )
}

type Key = UserDetails['api_keys'][number]

const columnsOf = (user: string, mayRevoke: boolean): Column<Key>[] => [
  { head: 'Name', cell: ({ name }) => <Text fw={600}>{name ?? 'Unnamed'}</Text> },
  { head: 'Key', cell: ({ id }) => <code className={classes.key}>{id}</code> },
  { head: 'Expires', cell: ({ expiration_date }) => (expiration_date ? <Day date={expiration_date} /> : 'Never') },
  { head: 'Last used', cell: ({ last_used }) => (last_used ? <Moment utc={last_used} /> : 'Never') },
  ...(mayRevoke
    ? [{ head: 'Action', isAction: true, cell: (row: Key) => <RevokeButton user={user} apiKey={row} /> }]
    : []),
]

function RevokeButton({ user, apiKey }: { user: string; apiKey: Key }) {
  const queryClient = useQueryClient()
  const name = apiKey.name ?? `key ${apiKey.id.slice(0, 8)}`
  const revoke = async () => {
    await api.revokeUserKey(user, apiKey.id)
    await queryClient.invalidateQueries(userQuery(user))
    notify(`${name} revoked`)
  }
  return (
    <QuestionButton label="Revoke" name={`Revoke ${name}`} title="Revoke API key?" confirm="Revoke" onConfirm={revoke}>
      <Text>Programs that use this key stop working right away. This can’t be undone.</Text>
    </QuestionButton>
  )
}
