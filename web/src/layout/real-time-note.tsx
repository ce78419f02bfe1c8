import { useQuery } from '@tanstack/react-query'
import { useServiceContext } from '../service-context.ts'
import { msOf } from '../shown/moment.tsx'
import { clockQuery } from './clock-query.ts'

/** The clock of a sandbox counts as moved from this difference on. */
const MOVED_MS = 5 * 60_000

/** For pages whose times are real ones. Nothing where the clock was not moved. */
export function RealTimeNote() {
  const { environment, owner } = useServiceContext()
  const isRead = environment === 'sandbox' && owner !== null && !owner.must_enroll
  const { data: clock } = useQuery({ ...clockQuery, enabled: isRead })
  if (!clock || Math.abs(msOf(clock.now) - Date.now()) < MOVED_MS) return null
  return ' Times on this page are real, and not those of the sandbox clock.'
}
