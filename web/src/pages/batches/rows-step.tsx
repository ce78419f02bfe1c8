import { Button, Group, SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Separator } from '../../../../src/foundation/lib/text/sheet.ts'
import { readSheetAmount } from '../../../../src/payments/payment/bulk/sheet-amount-rules.ts'
import { focusHeading } from '../../layout/page-heading.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { Section } from '../../layout/section.tsx'
import { count } from '../../shown/count.ts'
import { dollars } from '../../shown/dollars.ts'
import { Loaded } from '../../shown/loaded.tsx'
import { Moment } from '../../shown/moment.tsx'
import { RecordsTable } from '../../shown/records-table.tsx'
import { destinationText, type FileRow } from './batch-file.ts'
import { type Check, FixSection } from './fix-section.tsx'
import { previewQuery } from './preview-query.ts'
import { type Replaced, SaveSection } from './save-section.tsx'

type Props = {
  rows: FileRow[]
  separator: Separator
  onChange: (rows: FileRow[]) => void
  onBack: () => void
  name: string
  replaced: Replaced | undefined
}

/** The third step: fixing rows with problems, and naming the batch. */
export function RowsStep({ rows, separator, onChange, onBack, name, replaced }: Props) {
  /** The rows that were checked last. They are not checked after each key. */
  const [checked, setChecked] = useState(rows)
  const [edited, setEdited] = useState<ReadonlySet<number>>(new Set())
  const preview = useQuery(previewQuery(checked, separator, replaced?.id))
  const edit = (number: number) => setEdited(new Set([...edited, number]))
  const change = (row: FileRow) => {
    onChange(rows.map((each) => (each.number === row.number ? row : each)))
    if (!edited.has(row.number)) edit(row.number)
  }
  const remove = (number: number) => {
    const left = rows.filter((row) => row.number !== number)
    onChange(left)
    setChecked(left)
    focusHeading() // because the button has disappeared
  }
  return (
    <Loaded query={preview}>
      {({ checks, amount }) => {
        const bad = rows.filter(({ number }) => (checks.get(number)?.errors.length ?? 0) > 0)
        const doubled = rows.filter(({ number }) => checks.get(number)?.duplicate)
        const mending = rows.filter((row) => edited.has(row.number) || bad.includes(row))
        return (
          <>
            <Text role="status">
              {rows.length - bad.length} of {count(rows.length, 'row', 'rows')} ready, {dollars(amount)} in total.{' '}
              {bad.length > 0 && `${count(bad.length, 'row has', 'rows have')} errors. `}
              {doubled.length > 0 && `${count(doubled.length, 'row looks', 'rows look')} like a duplicate.`}
            </Text>
            {mending.length > 0 && (
              <FixSection
                rows={mending}
                checks={checks}
                onChange={change}
                onLeave={() => setChecked(rows)}
                onRemove={remove}
              />
            )}
            <AllRows
              rows={rows}
              separator={separator}
              checks={checks}
              onEdit={edit}
              onRemove={remove}
              onBack={onBack}
            />
            <SaveSection rows={rows} separator={separator} badCount={bad.length} name={name} replaced={replaced} />
          </>
        )
      }}
    </Loaded>
  )
}

type Filter = 'all' | 'errors' | 'duplicates'

const SHOWN = 25

type AllRowsProps = {
  rows: FileRow[]
  separator: Separator
  checks: Map<number, Check>
  onEdit: (number: number) => void
  onRemove: (number: number) => void
  onBack: () => void
}

function AllRows({ rows, separator, checks, onEdit, onRemove, onBack }: AllRowsProps) {
  const [filter, setFilter] = useState<Filter>('all')
  const [limit, setLimit] = useState(SHOWN)
  const matching = rows.filter(({ number }) => isShown[filter](checks.get(number)))
  return (
    <Section
      title="Rows"
      action={
        <Button variant="default" size="sm" onClick={onBack}>
          Change columns
        </Button>
      }
    >
      <SegmentedControl
        aria-label="Rows to show"
        value={filter}
        onChange={(value) => setFilter(value as Filter)}
        data={[
          { value: 'all', label: 'All' },
          { value: 'errors', label: 'Errors' },
          { value: 'duplicates', label: 'Likely duplicates' },
        ]}
        style={{ alignSelf: 'flex-start' }}
      />
      <RecordsTable
        caption="Rows of the file"
        columns={[
          { head: 'Row', cell: ({ number }) => number },
          { head: 'Payee', cell: ({ cells }) => cells.name },
          { head: 'To', cell: destinationText },
          { head: 'Amount', isNumber: true, cell: ({ cells }) => amountWords(cells.amount, separator) },
          { head: 'Check', cell: ({ number }) => <Result check={checks.get(number)} /> },
          {
            head: 'Actions',
            isAction: true,
            cell: ({ number }) => (
              <Group gap={4} justify="flex-end" wrap="nowrap">
                <Button
                  size="compact-sm"
                  variant="subtle"
                  aria-label={`Edit row ${number}`}
                  onClick={() => onEdit(number)}
                >
                  Edit
                </Button>
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="red"
                  aria-label={`Remove row ${number}`}
                  onClick={() => onRemove(number)}
                >
                  Remove
                </Button>
              </Group>
            ),
          },
        ]}
        rows={matching.slice(0, limit).map((row) => ({ ...row, id: String(row.number) }))}
        empty={filter === 'errors' ? 'No row has errors.' : 'No row looks like a duplicate.'}
      />
      {matching.length > limit && (
        <Group>
          <Button variant="default" onClick={() => setLimit(limit + 100)}>
            Show more
          </Button>
          <Text size="sm" c="dimmed">
            {limit} of {matching.length.toLocaleString('en-US')} shown
          </Text>
        </Group>
      )}
    </Section>
  )
}

/** Formats an amount. Other texts are shown unchanged. */
function amountWords(text = '', separator: Separator): string {
  const { amount } = readSheetAmount(text, separator)
  return amount === undefined ? text : dollars(amount)
}

const isShown: Record<Filter, (check: Check | undefined) => boolean> = {
  all: () => true,
  errors: (check) => (check?.errors.length ?? 0) > 0,
  duplicates: (check) => Boolean(check?.duplicate),
}

function Result({ check }: { check: Check | undefined }) {
  if (!check) return null
  if (check.errors.length > 0)
    return (
      <Text size="sm" c="red">
        {count(check.errors.length, 'error', 'errors')}
      </Text>
    )
  if (!check.duplicate)
    return (
      <Text size="sm" c="dimmed">
        Ready
      </Text>
    )
  const { kind, id, date, row } = check.duplicate
  if (kind === 'row' || id === null) return <Text size="sm">Same as row {row}</Text>
  return (
    <Text size="sm" component="span">
      {kind === 'payment' && (
        <RouterAnchor to="/payments/$id" params={{ id }}>
          Sent
        </RouterAnchor>
      )}
      {kind === 'batch' && (
        <RouterAnchor to="/batches/$id" params={{ id }}>
          In a batch
        </RouterAnchor>
      )}
      {kind === 'approval' && <RouterAnchor to="/approvals">Prepared</RouterAnchor>}
      {date !== null && (
        <>
          {' '}
          on <Moment utc={date} />
        </>
      )}
    </Text>
  )
}
