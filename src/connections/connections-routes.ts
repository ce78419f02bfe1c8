import type { Route } from '../foundation/http/route.ts'
import { connectionRoutes } from './overview/connection-routes.ts'

/** The routes for operators about banks. */
export const connectionsRoutes: Route[] = connectionRoutes
