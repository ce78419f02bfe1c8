import { Button, Group, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { DeliveryFilters } from '../../api.ts'
import { LoadFailure } from '../../error-display.tsx'
import { focusHeading, PageHeading } from '../../layout/page-heading.tsx'
import { Section } from '../../layout/section.tsx'
import { count } from '../../shown/count.ts'
import { Loaded } from '../../shown/loaded.tsx'
import { DeliveriesTable } from './deliveries-table.tsx'
import { isFiltered, noDeliveryFilters } from './delivery-filters.ts'
import { FilterFields } from './filter-fields.tsx'
import { NoDeliveries } from './no-deliveries.tsx'
import { ReplayFailedButton } from './replay-failed-button.tsx'
import { deliveriesQuery } from './webhook-queries.ts'
import classes from './webhooks.module.css'
import { WebhooksTabs } from './webhooks-tabs.tsx'

const from = '/settings/webhooks/deliveries'

/** Sent and pending deliveries, newest first. The filters are in the address, so that a list can be shared. */
export function DeliveriesPage() {
  const filters = useSearch({ from })
  const navigate = useNavigate({ from })
  const deliveries = useQuery(deliveriesQuery(filters))
  const narrow = (change: DeliveryFilters) =>
    navigate({ search: (now) => ({ ...now, ...change, cursor: undefined }), replace: true, resetScroll: false })
  const turnTo = (cursor: string | undefined) => navigate({ search: { ...filters, cursor } }).then(focusHeading)
  return (
    <>
      <PageHeading title="Deliveries">
        Events of the last 30 days that we sent, or are about to send, to your endpoints.
      </PageHeading>
      <WebhooksTabs />
      <Section title="All deliveries" action={<ReplayFailedButton endpoint={filters.endpoint} />}>
        <FilterFields
          filters={filters}
          seen={deliveries.data?.deliveries ?? []}
          error={deliveries.error}
          onChange={narrow}
        />
        {deliveries.isRefetchError && <LoadFailure error={deliveries.error} onRetry={deliveries.refetch} />}
        <Loaded query={deliveries}>
          {({ deliveries: rows, next }) => (
            <div className={classes.results} aria-busy={deliveries.isPlaceholderData}>
              <VisuallyHidden role="status">{count(rows.length, 'delivery', 'deliveries')} shown</VisuallyHidden>
              {rows.length === 0 ? (
                <NoDeliveries
                  isNarrowed={isFiltered(filters) || filters.cursor !== undefined}
                  onClear={() => narrow(noDeliveryFilters)}
                />
              ) : (
                <DeliveriesTable rows={rows} filters={filters} />
              )}
              <Pager isNewest={filters.cursor === undefined} next={next} onTurn={turnTo} />
            </div>
          )}
        </Loaded>
      </Section>
    </>
  )
}

type PagerProps = { isNewest: boolean; next: string | null; onTurn: (cursor: string | undefined) => unknown }

const Pager = ({ isNewest, next, onTurn }: PagerProps) =>
  isNewest && next === null ? null : (
    <Group component="nav" aria-label="Pages of deliveries" justify="space-between">
      <Button variant="default" disabled={isNewest} onClick={() => onTurn(undefined)}>
        Newest
      </Button>
      <Button variant="default" disabled={next === null} onClick={() => onTurn(next ?? undefined)}>
        Older
      </Button>
    </Group>
  )
