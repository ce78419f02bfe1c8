import {
  IconAddressBook,
  IconApps,
  IconArrowsExchange,
  IconBuildingBank,
  IconChecklist,
  IconCode,
  IconFileInvoice,
  IconGavel,
  IconHistory,
  IconHome,
  IconLink,
  IconListSearch,
  IconRepeat,
  IconSend,
  IconShieldLock,
  IconTable,
  IconUser,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react'
import type { Member, Permission } from './answers.ts'
import { mayDo } from './permission.ts'

/** The pages of a signed-in person, in the order of the menu. One without a permission is open to every role. */
export const settingsPages = [
  { to: '/send', name: 'Send payment', icon: IconSend, permission: 'prepare' },
  { to: '/', name: 'Home', icon: IconHome, permission: 'read' },
  { to: '/payments', name: 'Payments', icon: IconArrowsExchange, permission: 'read' },
  { to: '/batches', name: 'Bulk', icon: IconTable, permission: 'read' },
  { to: '/invoices', name: 'Invoices', icon: IconFileInvoice, permission: 'read' },
  { to: '/recurring', name: 'Recurring', icon: IconRepeat, permission: 'read' },
  { to: '/approvals', name: 'Approvals', icon: IconChecklist, permission: 'read' },
  { to: '/payees', name: 'Payees', icon: IconAddressBook, permission: 'read' },
  { to: '/accounts', name: 'Accounts', icon: IconBuildingBank, permission: 'read' },
  { to: '/users', name: 'Users', icon: IconUsers, permission: 'read' },
  { to: '/settings/developer', name: 'Developer', icon: IconCode, permission: 'developers' },
  { to: '/settings/webhooks', name: 'Webhooks', icon: IconWebhook, permission: 'developers' },
  { to: '/settings/requests', name: 'Requests', icon: IconListSearch, permission: 'developers' },
  { to: '/settings/applications', name: 'Applications', icon: IconApps, permission: 'developers' },
  { to: '/settings/connected', name: 'Connected applications', icon: IconLink, permission: 'keys' },
  { to: '/settings/team', name: 'Team', icon: IconUsersGroup, permission: 'team' },
  { to: '/settings/approval', name: 'Approval policy', icon: IconGavel, permission: 'read' },
  { to: '/settings/profile', name: 'Profile', icon: IconUser, permission: 'read' },
  { to: '/settings/security', name: 'Security', icon: IconShieldLock, permission: null },
  { to: '/settings/audit', name: 'Audit trail', icon: IconHistory, permission: 'audit' },
] as const satisfies { to: string; name: string; icon: unknown; permission: Permission | null }[]

export type SettingsPage = (typeof settingsPages)[number]

const isOpenTo = (owner: Member | null, { permission }: SettingsPage): boolean =>
  permission === null || mayDo(owner, permission)

/** A person who must set up a second factor sees only the page for it. */
export const pagesOf = (owner: Member | null): SettingsPage[] =>
  settingsPages.filter((page) => (owner?.must_enroll ? page.permission === null : isOpenTo(owner, page)))

/** The page of an address that the role cannot open, or null. */
export const refusedPage = (owner: Member | null, pathname: string): SettingsPage | null =>
  settingsPages.find((page) => isAt(page, pathname) && !isOpenTo(owner, page)) ?? null

export const isAt = ({ to }: SettingsPage, pathname: string): boolean =>
  to === '/' ? pathname === '/' : pathname.startsWith(to)

/** The first page after sign-in. */
export const homeOf = (owner: Member | null): SettingsPage['to'] =>
  (pagesOf(owner).find(({ to }) => to === '/') ?? pagesOf(owner)[0])?.to ?? '/settings/security'

/** The first of the settings. */
export const firstSettingsOf = (owner: Member | null): SettingsPage['to'] =>
  pagesOf(owner).find(({ to }) => to.startsWith('/settings'))?.to ?? '/settings/security'
