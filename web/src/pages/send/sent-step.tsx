import { Button, Group, Text } from '@mantine/core'
import type { PreparedPayment, SentPayment } from '../../answers.ts'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { Section } from '../../layout/section.tsx'
import { useServiceContext } from '../../service-context.ts'
import { dollars } from '../../shown/dollars.ts'

/** The last step. */
export function SentStep({ payment, onAgain }: { payment: SentPayment; onAgain: () => void }) {
  const { shows_mail } = useServiceContext()
  const isByEmail = payment.recipient.includes('@')
  const hasSeveral = payment.recipient.includes(', ')
  return (
    <Section title="Payment sent">
      <Text role="status">
        {dollars(payment.amount)} to {payment.name}, check number {payment.number}.{' '}
        {hasSeveral
          ? 'Each payee gets an email with a link. After all have endorsed the check, one of them deposits it.'
          : isByEmail && 'The payee gets an email with a link to choose how to be paid.'}
      </Text>
      <Group gap="lg">
        <RouterAnchor to="/payments/$id" params={{ id: payment.id }}>
          View the payment
        </RouterAnchor>
        {isByEmail && shows_mail && <RouterAnchor to="/mail">Open the email</RouterAnchor>}
        <Button variant="default" onClick={onAgain}>
          Send another
        </Button>
      </Group>
    </Section>
  )
}

/** The payment is sent when somebody releases it. */
export const WaitingStep = ({ payment, onAgain }: { payment: PreparedPayment; onAgain: () => void }) => (
  <Section title="Payment waits for approval">
    <Text role="status">
      {dollars(payment.amount)} to {payment.name}. We notified everyone who can release it, and will tell you when it’s
      sent.
    </Text>
    <Group gap="lg">
      <RouterAnchor to="/approvals">View approvals</RouterAnchor>
      <Button variant="default" onClick={onAgain}>
        Send another
      </Button>
    </Group>
  </Section>
)
