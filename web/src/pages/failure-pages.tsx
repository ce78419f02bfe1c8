import { Text, Title } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { LoadFailure } from '../error-display.tsx'
import { EntryCard, EntryLayout, EntryMain } from '../layout/entry-layout.tsx'
import { PageHeading } from '../layout/page-heading.tsx'
import { RouterAnchor } from '../layout/router-anchor.tsx'

export const NoPage = () => (
  <EntryLayout>
    <EntryCard>
      <PageHeading title="There is no such page" />
      <Text>
        The address may be mistyped. <RouterAnchor to="/">Go to the start page</RouterAnchor>
      </Text>
    </EntryCard>
  </EntryLayout>
)

/** Stands alone: the context that headers are made from may be what could not be loaded. */
export const PageFailure = ({ error }: ErrorComponentProps) => (
  <EntryMain>
    <EntryCard>
      <Title order={1}>Remit cannot show this page</Title>
      <LoadFailure error={error} onRetry={() => window.location.reload()} />
    </EntryCard>
  </EntryMain>
)
