import { Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { isGiven } from '../../form/form-rules.ts'
import { PasswordField } from '../../form/password-field.tsx'
import { ServiceForm } from '../../form/service-form.tsx'
import { Section } from '../../layout/section.tsx'
import { contextQuery } from '../../service-context.ts'
import { DialogButton } from '../../shown/dialog-button.tsx'
import { notify } from '../../shown/notify.ts'
import { ConfirmEmailForm } from '../confirm-email-form.tsx'

export const EmailSection = ({ email }: { email: string }) => (
  <Section
    title="Email"
    about={
      <>
        You sign in with <strong>{email}</strong>. We also send codes to this address.
      </>
    }
    action={
      <DialogButton label="Change email" title="Change email">
        {(close) => <ChangeEmail onChanged={close} />}
      </DialogButton>
    }
  />
)

function ChangeEmail({ onChanged }: { onChanged: () => void }) {
  const queryClient = useQueryClient()
  const [verification, setVerification] = useState<string | null>(null)
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: { email: isGiven('Enter a new email.'), password: isGiven('Enter your password.') },
  })
  const onConfirmed = async () => {
    await queryClient.invalidateQueries(contextQuery)
    onChanged()
    notify('Email changed')
  }
  if (verification === null) {
    return (
      <ServiceForm
        form={form}
        send={api.changeEmail}
        onDone={(answer) => setVerification(answer.verification)}
        submit="Continue"
      >
        <TextInput
          label="New email"
          type="email"
          autoComplete="email"
          data-autofocus
          required
          {...form.getInputProps('email')}
        />
        <PasswordField label="Current password" autoComplete="current-password" {...form.getInputProps('password')} />
      </ServiceForm>
    )
  }
  return (
    <Stack gap="md">
      <ConfirmEmailForm
        email={form.values.email}
        send={(code) => api.confirmEmail({ verification, code })}
        onDone={onConfirmed}
        sendAgain={async () => setVerification((await api.changeEmail(form.values)).verification)}
        onOtherEmail={() => setVerification(null)}
      />
    </Stack>
  )
}
