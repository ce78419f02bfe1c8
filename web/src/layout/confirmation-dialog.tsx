import { Modal, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEffect, useState } from 'react'
import { api } from '../api.ts'
import { setConfirmation } from '../confirmation.ts'
import { AppCodeField } from '../form/code-field.tsx'
import { isGiven } from '../form/form-rules.ts'
import { PasswordField } from '../form/password-field.tsx'
import { ServiceForm } from '../form/service-form.tsx'
import { useServiceContext } from '../service-context.ts'

/**
 * Asks for the password, or for a code when two-factor sign-in is on, before sensitive actions.
 */
export function ConfirmationDialog() {
  const [finish, setFinish] = useState<((isConfirmed: boolean) => void) | null>(null)
  useEffect(() => {
    setConfirmation(() => new Promise((resolve) => setFinish(() => resolve)))
    return () => setConfirmation(null)
  }, [])
  const end = (isConfirmed: boolean) => {
    finish?.(isConfirmed)
    setFinish(null)
  }
  return (
    <Modal opened={finish !== null} onClose={() => end(false)} title="Confirm it’s you" zIndex={300}>
      <Stack gap="md">
        <Text>For your security, confirm that it’s you before you continue.</Text>
        <ConfirmationForm onConfirmed={() => end(true)} />
      </Stack>
    </Modal>
  )
}

function ConfirmationForm({ onConfirmed }: { onConfirmed: () => void }) {
  const asksForCode = useServiceContext().owner?.has_two_factor === true
  return asksForCode ? <CodeForm onConfirmed={onConfirmed} /> : <PasswordForm onConfirmed={onConfirmed} />
}

function PasswordForm({ onConfirmed }: { onConfirmed: () => void }) {
  const form = useForm({ initialValues: { password: '' }, validate: { password: isGiven('Enter your password.') } })
  return (
    <ServiceForm form={form} send={api.confirm} onDone={onConfirmed} submit="Confirm">
      <PasswordField
        label="Password"
        autoComplete="current-password"
        data-autofocus
        {...form.getInputProps('password')}
      />
    </ServiceForm>
  )
}

function CodeForm({ onConfirmed }: { onConfirmed: () => void }) {
  const form = useForm({ initialValues: { code: '' }, validate: { code: isGiven('Enter the code.') } })
  return (
    <ServiceForm
      form={form}
      send={({ code }) => api.confirm({ code: code.trim() })}
      onDone={onConfirmed}
      submit="Confirm"
    >
      <AppCodeField data-autofocus {...form.getInputProps('code')} />
    </ServiceForm>
  )
}
