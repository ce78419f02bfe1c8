import { Group } from '@mantine/core'
import { IconBook2 } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useServiceContext } from '../service-context.ts'
import { ColorSchemeButton } from './color-scheme-button.tsx'
import environmentClasses from './environment-menu.module.css'
import { EnvironmentMenu } from './environment-menu.tsx'
import classes from './header.module.css'
import { Wordmark } from './wordmark.tsx'

/** The header of every page. `children` appear at its end: the owner menu. */
export function Header({ children }: { children?: ReactNode }) {
  const { environment } = useServiceContext()
  return (
    <header className={classes.header}>
      <div className={environmentClasses.strip} data-environment={environment} />
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <div className={classes.row}>
        <Group gap="sm" wrap="nowrap">
          <Wordmark />
          <EnvironmentMenu />
        </Group>
        <Group gap={4} wrap="nowrap">
          <a href="/docs/" className={`${classes.link} ${classes.reference}`} aria-label="API reference">
            <IconBook2 size={18} aria-hidden />
            <span className={classes.wide}>API reference</span>
          </a>
          <ColorSchemeButton />
          {children}
        </Group>
      </div>
    </header>
  )
}
