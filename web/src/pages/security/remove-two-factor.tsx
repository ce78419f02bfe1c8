import { Stack, Text } from '@mantine/core'
import { api } from '../../api.ts'
import { notify } from '../../shown/notify.ts'
import { PasswordAndCodeForm } from './password-and-code-form.tsx'

export const RemoveTwoFactor = ({ onRemoved }: { onRemoved: () => unknown }) => (
  <Stack gap="md">
    <Text>You’ll be able to sign in with only your password.</Text>
    <PasswordAndCodeForm
      send={api.removeTwoFactor}
      onDone={async () => {
        await onRemoved()
        notify('Two-factor sign-in turned off')
      }}
      submit="Turn off"
    />
  </Stack>
)
