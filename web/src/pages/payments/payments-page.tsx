import { Group, Paper, Stack } from '@mantine/core'
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useRef } from 'react'
import type { FoundPayment } from '../../answers.ts'
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
import { ListBar } from './list-bar.tsx'
import { useNewerPayments } from './newer-payments.tsx'
import { NoPayments } from './no-payments.tsx'
import { PaymentFilterFields } from './payment-filter-fields.tsx'
import { countFilters, type ListFilters, noFilters } from './payment-filters.ts'
import { paymentsQuery } from './payment-queries.ts'
import { useRowSelection } from './payment-selection.ts'
import classes from './payments.module.css'
import { PaymentsTable } from './payments-table.tsx'
import { SavedViews } from './saved-views.tsx'

type PaymentPage = { payments: FoundPayment[]; version: number }

const route = getRouteApi('/signed-in/payments')

/** The payments of the platform, newest first. The filters are in the address, so that a list can be shared. */
export function PaymentsPage() {
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const ownId = useServiceContext().owner?.id
  const payments = useInfiniteQuery(paymentsQuery(filters))
  const results = useRef<HTMLDivElement>(null)
  const selection = useRowSelection(JSON.stringify(filters))
  const newer = useNewerPayments(filters, shownBy(payments))
  const focusResults = () => results.current?.focus({ preventScroll: true }) // because the button has disappeared
  const show = async () => {
    await payments.refetch()
    focusResults()
  }
  const narrow = (change: ListFilters) =>
    navigate({ search: (now) => ({ ...now, ...change }), replace: true, resetScroll: false })
  return (
    <>
      <Heading filters={filters} />
      <Tabs direction={filters.direction === 'INCOMING' ? 'INCOMING' : undefined} />
      <Paper component="section" aria-label="Payments" className={sectionClasses.section}>
        <Stack gap="lg">
          <PaymentFilterFields filters={filters} ownId={ownId} error={payments.error} onChange={narrow} />
          {payments.isRefetchError && <LoadFailure error={payments.error} onRetry={payments.refetch} />}
          <Loaded query={payments} skeleton={<SkeletonRows />}>
            {({ pages }) => {
              const rows = newer.payments
              const searchedTo = pages.at(-1)?.searched_to ?? null
              return (
                <div ref={results} tabIndex={-1} className={classes.results} aria-busy={payments.isPlaceholderData}>
                  <ListBar
                    rows={rows}
                    selection={selection}
                    newer={newer}
                    isLoading={payments.isRefetching}
                    onShow={show}
                    onUnselected={focusResults}
                  />
                  {rows.length > 0 && (
                    <PaymentsTable
                      caption="Payments, newest first"
                      payments={rows}
                      ownId={ownId}
                      selection={selection}
                    />
                  )}
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

function Heading({ filters }: { filters: ListFilters }) {
  const mayExport = useMay('export')
  return (
    <PageHeading
      title="Payments"
      action={
        <Group gap="sm">
          <SavedViews filters={filters} />
          {mayExport && <FileButton label="Export CSV" name="payments.csv" load={() => api.exportPayments(filters)} />}
        </Group>
      }
    />
  )
}

/** The rows of all loaded pages. While a list loads, the rows of the previous filters are shown and not compared. */
function shownBy({ data, hasNextPage, isPlaceholderData }: UseInfiniteQueryResult<InfiniteData<PaymentPage>>) {
  if (!data) return undefined
  const payments = data.pages.flatMap((page) => page.payments)
  const version = isPlaceholderData ? Number.POSITIVE_INFINITY : (data.pages[0]?.version ?? 0)
  return { payments, version, isComplete: !hasNextPage }
}

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
          activeOptions={{ exact: true }} // otherwise the first tab counts as current on both lists
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
