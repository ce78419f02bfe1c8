import { Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ApiKey } from '../../answers.ts'
import { api } from '../../api.ts'
import { Section } from '../../layout/section.tsx'
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
    <Section
      title="API keys"
      about="A key and its secret let a program act as you. Give each program its own, so that you can revoke it alone."
      action={<NewApiKeyButton />}
    >
      <Loaded query={keys}>
        {(rows) => <RecordsTable caption="API keys" columns={columns} rows={rows} empty="You have no API key." />}
      </Loaded>
    </Section>
  )
}

const columns: Column<ApiKey>[] = [
  { head: 'Name', cell: ({ name }) => <Text fw={600}>{name ?? 'Unnamed'}</Text> },
  { head: 'Key', cell: ({ id }) => <code className={classes.key}>{id}</code> },
  { head: 'Expires', cell: ({ expiration_date }) => (expiration_date ? <Day date={expiration_date} /> : 'Never') },
  { head: 'Last used', cell: ({ last_used }) => (last_used ? <Moment utc={last_used} /> : 'Never') },
  { head: 'Action', isAction: true, cell: (key) => <RevokeButton apiKey={key} /> },
]

function RevokeButton({ apiKey }: { apiKey: ApiKey }) {
  const queryClient = useQueryClient()
  const name = apiKey.name ?? `key ${apiKey.id.slice(0, 8)}`
  const revoke = async () => {
    await api.revokeApiKey(apiKey.id)
    await queryClient.invalidateQueries(apiKeysQuery)
    notify(`${name} was revoked.`)
  }
  return (
    <QuestionButton label="Revoke" name={`Revoke ${name}`} title="Revoke API key?" confirm="Revoke" onConfirm={revoke}>
      <Text>
        Programs that use <strong>{name}</strong> are refused from now on. This cannot be undone.
      </Text>
    </QuestionButton>
  )
}
