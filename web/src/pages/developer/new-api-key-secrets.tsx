import { Button, Group, Stack } from '@mantine/core'
import type { NewApiKey } from '../../answers.ts'
import { ShownOnce } from '../../shown/shown-once.tsx'
import { ShownValue } from '../../shown/shown-value.tsx'

export const NewApiKeySecrets = ({ created, onDone }: { created: NewApiKey; onDone: () => void }) => (
  <Stack gap="md">
    <ShownOnce>Copy the secret and the signing key now. You won’t be able to see them again.</ShownOnce>
    <ShownValue label="Key" what="key" value={created.id} />
    <ShownValue label="Secret" what="secret" value={created.secret} />
    <ShownValue label="Webhook signing key" what="signing key" value={created.webhook_key} />
    <Group justify="flex-end">
      <Button onClick={onDone}>Done</Button>
    </Group>
  </Stack>
)
