import { Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { OtherAccounts } from '../../answers.ts'
import { Section } from '../../layout/section.tsx'
import { useMay } from '../../permission.ts'
import { Loaded } from '../../shown/loaded.tsx'
import { Moment } from '../../shown/moment.tsx'
import { notify } from '../../shown/notify.ts'
import { QuestionButton } from '../../shown/question-button.tsx'
import { type Column, RecordsTable } from '../../shown/records-table.tsx'
import { SkeletonRows } from '../../shown/skeleton-rows.tsx'
import { otherAccountsQuery } from './account-queries.ts'
import { AddAccountButton } from './add-account-button.tsx'
import { kindWords, removeAccount } from './other-kinds.ts'

type Row = { id: string; kind: keyof OtherAccounts; name: string; numbers: string; date: string }

/** Lists cards, wire accounts and external wallets such as PayPal, newest first. */
export function OtherAccountsSection() {
  const accounts = useQuery(otherAccountsQuery)
  const mayChange = useMay('accounts')
  return (
    <Section
      title="Other accounts"
      about="Cards and accounts elsewhere that can receive payments sent from a wallet."
      action={mayChange && <AddAccountButton issuesCards={(accounts.data?.vcc ?? null) !== null} />}
    >
      <Loaded query={accounts} skeleton={<SkeletonRows count={2} height={44} />}>
        {(data) => (
          <RecordsTable
            caption="Other accounts"
            columns={mayChange ? [...columns, removal] : columns}
            rows={rowsOf(data)}
            empty={`No other account yet.${mayChange ? '' : ' An owner or an admin can add one.'}`}
          />
        )}
      </Loaded>
    </Section>
  )
}

const rowsOf = ({ card, wire, paypal, venmo, interac, vcc }: OtherAccounts): Row[] =>
  [
    ...card.map((one) => rowOf('card', one, `•••• ${one.card_number.slice(-4)}`)),
    ...wire.map((one) => rowOf('wire', one, `${one.routing} •••• ${one.account.slice(-4)}`)),
    ...paypal.map((one) => rowOf('paypal', one, '')),
    ...venmo.map((one) => rowOf('venmo', one, '')),
    ...interac.map((one) => rowOf('interac', one, '')),
    ...(vcc ?? []).map((one) => rowOf('vcc', one, `•••• ${one.card_number.slice(-4)} · $${one.balance}`)),
  ].toSorted((a, b) => b.date.localeCompare(a.date))

const rowOf = (
  kind: keyof OtherAccounts,
  { id, name, date }: { id: string; name: string | null; date: string },
  numbers: string,
): Row => ({ id, kind, name: name ?? kindWords[kind], numbers, date })

const columns: Column<Row>[] = [
  {
    head: 'Account',
    cell: ({ name, numbers }) => (
      <div>
        <Text fw={600}>{name}</Text>
        {numbers && (
          <Text c="dimmed" size="xs">
            {numbers}
          </Text>
        )}
      </div>
    ),
  },
  { head: 'Type', cell: ({ kind }) => kindWords[kind] },
  { head: 'Added', cell: ({ date }) => <Moment utc={date} /> },
]

const removal: Column<Row> = { head: 'Remove', isAction: true, cell: (row) => <RemoveButton row={row} /> }

function RemoveButton({ row: { id, kind, name } }: { row: Row }) {
  const queryClient = useQueryClient()
  return (
    <QuestionButton
      label="Remove"
      name={`Remove ${name}`}
      title={`Remove ${name}?`}
      confirm="Remove"
      onConfirm={async () => {
        await removeAccount[kind](id)
        await queryClient.invalidateQueries(otherAccountsQuery)
        notify(`${name} removed`)
      }}
    >
      <Text>Payments can no longer be deposited into it. Payments that are on their way to it still arrive.</Text>
    </QuestionButton>
  )
}
