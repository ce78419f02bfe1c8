import { Alert } from '@mantine/core'
import { IconEyeOff } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'

/** Warns that a secret is shown only once. It takes the focus, so that a second Enter does not close the dialog. */
export function ShownOnce({ children }: { children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => ref.current?.focus(), [])
  return (
    <Alert ref={ref} tabIndex={-1} data-autofocus color="petrol" icon={<IconEyeOff aria-hidden />} role="note">
      {children}
    </Alert>
  )
}
