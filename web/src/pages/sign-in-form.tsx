import { Button, Group, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { AppCodeField } from '../form/code-field.tsx'
import { isGiven } from '../form/form-rules.ts'
import { PasswordField } from '../form/password-field.tsx'
import { ServiceForm } from '../form/service-form.tsx'
import { RouterAnchor } from '../layout/router-anchor.tsx'

type Props = {
  back?: string | undefined
  /** Called when the new owner is loaded. */
  onSignedIn?: () => unknown
}

/** Email and password, then the code if the owner has a second factor. */
export function SignInForm({ back, onSignedIn }: Props) {
  const queryClient = useQueryClient()
  const [needsCode, setNeedsCode] = useState(false)
  const form = useForm({
    initialValues: { email: '', password: '', code: '' },
    validate: {
      email: isGiven('Enter your email.'),
      password: isGiven('Enter your password.'),
      code: (value) => (needsCode ? isGiven('Enter the code.')(value) : null),
    },
  })

  const onDone = async ({ second_factor }: { second_factor: boolean }) => {
    if (second_factor) return setNeedsCode(true)
    await queryClient.invalidateQueries()
    await onSignedIn?.()
  }

  return (
    <ServiceForm
      form={form}
      send={({ email, password, code }) => api.signIn({ email, password, ...(needsCode && { code: code.trim() }) })}
      onDone={onDone}
      submit="Sign in"
      fullWidth
    >
      {needsCode ? (
        <>
          <Text>
            Signing in as <strong>{form.values.email}</strong>
          </Text>
          <AppCodeField autoFocus {...form.getInputProps('code')} />
          <Group ml={-8}>
            <Button variant="subtle" size="compact-sm" onClick={() => setNeedsCode(false)}>
              Use a different email
            </Button>
          </Group>
        </>
      ) : (
        <>
          <TextInput label="Email" type="email" autoComplete="username" required {...form.getInputProps('email')} />
          <PasswordField label="Password" autoComplete="current-password" {...form.getInputProps('password')} />
          <Text>
            <RouterAnchor to="/forgot-password" search={{ back }}>
              Forgot your password?
            </RouterAnchor>
          </Text>
        </>
      )}
    </ServiceForm>
  )
}
