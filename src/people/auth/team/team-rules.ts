import type { EnvironmentName } from '../../../foundation/core/environment.ts'
import { type Permissions, permissionsOf, ROLES, type Role } from '../../../foundation/core/permission-rules.ts'

/** The members of a platform together with its open invitations (`teams_size`). */
export const MAX_TEAM = 200

/** An invitation expires after this time. */
export const INVITATION_DAYS = 7

/** Whether someone may give, change or take a role: an owner each, an admin those below admin. */
export const mayManage = (permissions: Permissions, role: Role): boolean =>
  permissions.has('policy') || (permissions.has('team') && !permissionsOf(role, 'production').has('team'))

/** The roles that a role may give, for its invitations to stay open after a change of its own role. */
export const manageableRoles = (role: Role, environment: EnvironmentName): Role[] =>
  ROLES.filter((each) => mayManage(permissionsOf(role, environment), each))
