import { Group, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Wallet, WalletTransaction } from '../../answers.ts'
import { BackLink } from '../../layout/back-link.tsx'
import { PageHeading } from '../../layout/page-heading.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { RouterButton } from '../../layout/router-button.tsx'
import { Section } from '../../layout/section.tsx'
import { useMay } from '../../permission.ts'
import { useServiceContext } from '../../service-context.ts'
import { dollars, signedDollars } from '../../shown/dollars.ts'
import { Fact, Facts } from '../../shown/facts.tsx'
import { Loaded } from '../../shown/loaded.tsx'
import { Moment } from '../../shown/moment.tsx'
import { PagedRows } from '../../shown/paged-rows.tsx'
import { type Column, RecordsTable } from '../../shown/records-table.tsx'
import { ledgerStatusWords, ledgerWords } from '../payments/payment-words.ts'
import { transactionsQuery, walletQuery } from './account-queries.ts'
import classes from './accounts.module.css'
import { FundButton, nameOfWallet, RemoveWalletButton, RenameWalletButton } from './wallet-actions.tsx'

const route = getRouteApi('/signed-in/accounts/wallets/$id')

/** The page of a wallet: its balance, its account numbers, and its transactions. */
export function WalletPage() {
  const { id } = route.useParams()
  const wallet = useQuery(walletQuery(id))
  return (
    <>
      <BackLink>
        <RouterAnchor to="/accounts">Accounts</RouterAnchor>
      </BackLink>
      {wallet.data === undefined && <PageHeading title="Wallet" />}
      <Loaded query={wallet}>
        {(data) => (
          <>
            <PageHeading title={nameOfWallet(data)} action={<Actions wallet={data} />}>
              <span className={classes.balance}>{dollars(data.balance)}</span> available
            </PageHeading>
            <NumbersSection wallet={data} />
            <TransactionsSection id={data.id} />
          </>
        )}
      </Loaded>
    </>
  )
}

function Actions({ wallet }: { wallet: Wallet }) {
  const { environment } = useServiceContext()
  const mayPrepare = useMay('prepare')
  const mayChange = useMay('accounts')
  const maySimulate = useMay('simulate') && environment !== 'production'
  return (
    <Group gap="xs">
      {mayChange && <RemoveWalletButton wallet={wallet} />}
      {mayChange && <RenameWalletButton wallet={wallet} />}
      {maySimulate && <FundButton wallet={wallet} />}
      {mayPrepare && (
        <RouterButton to="/send" search={{ account: wallet.id }}>
          Send from wallet
        </RouterButton>
      )}
    </Group>
  )
}

const rails = { ACH: 'ACH', RTP: 'Instant payment (RTP)', WIRE: 'Wire' } as const

function NumbersSection({ wallet: { numbers } }: { wallet: Wallet }) {
  const { environment } = useServiceContext()
  const given = (Object.keys(rails) as (keyof typeof rails)[]).filter((rail) => numbers[rail] !== null)
  if (given.length === 0) return null
  return (
    <Section
      title="Account numbers"
      about={
        environment === 'production'
          ? 'Transfers to these numbers arrive in the wallet.'
          : 'These numbers are examples: they receive nothing here. Add test money instead.'
      }
    >
      <Facts>
        {given.map((rail) => (
          <Fact key={rail} label={rails[rail]}>
            Routing number {numbers[rail]?.routing}, account number {numbers[rail]?.account}
          </Fact>
        ))}
      </Facts>
    </Section>
  )
}

const TransactionsSection = ({ id }: { id: string }) => {
  const query = useInfiniteQuery(transactionsQuery(id))
  return (
    <Section title="Transactions">
      <PagedRows
        query={query}
        rowsOf={({ transactions }) => transactions}
        one="transaction"
        many="transactions"
        empty={<Text c="dimmed">Nothing has moved in this wallet yet.</Text>}
      >
        {(rows) => <RecordsTable caption="Transactions" columns={columns} rows={rows} empty="" />}
      </PagedRows>
    </Section>
  )
}

const columns: Column<WalletTransaction>[] = [
  {
    head: 'Transaction',
    onPhone: 'main',
    cell: ({ reason, status, check_id }) => (
      <div>
        <Text fw={600}>
          {check_id === null ? (
            ledgerWords(reason)
          ) : (
            <RouterAnchor to="/payments/$id" params={{ id: check_id }}>
              {ledgerWords(reason)}
            </RouterAnchor>
          )}
        </Text>
        {status !== 'POSTED' && (
          <Text c="dimmed" size="xs">
            {status === 'PENDING' ? 'Held for the payment' : ledgerStatusWords[status]}
          </Text>
        )}
      </div>
    ),
  },
  { head: 'Time', onPhone: 'line', cell: ({ date }) => <Moment utc={date} /> },
  { head: 'Amount', isNumber: true, onPhone: 'end', cell: ({ amount }) => signedDollars(amount) },
]
