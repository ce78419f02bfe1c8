import { Button, Text } from '@mantine/core'
import { IconArrowsExchange } from '@tabler/icons-react'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { useMay } from '../../permission.ts'
import { Empty } from '../../shown/empty.tsx'

type Props = { direction: 'INCOMING' | undefined; isNarrowed: boolean; onClear: () => unknown; level?: 2 | 3 }

/** An empty list says whether nothing exists or nothing matches. */
export function NoPayments({ direction, isNarrowed, onClear, level = 2 }: Props) {
  const maySend = useMay('send')
  if (isNarrowed) {
    return (
      <Empty icon={IconArrowsExchange} level={level} title="No payments match these filters">
        <Button variant="default" onClick={() => onClear()}>
          Show all payments
        </Button>
      </Empty>
    )
  }
  return direction === 'INCOMING' ? (
    <Empty icon={IconArrowsExchange} level={level} title="No incoming payments yet">
      <Text c="dimmed">Payments that others send to you appear here.</Text>
    </Empty>
  ) : (
    <Empty icon={IconArrowsExchange} level={level} title="No payments yet">
      <Text c="dimmed">
        Payments that you and your users send appear here. {maySend && <RouterAnchor to="/send">Send one</RouterAnchor>}
      </Text>
    </Empty>
  )
}
