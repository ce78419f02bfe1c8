import { Button, Group, NativeSelect, Paper, Stack, Text } from '@mantine/core'
import { IconListSearch, IconSearch } from '@tabler/icons-react'
import { type UseQueryResult, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ApiKey, LoggedRequest } from '../../answers.ts'
import { TypedFilter } from '../../form/typed-filter.tsx'
import { PageHeading } from '../../layout/page-heading.tsx'
import { RealTimeNote } from '../../layout/real-time-note.tsx'
import sectionClasses from '../../layout/section.module.css'
import { Empty } from '../../shown/empty.tsx'
import { ShortMoment } from '../../shown/moment.tsx'
import { PagedRows } from '../../shown/paged-rows.tsx'
import { RowsTable, type TableRow } from '../../shown/rows-table.tsx'
import { StatusCodeBadge } from '../../shown/status-code-badge.tsx'
import { apiKeysQuery } from '../developer/developer-query.ts'
import { RequestBodiesSection } from './request-bodies-section.tsx'
import { noFilters, type PageFilters } from './request-filters.ts'
import { requestsQuery } from './request-queries.ts'
import { callerName, durationText } from './request-words.ts'
import classes from './requests.module.css'

type Keys = UseQueryResult<ApiKey[]>

const route = getRouteApi('/settings/requests')

/** The requests of programs in the last seven days, newest first. The filters are in the address, so that a list can be shared. */
export function RequestsPage() {
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const requests = useInfiniteQuery(requestsQuery(filters))
  const keys = useQuery(apiKeysQuery)
  const narrow = (change: Partial<PageFilters>) =>
    navigate({ search: (now) => ({ ...now, ...change }), replace: true, resetScroll: false })
  const isNarrowed = Object.values(filters).some((value) => value !== undefined)
  return (
    <>
      <PageHeading title="Requests">
        Requests from your programs in the last seven days, and changes made in the dashboard.
        <RealTimeNote />
      </PageHeading>
      <Paper component="section" aria-label="Requests" className={sectionClasses.section}>
        <Stack gap="lg">
          <Filters filters={filters} keys={keys} onChange={narrow} />
          <PagedRows
            query={requests}
            rowsOf={(page) => page.requests}
            one="request"
            many="requests"
            empty={<NoRequests isNarrowed={isNarrowed} onClear={() => narrow(noFilters)} />}
          >
            {(rows) => (
              <RowsTable
                caption="Requests, newest first"
                heads={{ main: 'Request', status: 'Status', extra: 'Made by', date: 'Date', amount: 'Time' }}
                rows={rows.map((row) => rowOf(row, keys))}
              />
            )}
          </PagedRows>
        </Stack>
      </Paper>
      <RequestBodiesSection />
    </>
  )
}

const rowOf = (request: LoggedRequest, { data: keys = [], isPending }: Keys): TableRow => ({
  id: request.id,
  link: (className) => (
    <Link to="/settings/requests/$id" params={{ id: request.id }} preload={false} className={className}>
      <span className={classes.method}>{request.method}</span> <span className={classes.path}>{request.path}</span>
    </Link>
  ),
  ...(request.code !== null && { note: request.code }),
  status: <StatusCodeBadge status={request.status} />,
  extra: isPending ? null : callerName(request, keys),
  date: <ShortMoment utc={request.date} />,
  amount: <span className={classes.duration}>{durationText(request.duration_ms)}</span>,
})

type FiltersProps = { filters: PageFilters; keys: Keys; onChange: (change: Partial<PageFilters>) => unknown }

const statuses = [
  { value: '', label: 'All' },
  { value: '2xx', label: 'Successful (2xx)' },
  { value: '4xx', label: 'Refused (4xx)' },
  { value: '5xx', label: 'Failed (5xx)' },
]

const Filters = ({ filters, keys: { data: keys = [], isPending }, onChange }: FiltersProps) => (
  <search aria-label="Filter requests" className={classes.filters}>
    <TypedFilter
      label="Search"
      type="search"
      placeholder="Request ID or path"
      leftSection={<IconSearch size={16} aria-hidden />}
      value={filters.find}
      onChange={(find) => onChange({ find })}
    />
    <NativeSelect
      label="Status"
      size="sm"
      data={
        filters.status === undefined || statuses.some(({ value }) => value === filters.status)
          ? statuses
          : [...statuses, { value: filters.status, label: filters.status }]
      }
      value={filters.status ?? ''}
      onChange={({ currentTarget }) => onChange({ status: currentTarget.value || undefined })}
    />
    <NativeSelect
      label="API key"
      size="sm"
      data={[
        { value: '', label: 'All' },
        ...keys.map(({ id, name }) => ({ value: id, label: name ?? id })),
        ...(filters.key === undefined || keys.some(({ id }) => id === filters.key)
          ? []
          : [{ value: filters.key, label: isPending ? 'Loading…' : filters.key }]),
      ]}
      value={filters.key ?? ''}
      onChange={({ currentTarget }) => onChange({ key: currentTarget.value || undefined })}
    />
  </search>
)

const NoRequests = ({ isNarrowed, onClear }: { isNarrowed: boolean; onClear: () => unknown }) =>
  isNarrowed ? (
    <Empty title="No requests match" icon={IconListSearch}>
      <Text c="dimmed">A request appears within five seconds of its response and stays for seven days.</Text>
      <Group>
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      </Group>
    </Empty>
  ) : (
    <Empty title="No requests yet" icon={IconListSearch}>
      <Text c="dimmed">
        Make the first one with an API key: <a href="/docs/">read the API reference</a>.
      </Text>
    </Empty>
  )
