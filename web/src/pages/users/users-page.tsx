import { Button, NativeSelect, Paper, Stack, Text } from '@mantine/core'
import { IconSearch, IconUsers } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ListedUser, UserStatus } from '../../answers.ts'
import { TypedFilter } from '../../form/typed-filter.tsx'
import { PageHeading } from '../../layout/page-heading.tsx'
import sectionClasses from '../../layout/section.module.css'
import { useMay } from '../../permission.ts'
import { Empty } from '../../shown/empty.tsx'
import { ShortMoment } from '../../shown/moment.tsx'
import { PagedRows } from '../../shown/paged-rows.tsx'
import { RowsTable, type TableRow } from '../../shown/rows-table.tsx'
import { CreateUserButton } from './create-user-button.tsx'
import { UserBadge } from './user-badge.tsx'
import { noUserFilters, type UserFilters } from './user-filters.ts'
import { userListQuery } from './user-queries.ts'
import { userStatuses } from './user-words.ts'
import classes from './users.module.css'

const route = getRouteApi('/signed-in/users')

/** The users of the platform, newest first. */
export function UsersPage() {
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const mayCreate = useMay('users')
  const users = useInfiniteQuery(userListQuery(filters))
  const narrow = (change: Partial<UserFilters>) =>
    navigate({ search: (now) => ({ ...now, ...change }), replace: true, resetScroll: false })
  return (
    <>
      <PageHeading title="Users" action={mayCreate && <CreateUserButton />}>
        Your customers. Each has its own API keys, accounts and payments.
      </PageHeading>
      <Paper component="section" aria-label="Users" className={sectionClasses.section}>
        <Stack gap="lg">
          <search aria-label="Filter users" className={classes.filters}>
            <TypedFilter
              label="Search"
              type="search"
              placeholder="Name or user ID"
              leftSection={<IconSearch size={16} aria-hidden />}
              maxLength={180}
              value={filters.q}
              onChange={(q) => narrow({ q })}
            />
            <NativeSelect
              label="Status"
              data={statusOptions}
              value={filters.status ?? ''}
              onChange={({ currentTarget }) =>
                narrow({ status: (currentTarget.value || undefined) as UserStatus | undefined })
              }
            />
          </search>
          <PagedRows
            query={users}
            rowsOf={(page) => page.users}
            one="user"
            many="users"
            empty={
              <NoUsers
                isNarrowed={filters.q !== undefined || filters.status !== undefined}
                mayCreate={mayCreate}
                onClear={() => narrow(noUserFilters)}
              />
            }
          >
            {(rows) => (
              <RowsTable
                caption="Users, newest first"
                heads={{ main: 'Name and user ID', status: 'Status', date: 'Created' }}
                rows={rows.map(rowOf)}
              />
            )}
          </PagedRows>
        </Stack>
      </Paper>
    </>
  )
}

const statusOptions = [
  { value: '', label: 'Any status' },
  ...Object.entries(userStatuses).map(([value, { name }]) => ({ value, label: name })),
]

const rowOf = ({ id, name, user_id, status, date }: ListedUser): TableRow => ({
  id,
  link: (className) => (
    <Link to="/users/$id" params={{ id }} preload={false} className={className}>
      {name}
    </Link>
  ),
  note: user_id,
  status: <UserBadge status={status} size="md" />,
  date: <ShortMoment utc={date} />,
})

type NoUsersProps = { isNarrowed: boolean; mayCreate: boolean; onClear: () => unknown }

const NoUsers = ({ isNarrowed, mayCreate, onClear }: NoUsersProps) =>
  isNarrowed ? (
    <Empty icon={IconUsers} title="No users match these filters">
      <Button variant="default" onClick={() => onClear()}>
        Show all users
      </Button>
    </Empty>
  ) : (
    <Empty icon={IconUsers} title="No users yet">
      <Text c="dimmed">
        {mayCreate
          ? 'Create a user for each of your customers who sends or receives payments.'
          : 'An owner or an admin can create them.'}
      </Text>
    </Empty>
  )
