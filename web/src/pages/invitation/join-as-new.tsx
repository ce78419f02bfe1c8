import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { api } from '../../api.ts'
import { isGiven } from '../../form/form-rules.ts'
import { NEW_PASSWORD_HINT, PasswordField } from '../../form/password-field.tsx'
import { ServiceForm } from '../../form/service-form.tsx'

type Props = { token: string; email: string; onJoined: () => void }

/** Name and password of a new person. The link has proved the email. */
export function JoinAsNew({ token, email, onJoined }: Props) {
  const form = useForm({
    initialValues: { name: '', password: '' },
    validate: { name: isGiven('Enter your name.'), password: isGiven('Choose a password.') },
  })
  return (
    <ServiceForm
      form={form}
      send={({ name, password }) => api.acceptInvitation({ token, name: name.trim(), password })}
      onDone={onJoined}
      submit="Create login and join"
      fullWidth
    >
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        value={email}
        readOnly
        description="Your invitation works only for this address."
      />
      <TextInput label="Your name" autoComplete="name" required {...form.getInputProps('name')} />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        description={NEW_PASSWORD_HINT}
        {...form.getInputProps('password')}
      />
    </ServiceForm>
  )
}
