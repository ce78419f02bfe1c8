import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { UserDetails } from '../../answers.ts'
import { api } from '../../api.ts'
import { Section } from '../../layout/section.tsx'
import { useMay } from '../../permission.ts'
import { Day, Moment } from '../../shown/moment.tsx'
import { type Column, RecordsTable } from '../../shown/records-table.tsx'
import classes from '../developer/developer.module.css'
import { NewApiKeyButton } from '../developer/new-api-key-button.tsx'
import { userQuery } from './user-queries.ts'

/** The keys of a user. The user itself revokes them. */
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
      <RecordsTable caption="API keys of the user" columns={columns} rows={api_keys} empty="No API keys." />
    </Section>
  )
}

const columns: Column<UserDetails['api_keys'][number]>[] = [
  { head: 'Name', cell: ({ name }) => <Text fw={600}>{name ?? 'Unnamed'}</Text> },
  { head: 'Key', cell: ({ id }) => <code className={classes.key}>{id}</code> },
  { head: 'Expires', cell: ({ expiration_date }) => (expiration_date ? <Day date={expiration_date} /> : 'Never') },
  { head: 'Last used', cell: ({ last_used }) => (last_used ? <Moment utc={last_used} /> : 'Never') },
]
