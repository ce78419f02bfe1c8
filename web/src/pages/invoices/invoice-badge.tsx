import { Badge } from '@mantine/core'
import type { Invoice } from '../../answers.ts'

export const invoiceStatusWords: Record<Invoice['status'], string> = {
  UNPAID: 'Unpaid',
  IN_PROCESS: 'On its way',
  PAID: 'Paid',
  VOID: 'Voided',
}

const colors: Record<Invoice['status'], string> = { UNPAID: 'gray', IN_PROCESS: 'petrol', PAID: 'green', VOID: 'gray' }

export const InvoiceBadge = ({ status, size = 'md' }: { status: Invoice['status']; size?: 'md' | 'lg' }) => (
  <Badge tt="none" fw={600} radius="sm" variant="light" miw="max-content" size={size} color={colors[status]}>
    {invoiceStatusWords[status]}
  </Badge>
)
