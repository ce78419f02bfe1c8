import { Alert } from '@mantine/core'
import type { Endpoint } from '../../answers.ts'
import { Moment } from '../../shown/moment.tsx'

/** Explains why an endpoint does not work, since when, and what to do. Empty for a working endpoint. */
export function EndpointState({ endpoint }: { endpoint: Endpoint }) {
  const { status, disabled_reason, disabled_date, failing_since } = endpoint
  if (status === 'DISABLED') {
    return (
      <Alert color="gray" role="none">
        Disabled{disabled_date !== null && <Since utc={disabled_date} />}
        {disabled_reason !== null && reasons[disabled_reason]}. We keep new events, and you can replay them when you
        enable it.
      </Alert>
    )
  }
  if (failing_since === null) return null
  return (
    <Alert color="red" role="none">
      No successful deliveries
      <Since utc={failing_since} />. We’ll disable the endpoint after five days without a successful delivery.
    </Alert>
  )
}

const reasons: Record<NonNullable<Endpoint['disabled_reason']>, string> = {
  OWNER: ' by you',
  GONE: ' because your server responded with 410 Gone',
  FAILING: ' because no delivery succeeded for five days',
}

const Since = ({ utc }: { utc: string }) => (
  <>
    {' '}
    since <Moment utc={utc} />
  </>
)
