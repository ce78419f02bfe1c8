import { Button, type ButtonProps, Loader } from '@mantine/core'
import type { ComponentPropsWithRef } from 'react'

type Props = ButtonProps & Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps> & { working: boolean }

/** While it works it does nothing when pressed, but keeps the focus, which a disabled button would lose. */
export function WorkingButton({ working, onClick, type = 'button', ...rest }: Props) {
  const marks = working
    ? { 'aria-disabled': true, 'data-working': true, leftSection: <Loader size={16} color="currentColor" /> }
    : {}
  return <Button {...rest} {...marks} type={type} onClick={working ? undefined : onClick} />
}
