import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { timeZoneWords } from '../../../src/foundation/lib/clock.ts'
import { followPayments } from '../live.ts'
import { EnrollPage } from '../pages/enroll-page.tsx'
import { RefusedPage } from '../pages/refused-page.tsx'
import { useServiceContext } from '../service-context.ts'
import { refusedPage } from '../settings-pages.ts'
import { ConfirmationDialog } from './confirmation-dialog.tsx'
import { Header } from './header.tsx'
import { OfflineNotice } from './offline-notice.tsx'
import { OwnerMenu } from './owner-menu.tsx'
import { PaletteButton } from './palette-button.tsx'
import { SandboxBar } from './sandbox-bar.tsx'
import { SessionEndDialog } from './session-end-dialog.tsx'
import classes from './settings-layout.module.css'
import { SettingsNav } from './settings-nav.tsx'

/** Layout of the pages of a signed-in owner. */
export function SettingsLayout() {
  const { time_zone } = useServiceContext()
  return (
    <>
      <LiveChanges />
      <Header>
        <PaletteButton />
        <OwnerMenu />
      </Header>
      <OfflineNotice />
      <div className={classes.columns}>
        <SettingsNav />
        <div className={classes.content}>
          <SandboxBar />
          <main id="content" tabIndex={-1} className={classes.main}>
            <OpenPage />
          </main>
          <footer className={classes.zone}>Times are in {timeZoneWords(time_zone)}.</footer>
        </div>
      </div>
      <ConfirmationDialog />
      <SessionEndDialog />
    </>
  )
}

function LiveChanges() {
  const queryClient = useQueryClient()
  const { owner } = useServiceContext()
  const platform = owner && !owner.must_enroll ? owner.id : null
  useEffect(() => (platform === null ? undefined : followPayments(queryClient, platform)), [queryClient, platform])
  return null
}

/** Shows the requested page, unless the role or the platform's two-factor rule refuses it. */
function OpenPage() {
  const { owner } = useServiceContext()
  const { pathname } = useLocation()
  if (owner?.must_enroll) return <EnrollPage />
  const refused = refusedPage(owner, pathname)
  if (refused?.permission) return <RefusedPage name={refused.name} permission={refused.permission} />
  return <Outlet />
}
