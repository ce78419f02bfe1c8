import type { Member, Permission } from './answers.ts'
import { useServiceContext } from './service-context.ts'

/** Returns whether the signed-in person's role has a permission. The service decides again on each call. */
export const useMay = (permission: Permission): boolean => mayDo(useServiceContext().owner, permission)

export const mayDo = (owner: Member | null, permission: Permission): boolean =>
  owner?.permissions.includes(permission) === true
