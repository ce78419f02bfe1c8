import { Button, Text } from '@mantine/core'
import { IconWebhook } from '@tabler/icons-react'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { Empty } from '../../shown/empty.tsx'

/** The empty state of the list of deliveries. */
export const NoDeliveries = ({ isNarrowed, onClear }: { isNarrowed: boolean; onClear: () => unknown }) =>
  isNarrowed ? (
    <Empty icon={IconWebhook} title="No deliveries match these filters">
      <Button variant="default" onClick={() => onClear()}>
        Show all deliveries
      </Button>
    </Empty>
  ) : (
    <Empty icon={IconWebhook} title="No deliveries yet">
      <Text c="dimmed">
        <RouterAnchor to="/settings/webhooks">Add an endpoint</RouterAnchor> and make a payment. Each status change
        sends an event.
      </Text>
    </Empty>
  )
