import { useNetwork } from '@mantine/hooks'
import classes from './offline-notice.module.css'

/** Warns that the browser is offline and the shown data may be old. */
export function OfflineNotice() {
  const { online } = useNetwork()
  return (
    <div role="status">
      {!online && <div className={classes.notice}>You’re offline. What you see may be out of date.</div>}
    </div>
  )
}
