import type { EnvironmentName } from '../../../foundation/core/environment.ts'
import { type Permissions, permissionsOf, ROLES, type Role } from '../../../foundation/core/permission-rules.ts'

/** The maximum number of members and open invitations of a platform (`teams_size`). */
export const MAX_TEAM = 200

/** The days after which an invitation expires. */
export const INVITATION_DAYS = 7

/** Returns whether a person may assign, change or remove a role. Owners may do so for each role, admins for roles below admin. */
export const mayManage = (permissions: Permissions, role: Role): boolean =>
  permissions.has('policy') || (permissions.has('team') && !permissionsOf(role, 'production').has('team'))

/** Returns the roles that a role may give. After a change of a member's role, the member's invitations to other roles are revoked. */
export const manageableRoles = (role: Role, environment: EnvironmentName): Role[] =>
  ROLES.filter((each) => mayManage(permissionsOf(role, environment), each))
