import { useQuery } from '@tanstack/react-query'
import { businessDate } from '../../../src/foundation/lib/clock.ts'
import { useServiceContext } from '../service-context.ts'
import { parseUtc } from '../shown/moment.tsx'
import { clockQuery } from './clock-query.ts'

/** Returns the current day of the business, `YYYY-MM-DD`, by the platform's clock, which can be ahead in the sandbox. */
export function useToday(): string {
  const { environment, time_zone } = useServiceContext()
  const { data: clock } = useQuery({ ...clockQuery, enabled: environment === 'sandbox' })
  return businessDate(clock ? new Date(parseUtc(clock.now)) : new Date(), time_zone)
}
