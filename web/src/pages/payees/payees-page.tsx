import { Paper, Stack, Text } from '@mantine/core'
import { IconAddressBook, IconPlus, IconSearch } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import type { Payee } from '../../answers.ts'
import { api } from '../../api.ts'
import { TypedFilter } from '../../form/typed-filter.tsx'
import { PageHeading } from '../../layout/page-heading.tsx'
import sectionClasses from '../../layout/section.module.css'
import { useMay } from '../../permission.ts'
import { DialogButton } from '../../shown/dialog-button.tsx'
import { Empty } from '../../shown/empty.tsx'
import { PagedRows } from '../../shown/paged-rows.tsx'
import { RowsTable, type TableRow } from '../../shown/rows-table.tsx'
import { PayeeForm } from './payee-form.tsx'
import { payeesQuery, refreshPayees } from './payee-queries.ts'
import { accountText, addressText } from './payee-words.ts'

const route = getRouteApi('/signed-in/payees')

/** The saved payees, by name. */
export function PayeesPage() {
  const { q } = route.useSearch()
  const navigate = route.useNavigate()
  const mayPrepare = useMay('prepare')
  const payees = useInfiniteQuery(payeesQuery(q))
  return (
    <>
      <PageHeading title="Payees" action={mayPrepare && <AddPayeeButton />}>
        People and companies that you pay more than once.
      </PageHeading>
      <Paper component="section" aria-label="Payees" className={sectionClasses.section}>
        <Stack gap="lg">
          <TypedFilter
            label="Search"
            type="search"
            placeholder="Name or email"
            leftSection={<IconSearch size={16} aria-hidden />}
            maw={360}
            value={q}
            onChange={(text) => navigate({ search: { q: text }, replace: true, resetScroll: false })}
          />
          <PagedRows
            query={payees}
            rowsOf={(page) => page.payees}
            one="payee"
            many="payees"
            empty={<NoPayees isNarrowed={q !== undefined} />}
          >
            {(rows) => (
              <RowsTable caption="Payees, by name" heads={{ main: 'Name', date: 'Paid into' }} rows={rows.map(rowOf)} />
            )}
          </PagedRows>
        </Stack>
      </Paper>
    </>
  )
}

const NoPayees = ({ isNarrowed }: { isNarrowed: boolean }) => (
  <Empty title={isNarrowed ? 'No payees match' : 'No payees yet'} icon={IconAddressBook}>
    {!isNarrowed && <Text c="dimmed">Save a payee with a bank account to pay without asking for details again.</Text>}
  </Empty>
)

const rowOf = (payee: Payee): TableRow => ({
  id: payee.id,
  link: (className) => (
    <Link to="/payees/$id" params={{ id: payee.id }} preload={false} className={className}>
      {payee.name}
    </Link>
  ),
  note: payee.email ?? addressText(payee) ?? 'No email',
  date: accountsText(payee),
})

function accountsText({ accounts: [first, ...others] }: Payee): string {
  if (!first) return 'No account'
  return others.length === 0 ? accountText(first) : `${accountText(first)} +${others.length}`
}

function AddPayeeButton() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return (
    <DialogButton variant="filled" label="New payee" title="New payee" leftSection={<IconPlus size={16} aria-hidden />}>
      {() => (
        <PayeeForm
          submit="Save payee"
          send={api.savePayee}
          onDone={async ({ id }) => {
            await refreshPayees(queryClient)
            await navigate({ to: '/payees/$id', params: { id } })
          }}
        />
      )}
    </DialogButton>
  )
}
