import { Center, Loader, VisuallyHidden } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { LoadFailure } from '../error-display.tsx'

/** Shows a query's data, a loader while it loads, or its error. */
export function Loaded<Data>({
  query,
  skeleton,
  children,
}: {
  query: UseQueryResult<Data>
  /** Shown instead of the loader. */
  skeleton?: ReactNode
  children: (data: Data) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <LoadFailure error={query.error} onRetry={query.refetch} />
  return skeleton ?? <Loading />
}

export const Loading = () => (
  <Center mih={96} role="status">
    <Loader size="sm" aria-hidden />
    <VisuallyHidden>Loading</VisuallyHidden>
  </Center>
)
