import { Badge } from '@mantine/core'
import type { PaymentStatus } from '../../answers.ts'
import { paymentStatusWords } from './payment-words.ts'

const colors: Record<PaymentStatus, string> = {
  UNPAID: 'gray',
  IN_PROCESS: 'petrol',
  PAID: 'green',
  FAILED: 'red',
  PRINTED: 'petrol',
  VOID: 'gray',
  EXPIRED: 'gray',
  MAILED: 'petrol',
  REFUNDED: 'gray',
}

export const PaymentBadge = ({ status, size = 'md' }: { status: PaymentStatus; size?: 'md' | 'lg' }) => (
  <Badge tt="none" fw={600} radius="sm" variant="light" miw="max-content" size={size} color={colors[status]}>
    {paymentStatusWords[status]}
  </Badge>
)
