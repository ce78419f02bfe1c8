import { Code, Group, Stack, Text } from '@mantine/core'
import { EntryCard, EntryLayout } from '../layout/entry-layout.tsx'
import { PageHeading } from '../layout/page-heading.tsx'
import { type OAuthError, oauthErrorWords } from './oauth-error.ts'

/** Shown in place of every page, whatever the address is, when the service refused an authorization. */
export const OAuthErrorPage = ({ error: { error, description } }: { error: OAuthError }) => (
  <EntryLayout>
    <EntryCard>
      <PageHeading title="This authorization cannot go on" />
      <Text>{oauthErrorWords[error] ?? 'Remit could not read what the application asked for.'}</Text>
      <Text>Nothing was authorized. Go back to the application and start again; if this repeats, tell its makers:</Text>
      <Stack gap={6}>
        <Group>
          <Code>{error}</Code>
        </Group>
        {description !== '' && (
          <Text c="dimmed" size="xs">
            {description}
          </Text>
        )}
      </Stack>
    </EntryCard>
  </EntryLayout>
)
