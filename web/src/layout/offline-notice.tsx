import { useNetwork } from '@mantine/hooks'
import classes from './offline-notice.module.css'

/** Says that the browser is offline, so that nobody takes old numbers for new ones. */
export function OfflineNotice() {
  const { online } = useNetwork()
  return (
    <div role="status">
      {!online && <div className={classes.notice}>You’re offline. What you see may be out of date.</div>}
    </div>
  )
}
