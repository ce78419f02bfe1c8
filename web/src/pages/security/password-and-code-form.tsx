import { useForm } from '@mantine/form'
import { AppCodeField } from '../../form/code-field.tsx'
import { isGiven } from '../../form/form-rules.ts'
import { PasswordField } from '../../form/password-field.tsx'
import { ServiceForm } from '../../form/service-form.tsx'

type Props<Answer> = {
  send: (proof: { password: string; code: string }) => Promise<Answer>
  onDone: (answer: Answer) => unknown
  submit: string
}

/** Asks for both factors before changes that weaken the sign-in. */
export function PasswordAndCodeForm<Answer>({ send, onDone, submit }: Props<Answer>) {
  const form = useForm({
    initialValues: { password: '', code: '' },
    validate: { password: isGiven('Enter your password.'), code: isGiven('Enter the code.') },
  })
  return (
    <ServiceForm
      form={form}
      send={({ password, code }) => send({ password, code: code.trim() })}
      onDone={onDone}
      submit={submit}
    >
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        data-autofocus
        {...form.getInputProps('password')}
      />
      <AppCodeField {...form.getInputProps('code')} />
    </ServiceForm>
  )
}
