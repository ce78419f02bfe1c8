import { NativeSelect, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { formatDateTime, instantOf, localClock, timeZoneWords } from '../../../../src/foundation/lib/clock.ts'
import { api } from '../../api.ts'
import { isGiven } from '../../form/form-rules.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { useServiceContext } from '../../service-context.ts'
import { count } from '../../shown/count.ts'
import { DialogButton } from '../../shown/dialog-button.tsx'
import { notify } from '../../shown/notify.ts'
import { endpointOptions } from './endpoint-options.ts'
import { endpointsQuery, refreshWebhooks } from './webhook-queries.ts'

/** Replays all deliveries that failed since a time, to every endpoint or to one. */
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
  const { time_zone } = useServiceContext()
  const endpoints = useQuery(endpointsQuery)
  const form = useForm({
    initialValues: { since: fieldOfTime(new Date(Date.now() - DAY_MS), time_zone), endpoint: endpoint ?? '' },
    validate: { since: isGiven('Choose a time.') },
  })
  return (
    <ServiceForm
      form={form}
      send={(fields) =>
        api.replayFailed({
          since: timeOfField(fields.since, time_zone),
          ...(fields.endpoint && { endpoint: fields.endpoint }),
        })
      }
      onDone={async ({ replayed }) => {
        await refreshWebhooks(queryClient)
        onDone()
        notify(
          replayed === 0
            ? 'No deliveries have failed since then.'
            : `Replaying ${count(replayed, 'delivery', 'deliveries')}.`,
        )
      }}
      submit="Replay"
    >
      <Text>
        We send every delivery that failed since this time again. Your servers may get an event twice, with the same{' '}
        <code>webhook-id</code>.
      </Text>
      <TextInput
        label="Failed events since"
        description={timeZoneWords(time_zone)}
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

/** Formats a time as the value of the field, such as `2026-02-03T14:05`. */
const fieldOfTime = (at: Date, timeZone: string): string => localClock(at, timeZone).toISOString().slice(0, 16)

const timeOfField = (value: string, timeZone: string): string =>
  formatDateTime(instantOf(new Date(`${value}Z`), timeZone))
