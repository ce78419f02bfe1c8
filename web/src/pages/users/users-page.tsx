import { Button, Group, Paper, Stack, Text, VisuallyHidden } from '@mantine/core'
import { IconSearch, IconUsers } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { PlatformUser } from '../../answers.ts'
import { ErrorAlert, LoadFailure } from '../../error-display.tsx'
import { errorText } from '../../form/field-errors.ts'
import { TypedFilter } from '../../form/typed-filter.tsx'
import { WorkingButton } from '../../form/working-button.tsx'
import { PageHeading } from '../../layout/page-heading.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import sectionClasses from '../../layout/section.module.css'
import { useMay } from '../../permission.ts'
import { Empty } from '../../shown/empty.tsx'
import { Loaded } from '../../shown/loaded.tsx'
import { ShortMoment } from '../../shown/moment.tsx'
import { type Column, RecordsTable } from '../../shown/records-table.tsx'
import { SkeletonRows } from '../../shown/skeleton-rows.tsx'
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
          {users.isRefetchError && <LoadFailure error={users.error} onRetry={users.refetch} />}
          <Loaded query={users} skeleton={<SkeletonRows />}>
            {({ pages }) => {
              const rows = pages.flatMap((page) => page.users)
              return (
                <Stack gap="md" aria-busy={users.isPlaceholderData}>
                  <VisuallyHidden role="status">{`${rows.length} ${rows.length === 1 ? 'user' : 'users'} shown`}</VisuallyHidden>
                  {rows.length === 0 ? (
                    <NoUsers isNarrowed={q !== undefined} mayCreate={mayCreate} onClear={() => search(undefined)} />
                  ) : (
                    <RecordsTable caption="Users, newest first" columns={columns} rows={rows} empty="" />
                  )}
                  {users.isFetchNextPageError && <ErrorAlert>{errorText(users.error)}</ErrorAlert>}
                  {users.hasNextPage && (
                    <Group>
                      <WorkingButton
                        variant="default"
                        working={users.isFetchingNextPage}
                        onClick={() => users.fetchNextPage()}
                      >
                        Load more
                      </WorkingButton>
                    </Group>
                  )}
                </Stack>
              )
            }}
          </Loaded>
        </Stack>
      </Paper>
    </>
  )
}

const columns: Column<PlatformUser>[] = [
  {
    head: 'Name',
    cell: ({ id, name }) => (
      <Text fw={600}>
        <RouterAnchor to="/users/$id" params={{ id }} preload={false} underline="never" c="inherit" data-opens-row>
          {name}
        </RouterAnchor>
      </Text>
    ),
  },
  { head: 'User ID', cell: ({ user_id }) => user_id },
  { head: 'Created', cell: ({ date }) => <ShortMoment utc={date} /> },
]

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
