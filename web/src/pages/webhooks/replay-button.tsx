import { Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { DeliveryDetails } from '../../answers.ts'
import { api } from '../../api.ts'
import { ErrorAlert } from '../../error-display.tsx'
import { errorText } from '../../form/field-errors.ts'
import { useSending } from '../../form/use-sending.ts'
import { WorkingButton } from '../../form/working-button.tsx'
import { focusHeading } from '../../layout/page-heading.tsx'
import { notify } from '../../shown/notify.ts'
import { refreshWebhooks } from './webhook-queries.ts'

/** Sends a delivery once more, or now if it waits for its next attempt. */
export function ReplayButton({ delivery: { event, endpoint, status, attempts } }: { delivery: DeliveryDetails }) {
  const queryClient = useQueryClient()
  const replaying = useSending({
    mutationFn: () => api.replay(event, endpoint),
    onSuccess: async () => {
      await refreshWebhooks(queryClient)
      notify('The event is sent again.')
      focusHeading() // The button is gone.
    },
  })
  const isWaiting = status === 'PENDING'
  if (isWaiting && attempts.length === 0) return null // The first attempt is made at once.
  return (
    <Stack gap="sm" align="flex-end">
      <WorkingButton working={replaying.isPending} onClick={() => replaying.mutate()}>
        {isWaiting ? 'Send now' : 'Replay'}
      </WorkingButton>
      {replaying.error && <ErrorAlert>{errorText(replaying.error)}</ErrorAlert>}
    </Stack>
  )
}
