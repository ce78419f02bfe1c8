import { Group, Text } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** A link back to the list, above the heading of a page. */
export const BackLink = ({ children }: { children: ReactNode }) => (
  <Group gap={6}>
    <IconArrowLeft size={16} aria-hidden />
    <Text>{children}</Text>
  </Group>
)
