import type { EnvironmentName } from './environment.ts'

/** The roles of a platform's members. */
export const ROLES = ['owner', 'admin', 'preparer', 'approver', 'developer', 'viewer'] as const

export type Role = (typeof ROLES)[number]

type Cell = boolean | 'sandbox'

/** Whether each role of `ROLES` has a permission. `sandbox`: only there. */
// biome-ignore format: a table
const table = {
  //           owner  admin  preparer approver developer  viewer
  read:       [true,  true,  true,    true,    true,      true],  // account numbers are masked
  export:     [true,  true,  true,    true,    false,     true],
  prepare:    [true,  true,  true,    false,   false,     false], // payments, batches, recurring, invoices, payees; resend
  release:    [true,  true,  false,   true,    false,     false], // and reject
  send:       [true,  true,  false,   false,   false,     false], // without approval; void, deposit, transfer
  accounts:   [true,  true,  false,   false,   false,     false], // banks, signature, company profile
  users:      [true,  true,  false,   false,   'sandbox', false], // create, limits, keys of users
  keys:       [true,  true,  false,   false,   'sandbox', false], // API keys, OAuth consent
  developers: [true,  true,  false,   false,   true,      false], // webhooks, replay, applications, requests
  audit:      [true,  true,  false,   true,    true,      true],
  team:       [true,  true,  false,   false,   false,     false], // admins: roles below admin
  policy:     [true,  false, false,   false,   false,     false], // approvals, two-factor rule, owners, admins
  simulate:   [true,  true,  true,    true,    true,      false], // clock, outcomes; sandbox and demo
} as const satisfies Record<string, readonly [Cell, Cell, Cell, Cell, Cell, Cell]>

export type Permission = keyof typeof table

export const PERMISSIONS = Object.keys(table) as Permission[]

export type Permissions = ReadonlySet<Permission>

/** Everything: a platform user, and a program with a key that no member created. */
export const EVERY_PERMISSION: Permissions = new Set(PERMISSIONS)

export const NO_PERMISSION: Permissions = new Set()

/** The permissions of a role in an environment. */
export const permissionsOf = (role: Role, environment: EnvironmentName): Permissions =>
  sets[environment === 'sandbox' ? 'sandbox' : 'others'][role]

/** What a key or a grant was made with. `createdBy`: the member who made it. `creatorRole`: null when that is no member any more. */
export type MadeWith = { createdBy: string | null; creatorRole: Role | null; permissions: readonly Permission[] | null }

/** The permissions that a key or a grant was created with, as far as its creator still has them. Without a creator, everything. */
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
