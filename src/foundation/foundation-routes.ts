import { auditRoutes } from './audit/audit-routes.ts'
import type { Route } from './http/route.ts'
import { mailRoutes } from './mail/mail-routes.ts'
import { requestLogRoutes } from './request-log/request-log-routes.ts'

export const foundationRoutes: Route[] = [...auditRoutes, ...requestLogRoutes, ...mailRoutes]
