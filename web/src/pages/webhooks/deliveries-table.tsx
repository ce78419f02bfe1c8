import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Delivery } from '../../answers.ts'
import type { DeliveryFilters } from '../../api.ts'
import { dollars } from '../../shown/dollars.ts'
import { Moment } from '../../shown/moment.tsx'
import { type Column, RecordsTable } from '../../shown/records-table.tsx'
import { EndpointName } from './endpoint-name.tsx'
import { DeliveryBadge } from './status-badge.tsx'
import { eventTitle, idOf } from './webhook-words.ts'
import classes from './webhooks.module.css'

/** A click anywhere on a row opens the delivery. The keyboard and screen readers find one link in each row. */
export const DeliveriesTable = ({ rows, filters }: { rows: Delivery[]; filters: DeliveryFilters }) => (
  <RecordsTable
    caption="Deliveries, newest first"
    columns={columns}
    rows={rows.map((delivery) => ({ ...delivery, id: idOf(delivery), filters }))}
    empty=""
  />
)

type Row = Delivery & { id: string; filters: DeliveryFilters }

const columns: Column<Row>[] = [
  { head: 'Time', cell: ({ date }) => <Time utc={date} /> },
  { head: 'Event', cell: (row) => <Event row={row} /> },
  { head: 'Status', cell: ({ status }) => <DeliveryBadge status={status} /> },
  { head: 'Endpoint', cell: (row) => <EndpointName delivery={row} /> },
  { head: 'Attempts', cell: ({ attempts }) => attempts },
  { head: 'Next attempt', cell: ({ next_attempt }) => next_attempt !== null && <Time utc={next_attempt} /> },
]

const Time = ({ utc }: { utc: string }) => (
  <div className={classes.time}>
    <Moment utc={utc} isExact />
  </div>
)

const Event = ({ row: { event, endpoint, type, subject, payment, filters } }: { row: Row }) => (
  <div className={classes.event}>
    <Text fw={600}>
      <Link
        to="/settings/webhooks/deliveries/$event/$endpoint"
        params={{ event, endpoint }}
        search={filters}
        preload={false}
        data-opens-row
        className={classes.open}
      >
        {eventTitle({ type, payment })}
      </Link>
    </Text>
    {payment === null ? (
      <code className={classes.id}>{subject}</code>
    ) : (
      <Text c="dimmed" size="xs">
        {dollars(payment.amount)} to {payment.name}
      </Text>
    )}
  </div>
)
