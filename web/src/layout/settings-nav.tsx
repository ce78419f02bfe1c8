import { Badge, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useClickOutside } from '@mantine/hooks'
import { IconChevronDown, IconMenu2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { type ComponentProps, useId, useState } from 'react'
import type { Member } from '../answers.ts'
import { approvalCountQuery } from '../pages/approvals/approval-queries.ts'
import { useServiceContext } from '../service-context.ts'
import { isAt, menuGroups, menuPages, type SettingsPage, settingsPages } from '../settings-pages.ts'
import { SetUpPlatform } from './set-up-platform.tsx'
import classes from './settings-layout.module.css'

/** The navigation next to the page, with the pages that the role can open. On a tablet it collapses into one line with the page's name, on a phone into More. */
export function SettingsNav() {
  const [isOpen, setOpen] = useState(false)
  const { pathname } = useLocation()
  const { owner } = useServiceContext()
  const pages = menuPages(owner)
  const current = settingsPages.find((page) => isAt(page, pathname))
  const heading = current && current.group !== 'person' ? menuGroups[current.group] : null
  const nav = useClickOutside<HTMLElement>(() => setOpen(false))
  const control = { 'aria-expanded': isOpen, 'aria-controls': 'settings-pages', onClick: () => setOpen(!isOpen) }
  return (
    <nav
      ref={nav}
      aria-label="Main"
      className={classes.nav}
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !isOpen) return
        for (const button of nav.current?.querySelectorAll<HTMLElement>('[aria-expanded]') ?? []) button.focus() // one is shown
        setOpen(false)
      }}
    >
      {pages.length > 1 && <PhoneBar pages={pages} owner={owner} more={control} />}
      <UnstyledButton className={classes.fold} {...control}>
        <span>
          {heading && <span className={classes.where}>{heading} / </span>}
          {current?.name}
        </span>
        <IconChevronDown size={18} aria-hidden />
      </UnstyledButton>
      <div id="settings-pages" className={classes.groups} data-open={isOpen}>
        {Object.entries(menuGroups).map(([group, heading]) => (
          <PageGroup
            key={group}
            heading={heading}
            pages={pages.filter((page) => page.group === group)}
            onChoose={() => setOpen(false)}
          />
        ))}
        <SetUpPlatform />
      </div>
    </nav>
  )
}

type PageGroupProps = { heading: string | null; pages: readonly SettingsPage[]; onChoose: () => void }

function PageGroup({ heading, pages, onChoose }: PageGroupProps) {
  const headingId = useId()
  const { owner } = useServiceContext()
  if (pages.length === 0) return null
  return (
    <>
      {heading && (
        <p id={headingId} className={classes.heading}>
          {heading}
        </p>
      )}
      <ul className={classes.list} {...(heading && { 'aria-labelledby': headingId })}>
        {pages.map(({ to, name, icon: Icon }) => (
          <li key={to}>
            <Link
              to={to}
              search={searchOf(to, owner)}
              activeOptions={{ exact: to === '/', includeSearch: false }}
              className={to === '/send' ? classes.send : classes.link}
              onClick={onChoose}
            >
              <Icon size={18} stroke={1.75} aria-hidden />
              {name}
              {to === '/approvals' && <ApprovalCount className={classes.count} />}
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Returns the filters of a menu link: a payee sees incoming payments first. */
const searchOf = (to: SettingsPage['to'], owner: Member | null): object =>
  to === '/payments' && owner?.is_payee ? { direction: 'INCOMING' } : {}

const PHONE_PAGES = { '/': 'Home', '/payments': 'Payments', '/send': 'Send', '/approvals': 'Approvals' } as const
const PAYEE_PHONE_PAGES = { '/': 'Home', '/payments': 'Payments', '/accounts': 'Accounts' } as const

type PhoneBarProps = { pages: readonly SettingsPage[]; owner: Member | null; more: ComponentProps<'button'> }

/** The bar at the bottom of a phone, with the most used pages and a button for the rest of the menu. */
const PhoneBar = ({ pages, owner, more }: PhoneBarProps) => (
  <div className={classes.phone}>
    {Object.entries(owner?.is_payee ? PAYEE_PHONE_PAGES : PHONE_PAGES).map(([to, name]) => {
      const page = pages.find((each) => each.to === to)
      const Icon = page?.icon
      return (
        Icon && (
          <Link
            key={to}
            to={to}
            search={searchOf(page.to, owner)}
            activeOptions={{ exact: to === '/', includeSearch: false }}
            className={classes.tab}
          >
            <Icon size={20} stroke={1.75} aria-hidden />
            {name}
            {to === '/approvals' && <ApprovalCount className={classes.tabCount} />}
          </Link>
        )
      )
    })}
    <UnstyledButton className={classes.tab} {...more}>
      <IconMenu2 size={20} stroke={1.75} aria-hidden />
      More
    </UnstyledButton>
  </div>
)

/** The number of payments that wait for an approval. */
function ApprovalCount({ className }: { className: string | undefined }) {
  const { data: count = 0 } = useQuery(approvalCountQuery)
  if (count === 0) return null
  return (
    <Badge size="sm" variant="filled" className={className}>
      {count > 99 ? '99+' : count}
      <VisuallyHidden> waiting</VisuallyHidden>
    </Badge>
  )
}
