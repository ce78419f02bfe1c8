import { Button, Group, Stack, Text } from '@mantine/core'
import { RouterAnchor } from '../../layout/router-anchor.tsx'

/** The empty state of the list of deliveries. */
export const NoDeliveries = ({ isNarrowed, onClear }: { isNarrowed: boolean; onClear: () => unknown }) =>
  isNarrowed ? (
    <Stack gap="sm">
      <Text c="dimmed">No deliveries match these filters.</Text>
      <Group>
        <Button variant="default" onClick={() => onClear()}>
          Show all deliveries
        </Button>
      </Group>
    </Stack>
  ) : (
    <Text>
      No deliveries yet. <RouterAnchor to="/settings/webhooks">Add an endpoint</RouterAnchor> and make a payment. Each
      status change sends an event.
    </Text>
  )
