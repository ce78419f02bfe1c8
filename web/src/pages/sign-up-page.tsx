import { TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../api.ts'
import { isGiven } from '../form/form-rules.ts'
import { NEW_PASSWORD_HINT, PasswordField } from '../form/password-field.tsx'
import { ServiceForm } from '../form/service-form.tsx'
import { EntryCard, EntryLayout } from '../layout/entry-layout.tsx'
import { PageHeading } from '../layout/page-heading.tsx'
import { RouterAnchor } from '../layout/router-anchor.tsx'
import { ConfirmEmailForm } from './confirm-email-form.tsx'

const route = getRouteApi('/sign-up')
const empty = { name: '', email: '', password: '' }

/** Name, email and password, then the code that was sent to that address. */
export function SignUpPage() {
  const { back } = route.useSearch()
  const router = useRouter()
  const queryClient = useQueryClient()
  const isPayee = back?.startsWith('/pay/') === true
  const send = (fields: typeof empty) => api.signUp({ ...fields, ...(isPayee && { is_payee: true }) })
  const [verification, setVerification] = useState<string | null>(null)
  const form = useForm({
    initialValues: empty,
    validate: {
      name: isGiven('Enter your name or business name.'),
      email: isGiven('Enter your email.'),
      password: isGiven('Choose a password.'),
    },
  })

  const onConfirmed = async () => {
    await queryClient.invalidateQueries()
    await router.navigate({ href: back ?? '/' })
  }

  return (
    <EntryLayout>
      <EntryCard
        below={
          <>
            Already have an account?{' '}
            <RouterAnchor to="/sign-in" search={{ back }}>
              Sign in
            </RouterAnchor>
          </>
        }
      >
        {verification === null ? (
          <>
            <PageHeading title="Sign up for Remit">
              {isPayee ? 'Get paid into your saved accounts.' : 'Send and receive payments from your own account.'}
            </PageHeading>
            <SignUpForm form={form} send={send} onSent={setVerification} />
          </>
        ) : (
          <>
            <PageHeading title="Confirm your email" />
            <ConfirmEmailForm
              email={form.values.email}
              send={(code) => api.confirmSignUp({ verification, code })}
              onDone={onConfirmed}
              sendAgain={async () => setVerification((await send(form.values)).verification)}
              onOtherEmail={() => setVerification(null)}
            />
          </>
        )}
      </EntryCard>
    </EntryLayout>
  )
}

type FormProps = {
  form: UseFormReturnType<typeof empty>
  send: (fields: typeof empty) => Promise<{ verification: string }>
  onSent: (verification: string) => void
}

const SignUpForm = ({ form, send, onSent }: FormProps) => (
  <ServiceForm form={form} send={send} onDone={({ verification }) => onSent(verification)} submit="Sign up" fullWidth>
    <TextInput label="Name" autoComplete="name" required {...form.getInputProps('name')} />
    <TextInput label="Email" type="email" autoComplete="username" required {...form.getInputProps('email')} />
    <PasswordField
      label="Password"
      autoComplete="new-password"
      description={NEW_PASSWORD_HINT}
      {...form.getInputProps('password')}
    />
  </ServiceForm>
)
