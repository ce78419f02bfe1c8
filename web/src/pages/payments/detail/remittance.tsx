import { Section } from '../../../layout/section.tsx'
import { dollars } from '../../../shown/dollars.ts'
import { Day } from '../../../shown/moment.tsx'
import { RecordsTable } from '../../../shown/records-table.tsx'

/** The invoices that the payment pays: rows of id, date, amount and description from the sender. */
export function Remittance({ lines }: { lines: string[][] }) {
  if (lines.length === 0) return null
  return (
    <Section title="Remittance advice">
      <RecordsTable
        caption="Remittance advice"
        columns={[
          { head: 'Invoice', cell: ({ cells }) => cells[0] },
          { head: 'Date', cell: ({ cells }) => cells[1] && <Day date={cells[1]} /> },
          { head: 'For', cell: ({ cells }) => cells[3] },
          { head: 'Amount', isNumber: true, cell: ({ cells }) => cells[2] && dollars(Number(cells[2])) },
        ]}
        rows={lines.map((cells, index) => ({ id: String(index), cells }))}
        empty=""
      />
    </Section>
  )
}
