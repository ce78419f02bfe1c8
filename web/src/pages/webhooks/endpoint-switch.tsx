import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Endpoint } from '../../answers.ts'
import { api } from '../../api.ts'
import { ErrorAlert } from '../../error-display.tsx'
import { errorText } from '../../form/field-errors.ts'
import { useSending } from '../../form/use-sending.ts'
import { WorkingButton } from '../../form/working-button.tsx'
import { focusHeading } from '../../layout/page-heading.tsx'
import { notify } from '../../shown/notify.ts'
import { DisableEndpointButton } from './disable-endpoint-button.tsx'
import { type Missed, MissedEvents } from './missed-events.tsx'
import { refreshWebhooks } from './webhook-queries.ts'
import { nameOf } from './webhook-words.ts'

/** Disables an endpoint, or enables it and then offers to replay the events that it missed. */
export function EndpointSwitch({ endpoint }: { endpoint: Endpoint }) {
  const queryClient = useQueryClient()
  const [missed, setMissed] = useState<Missed | null>(null)
  const name = nameOf(endpoint)
  const enabling = useSending({
    mutationFn: () => api.changeEndpoint(endpoint.id, { status: 'ENABLED' }),
    onSuccess: async ({ missed: events, missed_since: since }) => {
      if (events > 0 && since !== null) setMissed({ events, since })
      else focusHeading() // The button no longer exists.
      notify(`${name} enabled`)
      await refreshWebhooks(queryClient)
    },
  })
  return (
    <>
      {endpoint.status === 'ENABLED' ? (
        <DisableEndpointButton endpoint={endpoint} />
      ) : (
        <WorkingButton
          size="xs"
          aria-label={`Enable ${name}`}
          working={enabling.isPending}
          onClick={() => enabling.mutate()}
        >
          Enable
        </WorkingButton>
      )}
      {enabling.error && <ErrorAlert>{errorText(enabling.error)}</ErrorAlert>}
      {missed !== null && <MissedEvents endpoint={endpoint} missed={missed} onClose={() => setMissed(null)} />}
    </>
  )
}
