import { Button, type ButtonProps, Loader } from '@mantine/core'
import type { ComponentPropsWithRef } from 'react'

type Props = ButtonProps & Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps> & { working: boolean }

/** Ignores presses while it works. Unlike a disabled button, it keeps the focus. */
export function WorkingButton({ working, onClick, type = 'button', ...rest }: Props) {
  const marks = working
    ? { 'aria-disabled': true, 'data-working': true, leftSection: <Loader size={16} color="currentColor" /> }
    : {}
  return <Button {...rest} {...marks} type={type} onClick={working ? undefined : onClick} />
}
