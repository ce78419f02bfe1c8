import type { Route } from '../foundation/http/route.ts'
import type { Wakeups } from '../foundation/lib/concurrency/wakeups.ts'
import type { Lines } from './delivery/webhook-post-actions.ts'
import { endpointRoutes, endpointTestRoutes } from './endpoint/endpoint-routes.ts'
import { historyRoutes } from './history/history-routes.ts'
import { listenerRoutes } from './listener/listener-routes.ts'

export const webhookRoutes = ({ lines }: { lines: Lines }): Route[] => [
  ...endpointRoutes,
  ...endpointTestRoutes(lines),
  ...historyRoutes,
]

/** Returns the routes that exist only in environments where tests can cause outcomes. */
export const webhookTestRoutes = ({ wakeups }: { wakeups: Wakeups }): Route[] => listenerRoutes(wakeups)
