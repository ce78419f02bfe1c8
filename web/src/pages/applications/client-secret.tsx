import { Button, Group, Stack, Text } from '@mantine/core'
import { Moment } from '../../shown/moment.tsx'
import { ShownOnce } from '../../shown/shown-once.tsx'
import { ShownValue } from '../../shown/shown-value.tsx'

type Props = { id: string; secret: string; previousExpires?: string; onDone: () => void }

/** Shows a new client secret. */
export const ClientSecret = ({ id, secret, previousExpires, onDone }: Props) => (
  <Stack gap="md">
    <ShownOnce>Store the client secret where your application can read it. You can view it again later.</ShownOnce>
    <ShownValue label="Client ID" what="client ID" value={id} />
    <ShownValue label="Client secret" what="client secret" value={secret} />
    {previousExpires !== undefined && (
      <Text>
        The old client secret works until <Moment utc={previousExpires} />.
      </Text>
    )}
    <Group justify="flex-end">
      <Button onClick={onDone}>Done</Button>
    </Group>
  </Stack>
)
