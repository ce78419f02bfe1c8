import type { FastifyRequest } from 'fastify'
import { ApiError } from '../core/errors.ts'
import type { Permission } from '../core/permission-rules.ts'
import type { Caller, Credential, RoutePermission } from './caller.ts'

/**
 * Refuses a request from a page that shows another platform than the session's. This happens after the person switches platforms in another
 * tab. Pages name their platform in the header `remit-platform`.
 *
 * @throws ApiError platform_changed
 */
export function requireShownPlatform({ headers }: FastifyRequest, { platformId }: Caller): void {
  const shown = headers['remit-platform']
  if (shown !== undefined && shown !== platformId) throw new ApiError('platform_changed')
}

/** Checks the permission that a route names. @throws ApiError permission_denied, two_factor_required */
export function requirePermission(permission: RoutePermission, { credential, permissions }: Caller): void {
  if (permission === 'self') return
  if (credential.kind === 'session' && credential.mustEnroll) throw new ApiError('two_factor_required')
  if (permissions.has(permission)) return
  throw new ApiError('permission_denied', { message: refusalOf(permission, credential) })
}

function refusalOf(permission: Permission, credential: Credential): string {
  if (permission === 'operate') {
    return 'Only the operator of this installation can do this. An operator adds you with "remit operator add --email EMAIL".'
  }
  if (credential.kind === 'session') {
    return `Your role, ${credential.role}, does not include the permission "${permission}". Ask an owner or an admin of your platform.`
  }
  if (credential.kind === 'token') {
    return `The member who authorized the application does not have the permission "${permission}". Ask an owner of the platform to authorize it.`
  }
  return `This API key does not have the permission "${permission}". Use another key, or ask an owner of the platform.`
}
