import { Badge } from '@mantine/core'
import type { DeliveryStatus, Endpoint, Outcome } from '../../answers.ts'
import { shortOutcome, statusWords } from './webhook-words.ts'

const statusColors: Record<DeliveryStatus, string> = { PENDING: 'petrol', DELIVERED: 'green', FAILED: 'red' }

const look = { tt: 'none', fw: 600, radius: 'sm', variant: 'light', miw: 'max-content' } as const

export const DeliveryBadge = ({ status }: { status: DeliveryStatus }) => (
  <Badge {...look} color={statusColors[status]}>
    {statusWords[status]}
  </Badge>
)

export const OutcomeBadge = ({ outcome }: { outcome: Outcome }) => (
  <Badge {...look} color={outcome === 'acknowledged' ? 'green' : 'red'}>
    {shortOutcome({ outcome })}
  </Badge>
)

/** The state of an endpoint. A failing endpoint still gets events, but a disabled one does not. */
export function EndpointBadge({ endpoint: { status, failing_since } }: { endpoint: Endpoint }) {
  const [color, text] =
    status === 'DISABLED' ? ['gray', 'Disabled'] : failing_since !== null ? ['red', 'Failing'] : ['green', 'Enabled']
  return (
    <Badge {...look} color={color}>
      {text}
    </Badge>
  )
}
