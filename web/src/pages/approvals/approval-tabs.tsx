import { Link } from '@tanstack/react-router'
import tabClasses from '../../layout/tabs.module.css'

const tabs = [
  { name: 'Waiting', to: '/approvals' },
  { name: 'Ended', to: '/approvals/ended' },
] as const

export const ApprovalTabs = () => (
  <nav aria-label="Waiting or ended" className={tabClasses.tabs}>
    {tabs.map(({ name, to }) => (
      <Link
        key={name}
        to={to}
        activeOptions={{ exact: true }}
        activeProps={{ 'aria-current': 'page' }}
        className={tabClasses.tab}
      >
        {name}
      </Link>
    ))}
  </nav>
)
