import type { ReactNode } from 'react'
import { useServiceContext } from '../service-context.ts'
import { EntryMain } from './entry-layout.tsx'
import { environmentNames } from './environment-menu.tsx'
import classes from './recipient-layout.module.css'

/** Layout of the recipient's page, without anything for developers. */
export function RecipientLayout({ children }: { children: ReactNode }) {
  const { environment } = useServiceContext()
  return (
    <>
      {environment !== 'production' && (
        <header className={classes.notice}>{environmentNames[environment]}: no real money moves here.</header>
      )}
      <EntryMain>{children}</EntryMain>
    </>
  )
}
