import { NativeSelect, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { isGiven } from '../../form/form-rules.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { DialogButton } from '../../shown/dialog-button.tsx'
import { notify } from '../../shown/notify.ts'
import { endpointOptions } from './endpoint-options.ts'
import { endpointsQuery, refreshWebhooks } from './webhook-queries.ts'
import { count } from './webhook-words.ts'

/** Sends all that failed since a time once more, to every endpoint or to one. */
export function ReplayFailedButton({ endpoint }: { endpoint: string | undefined }) {
  return (
    <DialogButton label="Replay failed…" title="Replay failed deliveries?">
      {(close) => <ReplayFailedForm endpoint={endpoint} onDone={close} />}
    </DialogButton>
  )
}

const DAY_MS = 24 * 60 * 60 * 1000

function ReplayFailedForm({ endpoint, onDone }: { endpoint: string | undefined; onDone: () => void }) {
  const queryClient = useQueryClient()
  const { data: endpoints = [] } = useQuery(endpointsQuery)
  const form = useForm({
    initialValues: { since: localTime(new Date(Date.now() - DAY_MS)), endpoint: endpoint ?? '' },
    validate: { since: isGiven('Enter a time.') },
  })
  return (
    <ServiceForm
      form={form}
      send={(fields) =>
        api.replayFailed({ since: utc(fields.since), ...(fields.endpoint && { endpoint: fields.endpoint }) })
      }
      onDone={async ({ replayed }) => {
        await refreshWebhooks(queryClient)
        onDone()
        notify(
          replayed === 0 ? 'Nothing has failed since then.' : `Replaying ${count(replayed, 'delivery', 'deliveries')}.`,
        )
      }}
      submit="Replay"
    >
      <Text>
        Every delivery that has failed since this time is sent again, with new retries. Your servers may get events that
        they have seen: these have the same <code>webhook-id</code>.
      </Text>
      <TextInput
        label="Failed events since"
        description="In your own time zone"
        type="datetime-local"
        data-autofocus
        {...form.getInputProps('since')}
      />
      <NativeSelect
        label="Endpoint"
        data={[{ value: '', label: 'All' }, ...endpointOptions(endpoints, [], endpoint)]}
        {...form.getInputProps('endpoint')}
      />
    </ServiceForm>
  )
}

/** `2026-02-03T14:05`, as the field takes it. */
function localTime(date: Date): string {
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}

const utc = (local: string): string => new Date(local).toISOString().slice(0, 19).replace('T', ' ')
