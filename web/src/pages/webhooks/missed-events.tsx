import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Endpoint } from '../../answers.ts'
import { api } from '../../api.ts'
import { ErrorAlert } from '../../error-display.tsx'
import { errorText } from '../../form/field-errors.ts'
import { useSending } from '../../form/use-sending.ts'
import { WorkingButton } from '../../form/working-button.tsx'
import { focusHeading } from '../../layout/page-heading.tsx'
import { count } from '../../shown/count.ts'
import { Moment } from '../../shown/moment.tsx'
import { notify } from '../../shown/notify.ts'
import { refreshWebhooks } from './webhook-queries.ts'
import { nameOf } from './webhook-words.ts'

/** The number of events that were not sent while an endpoint was disabled, and since when. */
export type Missed = { events: number; since: string }

type Props = { endpoint: Endpoint; missed: Missed; onClose: () => void }

/** After an endpoint was enabled, offers to replay the events that it missed. */
export function MissedEvents({ endpoint, missed: { events, since }, onClose }: Props) {
  const queryClient = useQueryClient()
  const close = () => {
    onClose()
    focusHeading()
  }
  const replaying = useSending({
    mutationFn: () => api.replayFailed({ since, endpoint: endpoint.id }),
    onSuccess: async ({ replayed }) => {
      close()
      notify(`Replaying ${count(replayed, 'event', 'events')}.`)
      await refreshWebhooks(queryClient)
    },
  })
  return (
    <Modal opened onClose={close} title={`${nameOf(endpoint)} is enabled`} returnFocus={false}>
      <Stack gap="md">
        {replaying.error && <ErrorAlert>{errorText(replaying.error)}</ErrorAlert>}
        <Text>
          It missed {count(events, 'event', 'events')} since <Moment utc={since} />. You can replay them now.
        </Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            Not now
          </Button>
          <WorkingButton data-autofocus working={replaying.isPending} onClick={() => replaying.mutate()}>
            {`Replay ${count(events, 'missed event', 'missed events')}`}
          </WorkingButton>
        </Group>
      </Stack>
    </Modal>
  )
}
