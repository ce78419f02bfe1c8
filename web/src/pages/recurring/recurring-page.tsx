import { Button, Paper, Stack, Text, VisuallyHidden } from '@mantine/core'
import { IconRepeat } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Subscription } from '../../answers.ts'
import { PageHeading } from '../../layout/page-heading.tsx'
import sectionClasses from '../../layout/section.module.css'
import { useMay } from '../../permission.ts'
import { dollars } from '../../shown/dollars.ts'
import { Empty } from '../../shown/empty.tsx'
import { Loaded } from '../../shown/loaded.tsx'
import { Day } from '../../shown/moment.tsx'
import { MoreButton } from '../../shown/more-button.tsx'
import { RowsTable, type TableRow } from '../../shown/rows-table.tsx'
import { SkeletonRows } from '../../shown/skeleton-rows.tsx'
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
        <Loaded query={subscriptions} skeleton={<SkeletonRows />}>
          {({ pages }) => {
            const rows = pages.flatMap((page) => page.subscriptions)
            return (
              <Stack gap="lg">
                <VisuallyHidden role="status">
                  {rows.length === 1 ? '1 recurring payment shown' : `${rows.length} recurring payments shown`}
                </VisuallyHidden>
                {rows.length === 0 ? (
                  <NoSubscriptions maySend={maySend} />
                ) : (
                  <RowsTable
                    caption="Recurring payments, newest first"
                    heads={{ main: 'Payee', status: 'Latest', extra: 'Repeats', date: 'Since', amount: 'Amount' }}
                    rows={rows.map(rowOf)}
                  />
                )}
                {subscriptions.hasNextPage && (
                  <MoreButton
                    rows="payments"
                    searchedTo={null}
                    hasRows
                    isLoading={subscriptions.isFetchingNextPage}
                    onMore={subscriptions.fetchNextPage}
                  />
                )}
              </Stack>
            )
          }}
        </Loaded>
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
        : 'Somebody who may send payments can set one up.'}
    </Text>
  </Empty>
)
