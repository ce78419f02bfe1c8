import { Text } from '@mantine/core'
import classes from './webhooks.module.css'

/** The first KiB of what a server answered. */
export const ResponseBody = ({ body }: { body: string | null }) =>
  body === null || body === '' ? (
    <Text c="dimmed">The answer had no body.</Text>
  ) : (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <pre className={classes.code} tabIndex={0}>
      {body}
    </pre>
  )
