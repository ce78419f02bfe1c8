import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { LinkedPayment } from '../../answers.ts'
import type { OpenedLink } from '../../api.ts'
import { Day } from '../../shown/moment.tsx'
import { PrintButton } from './print-button.tsx'
import { StepHeading } from './step-heading.tsx'

type Words = { heading: string; text: ReactNode }

/** The progress of a payment for which the recipient has nothing to choose. */
export function PaymentProgress({
  payment,
  link,
  isFirst,
  onPrinted,
}: {
  payment: LinkedPayment
  /** The opened link, or null if the PIN is missing. */
  link: OpenedLink | null
  isFirst: boolean
  onPrinted: () => unknown
}) {
  const { heading, text } = wordsOf(payment)
  return (
    <Stack gap="md">
      <StepHeading isFirst={isFirst} key={payment.status}>
        {heading}
      </StepHeading>
      {text !== null && <Text>{text}</Text>}
      {payment.status === 'PRINTED' && link && (
        <PrintButton link={link} label="Download check again" onDone={onPrinted} />
      )}
    </Stack>
  )
}

function wordsOf({ status, rail, sender, expected, endorsement, claimed }: LinkedPayment): Words {
  const day = expected === null ? null : <Day date={expected} />
  const by = day && <> It should arrive by {day}.</>
  switch (status) {
    case 'IN_PROCESS':
      return rail === 'MAIL'
        ? { heading: 'Your check is being printed', text: <>We’ll mail it to you.{by}</> }
        : { heading: 'Your money is on its way', text: <>You’re all set.{by}</> }
    case 'MAILED':
      return { heading: 'Your check is in the mail', text: <>It was mailed to you.{by}</> }
    case 'PRINTED':
      return {
        heading: 'Your check is ready',
        text: 'Print it and deposit it like any other check. You can deposit it only once.',
      }
    case 'PAID':
      return rail === 'MAIL' || rail === 'PRINT'
        ? { heading: 'You’ve been paid', text: 'Your check was cashed.' }
        : { heading: 'You’ve been paid', text: <>The money was sent to your account.{by}</> }
    case 'FAILED':
      return { heading: 'The payment did not go through', text: `Ask ${sender} for a new payment.` }
    case 'REFUNDED':
      return {
        heading: 'The payment was returned',
        text: `It couldn’t be delivered and went back to ${sender}. Ask for a new payment.`,
      }
    case 'VOID':
      return {
        heading: 'The payment was canceled',
        text: `Contact ${sender} if you did not expect this.`,
      }
    case 'EXPIRED':
      return { heading: 'The payment has expired', text: `Ask ${sender} for a new payment.` }
    default:
      if (endorsement?.is_endorsed) {
        return endorsement.can_deposit && endorsement.missing.length > 0
          ? {
              heading: 'You endorsed this payment',
              text: `You can deposit it after ${endorsement.missing.join(', ')} also endorses it, unless another recipient deposits it first.`,
            }
          : { heading: 'You endorsed this payment', text: 'Another recipient can deposit it now. You’re all set.' }
      }
      if (claimed) return { heading: 'Choose in your account how to get paid', text: null }
      return { heading: 'You can’t accept this payment here', text: `Ask ${sender} for another way to be paid.` }
  }
}
