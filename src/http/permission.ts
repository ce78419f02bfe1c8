import { ApiError } from '../core/errors.ts'
import type { Caller, RoutePermission } from './caller.ts'

/**
 * Requires the permission that a route names.
 *
 * @throws ApiError permission_denied, two_factor_required
 */
export function requirePermission(permission: RoutePermission, { credential, permissions }: Caller): void {
  if (permission === 'self') return
  if (credential.kind === 'session' && credential.mustEnroll) throw new ApiError('two_factor_required')
  if (permissions.has(permission)) return
  throw new ApiError('permission_denied', {
    message:
      credential.kind === 'session'
        ? `Your role, ${credential.role}, does not include the permission "${permission}". Ask an owner or an admin of your platform.`
        : `This API key does not have the permission "${permission}". Use another key, or ask an owner of the platform.`,
  })
}
