import { Link } from '@tanstack/react-router'
import classes from './tabs.module.css'

const tabs = [
  { direction: undefined, name: 'Sent' },
  { direction: 'INCOMING', name: 'Received' },
] as const

type Direction = (typeof tabs)[number]['direction']

type Props = { to: '/invoices' | '/recurring'; current: Direction }

/** Switches between sent and received items. Clears the other filters of the list. */
export const DirectionTabs = ({ to, current }: Props) => (
  <nav aria-label="Sent or received" className={classes.tabs}>
    {tabs.map(({ direction, name }) => (
      <Link
        key={name}
        to={to}
        search={{ status: undefined, direction }}
        activeOptions={{ exact: true }} // otherwise the first tab counts as current on both lists
        className={classes.tab}
        aria-current={direction === current ? 'page' : undefined}
      >
        {name}
      </Link>
    ))}
  </nav>
)
