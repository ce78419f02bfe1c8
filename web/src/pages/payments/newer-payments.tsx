import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FoundPayment } from '../../answers.ts'
import { api } from '../../api.ts'
import { useLiveVersion } from '../../live.ts'
import type { ListFilters } from './payment-filters.ts'

/** Rows, and the live version at which they were loaded. `isComplete`: the list has no older rows. */
type Shown = { payments: FoundPayment[]; version: number; isComplete: boolean }

export type Newer = { payments: FoundPayment[]; count: number; hasMore: boolean }

/**
 * Updates the rows of a list in place, and counts the payments that are newer than the list. Asks the service only after it has
 * reported a change.
 */
export function useNewerPayments(filters: ListFilters, shown: Shown | undefined): Newer {
  const version = useLiveVersion()
  const isBehind = shown !== undefined && version > shown.version
  const { data } = useQuery({
    queryKey: ['payments', 'newest', filters, version],
    queryFn: () => api.payments(filters),
    enabled: isBehind,
    placeholderData: (before, query) => (isEqual(query?.queryKey[2], filters) ? before : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10_000,
    retry: false,
  })
  const newest = data?.payments
  if (!isBehind || !newest) return { payments: shown?.payments ?? [], count: 0, hasMore: false }
  const known = new Set(shown.payments.map(({ id }) => id))
  const oldest = shown.isComplete ? '' : (shown.payments.at(-1)?.id ?? '')
  const count = newest.filter(({ id }) => !known.has(id) && id > oldest).length
  const present = new Map(newest.map((payment) => [payment.id, payment]))
  const payments = shown.payments.map((payment) => present.get(payment.id) ?? payment)
  return { payments, count, hasMore: data.next !== null && count === newest.length }
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

type Props = { newer: Pick<Newer, 'count' | 'hasMore'>; isLoading: boolean; onShow: () => unknown }

/** Announces newer payments. The list changes only when the button is pressed. */
export const NewerNotice = ({ newer: { count, hasMore }, isLoading, onShow }: Props) => (
  <div role="status">
    {count > 0 && (
      <Button variant="light" size="compact-sm" loading={isLoading} onClick={onShow}>
        {`${count}${hasMore ? '+' : ''} new ${count === 1 ? 'payment' : 'payments'} – Show`}
      </Button>
    )}
  </div>
)
