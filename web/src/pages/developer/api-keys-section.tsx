import { Badge, Paper, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ApiKey } from '../../answers.ts'
import { api } from '../../api.ts'
import sectionClasses from '../../layout/section.module.css'
import { Loaded } from '../../shown/loaded.tsx'
import { Day, Moment } from '../../shown/moment.tsx'
import { notify } from '../../shown/notify.ts'
import { QuestionButton } from '../../shown/question-button.tsx'
import { type Column, RecordsTable } from '../../shown/records-table.tsx'
import classes from './developer.module.css'
import { apiKeysQuery } from './developer-query.ts'
import { NewApiKeyButton } from './new-api-key-button.tsx'

export function ApiKeysSection() {
  const keys = useQuery(apiKeysQuery)
  return (
    <Paper component="section" aria-label="API keys" className={sectionClasses.section}>
      <Loaded query={keys}>
        {(rows) => <RecordsTable caption="API keys" columns={columns} rows={rows} empty="No API keys yet." />}
      </Loaded>
    </Paper>
  )
}

export function NewOwnKeyButton() {
  const queryClient = useQueryClient()
  return <NewApiKeyButton create={api.createApiKey} onCreated={() => queryClient.invalidateQueries(apiKeysQuery)} />
}

const columns: Column<ApiKey>[] = [
  { head: 'Name', cell: ({ name }) => <Text fw={600}>{name ?? 'Unnamed'}</Text> },
  { head: 'Key', cell: ({ id }) => <code className={classes.key}>{id}</code> },
  { head: 'Created by', cell: (key) => <Creator apiKey={key} /> },
  { head: 'Expires', cell: ({ expiration_date }) => (expiration_date ? <Day date={expiration_date} /> : 'Never') },
  { head: 'Last used', cell: ({ last_used }) => (last_used ? <Moment utc={last_used} /> : 'Never') },
  { head: 'Action', isAction: true, cell: (key) => <RevokeButton apiKey={key} /> },
]

/** A key stops working when the member who created it leaves. */
const Creator = ({ apiKey: { created_by } }: { apiKey: ApiKey }) => (
  <>
    {created_by?.name ?? 'API'}
    {created_by?.is_member === false && (
      <Badge color="red" variant="light" tt="none" radius="sm" display="block" miw="max-content" mt={4}>
        Stopped
      </Badge>
    )}
  </>
)

function RevokeButton({ apiKey }: { apiKey: ApiKey }) {
  const queryClient = useQueryClient()
  const name = apiKey.name ?? `key ${apiKey.id.slice(0, 8)}`
  const revoke = async () => {
    await api.revokeApiKey(apiKey.id)
    await queryClient.invalidateQueries(apiKeysQuery)
    notify(`${name} revoked`)
  }
  return (
    <QuestionButton label="Revoke" name={`Revoke ${name}`} title="Revoke API key?" confirm="Revoke" onConfirm={revoke}>
      <Text>
        Requests with <strong>{name}</strong> stop working right away. This can’t be undone.
      </Text>
    </QuestionButton>
  )
}
