import { Alert } from '@mantine/core'
import type { Endpoint } from '../../answers.ts'
import { Moment } from '../../shown/moment.tsx'

/** Why an endpoint does not work, since when, and what to do; nothing of one that works. */
export function EndpointState({ endpoint }: { endpoint: Endpoint }) {
  const { status, disabled_reason, disabled_date, failing_since } = endpoint
  if (status === 'DISABLED') {
    return (
      <Alert color="gray" role="none">
        Disabled{disabled_date !== null && <Since utc={disabled_date} />}
        {disabled_reason !== null && reasons[disabled_reason]}. What happens meanwhile is kept: you can have it sent
        when you enable it.
      </Alert>
    )
  }
  if (failing_since === null) return null
  return (
    <Alert color="red" role="none">
      Nothing was acknowledged
      <Since utc={failing_since} />. After five days without a success it is disabled.
    </Alert>
  )
}

const reasons: Record<NonNullable<Endpoint['disabled_reason']>, string> = {
  OWNER: ', by you',
  GONE: ': your server answered 410 Gone',
  FAILING: ': nothing was acknowledged for five days',
}

const Since = ({ utc }: { utc: string }) => (
  <>
    {' '}
    since <Moment utc={utc} />
  </>
)
