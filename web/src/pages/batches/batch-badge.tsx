import { Badge } from '@mantine/core'
import type { ListedBatch } from '../../answers.ts'

type Ended = Pick<ListedBatch, 'status' | 'outcome'>

const outcomes: Record<NonNullable<ListedBatch['outcome']>, [words: string, color: string]> = {
  RELEASED: ['Released', 'green'],
  VOIDED: ['Deleted', 'gray'],
  REJECTED: ['Rejected', 'red'],
  EXPIRED: ['Expired', 'gray'],
}

export const BatchBadge = ({ batch: { outcome }, size = 'md' }: { batch: Ended; size?: 'md' | 'lg' }) => {
  const [words, color] = outcome === null ? ['Waiting', 'petrol'] : outcomes[outcome]
  return (
    <Badge tt="none" fw={600} radius="sm" variant="light" miw="max-content" size={size} color={color}>
      {words}
    </Badge>
  )
}
