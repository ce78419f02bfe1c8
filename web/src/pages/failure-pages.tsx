import { Text, Title } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { LoadFailure } from '../error-display.tsx'
import { EntryCard, EntryLayout, EntryMain } from '../layout/entry-layout.tsx'
import { PageHeading } from '../layout/page-heading.tsx'
import { RouterAnchor } from '../layout/router-anchor.tsx'

export const NoPage = () => (
  <EntryLayout>
    <EntryCard>
      <PageHeading title="Page not found" />
      <Text>
        Check the address for typos. <RouterAnchor to="/">Go to the home page</RouterAnchor>
      </Text>
    </EntryCard>
  </EntryLayout>
)

/** Has no header, because the context that the header needs may be what failed to load. */
export const PageFailure = ({ error }: ErrorComponentProps) => (
  <EntryMain>
    <EntryCard>
      <Title order={1}>This page can’t be loaded</Title>
      <LoadFailure error={error} onRetry={() => window.location.reload()} />
    </EntryCard>
  </EntryMain>
)
