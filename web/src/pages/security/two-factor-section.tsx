import { Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { focusHeading } from '../../layout/page-heading.tsx'
import { Section } from '../../layout/section.tsx'
import { contextQuery } from '../../service-context.ts'
import { DialogButton } from '../../shown/dialog-button.tsx'
import { RemoveTwoFactor } from './remove-two-factor.tsx'
import { RenewRecoveryCodes } from './renew-recovery-codes.tsx'
import { SetUpTwoFactor } from './set-up-two-factor.tsx'

/** The second factor: a code from an authenticator app, after the password. */
export function TwoFactorSection({ isOn, hasOldCodes }: { isOn: boolean; hasOldCodes: boolean }) {
  const queryClient = useQueryClient()
  const refreshContext = () => void queryClient.invalidateQueries(contextQuery)
  const refresh = async () => {
    await queryClient.invalidateQueries(contextQuery)
    focusHeading() // The button that opened the dialog no longer exists.
  }
  return (
    <Section
      title="Two-factor sign-in"
      about={
        <>
          <strong>{isOn ? 'On.' : 'Off.'}</strong> Adds a code from an app on your phone after your password.{' '}
          {hasOldCodes && <strong>Your recovery codes will stop working soon. Generate new ones.</strong>}
        </>
      }
      action={
        isOn ? (
          <Group gap="sm">
            <DialogButton label="New recovery codes" title="New recovery codes" onClose={refreshContext}>
              {(close) => <RenewRecoveryCodes onDone={close} />}
            </DialogButton>
            <DialogButton label="Turn off" title="Turn two-factor sign-in off">
              {() => <RemoveTwoFactor onRemoved={refresh} />}
            </DialogButton>
          </Group>
        ) : (
          <DialogButton label="Turn on" title="Turn two-factor sign-in on" variant="filled" onClose={refresh}>
            {(close) => <SetUpTwoFactor onDone={close} />}
          </DialogButton>
        )
      }
    />
  )
}
