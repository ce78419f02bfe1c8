import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { PayeeAccount, PayeeDetails } from '../../answers.ts'
import { api } from '../../api.ts'
import { isGiven } from '../../form/form-rules.ts'
import { RoutingNumberField } from '../../form/routing-number-field.tsx'
import { ServiceForm } from '../../form/service-form.tsx'
import { BackLink } from '../../layout/back-link.tsx'
import { PageHeading } from '../../layout/page-heading.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { Section } from '../../layout/section.tsx'
import { useMay } from '../../permission.ts'
import { useServiceContext } from '../../service-context.ts'
import { DialogButton } from '../../shown/dialog-button.tsx'
import { Fact, Facts } from '../../shown/facts.tsx'
import { Loaded } from '../../shown/loaded.tsx'
import { Moment } from '../../shown/moment.tsx'
import { QuestionButton } from '../../shown/question-button.tsx'
import { type Column, RecordsTable } from '../../shown/records-table.tsx'
import { SkeletonRows } from '../../shown/skeleton-rows.tsx'
import { PaymentsTable } from '../payments/payments-table.tsx'
import { ChangedPayeeAlert } from './changed-payee-alert.tsx'
import { PayeeForm } from './payee-form.tsx'
import { payeeQuery, paymentsToQuery, refreshPayees } from './payee-queries.ts'
import { accountText, addressText } from './payee-words.ts'

/** The page of a payee: its accounts and its payments so far. */
export function PayeePage() {
  const { id } = useParams({ from: '/signed-in/payees/$id' })
  const payee = useQuery(payeeQuery(id))
  const maySend = useMay('send')
  return (
    <>
      <BackLink>
        <RouterAnchor to="/payees" search={{}}>
          Payees
        </RouterAnchor>
      </BackLink>
      <Loaded query={payee}>
        {(data) => (
          <>
            <PageHeading
              title={data.name}
              action={
                maySend && (
                  <Button renderRoot={(props) => <Link to="/send" search={{ payee: id }} {...props} />}>
                    Send payment
                  </Button>
                )
              }
            />
            <ChangedPayeeAlert id={id} />
            <DetailsSection payee={data} />
            <AccountsSection payee={data} />
            <PaymentsSection payee={data} />
          </>
        )}
      </Loaded>
    </>
  )
}

function DetailsSection({ payee }: { payee: PayeeDetails }) {
  const mayPrepare = useMay('prepare')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return (
    <Section
      title="Details"
      action={
        mayPrepare && (
          <Group gap="sm">
            <DialogButton size="xs" label="Edit" title={`Edit ${payee.name}`}>
              {(close) => (
                <PayeeForm
                  payee={payee}
                  submit="Save changes"
                  send={(body) => api.changePayee(payee.id, body)}
                  onDone={async () => {
                    await refreshPayees(queryClient)
                    close()
                  }}
                />
              )}
            </DialogButton>
            <QuestionButton
              label="Delete"
              title={`Delete ${payee.name}?`}
              confirm="Delete payee"
              onConfirm={async () => {
                await api.deletePayee(payee.id)
                await navigate({ to: '/payees' })
                await refreshPayees(queryClient)
              }}
            >
              <Text>The accounts of the payee are deleted too. Payments to it are not affected.</Text>
            </QuestionButton>
          </Group>
        )
      }
    >
      <Facts>
        <Fact label="Email">{payee.email ?? 'None'}</Fact>
        <Fact label="Address">{addressText(payee) ?? 'None'}</Fact>
        <Fact label="Added">
          <Moment utc={payee.date} />
        </Fact>
        {payee.changed !== payee.date && (
          <Fact label="Last change">
            <Moment utc={payee.changed} />
          </Fact>
        )}
      </Facts>
    </Section>
  )
}

function AccountsSection({ payee }: { payee: PayeeDetails }) {
  const mayPrepare = useMay('prepare')
  const columns: Column<PayeeAccount>[] = [
    { head: 'Account', cell: (account) => accountText(account) },
    { head: 'Added', cell: ({ date }) => <Moment utc={date} /> },
    ...(mayPrepare
      ? [
          {
            head: 'Action',
            isAction: true,
            cell: (account: PayeeAccount) => <RemoveButton payee={payee} account={account} />,
          },
        ]
      : []),
  ]
  return (
    <Section
      title="Accounts"
      about="Payments into an account leave at once, without an email to the payee."
      action={mayPrepare && <AddAccountButton payee={payee} />}
    >
      <RecordsTable
        caption={`Accounts of ${payee.name}`}
        columns={columns}
        rows={payee.accounts}
        empty="No accounts yet. The payee chooses by email how to be paid."
      />
    </Section>
  )
}

function RemoveButton({ payee, account }: { payee: PayeeDetails; account: PayeeAccount }) {
  const queryClient = useQueryClient()
  const name = accountText(account)
  return (
    <QuestionButton
      label="Remove"
      name={`Remove ${name}`}
      title={`Remove ${name}?`}
      confirm="Remove account"
      onConfirm={async () => {
        await api.removePayeeAccount(payee.id, account.id)
        await refreshPayees(queryClient)
      }}
    >
      <Text>Payments that were sent are not affected.</Text>
    </QuestionButton>
  )
}

const types = [
  { value: 'CHECKING', label: 'Checking' },
  { value: 'SAVINGS', label: 'Savings' },
  { value: 'BUSINESS', label: 'Business checking' },
]

const AddAccountButton = ({ payee }: { payee: PayeeDetails }) => (
  <DialogButton
    label="Add bank account"
    title={`Add a bank account of ${payee.name}`}
    leftSection={<IconPlus size={16} aria-hidden />}
  >
    {(close) => <AccountForm payee={payee} onDone={close} />}
  </DialogButton>
)

function AccountForm({ payee, onDone }: { payee: PayeeDetails; onDone: () => void }) {
  const queryClient = useQueryClient()
  const form = useForm({
    initialValues: { routing: '', account: '', type: 'CHECKING' as 'CHECKING' | 'SAVINGS' | 'BUSINESS' },
    validate: {
      routing: isGiven('Enter the routing number.'),
      account: isGiven('Enter the account number.'),
    },
  })
  return (
    <ServiceForm
      form={form}
      send={(body) => api.addPayeeBank(payee.id, body)}
      onDone={async () => {
        await refreshPayees(queryClient)
        onDone()
      }}
      submit="Add account"
    >
      <RoutingNumberField description="9 digits" {...form.getInputProps('routing')} />
      <TextInput label="Account number" inputMode="numeric" autoComplete="off" {...form.getInputProps('account')} />
      <NativeSelect label="Type" data={types} {...form.getInputProps('type')} />
    </ServiceForm>
  )
}

/** Finds the payments to a payee. They have the payee's email, or the name if the payee has no email. */
function PaymentsSection({ payee }: { payee: PayeeDetails }) {
  const recipient = payee.email ?? payee.name
  const payments = useQuery(paymentsToQuery(recipient))
  const ownId = useServiceContext().owner?.id
  return (
    <Section title="Payments">
      <Loaded query={payments} skeleton={<SkeletonRows />}>
        {({ payments: rows, next }) =>
          rows.length === 0 ? (
            <Text c="dimmed">No payments to {payee.name} yet.</Text>
          ) : (
            <>
              <PaymentsTable caption={`Payments to ${payee.name}`} payments={rows} ownId={ownId} />
              {next !== null && (
                <RouterAnchor to="/payments" search={{ q: recipient }}>
                  All payments
                </RouterAnchor>
              )}
            </>
          )
        }
      </Loaded>
    </Section>
  )
}
