import { Button, Group, Text } from '@mantine/core'
import type { NewSubscription } from '../../answers.ts'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { Section } from '../../layout/section.tsx'
import { dollars } from '../../shown/dollars.ts'
import { dayText } from '../../shown/moment.tsx'
import { intervals } from './send-order.ts'

/** The last step of a payment that repeats. */
export const RepeatedStep = ({ subscription, onAgain }: { subscription: NewSubscription; onAgain: () => void }) => (
  <Section title="Recurring payment set up">
    <Text role="status">
      {dollars(subscription.amount)} to {subscription.name}, {intervals[subscription.interval].toLowerCase()} from{' '}
      {dayText(subscription.start_date)}. You get an email if a payment cannot be made.
    </Text>
    <Group gap="lg">
      <RouterAnchor to="/recurring/$id" params={{ id: subscription.id }}>
        View the recurring payment
      </RouterAnchor>
      <Button variant="default" onClick={onAgain}>
        Send another
      </Button>
    </Group>
  </Section>
)
