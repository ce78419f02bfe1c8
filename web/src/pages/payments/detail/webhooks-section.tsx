import { Text } from '@mantine/core'
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import type { PaymentDetails, TimelineEntry } from '../../../answers.ts'
import { api } from '../../../api.ts'
import { errorText } from '../../../form/field-errors.ts'
import { useSending } from '../../../form/use-sending.ts'
import { WorkingButton } from '../../../form/working-button.tsx'
import { RouterAnchor } from '../../../layout/router-anchor.tsx'
import { Section } from '../../../layout/section.tsx'
import { hostOf } from '../../../shown/host-of.ts'
import { notify } from '../../../shown/notify.ts'
import { type Column, RecordsTable } from '../../../shown/records-table.tsx'
import { eventTitle } from '../../webhooks/event-words.ts'
import { DeliveryBadge } from '../../webhooks/status-badge.tsx'
import { deliveriesOfEventQuery, type EventDelivery, refreshWebhooks } from '../../webhooks/webhook-queries.ts'
import { timelineQuery } from '../payment-queries.ts'

/** The deliveries of the payment's events, newest first. Events are kept for 30 days. */
export function WebhooksSection({ payment }: { payment: PaymentDetails }) {
  const timeline = useQuery(timelineQuery(payment))
  const events = useQueries({
    queries: eventsOf(timeline.data?.entries ?? []).map((id) => deliveriesOfEventQuery(id)),
  })
  const deliveries = events.flatMap(({ data = [] }) => data)
  const isLoading = timeline.isPending || events.some(({ isPending }) => isPending)
  if (isLoading && deliveries.length === 0) return null
  return (
    <Section title="Webhooks" about="Events of this payment that we sent to your endpoints in the last 30 days.">
      <RecordsTable
        caption="Webhook deliveries"
        columns={columns}
        rows={deliveries.map((delivery) => ({ ...delivery, id: `${delivery.event}/${delivery.endpoint}` }))}
        empty={
          <>
            No deliveries. <RouterAnchor to="/settings/webhooks">Manage endpoints</RouterAnchor>
          </>
        }
      />
    </Section>
  )
}

const eventsOf = (entries: TimelineEntry[]): string[] =>
  entries.flatMap(({ link }) => (link === null ? [] : (link.split('/').at(-1) ?? []))).reverse()

type Row = EventDelivery & { id: string }

const columns: Column<Row>[] = [
  {
    head: 'Event',
    cell: ({ event, endpoint, type, payment, url }) => (
      <div>
        <Text fw={600}>
          <RouterAnchor
            to="/settings/webhooks/deliveries/$event/$endpoint"
            params={{ event, endpoint }}
            search={{}}
            preload={false}
          >
            {eventTitle({ type, payment })}
          </RouterAnchor>
        </Text>
        <Text c="dimmed" size="xs">
          {hostOf(url)}
        </Text>
      </div>
    ),
  },
  { head: 'Status', cell: ({ status }) => <DeliveryBadge status={status} /> },
  { head: 'Attempts', cell: ({ attempts }) => attempts },
  { head: 'Replay', isAction: true, cell: (row) => <ReplayDelivery delivery={row} /> },
]

function ReplayDelivery({ delivery: { event, endpoint, type, payment, url, status } }: { delivery: Row }) {
  const queryClient = useQueryClient()
  const replaying = useSending({
    mutationFn: () => api.replay(event, endpoint),
    onSuccess: async () => {
      await refreshWebhooks(queryClient)
      notify('Sending the event again')
    },
    onError: (error) => notify(errorText(error)),
  })
  return (
    <WorkingButton
      variant="default"
      size="xs"
      working={replaying.isPending || status === 'PENDING'}
      aria-label={`Replay ${eventTitle({ type, payment })} to ${hostOf(url)}`}
      onClick={() => replaying.mutate()}
    >
      {status === 'PENDING' ? 'Sending…' : 'Replay'}
    </WorkingButton>
  )
}
