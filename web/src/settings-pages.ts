import {
  IconAddressBook,
  IconApps,
  IconArrowsExchange,
  IconBolt,
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
  IconScale,
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

/** The headings of the menu, in order. The group of money comes first and has no heading. */
export const menuGroups = {
  money: null,
  platform: 'Platform',
  developers: 'Developers',
  settings: 'Settings',
  installation: 'Installation',
} as const

/** Pages of the group `person` are in the menu behind the person's name. */
type PageGroup = keyof typeof menuGroups | 'person'

/** The pages of a signed-in person, in the order of the menu. A page without a permission is open to every role. */
export const settingsPages = [
  { to: '/send', name: 'Send payment', icon: IconSend, permission: 'prepare', group: 'money' },
  { to: '/', name: 'Home', icon: IconHome, permission: 'read', group: 'money' },
  { to: '/payments', name: 'Payments', icon: IconArrowsExchange, permission: 'read', group: 'money' },
  { to: '/batches', name: 'Bulk', icon: IconTable, permission: 'read', group: 'money' },
  { to: '/invoices', name: 'Invoices', icon: IconFileInvoice, permission: 'read', group: 'money' },
  { to: '/recurring', name: 'Recurring', icon: IconRepeat, permission: 'read', group: 'money' },
  { to: '/approvals', name: 'Approvals', icon: IconChecklist, permission: 'read', group: 'money' },
  { to: '/payees', name: 'Payees', icon: IconAddressBook, permission: 'read', group: 'money' },
  { to: '/accounts', name: 'Accounts', icon: IconBuildingBank, permission: 'read', group: 'money' },
  { to: '/users', name: 'Users', icon: IconUsers, permission: 'read', group: 'platform' },
  { to: '/settings/team', name: 'Team', icon: IconUsersGroup, permission: 'team', group: 'platform' },
  { to: '/settings/audit', name: 'Audit trail', icon: IconHistory, permission: 'audit', group: 'platform' },
  { to: '/settings/banks', name: 'Banks', icon: IconBuildingBank, permission: 'operate', group: 'installation' },
  {
    to: '/settings/statements',
    name: 'Bank statements',
    icon: IconScale,
    permission: 'operate',
    group: 'installation',
  },
  { to: '/settings/developer', name: 'API keys', icon: IconCode, permission: 'developers', group: 'developers' },
  { to: '/settings/webhooks', name: 'Webhooks', icon: IconWebhook, permission: 'developers', group: 'developers' },
  { to: '/settings/events', name: 'Events', icon: IconBolt, permission: 'developers', group: 'developers' },
  { to: '/settings/requests', name: 'Requests', icon: IconListSearch, permission: 'developers', group: 'developers' },
  { to: '/settings/applications', name: 'Applications', icon: IconApps, permission: 'developers', group: 'developers' },
  { to: '/settings/approval', name: 'Approval policy', icon: IconGavel, permission: 'read', group: 'settings' },
  { to: '/settings/profile', name: 'Profile', icon: IconUser, permission: 'read', group: 'settings' },
  { to: '/settings/security', name: 'Security', icon: IconShieldLock, permission: null, group: 'settings' },
  { to: '/settings/connected', name: 'Connected applications', icon: IconLink, permission: 'keys', group: 'person' },
] as const satisfies { to: string; name: string; icon: unknown; permission: Permission | null; group: PageGroup }[]

export type SettingsPage = (typeof settingsPages)[number]

const isOpenTo = (owner: Member | null, { permission }: SettingsPage): boolean =>
  permission === null || mayDo(owner, permission)

/** The menu of a payee. Until the platform is set up, the other pages can be opened only by their address. */
const payeePages: readonly string[] = ['/', '/payments', '/accounts']

/** Returns the menu of a person. If a second factor must be set up, it has only the page for that. */
export const menuPages = (owner: Member | null): SettingsPage[] =>
  settingsPages.filter((page) =>
    owner?.must_enroll
      ? page.permission === null
      : isOpenTo(owner, page) && (!owner?.is_payee || payeePages.includes(page.to)),
  )

/** Returns the page at an address if the role may not open it, otherwise null. */
export const refusedPage = (owner: Member | null, pathname: string): SettingsPage | null =>
  settingsPages.find((page) => isAt(page, pathname) && !isOpenTo(owner, page)) ?? null

export const isAt = ({ to }: SettingsPage, pathname: string): boolean =>
  to === '/' ? pathname === '/' : pathname.startsWith(to)

/** Returns the first page after sign-in. */
export const homePage = (owner: Member | null): SettingsPage['to'] =>
  (menuPages(owner).find(({ to }) => to === '/') ?? menuPages(owner)[0])?.to ?? '/settings/security'

/** Returns the first page of the settings. */
export const firstSettingsPage = (owner: Member | null): SettingsPage['to'] =>
  menuPages(owner).find(({ group }) => group === 'developers' || group === 'settings')?.to ?? '/settings/security'
