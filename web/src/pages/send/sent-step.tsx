import type { PreparedPayment, SentPayment } from '../../answers.ts'
import { RouterButton } from '../../layout/router-button.tsx'
import { useServiceContext } from '../../service-context.ts'
import { dollars } from '../../shown/dollars.ts'
import { DoneSection } from './done-section.tsx'

/** The last step of a payment that was sent. */
export function SentStep({ payment, onAgain }: { payment: SentPayment; onAgain: () => void }) {
  const { shows_mail } = useServiceContext()
  const isByEmail = payment.recipient.includes('@')
  const hasSeveral = payment.recipient.includes(', ')
  return (
    <DoneSection
      title="Payment sent"
      links={
        <>
          <RouterButton to="/payments/$id" params={{ id: payment.id }}>
            View payment
          </RouterButton>
          {isByEmail && shows_mail && (
            <RouterButton to="/mail" variant="default">
              Open the email
            </RouterButton>
          )}
        </>
      }
      onAgain={onAgain}
    >
      {dollars(payment.amount)} to {payment.name}, check number {payment.number}.{' '}
      {hasSeveral
        ? 'Each payee gets an email with a link. After all have endorsed the check, one of them deposits it.'
        : isByEmail && 'The payee gets an email with a link to choose how to be paid.'}
    </DoneSection>
  )
}

/** The last step of a payment that waits until another person releases it. */
export const WaitingStep = ({ payment, onAgain }: { payment: PreparedPayment; onAgain: () => void }) => (
  <DoneSection
    title="Payment waits for approval"
    isWaiting
    links={<RouterButton to="/approvals">View approvals</RouterButton>}
    onAgain={onAgain}
  >
    {dollars(payment.amount)} to {payment.name}. We notified everyone who can release it, and will tell you when it’s
    sent.
  </DoneSection>
)
