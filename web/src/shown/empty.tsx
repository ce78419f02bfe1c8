import { Stack, Title } from '@mantine/core'
import type { ComponentType, ReactNode } from 'react'
import classes from './empty.module.css'

type Props = {
  title: string
  icon: ComponentType<{ size: number; stroke: number; 'aria-hidden': true }>
  level?: 2 | 3
  children?: ReactNode
}

/** An empty list. It says whether nothing exists or nothing matches, and what to do. */
export const Empty = ({ title, icon: Icon, level = 2, children }: Props) => (
  <Stack align="center" gap="xs" className={classes.empty}>
    <span className={classes.icon}>
      <Icon size={22} stroke={1.75} aria-hidden />
    </span>
    <Title order={level}>{title}</Title>
    {children}
  </Stack>
)
