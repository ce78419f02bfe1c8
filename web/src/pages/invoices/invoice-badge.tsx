import { Badge } from '@mantine/core'
import type { Invoice } from '../../answers.ts'

/** The displayed status: an unpaid invoice after its due date is overdue. */
type ShownStatus = Invoice['status'] | 'OVERDUE'

export const invoiceStatusWords: Record<ShownStatus, string> = {
  UNPAID: 'Unpaid',
  OVERDUE: 'Overdue',
  IN_PROCESS: 'On its way',
  PAID: 'Paid',
  VOID: 'Voided',
}

const colors: Record<ShownStatus, string> = {
  UNPAID: 'gray',
  OVERDUE: 'red',
  IN_PROCESS: 'petrol',
  PAID: 'green',
  VOID: 'gray',
}

type Props = { status: Invoice['status']; isOverdue?: boolean; size?: 'md' | 'lg' }

export function InvoiceBadge({ status, isOverdue = false, size = 'md' }: Props) {
  const shown = isOverdue ? 'OVERDUE' : status
  return (
    <Badge tt="none" fw={600} radius="sm" variant="light" miw="max-content" size={size} color={colors[shown]}>
      {invoiceStatusWords[shown]}
    </Badge>
  )
}
