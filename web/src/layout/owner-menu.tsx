import { Menu, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconLink, IconLogout, IconShieldLock, IconUser } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../api.ts'
import { errorText } from '../form/field-errors.ts'
import { useSending } from '../form/use-sending.ts'
import { useServiceContext } from '../service-context.ts'
import { notify } from '../shown/notify.ts'
import { leaveSignedOut } from './leave-signed-out.ts'
import classes from './owner-menu.module.css'
import { PlatformItems } from './platform-items.tsx'

/** The menu of the signed-in person. */
export function OwnerMenu() {
  const { owner } = useServiceContext()
  const signingOut = useSending({
    mutationFn: api.signOut,
    onSuccess: leaveSignedOut,
    onError: (error) => notify(errorText(error)),
  })
  // Loaded with the page, so that the menu does not move while it is open.
  const { data: platforms = [] } = useQuery({ queryKey: ['platforms'], queryFn: api.platforms, staleTime: 300_000 })
  if (!owner) return null
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <UnstyledButton className={classes.owner}>
          <span className={classes.initial} aria-hidden>
            {owner.name.slice(0, 1).toUpperCase()}
          </span>
          <span className={classes.name}>
            {owner.name}
            {platforms.length > 1 && <span className={classes.platform}>{owner.platform}</span>}
          </span>
          <IconChevronDown size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className={classes.email}>{owner.email}</Menu.Label>
        <PlatformItems platforms={platforms} />
        {owner.permissions.includes('read') && (
          <Menu.Item component={Link} to="/settings/profile" leftSection={<IconUser size={16} aria-hidden />}>
            Profile
          </Menu.Item>
        )}
        <Menu.Item component={Link} to="/settings/security" leftSection={<IconShieldLock size={16} aria-hidden />}>
          Security
        </Menu.Item>
        {owner.permissions.includes('keys') && (
          <Menu.Item component={Link} to="/settings/connected" leftSection={<IconLink size={16} aria-hidden />}>
            Connected applications
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => signingOut.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
