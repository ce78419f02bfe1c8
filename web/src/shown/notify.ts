import { notifications } from '@mantine/notifications'

/** Says in a corner of the page that something was done; it is announced, too. */
export const notify = (message: string) =>
  notifications.show({ message, color: 'petrol', withBorder: true, closeButtonProps: { 'aria-label': 'Close' } })
