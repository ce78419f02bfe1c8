import { Button, Paper, Text } from '@mantine/core'
import { IconRepeat } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Subscription } from '../../answers.ts'
import { PageHeading } from '../../layout/page-heading.tsx'
import sectionClasses from '../../layout/section.module.css'
import { useMay } from '../../permission.ts'
import { dollars } from '../../shown/dollars.ts'
import { Empty } from '../../shown/empty.tsx'
import { Day } from '../../shown/moment.tsx'
import { PagedRows } from '../../shown/paged-rows.tsx'
import { RowsTable, type TableRow } from '../../shown/rows-table.tsx'
import { subscriptionsQuery } from './recurring-queries.ts'
import { intervalWords, SubscriptionBadge } from './recurring-words.tsx'

/** Payments and invoices that repeat, newest first. */
export function RecurringPage() {
  const maySend = useMay('send')
  const subscriptions = useInfiniteQuery(subscriptionsQuery)
  return (
    <>
      <PageHeading
        title="Recurring"
        action={
          maySend && (
            <Button component={Link} to="/send">
              New recurring payment
            </Button>
          )
        }
      >
        Payments that are sent again each week or month until you end them.
      </PageHeading>
      <Paper component="section" aria-label="Recurring payments" className={sectionClasses.section}>
        <PagedRows
          query={subscriptions}
          rowsOf={(page) => page.subscriptions}
          one="recurring payment"
          many="recurring payments"
          empty={<NoSubscriptions maySend={maySend} />}
        >
          {(rows) => (
            <RowsTable
              caption="Recurring payments, newest first"
              heads={{ main: 'Payee', status: 'Latest', extra: 'Repeats', date: 'Since', amount: 'Amount' }}
              rows={rows.map(rowOf)}
            />
          )}
        </PagedRows>
      </Paper>
    </>
  )
}

const rowOf = (subscription: Subscription): TableRow => ({
  id: subscription.id,
  link: (className) => (
    <Link to="/recurring/$id" params={{ id: subscription.id }} preload={false} className={className}>
      {subscription.name}
    </Link>
  ),
  note: [subscription.type === 'INVOICE' && 'Invoice', subscription.description ?? subscription.recipient]
    .filter(Boolean)
    .join(' · '),
  status: <SubscriptionBadge status={subscription.status} />,
  extra: intervalWords[subscription.interval],
  date: <Day date={subscription.start_date} />,
  amount: dollars(subscription.amount),
})

const NoSubscriptions = ({ maySend }: { maySend: boolean }) => (
  <Empty title="No recurring payments yet" icon={IconRepeat}>
    <Text c="dimmed">
      {maySend
        ? 'Choose “Repeat” when you send a payment, for rent or a retainer.'
        : 'Someone who may send payments can set one up.'}
    </Text>
  </Empty>
)
