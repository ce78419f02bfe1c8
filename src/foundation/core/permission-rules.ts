import type { EnvironmentName } from './environment.ts'

/** The roles of the members of a platform. */
export const ROLES = ['owner', 'admin', 'preparer', 'approver', 'developer', 'viewer'] as const

export type Role = (typeof ROLES)[number]

type Cell = boolean | 'sandbox'

/** Whether each role in `ROLES` has a permission. `sandbox`: only in the sandbox. */
// biome-ignore format: a table
const table = {
  //           owner  admin  preparer approver developer  viewer
  read:       [true,  true,  true,    true,    true,      true],  // account numbers are masked
  export:     [true,  true,  true,    true,    false,     true],
  prepare:    [true,  true,  true,    false,   false,     false], // create payments, batches, invoices and payees; send mail again
  release:    [true,  true,  false,   true,    false,     false], // release or reject what others prepared
  send:       [true,  true,  false,   false,   false,     false], // send without a release; void, deposit, transfer
  accounts:   [true,  true,  false,   false,   false,     false], // banks, signature, company profile
  users:      [true,  true,  false,   false,   'sandbox', false], // create users, set their limits, make their keys
  keys:       [true,  true,  false,   false,   'sandbox', false], // API keys, OAuth consent
  developers: [true,  true,  false,   false,   true,      false], // webhooks, replays, applications, request log
  audit:      [true,  true,  false,   true,    true,      true],
  team:       [true,  true,  false,   false,   false,     false], // admins manage only roles below admin
  policy:     [true,  false, false,   false,   false,     false], // approval rules, two-factor rule, owners, admins
  simulate:   [true,  true,  true,    true,    true,      false], // move the clock, cause outcomes; sandbox and demo only
  operate:    [false, false, false,   false,   false,     false], // pages of the operator: given to a person, not to a role
} as const satisfies Record<string, readonly [Cell, Cell, Cell, Cell, Cell, Cell]>

export type Permission = keyof typeof table

export const PERMISSIONS = Object.keys(table) as Permission[]

export type Permissions = ReadonlySet<Permission>

/** All permissions on a platform. Platform users have them, and so do programs whose key no member created. */
export const EVERY_PERMISSION: Permissions = new Set(PERMISSIONS.filter((permission) => permission !== 'operate'))

export const NO_PERMISSION: Permissions = new Set()

/** Returns the permissions of a role in an environment. */
export const permissionsOf = (role: Role, environment: EnvironmentName): Permissions =>
  sets[environment === 'sandbox' ? 'sandbox' : 'others'][role]

/** Returns the permissions of a signed-in person: those of the role, and `operate` for an operator. */
export function permissionsOfPerson(
  { role, isOperator }: { role: Role; isOperator: boolean },
  environment: EnvironmentName,
): Permissions {
  const ofRole = permissionsOf(role, environment)
  return isOperator ? new Set([...ofRole, 'operate' as const]) : ofRole
}

/** The origin of an API key or a grant. `createdBy`: the member who made it. `creatorRole`: null if that member has left the platform. */
export type MadeWith = { createdBy: string | null; creatorRole: Role | null; permissions: readonly Permission[] | null }

/**
 * Returns the permissions of a key or a grant: those it was created with that its creator still has. Without a creator, all permissions.
 */
export function permissionsOfCreator(
  { createdBy, creatorRole, permissions }: MadeWith,
  environment: EnvironmentName,
): Permissions {
  if (createdBy === null) return EVERY_PERMISSION
  if (creatorRole === null) return NO_PERMISSION
  const ofCreator = permissionsOf(creatorRole, environment)
  return new Set(permissions?.filter((permission) => ofCreator.has(permission)) ?? ofCreator)
}

type Sets = Record<Role, Permissions>

function setsWhere(isGiven: (cell: Cell) => boolean): Sets {
  const sets: Partial<Sets> = {}
  for (const [column, role] of ROLES.entries()) {
    sets[role] = new Set(PERMISSIONS.filter((name) => isGiven(table[name][column] as Cell)))
  }
  return sets as Sets
}

const sets = { sandbox: setsWhere((cell) => cell !== false), others: setsWhere((cell) => cell === true) }
