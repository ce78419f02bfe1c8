import type { Route } from '../foundation/http/route.ts'
import { connectionRoutes } from './overview/connection-routes.ts'

/** The routes of the operator about banks. */
export const connectionsRoutes: Route[] = connectionRoutes
