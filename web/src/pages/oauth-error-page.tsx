import { Code, Group, Stack, Text } from '@mantine/core'
import { EntryCard, EntryLayout } from '../layout/entry-layout.tsx'
import { PageHeading } from '../layout/page-heading.tsx'
import { type OAuthError, oauthErrorWords } from './oauth-error.ts'

/** Shown instead of the requested page when the service refused an authorization. */
export const OAuthErrorPage = ({ error: { error, description } }: { error: OAuthError }) => (
  <EntryLayout>
    <EntryCard>
      <PageHeading title="Authorization failed" />
      <Text>{oauthErrorWords[error] ?? 'The application sent an invalid request.'}</Text>
      <Text>
        Nothing was authorized. Go back to the application and try again. If this happens again, send its developer
        these details:
      </Text>
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
