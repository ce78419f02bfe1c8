import type { Permission, Role } from './answers.ts'

/** Names and summaries of the roles. The service returns their permissions. */
export const roleWords: Record<Role, { name: string; summary: string }> = {
  owner: { name: 'Owner', summary: 'Owners have full access, including security rules, owners and admins.' },
  admin: { name: 'Admin', summary: 'Admins run the account day to day. They can’t change owners, admins or policies.' },
  preparer: { name: 'Preparer', summary: 'Preparers create payments for someone else to approve.' },
  approver: { name: 'Approver', summary: 'Approvers approve or reject payments that others prepare.' },
  developer: { name: 'Developer', summary: 'Developers build the integration. They can’t move money.' },
  viewer: { name: 'Viewer', summary: 'Viewers see payments, accounts and the audit trail, and change nothing.' },
}

/** Returns the role with its article: “an owner”, “a viewer”. */
export const roleWithArticle = (role: Role): string =>
  `${/^[ao]/.test(role) ? 'an' : 'a'} ${roleWords[role].name.toLowerCase()}`

export const permissionWords: Record<Permission, string> = {
  read: 'View payments and accounts',
  export: 'Export data',
  prepare: 'Prepare payments',
  release: 'Approve payments',
  send: 'Send money without approval',
  accounts: 'Manage bank accounts and profile',
  users: 'Manage users',
  keys: 'Manage API keys',
  developers: 'Manage webhooks and applications',
  audit: 'View the audit trail',
  team: 'Manage the team',
  policy: 'Set policies, owners and admins',
  simulate: 'Simulate events in the sandbox',
  operate: 'Operate the installation',
}
