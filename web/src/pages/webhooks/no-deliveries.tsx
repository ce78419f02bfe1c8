import { Button, Group, Stack, Text } from '@mantine/core'
import { RouterAnchor } from '../../layout/router-anchor.tsx'

/** What to do where there is nothing to see. */
export const NoDeliveries = ({ isNarrowed, onClear }: { isNarrowed: boolean; onClear: () => unknown }) =>
  isNarrowed ? (
    <Stack gap="sm">
      <Text c="dimmed">No delivery is as you chose.</Text>
      <Group>
        <Button variant="default" onClick={() => onClear()}>
          Show all deliveries
        </Button>
      </Group>
    </Stack>
  ) : (
    <Text>
      Nothing was sent yet. <RouterAnchor to="/settings/webhooks">Add an endpoint</RouterAnchor>, then make a payment:
      each change of its status is an event.
    </Text>
  )
