import { Button, Paper, Text } from '@mantine/core'
import { IconPlus, IconRepeat } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Subscription } from '../../answers.ts'
import { DirectionTabs } from '../../layout/direction-tabs.tsx'
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

const route = getRouteApi('/signed-in/recurring')

/** Payments and invoices that repeat, newest first: sent by the user, or invoices to the user. */
export function RecurringPage() {
  const maySend = useMay('send')
  const { direction } = route.useSearch()
  const isReceived = direction === 'INCOMING'
  const subscriptions = useInfiniteQuery(subscriptionsQuery({ direction }))
  return (
    <>
      <PageHeading
        title="Recurring"
        action={
          maySend && (
            <Button component={Link} to="/send" leftSection={<IconPlus size={16} aria-hidden />}>
              New recurring payment
            </Button>
          )
        }
      >
        Payments and invoices that are sent again each week or month.
      </PageHeading>
      <DirectionTabs to="/recurring" current={direction} />
      <Paper component="section" aria-label="Recurring payments" className={sectionClasses.section}>
        <PagedRows
          query={subscriptions}
          rowsOf={(page) => page.subscriptions}
          one="recurring payment"
          many="recurring payments"
          empty={isReceived ? <NothingReceived /> : <NoSubscriptions maySend={maySend} />}
        >
          {(rows) => (
            <RowsTable
              caption="Recurring payments, newest first"
              heads={{
                main: isReceived ? 'For' : 'Name',
                status: 'Latest',
                extra: 'Repeats',
                date: 'Since',
                amount: 'Amount',
              }}
              rows={rows.map(isReceived ? receivedRowOf : rowOf)}
            />
          )}
        </PagedRows>
      </Paper>
    </>
  )
}

const rowOf = (subscription: Subscription): TableRow => ({
  ...commonRow(subscription, subscription.name),
  note: [subscription.type === 'INVOICE' && 'Invoice', subscription.description ?? subscription.recipient]
    .filter(Boolean)
    .join(' · '),
})

const receivedRowOf = (subscription: Subscription): TableRow => ({
  ...commonRow(subscription, subscription.description ?? subscription.name),
  note: subscription.autopay ? 'Paid automatically' : undefined,
})

const commonRow = (subscription: Subscription, main: string): TableRow => ({
  id: subscription.id,
  link: (className) => (
    <Link to="/recurring/$id" params={{ id: subscription.id }} preload={false} className={className}>
      {main}
    </Link>
  ),
  status: <SubscriptionBadge {...subscription} />,
  extra: subscription.duration === 1 ? 'Once' : intervalWords[subscription.interval],
  date: <Day date={subscription.start_date} />,
  amount: dollars(subscription.amount),
})

const NothingReceived = () => (
  <Empty title="No recurring invoices received yet" icon={IconRepeat}>
    <Text c="dimmed">Invoices that somebody sends to you each week or month appear here.</Text>
  </Empty>
)

const NoSubscriptions = ({ maySend }: { maySend: boolean }) => (
  <Empty title="No recurring payments yet" icon={IconRepeat}>
    <Text c="dimmed">
      {maySend
        ? 'Choose “Repeat” when you send a payment, for rent or a retainer.'
        : 'Someone who may send payments can set one up.'}
    </Text>
  </Empty>
)
