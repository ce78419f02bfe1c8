import { Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { api } from '../../api.ts'
import { AppCodeField } from '../../form/code-field.tsx'
import { isGiven } from '../../form/form-rules.ts'
import { PasswordField } from '../../form/password-field.tsx'
import { ServiceForm } from '../../form/service-form.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'

type Props = { token: string; email: string; onJoined: () => void }

/** The password of the existing login, then the code if it has a second factor. */
export function JoinWithLogin({ token, email, onJoined }: Props) {
  const [needsCode, setNeedsCode] = useState(false)
  const form = useForm({
    initialValues: { password: '', code: '' },
    validate: {
      password: isGiven('Enter your password.'),
      code: (value) => (needsCode ? isGiven('Enter the code.')(value) : null),
    },
  })
  return (
    <ServiceForm
      form={form}
      send={({ password, code }) => api.acceptInvitation({ token, password, ...(needsCode && { code: code.trim() }) })}
      onDone={({ second_factor }) => (second_factor ? setNeedsCode(true) : onJoined())}
      submit="Join"
      fullWidth
    >
      <Text>
        Sign in as <strong>{email}</strong> to accept.
      </Text>
      {needsCode ? (
        <AppCodeField autoFocus {...form.getInputProps('code')} />
      ) : (
        <>
          <PasswordField label="Password" autoComplete="current-password" {...form.getInputProps('password')} />
          <Text>
            <RouterAnchor to="/forgot-password">Forgot your password?</RouterAnchor>
          </Text>
        </>
      )}
    </ServiceForm>
  )
}
