import { Button, Stack, Text, Title } from '@mantine/core'
import { IconArrowsExchange } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { useMay } from '../../permission.ts'
import classes from './no-payments.module.css'

type Props = { direction: 'INCOMING' | undefined; isNarrowed: boolean; onClear: () => unknown; level?: 2 | 3 }

/** An empty list says whether nothing exists or nothing matches. */
export function NoPayments({ direction, isNarrowed, onClear, level = 2 }: Props) {
  const maySend = useMay('send')
  if (isNarrowed) {
    return (
      <Empty level={level} title="No payments match these filters">
        <Button variant="default" onClick={() => onClear()}>
          Show all payments
        </Button>
      </Empty>
    )
  }
  return direction === 'INCOMING' ? (
    <Empty level={level} title="No incoming payments yet">
      <Text c="dimmed">Payments that others send to you appear here.</Text>
    </Empty>
  ) : (
    <Empty level={level} title="No payments yet">
      <Text c="dimmed">
        Payments that you and your users send appear here. {maySend && <RouterAnchor to="/send">Send one</RouterAnchor>}
      </Text>
    </Empty>
  )
}

const Empty = ({ title, level, children }: { title: string; level: 2 | 3; children: ReactNode }) => (
  <Stack align="center" gap="xs" className={classes.empty}>
    <span className={classes.icon}>
      <IconArrowsExchange size={22} stroke={1.75} aria-hidden />
    </span>
    <Title order={level}>{title}</Title>
    {children}
  </Stack>
)
