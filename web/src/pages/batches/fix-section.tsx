import { Button, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Section } from '../../layout/section.tsx'
import { type Column, columnNames, columns, type FileRow } from './batch-file.ts'
import classes from './batches.module.css'

/** The service's check of a row. */
export type Check = {
  errors: { field: string; problem: string }[]
  duplicate: {
    kind: 'row' | 'payment' | 'approval' | 'batch'
    id: string | null
    row: number | null
    date: string | null
  } | null
}

type Props = {
  rows: FileRow[]
  checks: Map<number, Check>
  onChange: (row: FileRow) => void
  /** Called when a field loses the focus. The row is then checked again. */
  onLeave: () => void
  onRemove: (number: number) => void
}

const SHOWN = 20

/** The rows that have or had problems. Fixed rows stay, so that no field moves while a person types. */
export const FixSection = ({ rows, ...given }: Props) => (
  <Section title="Rows to fix" about="A row is checked again when you leave a field.">
    <Stack gap="lg">
      {rows.slice(0, SHOWN).map((row) => (
        <FixedRow key={row.number} row={row} {...given} />
      ))}
      {rows.length > SHOWN && (
        <Text c="dimmed">
          {rows.length - SHOWN} more rows have errors. If all rows have the same error, change the columns.
        </Text>
      )}
    </Stack>
  </Section>
)

function FixedRow({ row, checks, onChange, onLeave, onRemove }: Omit<Props, 'rows'> & { row: FileRow }) {
  const errors = checks.get(row.number)?.errors ?? []
  const errorsOf = (column: string) => errors.filter(({ field }) => field === column)
  const [hasAddress] = useState(() => isPostalAddress(row.cells.email)) // the fields stay while the person moves the address into them
  const shown = columns.filter(
    (column) =>
      ['name', 'amount', 'email'].includes(column) ||
      row.cells[column] !== undefined ||
      errorsOf(column).length > 0 ||
      (hasAddress && ADDRESS.includes(column)),
  )
  const others = errors.filter(({ field }) => !shown.includes(field as Column))
  return (
    <fieldset className={classes.mend} aria-label={`Row ${row.number}`}>
      <Text fw={600} mb="xs">
        Row {row.number}
        {errors.length === 0 && (
          <Text component="span" size="sm" c="dimmed">
            {' '}
            · Ready
          </Text>
        )}
      </Text>
      {others.map(({ problem }) => (
        <Text key={problem} c="red" size="sm">
          This row {problem}.
        </Text>
      ))}
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md">
        {shown.map((column) => (
          <TextInput
            key={column}
            label={columnNames[column]}
            value={row.cells[column] ?? ''}
            error={problemOf(column, errorsOf(column))}
            autoComplete="off"
            onChange={({ currentTarget }) =>
              onChange({ ...row, cells: { ...row.cells, [column]: currentTarget.value } })
            }
            onBlur={onLeave}
          />
        ))}
      </SimpleGrid>
      <Button mt="sm" ml={-8} size="compact-sm" variant="subtle" color="red" onClick={() => onRemove(row.number)}>
        Remove row {row.number}
      </Button>
    </fieldset>
  )
}

const ADDRESS: Column[] = ['line_1', 'city', 'state', 'zip']

/** Returns whether the email of a row is a postal address, as in exports of mailed payments. The row then needs fields for the address. */
const isPostalAddress = (text = '') => /\d.*,.*\d{5}/.test(text) && !text.includes('@')

const problemOf = (column: Column, errors: Check['errors']): string | null =>
  errors.map(({ problem }) => `${columnNames[column]} ${problem}.`).join(' ') || null
