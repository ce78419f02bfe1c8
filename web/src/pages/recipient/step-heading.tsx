import { Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import classes from './recipient-page.module.css'

/** The heading of the current step. It takes the focus when it replaces an earlier step. */
export function StepHeading({ children, isFirst = false }: { children: ReactNode; isFirst?: boolean }) {
  const ref = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isFirst) ref.current?.focus()
  }, [isFirst])
  return (
    <Title order={2} tabIndex={-1} ref={ref} className={classes.step}>
      {children}
    </Title>
  )
}
