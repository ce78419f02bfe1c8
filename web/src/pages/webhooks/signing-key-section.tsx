import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { RotatedWebhookKey } from '../../answers.ts'
import { api } from '../../api.ts'
import { Section } from '../../layout/section.tsx'
import { Moment } from '../../shown/moment.tsx'
import { QuestionButton } from '../../shown/question-button.tsx'
import { ShownOnce } from '../../shown/shown-once.tsx'
import { ShownValue } from '../../shown/shown-value.tsx'

/** One key signs all that is sent to the owner. */
export function SigningKeySection() {
  const [rotated, setRotated] = useState<RotatedWebhookKey | null>(null)
  const close = () => setRotated(null)
  return (
    <Section
      title="Signing key"
      about="It signs every webhook that is sent to you, so that your servers can tell that it comes from here."
      action={
        <QuestionButton
          label="Rotate key"
          title="Rotate signing key?"
          confirm="Rotate"
          onConfirm={async () => setRotated(await api.rotateWebhookKey())}
          color="petrol"
          button={{ size: 'sm' }}
        >
          <Text>You get a new key, shown once. For 24 hours webhooks carry the signatures of both:</Text>
          <RotationRules />
          <Text>After that, only the new key signs: give it to your servers within this time.</Text>
        </QuestionButton>
      }
    >
      <Text c="dimmed">
        You see it when you create an API key or rotate it, and only then. Rotate it if it is lost or somebody else has
        seen it.
      </Text>
      <Modal opened={rotated !== null} onClose={close} title="New signing key" size="lg" closeOnClickOutside={false}>
        {rotated !== null && <NewKey rotated={rotated} onDone={close} />}
      </Modal>
    </Section>
  )
}

const NewKey = ({ rotated, onDone }: { rotated: RotatedWebhookKey; onDone: () => void }) => (
  <Stack gap="md">
    <ShownOnce>Store the signing key now: it is shown only this once.</ShownOnce>
    <ShownValue label="Signing key" what="signing key" value={rotated.webhook_key} />
    <Text>
      Until <Moment utc={rotated.previous_key_expires} /> webhooks carry the signatures of both keys:
    </Text>
    <RotationRules />
    <Group justify="flex-end">
      <Button onClick={onDone}>I have stored it</Button>
    </Group>
  </Stack>
)

const RotationRules = () => (
  <Text component="ul" m={0} pl="lg">
    <li>
      <code>webhook-signature</code> holds two, the new one first
    </li>
    <li>
      <code>signature</code> stays that of the old key
    </li>
  </Text>
)
