import { Stack } from '@mantine/core'
import { Section } from '../../layout/section.tsx'
import { useServiceContext } from '../../service-context.ts'
import { ShownValue } from '../../shown/shown-value.tsx'

const LISTEN = 'npx remit listen --forward-to http://localhost:3000/hook'
const TRIGGER = 'npx remit trigger payment.paid'

/** How events come to a machine that has no public address. Production has none of it. */
export function ListenSection() {
  const { environment } = useServiceContext()
  return environment === 'production' ? null : (
    <Section
      title="On your own machine"
      about="While you develop, events come to a server that nobody else can reach: no endpoint is needed."
    >
      <Stack gap="md">
        <ShownValue label="Send events to a local server" what="command to listen" value={LISTEN} />
        <ShownValue label="Make one happen" what="command to make an event" value={TRIGGER} />
      </Stack>
    </Section>
  )
}
