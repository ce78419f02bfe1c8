import { Group, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { useServiceContext } from '../service-context.ts'
import { environmentNames } from './environment-menu.tsx'
import classes from './section.module.css'

type Props = {
  title: string
  /** The content of the h1, if it differs from the title. */
  shown?: ReactNode
  action?: ReactNode
  children?: ReactNode
}

/** The h1 of a page, which also sets the document title. It takes the focus after navigation (`router.ts`). */
export function PageHeading({ title, shown = title, action, children }: Props) {
  const { environment } = useServiceContext()
  const heading = useKeptFocus()
  useEffect(() => {
    document.title = `${title} · Remit ${environmentNames[environment]}`
  }, [title, environment])
  return (
    <Group component="header" justify="space-between" align="flex-start" gap="md">
      <div className={classes.words}>
        <Title order={1} tabIndex={-1} ref={heading}>
          {shown}
        </Title>
        {children && (
          <Text component="div" c="dimmed" mt={6} maw="72ch">
            {children}
          </Text>
        )}
      </div>
      {action}
    </Group>
  )
}

let hadFocus = false

/** Passes the focus of the heading of a loading page to the heading that replaces it. Otherwise the keyboard would start at the top. */
function useKeptFocus() {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    const element = heading.current
    if (hadFocus && document.activeElement === document.body) element?.focus({ preventScroll: true })
    hadFocus = false
    return () => {
      hadFocus = element !== null && document.activeElement === element
    }
  }, [])
  return heading
}

export const focusHeading = () => document.querySelector('h1')?.focus({ preventScroll: true })
