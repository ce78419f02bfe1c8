import { notifications } from '@mantine/notifications'

/** Shows a short notice in a corner of the page, which screen readers announce. */
export const notify = (message: string) =>
  notifications.show({ message, color: 'petrol', withBorder: true, closeButtonProps: { 'aria-label': 'Close' } })
