import { Text } from '@mantine/core'
import classes from './webhooks.module.css'

/** The first KiB of a server's response. */
export const ResponseBody = ({ body }: { body: string | null }) =>
  body === null || body === '' ? (
    <Text c="dimmed">The response had no body.</Text>
  ) : (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <pre className={classes.code} tabIndex={0}>
      {body}
    </pre>
  )
