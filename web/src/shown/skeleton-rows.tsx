import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'

const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** Placeholders for rows that are still loading. */
export const SkeletonRows = ({ count = 6, height = 44 }: { count?: number; height?: number }) => (
  <div role="status">
    <VisuallyHidden>Loading</VisuallyHidden>
    <Stack gap={16} aria-hidden>
      {keys.slice(0, count).map((key) => (
        <Skeleton key={key} height={height} radius="md" />
      ))}
    </Stack>
  </div>
)
