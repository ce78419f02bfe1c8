import { Alert } from '@mantine/core'
import { IconEyeOff } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'

/** Says of a secret that this is the only time. It takes the focus: a second Enter must not close the dialog. */
export function ShownOnce({ children }: { children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => ref.current?.focus(), [])
  return (
    <Alert ref={ref} tabIndex={-1} data-autofocus color="petrol" icon={<IconEyeOff aria-hidden />} role="note">
      {children}
    </Alert>
  )
}
