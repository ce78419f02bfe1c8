import { Badge, Group, Text } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { Bank, UserDetails } from '../../answers.ts'
import { api } from '../../api.ts'
import { PageHeading } from '../../layout/page-heading.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { Section } from '../../layout/section.tsx'
import { useMay } from '../../permission.ts'
import { Fact, Facts } from '../../shown/facts.tsx'
import { Loaded } from '../../shown/loaded.tsx'
import { Moment } from '../../shown/moment.tsx'
import { notify } from '../../shown/notify.ts'
import { QuestionButton } from '../../shown/question-button.tsx'
import { type Column, RecordsTable } from '../../shown/records-table.tsx'
import { SkeletonRows } from '../../shown/skeleton-rows.tsx'
import { useBankName } from '../../shown/use-bank-name.ts'
import { bankStatuses, bankTypes, nameOfBank } from '../accounts/account-words.ts'
import { recentQuery } from '../home/home-queries.ts'
import { useNewerPayments } from '../payments/newer-payments.tsx'
import { noFilters } from '../payments/payment-filters.ts'
import { PaymentsTable } from '../payments/payments-table.tsx'
import { LimitsSection } from './limits-section.tsx'
import { UserBadge } from './user-badge.tsx'
import { noUserFilters } from './user-filters.ts'
import { UserKeysSection } from './user-keys-section.tsx'
import { refreshUsers, userBanksQuery, userQuery } from './user-queries.ts'
import { userStatusWords } from './user-words.ts'

const route = getRouteApi('/signed-in/users/$id')

/** The page of a user: payments, banks, limits and keys. */
export function UserPage() {
  const { id } = route.useParams()
  const user = useQuery(userQuery(id))
  return (
    <>
      <Group gap={6}>
        <IconArrowLeft size={16} aria-hidden />
        <Text>
          <RouterAnchor to="/users" search={noUserFilters}>
            Users
          </RouterAnchor>
        </Text>
      </Group>
      {user.data === undefined && <PageHeading title="User" />}
      <Loaded query={user} skeleton={<SkeletonRows count={5} height={64} />}>
        {(data) => <Shown user={data} />}
      </Loaded>
    </>
  )
}

function Shown({ user }: { user: UserDetails }) {
  const mayManage = useMay('users')
  return (
    <>
      <PageHeading title={user.name} action={mayManage && <DeleteUserButton user={user} />}>
        <Group gap="xs">
          <UserBadge status={user.status} />
          <span>{userStatusWords[user.status]}</span>
        </Group>
      </PageHeading>
      <Section title="Details">
        <Facts>
          {user.user_id !== null && <Fact label="User ID">{user.user_id}</Fact>}
          <Fact label="Created">
            <Moment utc={user.date} />
          </Fact>
          <Fact label="ID" isCode>
            {user.id}
          </Fact>
        </Facts>
      </Section>
      <PaymentsSection id={user.id} />
      <BanksSection id={user.id} />
      <LimitsSection id={user.id} />
      <UserKeysSection user={user} />
    </>
  )
}

function PaymentsSection({ id }: { id: string }) {
  const recent = useQuery(recentQuery(id))
  const newer = useNewerPayments({ user: id }, recent.data)
  return (
    <Section
      title="Recent payments"
      action={
        newer.payments.length > 0 && (
          <RouterAnchor to="/payments" search={{ ...noFilters, direction: undefined, user: id }}>
            All payments
          </RouterAnchor>
        )
      }
    >
      <Loaded query={recent} skeleton={<SkeletonRows count={3} />}>
        {() =>
          newer.payments.length === 0 ? (
            <Text c="dimmed">This user has neither sent nor received a payment yet.</Text>
          ) : (
            <PaymentsTable caption="Recent payments" payments={newer.payments} ownId={id} />
          )
        }
      </Loaded>
    </Section>
  )
}

const badge = { tt: 'none', fw: 600, radius: 'sm', variant: 'light', miw: 'max-content' } as const

const bankColumns: Column<Bank>[] = [
  { head: 'Bank', cell: (bank) => <Text fw={600}>{nameOfBank(bank)}</Text> },
  { head: 'Account', cell: (bank) => <AccountOfBank bank={bank} /> },
  {
    head: 'Status',
    cell: ({ status }) => (
      <Badge {...badge} color={bankStatuses[status].color}>
        {bankStatuses[status].name}
      </Badge>
    ),
  },
]

function AccountOfBank({ bank: { routing, type, account } }: { bank: Bank }) {
  const bankName = useBankName(routing)
  return `${bankName === null ? '' : `${bankName} · `}${bankTypes[type]} •••• ${account.slice(-4)}`
}

/** Lists the banks of the user. Only the user can add and verify them. */
function BanksSection({ id }: { id: string }) {
  const banks = useQuery(userBanksQuery(id))
  return (
    <Section title="Banks">
      <Loaded query={banks} skeleton={<SkeletonRows count={2} />}>
        {(rows) => (
          <RecordsTable
            caption="Banks of the user"
            columns={bankColumns}
            rows={rows}
            empty="No bank account yet. The user adds it with its own API key."
          />
        )}
      </Loaded>
    </Section>
  )
}

function DeleteUserButton({ user: { id, name } }: { user: UserDetails }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return (
    <QuestionButton
      label="Delete user"
      title={`Delete ${name}?`}
      confirm="Delete user"
      button={{ size: 'sm' }}
      onConfirm={async () => {
        await api.deleteUser(id)
        await navigate({ to: '/users', search: noUserFilters })
        queryClient.removeQueries(userQuery(id))
        await refreshUsers(queryClient)
        notify(`${name} deleted`)
      }}
    >
      <Text>
        Its API keys stop working, and its banks and personal data are erased. Its payments stay. You cannot undo this.
      </Text>
    </QuestionButton>
  )
}
