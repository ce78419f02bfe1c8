import { useQuery } from '@tanstack/react-query'
import { businessDate } from '../../../src/foundation/lib/clock.ts'
import { useServiceContext } from '../service-context.ts'
import { parseUtc } from '../shown/moment.tsx'
import { clockQuery } from './clock-query.ts'

/**
 * Returns the current day of the business, `YYYY-MM-DD`, by the platform's clock, which can be ahead in the sandbox. Null until that
 * clock is loaded.
 */
export function useToday(): string | null {
  const { environment, time_zone } = useServiceContext()
  const { data: clock, isLoading } = useQuery({ ...clockQuery, enabled: environment === 'sandbox' })
  if (isLoading) return null
  return businessDate(clock ? new Date(parseUtc(clock.now)) : new Date(), time_zone)
}
