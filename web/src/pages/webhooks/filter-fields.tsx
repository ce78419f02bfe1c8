import { Button, Group, NativeSelect, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { timeZoneWords } from '../../../../src/foundation/lib/clock.ts'
import type { Delivery } from '../../answers.ts'
import type { DeliveryFilters } from '../../api.ts'
import { DayField } from '../../form/day-field.tsx'
import { placeError } from '../../form/field-errors.ts'
import { useServiceContext } from '../../service-context.ts'
import { isFiltered, noDeliveryFilters } from './delivery-filters.ts'
import { endpointOptions } from './endpoint-options.ts'
import { eventTypes } from './event-words.ts'
import { endpointsQuery } from './webhook-queries.ts'
import { statusWords } from './webhook-words.ts'
import classes from './webhooks.module.css'

type Props = {
  filters: DeliveryFilters
  /** The deliveries on the page. Their endpoints may no longer exist. */
  seen: Delivery[]
  error: Error | null
  onChange: (change: DeliveryFilters) => unknown
}

/** The filters. Each takes effect at once. */
export function FilterFields({ filters, seen, error, onChange }: Props) {
  const endpoints = useQuery(endpointsQuery)
  const zone = timeZoneWords(useServiceContext().time_zone, 'short')
  const errors = error === null ? {} : placeError(error, filters).fields
  const select = (name: 'status' | 'endpoint' | 'type') => ({
    size: 'sm' as const,
    value: filters[name] ?? '',
    error: errors[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLSelectElement }) =>
      onChange({ [name]: currentTarget.value || undefined }),
  })
  return (
    <Stack gap="sm" role="search" aria-label="Filter deliveries">
      <div className={classes.filters}>
        <NativeSelect
          label="Endpoint"
          data={[all('All'), ...endpointOptions(endpoints, seen, filters.endpoint)]}
          {...select('endpoint')}
        />
        <NativeSelect
          label="Status"
          data={[all('All'), ...Object.entries(statusWords).map(([value, label]) => ({ value, label }))]}
          {...select('status')}
        />
        <NativeSelect
          label="Events"
          data={[all('All'), ...eventTypes.map(({ type, plural }) => ({ value: type, label: plural }))]}
          {...select('type')}
        />
        <DayField
          label={`From (${zone})`}
          value={filters.start_date}
          error={errors.start_date}
          onChange={(start_date) => onChange({ start_date })}
        />
        <DayField
          label={`To (${zone})`}
          value={filters.end_date}
          error={errors.end_date}
          onChange={(end_date) => onChange({ end_date })}
        />
      </div>
      {isFiltered(filters) && (
        <Group>
          <Button variant="default" size="xs" onClick={() => onChange(noDeliveryFilters)}>
            Clear filters
          </Button>
        </Group>
      )}
    </Stack>
  )
}

const all = (label: string) => ({ value: '', label })
