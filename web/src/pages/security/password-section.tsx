import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { isGiven } from '../../form/form-rules.ts'
import { NEW_PASSWORD_HINT, PasswordField } from '../../form/password-field.tsx'
import { ServiceForm } from '../../form/service-form.tsx'
import { Section } from '../../layout/section.tsx'
import { DialogButton } from '../../shown/dialog-button.tsx'
import { notify } from '../../shown/notify.ts'
import { SESSIONS } from './sessions-section.tsx'

export const PasswordSection = ({ email }: { email: string }) => (
  <Section
    title="Password"
    about="Changing your password signs you out everywhere else."
    action={
      <DialogButton label="Change password" title="Change password">
        {(close) => <ChangePassword email={email} onChanged={close} />}
      </DialogButton>
    }
  />
)

function ChangePassword({ email, onChanged }: { email: string; onChanged: () => void }) {
  const queryClient = useQueryClient()
  const form = useForm({
    initialValues: { current: '', password: '' },
    validate: { current: isGiven('Enter your password.'), password: isGiven('Choose a new password.') },
  })
  const onDone = async () => {
    await queryClient.invalidateQueries({ queryKey: SESSIONS })
    onChanged()
    notify('Password changed')
  }
  return (
    <ServiceForm form={form} send={api.changePassword} onDone={onDone} submit="Change password">
      {/* Password managers store the new password under this name. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        data-autofocus
        {...form.getInputProps('current')}
      />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        description={NEW_PASSWORD_HINT}
        {...form.getInputProps('password')}
      />
    </ServiceForm>
  )
}
