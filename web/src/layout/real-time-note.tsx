import { useQuery } from '@tanstack/react-query'
import { useServiceContext } from '../service-context.ts'
import { parseUtc } from '../shown/moment.tsx'
import { clockQuery } from './clock-query.ts'

/** The smallest difference at which the clock of a sandbox counts as moved. */
const MOVED_MS = 5 * 60_000

/** Says that the times of a page are in real time. Shown only if the clock of the sandbox was moved. */
export function RealTimeNote() {
  const { environment, owner } = useServiceContext()
  const isRead = environment === 'sandbox' && owner !== null && !owner.must_enroll
  const { data: clock } = useQuery({ ...clockQuery, enabled: isRead })
  if (!clock || Math.abs(parseUtc(clock.now) - Date.now()) < MOVED_MS) return null
  return ' Times on this page are real, and not those of the sandbox clock.'
}
