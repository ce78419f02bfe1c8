import { Outlet } from '@tanstack/react-router'
import { ConfirmationDialog } from './confirmation-dialog.tsx'
import { Header } from './header.tsx'
import { OwnerMenu } from './owner-menu.tsx'
import classes from './settings-layout.module.css'
import { SettingsNav } from './settings-nav.tsx'

/** Layout of the pages of a signed-in owner. */
export const SettingsLayout = () => (
  <>
    <Header>
      <OwnerMenu />
    </Header>
    <div className={classes.columns}>
      <SettingsNav />
      <main id="content" tabIndex={-1} className={classes.main}>
        <Outlet />
      </main>
    </div>
    <ConfirmationDialog />
  </>
)
