import { Button, Paper, Stack, Text } from '@mantine/core'
import { IconSearch, IconUsers } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { PlatformUser } from '../../answers.ts'
import { TypedFilter } from '../../form/typed-filter.tsx'
import { PageHeading } from '../../layout/page-heading.tsx'
import sectionClasses from '../../layout/section.module.css'
import { useMay } from '../../permission.ts'
import { Empty } from '../../shown/empty.tsx'
import { ShortMoment } from '../../shown/moment.tsx'
import { PagedRows } from '../../shown/paged-rows.tsx'
import { RowsTable, type TableRow } from '../../shown/rows-table.tsx'
import { CreateUserButton } from './create-user-button.tsx'
import { userListQuery } from './user-queries.ts'

const route = getRouteApi('/signed-in/users')

/** The users of the platform, newest first. */
export function UsersPage() {
  const { q } = route.useSearch()
  const navigate = route.useNavigate()
  const mayCreate = useMay('users')
  const users = useInfiniteQuery(userListQuery(q))
  const search = (text: string | undefined) => navigate({ search: { q: text }, replace: true, resetScroll: false })
  return (
    <>
      <PageHeading title="Users" action={mayCreate && <CreateUserButton />}>
        Your customers. Each has its own API keys, accounts and payments.
      </PageHeading>
      <Paper component="section" aria-label="Users" className={sectionClasses.section}>
        <Stack gap="lg">
          <TypedFilter
            label="Search"
            type="search"
            placeholder="Name or user ID"
            leftSection={<IconSearch size={16} aria-hidden />}
            maw={360}
            maxLength={180}
            value={q}
            onChange={search}
          />
          <PagedRows
            query={users}
            rowsOf={(page) => page.users}
            one="user"
            many="users"
            empty={<NoUsers isNarrowed={q !== undefined} mayCreate={mayCreate} onClear={() => search(undefined)} />}
          >
            {(rows) => (
              <RowsTable
                caption="Users, newest first"
                heads={{ main: 'Name and user ID', date: 'Created' }}
                rows={rows.map(rowOf)}
              />
            )}
          </PagedRows>
        </Stack>
      </Paper>
    </>
  )
}

const rowOf = ({ id, name, user_id, date }: PlatformUser): TableRow => ({
  id,
  link: (className) => (
    <Link to="/users/$id" params={{ id }} preload={false} className={className}>
      {name}
    </Link>
  ),
  note: user_id,
  date: <ShortMoment utc={date} />,
})

type NoUsersProps = { isNarrowed: boolean; mayCreate: boolean; onClear: () => unknown }

const NoUsers = ({ isNarrowed, mayCreate, onClear }: NoUsersProps) =>
  isNarrowed ? (
    <Empty icon={IconUsers} title="No users match this search">
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
