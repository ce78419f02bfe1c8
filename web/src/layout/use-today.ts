import { useQuery } from '@tanstack/react-query'
import { businessDate } from '../../../src/lib/clock.ts'
import { useServiceContext } from '../service-context.ts'
import { msOf } from '../shown/moment.tsx'
import { clockQuery } from './clock-query.ts'

/** The day of the business, by the clock of the platform, which is ahead in the sandbox. */
export function useToday(): string {
  const { environment, owner } = useServiceContext()
  const { data: clock } = useQuery({ ...clockQuery, enabled: environment === 'sandbox' })
  const now = clock ? new Date(msOf(clock.now)) : new Date()
  return businessDate(now, owner?.time_zone ?? 'UTC')
}
