import { Code, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ClosedMonth } from '../../answers.ts'
import { api } from '../../api.ts'
import { Section } from '../../layout/section.tsx'
import { dollars } from '../../shown/dollars.ts'
import { FileButton } from '../../shown/file-button.tsx'
import { Loaded } from '../../shown/loaded.tsx'
import { ShortMoment } from '../../shown/moment.tsx'
import { type Column, RecordsTable } from '../../shown/records-table.tsx'
import { monthsQuery } from './statement-queries.ts'
import { monthWords } from './statement-words.ts'

/** The closed months with their reports. */
export function MonthsSection() {
  const months = useQuery(monthsQuery)
  return (
    <Section
      title="Closed months"
      about={
        <>
          A closed month cannot change. Close one with <Code>remit reconcile close --month YYYY-MM</Code>.
        </>
      }
    >
      <Loaded query={months}>
        {(all) => (
          <RecordsTable
            caption="Closed months, latest first"
            columns={columns}
            rows={all}
            empty="No month is closed yet."
          />
        )}
      </Loaded>
    </Section>
  )
}

const columns: Column<ClosedMonth>[] = [
  {
    head: 'Month',
    onPhone: 'main',
    cell: ({ month, bank_account }) => (
      <>
        <Text fw={500}>{monthWords(month)}</Text>
        <Text c="dimmed" size="xs">
          {bank_account}
        </Text>
      </>
    ),
  },
  { head: 'Closing balance', onPhone: 'end', isNumber: true, cell: ({ closing }) => dollars(closing) },
  { head: 'Lines', onPhone: 'line', isNumber: true, cell: ({ lines }) => lines.toLocaleString('en-US') },
  { head: 'Closed', onPhone: 'line', cell: (one) => <Closed month={one} /> },
  { head: 'Report', onPhone: 'line', cell: (one) => <Reports month={one} /> },
]

const Closed = ({
  month: { closed_at, closed_by, reopened_at, reopened_by, reopened_why },
}: {
  month: ClosedMonth
}) => (
  <>
    <ShortMoment utc={closed_at} /> by {closed_by}
    {reopened_at !== null && (
      <Text size="xs" c="red">
        Reopened by {reopened_by}: {reopened_why}
      </Text>
    )}
  </>
)

function Reports({ month: { id, bank_account, month } }: { month: ClosedMonth }) {
  const name = `reconciliation-${bank_account.replace(':', '-')}-${month}`
  return (
    <Group gap="xs" wrap="nowrap">
      <FileButton label="PDF" name={`${name}.pdf`} size="xs" load={() => api.monthReport(id, 'pdf')} />
      <FileButton label="CSV" name={`${name}.csv`} size="xs" load={() => api.monthReport(id, 'csv')} />
    </Group>
  )
}
