import { Alert, Checkbox } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { FoundPayment } from '../../answers.ts'
import { api } from '../../api.ts'
import { clockQuery } from '../../layout/clock-query.ts'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { useServiceContext } from '../../service-context.ts'
import { dollars } from '../../shown/dollars.ts'
import { Moment, parseUtc } from '../../shown/moment.tsx'

const DAY_MS = 24 * 60 * 60 * 1_000

type Wanted = { name: string; recipient: string; amount: number }

/** Finds the newest payment of the last 24 hours to the same payee with the same amount. */
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
  const payment = found.data?.payments.find(
    (one) =>
      isSame(one.name, name) &&
      (recipient === '' || isSame(one.recipient, recipient)) &&
      !['VOID', 'FAILED', 'REFUNDED', 'EXPIRED'].includes(one.status) &&
      Math.abs(now - parseUtc(one.date)) < DAY_MS,
  )
  return { payment, isLoading: clock.isLoading || found.isLoading }
}

const isSame = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase()

type Props = {
  payment: FoundPayment
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
