import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Delivery } from '../../answers.ts'
import type { DeliveryFilters } from '../../api.ts'
import { count } from '../../shown/count.ts'
import { dollars } from '../../shown/dollars.ts'
import { ShortMoment } from '../../shown/moment.tsx'
import { RowsTable, type TableRow } from '../../shown/rows-table.tsx'
import { EndpointName } from './endpoint-name.tsx'
import { eventTitle } from './event-words.ts'
import { DeliveryBadge } from './status-badge.tsx'
import { deliveryId } from './webhook-words.ts'

type Props = { rows: Delivery[]; filters: DeliveryFilters }

export const DeliveriesTable = ({ rows, filters }: Props) => (
  <RowsTable
    caption="Deliveries, newest first"
    heads={{ main: 'Event', status: 'Status', extra: 'Endpoint', date: 'Time', amount: 'Amount' }}
    rows={rows.map((delivery) => rowOf(delivery, filters))}
  />
)

const rowOf = (delivery: Delivery, filters: DeliveryFilters): TableRow => ({
  id: deliveryId(delivery),
  link: (className) => (
    <Link
      to="/settings/webhooks/deliveries/$event/$endpoint"
      params={{ event: delivery.event, endpoint: delivery.endpoint }}
      search={filters}
      preload={false}
      className={className}
    >
      {eventTitle(delivery)}
    </Link>
  ),
  note: <Note delivery={delivery} />,
  status: <DeliveryBadge status={delivery.status} />,
  extra: (
    <Text truncate>
      <EndpointName delivery={delivery} />
    </Text>
  ),
  date: <ShortMoment utc={delivery.date} />,
  amount: delivery.payment && dollars(delivery.payment.amount),
})

const Note = ({ delivery: { payment, subject, attempts, next_attempt } }: { delivery: Delivery }) => (
  <>
    {payment === null ? <code>{subject}</code> : `to ${payment.name}`}
    {attempts > 0 && ` · ${count(attempts, 'attempt', 'attempts')}`}
    {next_attempt !== null && (
      <>
        {' '}
        · next attempt <ShortMoment utc={next_attempt} />
      </>
    )}
  </>
)
