import { Paper, Stack, VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { ErrorAlert, LoadFailure } from '../../error-display.tsx'
import { errorText } from '../../form/field-errors.ts'
import { PageHeading } from '../../layout/page-heading.tsx'
import sectionClasses from '../../layout/section.module.css'
import tabClasses from '../../layout/tabs.module.css'
import { useMay } from '../../permission.ts'
import { useServiceContext } from '../../service-context.ts'
import { FileButton } from '../../shown/file-button.tsx'
import { Loaded } from '../../shown/loaded.tsx'
import { MoreButton } from '../../shown/more-button.tsx'
import { SkeletonRows } from '../../shown/skeleton-rows.tsx'
import { NoPayments } from './no-payments.tsx'
import { PaymentFilterFields } from './payment-filter-fields.tsx'
import { countFilters, type ListFilters, noFilters } from './payment-filters.ts'
import { paymentsQuery } from './payment-queries.ts'
import classes from './payments.module.css'
import { PaymentsTable } from './payments-table.tsx'

const route = getRouteApi('/signed-in/payments')

/** The payments of the platform, newest first. The filters are in the address, so that a list can be shared. */
export function PaymentsPage() {
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const mayExport = useMay('export')
  const ownId = useServiceContext().owner?.id
  const payments = useInfiniteQuery(paymentsQuery(filters))
  const narrow = (change: ListFilters) =>
    navigate({ search: { ...filters, ...change }, replace: true, resetScroll: false })
  return (
    <>
      <PageHeading
        title="Payments"
        action={
          mayExport && <FileButton label="Export CSV" name="payments.csv" load={() => api.exportPayments(filters)} />
        }
      />
      <Tabs direction={filters.direction === 'INCOMING' ? 'INCOMING' : undefined} />
      <Paper component="section" aria-label="Payments" className={sectionClasses.section}>
        <Stack gap="lg">
          <PaymentFilterFields filters={filters} ownId={ownId} error={payments.error} onChange={narrow} />
          {payments.isRefetchError && <LoadFailure error={payments.error} onRetry={payments.refetch} />}
          <Loaded query={payments} skeleton={<SkeletonRows />}>
            {({ pages }) => {
              const rows = pages.flatMap((page) => page.payments)
              const searchedTo = pages.at(-1)?.searched_to ?? null
              return (
                <div className={classes.results} aria-busy={payments.isPlaceholderData}>
                  <VisuallyHidden role="status">{shownWords(rows.length)}</VisuallyHidden>
                  {rows.length > 0 && <PaymentsTable caption="Payments, newest first" payments={rows} ownId={ownId} />}
                  {rows.length === 0 && searchedTo === null && (
                    <NoPayments
                      direction={filters.direction === 'INCOMING' ? 'INCOMING' : undefined}
                      isNarrowed={countFilters(filters) > 0}
                      onClear={() => narrow(noFilters)}
                    />
                  )}
                  {payments.isFetchNextPageError && <ErrorAlert>{errorText(payments.error)}</ErrorAlert>}
                  {payments.hasNextPage && (
                    <MoreButton
                      rows="payments"
                      searchedTo={searchedTo}
                      hasRows={rows.length > 0}
                      isLoading={payments.isFetchingNextPage}
                      onMore={payments.fetchNextPage}
                    />
                  )}
                </div>
              )
            }}
          </Loaded>
        </Stack>
      </Paper>
    </>
  )
}

const shownWords = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'payment' : 'payments'} shown`

const tabs = [
  { name: 'Outgoing', direction: undefined },
  { name: 'Incoming', direction: 'INCOMING' },
] as const

const Tabs = ({ direction }: { direction: 'INCOMING' | undefined }) => (
  <nav aria-label="Directions" className={tabClasses.tabs}>
    {tabs.map((tab) => {
      const props = { 'aria-current': tab.direction === direction ? ('page' as const) : undefined }
      return (
        <Link
          key={tab.name}
          to="/payments"
          search={{ ...noFilters, direction: tab.direction }}
          activeProps={props}
          inactiveProps={props}
          className={tabClasses.tab}
        >
          {tab.name}
        </Link>
      )
    })}
  </nav>
)
