import { Table, Text, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './records-table.module.css'

export type Column<Row> = {
  head: string
  cell: (row: Row) => ReactNode
  /** Whether only screen readers get the header, as for a column of buttons. */
  isAction?: boolean
  /** Whether the column is right-aligned, as numbers are. */
  isNumber?: boolean
  /** The place on a phone: `main` and `end` are on the first line, and each `line` is below without its label. */
  onPhone?: 'main' | 'end' | 'line'
}

type Props<Row extends { id: string }> = { caption: string; columns: Column<Row>[]; rows: Row[]; empty: ReactNode }

/**
 * A table. On a narrow screen each row becomes a block of labeled lines, or the lines of `onPhone`. The roles are explicit, because browsers drop
 * those of table elements that are displayed as blocks.
 */
export function RecordsTable<Row extends { id: string }>({ caption, columns, rows, empty }: Props<Row>) {
  const isCompact = columns.some(({ onPhone }) => onPhone === 'main')
  if (rows.length === 0) return <Text c="dimmed">{empty}</Text>
  return (
    <Table role="table" aria-label={caption} className={classes.table} verticalSpacing={9} horizontalSpacing="sm">
      <Table.Thead role="rowgroup" className={classes.head}>
        <Table.Tr role="row">
          {columns.map(({ head, isAction, isNumber }) => (
            <Table.Th key={head} role="columnheader" scope="col" data-number={isNumber}>
              {isAction ? <VisuallyHidden>{head}</VisuallyHidden> : head}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody role="rowgroup">
        {rows.map((row) => (
          <Table.Tr key={row.id} role="row" className={classes.row} data-compact={isCompact}>
            {columns.map(({ head, cell, isAction, isNumber, onPhone }) => (
              <Table.Td
                key={head}
                role="cell"
                data-head={isAction ? '' : head}
                data-number={isNumber}
                data-phone={onPhone}
                className={classes.cell}
              >
                {cell(row)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
