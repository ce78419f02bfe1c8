import { UnstyledButton } from '@mantine/core'
import {
  IconApps,
  IconChevronDown,
  IconCode,
  IconHistory,
  IconLink,
  IconShieldLock,
  IconUser,
  IconWebhook,
} from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import classes from './settings-layout.module.css'

const pages = [
  { to: '/settings/developer', name: 'Developer', icon: IconCode },
  { to: '/settings/webhooks', name: 'Webhooks', icon: IconWebhook },
  { to: '/settings/applications', name: 'Applications', icon: IconApps },
  { to: '/settings/connected', name: 'Connected applications', icon: IconLink },
  { to: '/settings/profile', name: 'Profile', icon: IconUser },
  { to: '/settings/security', name: 'Security', icon: IconShieldLock },
  { to: '/settings/audit', name: 'Audit trail', icon: IconHistory },
] as const

/** The navigation next to the page. On a narrow screen it collapses into one line with the page's name. */
export function SettingsNav() {
  const [isOpen, setOpen] = useState(false)
  const { pathname } = useLocation()
  return (
    <nav aria-label="Settings" className={classes.nav}>
      <UnstyledButton
        className={classes.fold}
        aria-expanded={isOpen}
        aria-controls="settings-pages"
        onClick={() => setOpen(!isOpen)}
      >
        <span>
          <span className={classes.where}>Settings / </span>
          {pages.find(({ to }) => pathname.startsWith(to))?.name}
        </span>
        <IconChevronDown size={18} aria-hidden />
      </UnstyledButton>
      <ul id="settings-pages" className={classes.list} data-open={isOpen}>
        {pages.map(({ to, name, icon: Icon }) => (
          <li key={to}>
            <Link to={to} className={classes.link} onClick={() => setOpen(false)}>
              <Icon size={18} stroke={1.75} aria-hidden />
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
