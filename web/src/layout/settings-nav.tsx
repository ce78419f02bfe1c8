import { Badge, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { approvalCountQuery } from '../pages/approvals/approval-queries.ts'
import { useServiceContext } from '../service-context.ts'
import { isAt, pagesOf, settingsPages } from '../settings-pages.ts'
import classes from './settings-layout.module.css'

/** The navigation next to the page, with the pages that the role can open. On a narrow screen it collapses into one line with the page's name. */
export function SettingsNav() {
  const [isOpen, setOpen] = useState(false)
  const { pathname } = useLocation()
  const { owner } = useServiceContext()
  return (
    <nav aria-label="Main" className={classes.nav}>
      <UnstyledButton
        className={classes.fold}
        aria-expanded={isOpen}
        aria-controls="settings-pages"
        onClick={() => setOpen(!isOpen)}
      >
        <span>
          {pathname.startsWith('/settings') && <span className={classes.where}>Settings / </span>}
          {settingsPages.find((page) => isAt(page, pathname))?.name}
        </span>
        <IconChevronDown size={18} aria-hidden />
      </UnstyledButton>
      <ul id="settings-pages" className={classes.list} data-open={isOpen}>
        {pagesOf(owner).map(({ to, name, icon: Icon }, index, pages) => (
          <li key={to} data-starts={isOfPlatform(to) && !isOfPlatform(pages[index - 1]?.to ?? '/users')}>
            <Link
              to={to}
              activeOptions={{ exact: to === '/', includeSearch: false }}
              className={to === '/send' ? classes.send : classes.link}
              onClick={() => setOpen(false)}
            >
              <Icon size={18} stroke={1.75} aria-hidden />
              {name}
              {to === '/approvals' && <ApprovalCount />}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The lower half of the menu: what concerns the platform rather than its money. */
const isOfPlatform = (to: string) => to === '/users' || to.startsWith('/settings')

/** How many payments wait. */
function ApprovalCount() {
  const { data: count = 0 } = useQuery(approvalCountQuery)
  if (count === 0) return null
  return (
    <Badge size="sm" variant="filled" ml="auto">
      {count > 99 ? '99+' : count}
      <VisuallyHidden> waiting</VisuallyHidden>
    </Badge>
  )
}
