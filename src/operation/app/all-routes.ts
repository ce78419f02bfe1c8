import { connectionsRoutes } from '../../connections/connections-routes.ts'
import { foundationRoutes } from '../../foundation/foundation-routes.ts'
import type { Route } from '../../foundation/http/route.ts'
import type { Wakeups } from '../../foundation/lib/concurrency/wakeups.ts'
import { moneyRoutes, moneyTestRoutes } from '../../money/money-routes.ts'
import { ordersRoutes } from '../../orders/orders-routes.ts'
import type { AcceptDeps } from '../../payments/payment/accept/accept-actions.ts'
import { paymentsRoutes, paymentsTestRoutes } from '../../payments/payments-routes.ts'
import { peopleRoutes } from '../../people/people-routes.ts'
import { webhookRoutes, webhookTestRoutes } from '../../webhook/webhook-routes.ts'
import { overviewRoutes } from '../overview/overview-routes.ts'
import { searchRoutes } from '../overview/search-routes.ts'
import { sandboxRoutes } from '../sandbox/sandbox-routes.ts'
import { clockRoutes } from '../scheduler/clock-routes.ts'
import { reconcileHooks } from '../scheduler/leg-handlers.ts'
import { bankHooks, memberHooks, userHooks, walletHooks } from './removal.ts'

/** The dependencies of routes in addition to `Deps`. */
export type RouteTools = Omit<Parameters<typeof peopleRoutes>[1], 'userHooks' | 'memberHooks'> &
  Parameters<typeof paymentsRoutes>[1] & { wakeups: Wakeups }

/** Returns all routes, in the order of the API reference. */
export const allRoutes = (deps: AcceptDeps, own: RouteTools): Route[] => [
  ...webhookRoutes(own),
  ...peopleRoutes(deps, { ...own, userHooks, memberHooks }),
  ...ordersRoutes(own),
  ...paymentsRoutes(deps, own),
  ...moneyRoutes({ bankHooks, walletHooks, reconcileHooks }),
  ...searchRoutes,
  ...overviewRoutes,
  ...connectionsRoutes,
  ...foundationRoutes,
  ...(deps.settings.canTriggerOutcomes ? testRoutes(own) : []),
  ...(deps.settings.hasMovableClock ? clockRoutes : []),
]

/** Returns the routes that cause outcomes, such as a return. */
const testRoutes = (own: RouteTools): Route[] => [
  ...sandboxRoutes,
  ...moneyTestRoutes,
  ...paymentsTestRoutes,
  ...webhookTestRoutes(own),
]
