import { Table } from '@mantine/core'
import type { CSSProperties, ReactNode } from 'react'
import { RowCheckbox, type RowSelection } from './row-checkbox.tsx'
import classes from './rows-table.module.css'

/** The places of columns. On a phone, the first line has `main` and `amount`, and the second has `status` and `date`. */
type Place = 'main' | 'status' | 'extra' | 'date' | 'amount'

const widths: Record<Place, string> = {
  main: 'minmax(0, 1fr)',
  status: '6.5rem',
  extra: '8.5rem',
  date: '9rem',
  amount: 'minmax(6.5rem, max-content)',
}

export type TableRow = {
  id: string
  /** A link with the given class. It covers the row. */
  link: (className: string | undefined) => ReactNode
  /** A detail below the link that distinguishes similar rows. A phone shows it only in rows without a status. */
  note?: ReactNode
  status?: ReactNode
  extra?: ReactNode
  date?: ReactNode
  amount?: ReactNode
  isIncoming?: boolean
  /** The accessible name of the row's checkbox, if rows can be selected: "$10.00 to Ada Lovelace". */
  selectionName?: string
}

type Props = {
  caption: string
  heads: Partial<Record<Place, string>> & { main: string }
  rows: TableRow[]
  selection?: RowSelection | undefined
}

/** Rows that open a page by a click anywhere. The keyboard and screen readers find one link in each row. */
export function RowsTable({ caption, heads, rows, selection }: Props) {
  const places = (Object.keys(widths) as Place[]).filter((place) => heads[place] !== undefined)
  const columns = [...(selection ? ['1.25rem'] : []), ...places.map((place) => widths[place])]
  const style = { '--columns': columns.join(' ') } as CSSProperties
  return (
    <Table
      role="table"
      aria-label={caption}
      className={classes.table}
      withRowBorders={false}
      style={style}
      data-selectable={selection !== undefined}
    >
      <Table.Thead role="rowgroup" className={classes.head}>
        <Table.Tr role="row" className={classes.row}>
          {selection && (
            <Table.Th role="columnheader" scope="col" data-place="select">
              <RowCheckbox label="Select all rows" ids={rows.map(({ id }) => id)} selection={selection} />
            </Table.Th>
          )}
          {places.map((place) => (
            <Table.Th key={place} role="columnheader" scope="col" data-place={place}>
              {heads[place]}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody role="rowgroup">
        {rows.map((row) => (
          <Table.Tr key={row.id} role="row" className={classes.row} data-selected={selection?.selected.has(row.id)}>
            {selection && (
              <Table.Td role="cell" data-place="select">
                <RowCheckbox label={`Select ${row.selectionName}`} ids={[row.id]} selection={selection} />
              </Table.Td>
            )}
            {places.map((place) => (
              <Table.Td key={place} role="cell" data-place={place} data-incoming={row.isIncoming}>
                {place === 'main' ? <Main row={row} /> : row[place]}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

const Main = ({ row: { link, note } }: { row: TableRow }) => (
  <>
    {link(classes.open)}
    {note !== undefined && <div className={classes.note}>{note}</div>}
  </>
)
