import { Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeliveryDetails } from '../../answers.ts'
import { api } from '../../api.ts'
import { ErrorAlert } from '../../error-display.tsx'
import { errorText } from '../../form/field-errors.ts'
import { useSending } from '../../form/use-sending.ts'
import { WorkingButton } from '../../form/working-button.tsx'
import { notify } from '../../shown/notify.ts'
import { refreshWebhooks } from './webhook-queries.ts'

/**
 * Sends a delivery again, or at once if it waits for its next attempt. Disabled until that attempt is finished.
 */
export function ReplayButton({ delivery: { event, endpoint, status, attempts } }: { delivery: DeliveryDetails }) {
  const queryClient = useQueryClient()
  const lastAttempt = Math.max(0, ...attempts.map(({ number }) => number))
  const [sentAfter, setSentAfter] = useState<number | null>(null)
  const replaying = useSending({
    mutationFn: () => api.replay(event, endpoint),
    onSuccess: async () => {
      setSentAfter(lastAttempt)
      await refreshWebhooks(queryClient)
      notify('Sending the event again')
    },
  })
  const isWaiting = status === 'PENDING'
  if (isWaiting && lastAttempt === 0) return null // The first attempt starts at once.
  const isSending = replaying.isPending || (isWaiting && sentAfter === lastAttempt)
  return (
    <Stack gap="sm" align="flex-end">
      <WorkingButton working={isSending} onClick={() => replaying.mutate()}>
        {isSending ? 'Sending…' : isWaiting ? 'Send now' : 'Replay'}
      </WorkingButton>
      {replaying.error && <ErrorAlert>{errorText(replaying.error)}</ErrorAlert>}
    </Stack>
  )
}
