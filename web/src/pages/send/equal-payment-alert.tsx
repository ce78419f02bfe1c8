import { Alert, Checkbox } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { clockQuery } from '../../layout/clock-query.ts'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { useServiceContext } from '../../service-context.ts'
import { dollars } from '../../shown/dollars.ts'
import { Moment, parseUtc } from '../../shown/moment.tsx'

const DAY_MS = 24 * 60 * 60 * 1_000

type Wanted = { name: string; recipient: string; amount: number }

/** Finds the newest payment of the last 24 hours to the same payee with the same amount, or undefined. */
export function useEqualPayment({ name, recipient, amount }: Wanted) {
  const { environment } = useServiceContext()
  const clock = useQuery({ ...clockQuery, enabled: environment === 'sandbox' })
  const now = clock.data ? parseUtc(clock.data.now) : Date.now()
  const found = useQuery({
    // Loaded only once for each review, so that the payment that is being sent is not found.
    queryKey: ['equal-payment', name, amount],
    queryFn: () => api.payments({ direction: 'OUTGOING', q: name, min_amount: amount, max_amount: amount }, 10),
    enabled: name.trim() !== '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  return found.data?.payments.find(
    (payment) =>
      isSame(payment.name, name) &&
      (recipient === '' || isSame(payment.recipient, recipient)) &&
      !['VOID', 'FAILED', 'REFUNDED', 'EXPIRED'].includes(payment.status) &&
      Math.abs(now - parseUtc(payment.date)) < DAY_MS,
  )
}

const isSame = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase()

type Props = {
  payment: NonNullable<ReturnType<typeof useEqualPayment>>
  isIntended: boolean
  onChange: (isIntended: boolean) => void
}

/** Asks for a confirmation before the same payee gets the same amount twice. */
export const EqualPaymentAlert = ({ payment: { id, amount, name, date }, isIntended, onChange }: Props) => (
  <Alert
    variant="default"
    icon={<IconAlertTriangle aria-hidden color="var(--mantine-color-red-6)" />}
    title={`You already sent ${dollars(amount)} to ${name}`}
  >
    <RouterAnchor to="/payments/$id" params={{ id }}>
      An equal payment
    </RouterAnchor>{' '}
    was sent on <Moment utc={date} />.
    <Checkbox
      mt="sm"
      label="Send it a second time"
      checked={isIntended}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  </Alert>
)
