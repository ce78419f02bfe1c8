import { NativeSelect, Stack, Text } from '@mantine/core'
import { IconScale } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { StatementAccount } from '../../answers.ts'
import { PageHeading } from '../../layout/page-heading.tsx'
import { Empty } from '../../shown/empty.tsx'
import { Loaded } from '../../shown/loaded.tsx'
import { SkeletonRows } from '../../shown/skeleton-rows.tsx'
import { DaysSection } from './days-section.tsx'
import { LinesSection } from './lines-section.tsx'
import { MonthsSection } from './months-section.tsx'
import { accountsQuery } from './statement-queries.ts'

const route = getRouteApi('/settings/statements')

/** The balances and lines of the operator's accounts by the bank's statements, compared with the ledger. Only operators see the page. */
export function StatementsPage() {
  const accounts = useQuery(accountsQuery)
  return (
    <>
      <PageHeading title="Bank statements" action={accounts.data && <AccountChoice accounts={accounts.data} />}>
        The balances of your banks compared with the ledger, for all platforms.
      </PageHeading>
      <Loaded query={accounts} skeleton={<SkeletonRows />}>
        {(all) => (all.length === 0 ? <NoStatements /> : <Statements accounts={all} />)}
      </Loaded>
    </>
  )
}

const NoStatements = () => (
  <Empty title="No statement was read yet" icon={IconScale}>
    <Text c="dimmed" ta="center" maw="52ch">
      Statements are read when the bank sends them. The part “statements” of connections.json says which files they are.
    </Text>
  </Empty>
)

function Statements({ accounts }: { accounts: StatementAccount[] }) {
  const { account: name } = route.useSearch()
  const account = accounts.find((one) => one.bank_account === name) ?? (accounts[0] as StatementAccount)
  return (
    <Stack gap="lg">
      <DaysSection key={account.bank_account} account={account} />
      <LinesSection />
      <MonthsSection />
    </Stack>
  )
}

/** Chooses one of several accounts. */
function AccountChoice({ accounts }: { accounts: StatementAccount[] }) {
  const { account } = route.useSearch()
  const navigate = route.useNavigate()
  if (accounts.length < 2) return null
  return (
    <NativeSelect
      aria-label="Account"
      value={account ?? accounts[0]?.bank_account}
      data={accounts.map((one) => one.bank_account)}
      onChange={({ currentTarget: { value } }) =>
        navigate({ search: (old) => ({ ...old, account: value, day: undefined }), replace: true, resetScroll: false })
      }
    />
  )
}
