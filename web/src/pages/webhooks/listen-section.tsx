import { Stack } from '@mantine/core'
import { Section } from '../../layout/section.tsx'
import { useServiceContext } from '../../service-context.ts'
import { ShownValue } from '../../shown/shown-value.tsx'

const LISTEN = 'npx remit-payments listen --forward-to http://localhost:3000/hook'
const TRIGGER = 'npx remit-payments trigger payment.paid'

/** Explains how to receive events on a machine without a public address. Not shown in production. */
export function ListenSection() {
  const { environment } = useServiceContext()
  return environment === 'production' ? null : (
    <Section
      title="Develop locally"
      about="Forward events to a server on your machine while you develop. You don’t need an endpoint."
    >
      <Stack gap="md">
        <ShownValue label="Forward events to a local server" what="command to listen" value={LISTEN} />
        <ShownValue label="Trigger an event" what="command to trigger an event" value={TRIGGER} />
      </Stack>
    </Section>
  )
}
