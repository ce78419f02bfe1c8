import { Paper, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './entry-layout.module.css'
import { Header } from './header.tsx'

/** Layout of the pages that need no sign-in: one centered card. */
export const EntryLayout = ({ children }: { children: ReactNode }) => (
  <>
    <Header />
    <EntryMain>{children}</EntryMain>
  </>
)

export const EntryMain = ({ children }: { children: ReactNode }) => (
  <main id="content" tabIndex={-1} className={classes.main}>
    {children}
  </main>
)

export const EntryCard = ({ children, below }: { children: ReactNode; below?: ReactNode }) => (
  <div className={classes.column}>
    <Paper className={classes.card}>
      <Stack gap="lg">{children}</Stack>
    </Paper>
    {below !== undefined && <div className={classes.below}>{below}</div>}
  </div>
)
