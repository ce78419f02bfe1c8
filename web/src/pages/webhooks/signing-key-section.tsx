import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { RotatedWebhookKey } from '../../answers.ts'
import { api } from '../../api.ts'
import { Section } from '../../layout/section.tsx'
import { Moment } from '../../shown/moment.tsx'
import { QuestionButton } from '../../shown/question-button.tsx'
import { ShownOnce } from '../../shown/shown-once.tsx'
import { ShownValue } from '../../shown/shown-value.tsx'

/** The key that signs all webhooks of the owner. */
export function SigningKeySection() {
  const [rotated, setRotated] = useState<RotatedWebhookKey | null>(null)
  const close = () => setRotated(null)
  return (
    <Section
      title="Signing key"
      about="We sign every webhook with this key. Verify the signature to make sure that a webhook comes from us."
      action={
        <QuestionButton
          label="Rotate key"
          title="Rotate signing key?"
          confirm="Rotate"
          onConfirm={async () => setRotated(await api.rotateWebhookKey())}
          color="petrol"
          button={{ size: 'sm' }}
        >
          <Text>We show the new key once. For 24 hours, we sign webhooks with both keys:</Text>
          <RotationRules />
          <Text>Update your servers within this time. After that, we use only the new key.</Text>
        </QuestionButton>
      }
    >
      <Text c="dimmed">
        It is shown only when you create an API key or rotate it. If you lost it or someone else saw it, rotate it.
      </Text>
      <Modal opened={rotated !== null} onClose={close} title="New signing key" size="lg" closeOnClickOutside={false}>
        {rotated !== null && <NewKey rotated={rotated} onDone={close} />}
      </Modal>
    </Section>
  )
}

const NewKey = ({ rotated, onDone }: { rotated: RotatedWebhookKey; onDone: () => void }) => (
  <Stack gap="md">
    <ShownOnce>Copy the signing key now. You won’t be able to see it again.</ShownOnce>
    <ShownValue label="Signing key" what="signing key" value={rotated.webhook_key} />
    <Text>
      Until <Moment utc={rotated.previous_key_expires} /> we sign webhooks with both keys:
    </Text>
    <RotationRules />
    <Group justify="flex-end">
      <Button onClick={onDone}>Done</Button>
    </Group>
  </Stack>
)

const RotationRules = () => (
  <Text component="ul" m={0} pl="lg">
    <li>
      <code>webhook-signature</code> has both signatures, the new one first
    </li>
    <li>
      <code>signature</code> uses the old key
    </li>
  </Text>
)
