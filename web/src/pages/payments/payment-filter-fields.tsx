import { Button, Group, NativeSelect, Stack } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconSearch } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ChangeEvent, useState } from 'react'
import { timeZoneWords } from '../../../../src/foundation/lib/clock.ts'
import { DayField } from '../../form/day-field.tsx'
import { placeError } from '../../form/field-errors.ts'
import { TypedFilter } from '../../form/typed-filter.tsx'
import { useServiceContext } from '../../service-context.ts'
import { batchesQuery } from '../batches/batch-queries.ts'
import { countFilters, dollarsIn, type ListFilters, noFilters } from './payment-filters.ts'
import { usersQuery } from './payment-queries.ts'
import { paymentStatusWords, railWords } from './payment-words.ts'
import classes from './payments.module.css'

type Props = {
  filters: ListFilters
  ownId: string | undefined
  error: Error | null
  onChange: (change: ListFilters) => unknown
}

/** The filters. Each takes effect at once. Rarely used ones are folded away. On a narrow screen, only the search is always visible. */
export function PaymentFilterFields({ filters, ownId, error, onChange }: Props) {
  const [isOpen, setOpen] = useState(
    () => countFilters({ ...filters, q: undefined, status: undefined, rail: undefined }) > 0,
  )
  const zone = timeZoneWords(useServiceContext().time_zone, 'short')
  const errors = error === null ? {} : placeError(error, filters).fields
  const used = countFilters(filters)
  const folded = countFilters({ ...filters, q: undefined })
  const select = (name: 'status' | 'rail' | 'user' | 'batch') => ({
    size: 'sm' as const,
    value: filters[name] ?? '',
    error: errors[name],
    onChange: ({ currentTarget }: ChangeEvent<HTMLSelectElement>) =>
      onChange({ [name]: currentTarget.value || undefined }),
  })
  const field = (name: 'start_date' | 'end_date') => ({
    value: filters[name],
    error: errors[name],
    onChange: (day: string | undefined) => onChange({ [name]: day }),
  })
  const amount = (name: 'min_amount' | 'max_amount') => ({
    className: classes.folded,
    inputMode: 'decimal' as const,
    placeholder: '0.00',
    leftSection: '$',
    value: filters[name]?.toString(),
    error: errors[name],
    read: (text: string) => dollarsIn(text.trim())?.toString(),
    onChange: (text: string | undefined) => onChange({ [name]: dollarsIn(text) }),
  })
  return (
    <Stack gap="sm" role="search" aria-label="Filter payments">
      <div className={classes.filters} data-open={isOpen}>
        <TypedFilter
          label="Search"
          type="search"
          className={classes.search}
          placeholder="Payee, description or number"
          leftSection={<IconSearch size={16} aria-hidden />}
          maxLength={180}
          value={filters.q}
          error={errors.q}
          onChange={(q) => onChange({ q })}
        />
        <NativeSelect label="Status" data={options('Any status', paymentStatusWords)} {...select('status')} />
        <NativeSelect label="Method" data={options('Any method', railWords)} {...select('rail')} />
        <Button
          variant="default"
          className={classes.unfold}
          aria-expanded={isOpen}
          leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Fewer filters' : 'More filters'}
          {!isOpen && folded > 0 && <span className={classes.foldedCount}>{` (${folded})`}</span>}
        </Button>
        <DayField label={`From (${zone})`} className={classes.folded} {...field('start_date')} />
        <DayField label={`To (${zone})`} className={classes.folded} {...field('end_date')} />
        <TypedFilter label="Minimum amount" {...amount('min_amount')} />
        <TypedFilter label="Maximum amount" {...amount('max_amount')} />
        <UserField {...select('user')} ownId={ownId} />
        {filters.direction !== 'INCOMING' && <BatchField {...select('batch')} />}
      </div>
      {used > 0 && (
        <Group>
          <Button variant="default" size="xs" onClick={() => onChange(noFilters)}>
            Clear filters
          </Button>
        </Group>
      )}
    </Stack>
  )
}

const options = (all: string, words: Record<string, string>) => [
  { value: '', label: all },
  ...Object.entries(words).map(([value, label]) => ({ value, label })),
]

type BatchProps = Omit<UserProps, 'ownId'>

/** Filters by one of the latest batches. Shown only if the platform has batches. */
function BatchField({ value, ...rest }: BatchProps) {
  const { data, isPending } = useInfiniteQuery(batchesQuery)
  const batches = data?.pages.flatMap((page) => page.batches) ?? []
  if (batches.length === 0 && value === '') return null
  const known = batches
    .filter(({ id, outcome }) => outcome === 'RELEASED' || id === value)
    .map(({ id, name }) => ({ value: id, label: name }))
  const isKnown = value === '' || known.some((one) => one.value === value)
  return (
    <NativeSelect
      label="Batch"
      size="sm"
      className={classes.folded}
      value={value}
      data={[
        { value: '', label: 'Any batch' },
        ...known,
        ...(isKnown ? [] : [{ value, label: isPending ? 'Loading…' : 'Another batch' }]),
      ]}
      {...rest}
    />
  )
}

type UserProps = {
  value: string
  error: string | undefined
  ownId: string | undefined
  onChange: (event: ChangeEvent<HTMLSelectElement>) => unknown
}

/** Filters by user. Shown only if the platform has users. */
function UserField({ value, ownId, ...rest }: UserProps) {
  const { data: users = [], isPending } = useQuery(usersQuery)
  if (users.length === 0 && value === '') return null
  const known = [
    ...(ownId === undefined ? [] : [{ value: ownId, label: 'Your account' }]),
    ...users.map(({ id, name }) => ({ value: id, label: name })),
  ]
  const isKnown = value === '' || known.some((one) => one.value === value)
  return (
    <NativeSelect
      label="User"
      size="sm"
      className={classes.folded}
      value={value}
      data={[
        { value: '', label: 'All users' },
        ...known,
        ...(isKnown ? [] : [{ value, label: isPending ? 'Loading…' : 'Another user' }]),
      ]}
      {...rest}
    />
  )
}
