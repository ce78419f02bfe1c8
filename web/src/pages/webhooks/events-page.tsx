import { NativeSelect, Paper, Stack, Text } from '@mantine/core'
import { IconBolt } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { EventType, WebhookEvent } from '../../answers.ts'
import { PageHeading } from '../../layout/page-heading.tsx'
import sectionClasses from '../../layout/section.module.css'
import { dollars } from '../../shown/dollars.ts'
import { Empty } from '../../shown/empty.tsx'
import { ShortMoment } from '../../shown/moment.tsx'
import { PagedRows } from '../../shown/paged-rows.tsx'
import { RowsTable, type TableRow } from '../../shown/rows-table.tsx'
import { eventTypes, wordsOfType } from './event-words.ts'
import { eventsQuery } from './webhook-queries.ts'
import { eventStatusText } from './webhook-words.ts'
import classes from './webhooks.module.css'

const route = getRouteApi('/settings/events')

/** The events of the last 30 days, newest first, including events without an endpoint. */
export function EventsPage() {
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const events = useInfiniteQuery(eventsQuery(filters))
  return (
    <>
      <PageHeading title="Events">Events of the last 30 days, including those that no endpoint received.</PageHeading>
      <Paper component="section" aria-label="Events" className={sectionClasses.section}>
        <Stack gap="lg">
          <search aria-label="Filter events" className={classes.filters}>
            <NativeSelect
              label="Type"
              data={[
                { value: '', label: 'All' },
                ...eventTypes.map(({ type, plural }) => ({ value: type, label: plural })),
              ]}
              value={filters.type ?? ''}
              onChange={({ currentTarget }) =>
                navigate({
                  search: { type: (currentTarget.value || undefined) as EventType | undefined },
                  replace: true,
                  resetScroll: false,
                })
              }
            />
          </search>
          <PagedRows
            query={events}
            rowsOf={(page) => page.events}
            one="event"
            many="events"
            empty={<NoEvents isNarrowed={filters.type !== undefined} />}
          >
            {(rows) => (
              <RowsTable
                caption="Events, newest first"
                heads={{ main: 'Event', status: 'Status now', date: 'Date', amount: 'Amount' }}
                rows={rows.map(rowOf)}
              />
            )}
          </PagedRows>
        </Stack>
      </Paper>
    </>
  )
}

const rowOf = (event: WebhookEvent): TableRow => ({
  id: event.id,
  link: (className) => (
    <Link to="/settings/events/$id" params={{ id: event.id }} preload={false} className={className}>
      {titleOf(event)}
    </Link>
  ),
  note: <code>{event.subject}</code>,
  status: <Text size="sm">{eventStatusText(event)}</Text>,
  date: <ShortMoment utc={event.date} />,
  amount: event.payment && dollars(event.payment.amount),
  isIncoming: event.payment?.direction === 'INCOMING',
})

/** Names the subject of an event: "Payment to Ada Lovelace". */
function titleOf({ type, payment }: WebhookEvent): string {
  if (payment === null) return wordsOfType(type).event
  return `Payment ${payment.direction === 'INCOMING' ? 'from' : 'to'} ${payment.name}`
}

const NoEvents = ({ isNarrowed }: { isNarrowed: boolean }) => (
  <Empty title={isNarrowed ? 'No events of this type' : 'No events yet'} icon={IconBolt}>
    <Text c="dimmed">An event is recorded when a payment, bank account, user or wallet changes.</Text>
  </Empty>
)
