import { Link } from '@tanstack/react-router'
import classes from '../../layout/tabs.module.css'

/** The tabs of the webhook pages. */
export const WebhooksTabs = () => (
  <nav aria-label="Webhooks" className={classes.tabs}>
    <Link to="/settings/webhooks" activeOptions={{ exact: true }} className={classes.tab}>
      Endpoints
    </Link>
    <Link to="/settings/webhooks/deliveries" activeOptions={{ includeSearch: false }} className={classes.tab}>
      Deliveries
    </Link>
  </nav>
)
