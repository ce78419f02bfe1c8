import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { LedgerEntry, PaymentDetails } from '../../../answers.ts'
import { Section } from '../../../layout/section.tsx'
import { dollars } from '../../../shown/dollars.ts'
import { Moment } from '../../../shown/moment.tsx'
import { type Column, RecordsTable } from '../../../shown/records-table.tsx'
import { timelineQuery } from '../payment-queries.ts'
import { ledgerAccountWords, ledgerStatusWords, ledgerWords } from '../payment-words.ts'
import classes from './sections.module.css'

/** The ledger transfers of the payment. Its recipient does not see them. */
export function LedgerSection({ payment }: { payment: PaymentDetails }) {
  const { data } = useQuery(timelineQuery(payment))
  if (data === undefined || data.ledger.length === 0) return null
  return (
    <Section title="Ledger" about="Each entry moves money from one ledger account to another.">
      <RecordsTable caption="Ledger entries" columns={columns} rows={data.ledger} empty="" />
    </Section>
  )
}

const columns: Column<LedgerEntry>[] = [
  {
    head: 'Entry',
    onPhone: 'main',
    cell: ({ reason, status }) => (
      <div>
        <Text fw={600}>{ledgerWords(reason)}</Text>
        <Text c="dimmed" size="xs">
          {ledgerStatusWords[status]}
        </Text>
      </div>
    ),
  },
  {
    head: 'Accounts',
    onPhone: 'line',
    cell: ({ debit, credit }) => (
      <span className={classes.accounts}>
        {ledgerAccountWords(debit)} to {ledgerAccountWords(credit)}
      </span>
    ),
  },
  { head: 'Time', onPhone: 'line', cell: ({ time }) => <Moment utc={time} /> },
  { head: 'Amount', isNumber: true, onPhone: 'end', cell: ({ amount }) => dollars(amount) },
]
