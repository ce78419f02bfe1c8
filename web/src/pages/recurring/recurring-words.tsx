import { Badge } from '@mantine/core'
import type { Subscription, SubscriptionRun } from '../../answers.ts'
import { useToday } from '../../layout/use-today.ts'
import { paymentStatusWords } from '../payments/payment-words.ts'

const badge = { tt: 'none', fw: 600, radius: 'sm', variant: 'light', miw: 'max-content' } as const

const colors: Partial<Record<Subscription['status'], string>> = {
  PAID: 'green',
  FAILED: 'red',
  OVERDUE: 'red',
  UNPAID: 'gray',
  CANCELED: 'gray',
  VOID: 'gray',
  EXPIRED: 'gray',
  REFUNDED: 'gray',
}

/** "Scheduled" before the first run, "Ended" after a cancellation, otherwise the status of the latest run. */
export function SubscriptionBadge({ status, start_date }: Pick<Subscription, 'status' | 'start_date'>) {
  const today = useToday()
  if (today === null) return null
  const words =
    status === 'UNPAID' && start_date > today
      ? 'Scheduled'
      : status === 'CANCELED'
        ? 'Ended'
        : status === 'OVERDUE'
          ? 'Overdue'
          : (paymentStatusWords[status] ?? status)
  return (
    <Badge {...badge} color={colors[status] ?? 'petrol'}>
      {words}
    </Badge>
  )
}

type Outcome = SubscriptionRun['outcome']

const outcomes: Record<Outcome, { words: string; color: string }> = {
  PAID: { words: 'Sent', color: 'green' },
  PREPARED: { words: 'Needs approval', color: 'petrol' },
  INVOICED: { words: 'Invoiced', color: 'green' },
  SKIPPED: { words: 'Skipped', color: 'gray' },
  FAILED: { words: 'Not sent', color: 'red' },
}

/** The outcome of a run. */
export const RunBadge = ({ outcome }: { outcome: Outcome }) => (
  <Badge {...badge} color={outcomes[outcome].color}>
    {outcomes[outcome].words}
  </Badge>
)

export const intervalWords = { WEEKLY: 'Every week', MONTHLY: 'Every month' } as const
