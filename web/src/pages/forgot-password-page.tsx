import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../api.ts'
import { MailedCodeField } from '../form/code-field.tsx'
import { isGiven } from '../form/form-rules.ts'
import { NEW_PASSWORD_HINT, PasswordField } from '../form/password-field.tsx'
import { ServiceForm } from '../form/service-form.tsx'
import { EntryCard, EntryLayout } from '../layout/entry-layout.tsx'
import { PageHeading } from '../layout/page-heading.tsx'
import { RouterAnchor } from '../layout/router-anchor.tsx'
import { notify } from '../shown/notify.ts'
import { CodeSentNote, NoCodeHelp } from './mailed-code.tsx'

const route = getRouteApi('/forgot-password')

/** Step 1: the email address. Step 2: the code that was sent to it, and the new password. */
export function ForgotPasswordPage() {
  const search = route.useSearch()
  const router = useRouter()
  const [verification, setVerification] = useState<string | null>(null)
  const form = useForm({ initialValues: { email: '' }, validate: { email: isGiven('Enter your email.') } })

  const onReset = async () => {
    await router.navigate({ to: '/sign-in', search })
    notify('Password changed. Sign in with your new password.')
  }

  return (
    <EntryLayout>
      <EntryCard
        below={
          <RouterAnchor to="/sign-in" search={search}>
            Back to sign in
          </RouterAnchor>
        }
      >
        {verification === null ? (
          <>
            <PageHeading title="Forgot your password?">
              Enter your email and we’ll send you a code to reset your password.
            </PageHeading>
            <ServiceForm
              form={form}
              send={api.forgotPassword}
              onDone={(answer) => setVerification(answer.verification)}
              submit="Send code"
              fullWidth
            >
              <TextInput label="Email" type="email" autoComplete="username" required {...form.getInputProps('email')} />
            </ServiceForm>
          </>
        ) : (
          <>
            <PageHeading title="Choose a new password" />
            <CodeSentNote email={form.values.email} />
            <NewPasswordForm verification={verification} onReset={onReset} />
            <NoCodeHelp
              sendAgain={async () => setVerification((await api.forgotPassword(form.values)).verification)}
              onOtherEmail={() => setVerification(null)}
            />
          </>
        )}
      </EntryCard>
    </EntryLayout>
  )
}

function NewPasswordForm({ verification, onReset }: { verification: string; onReset: () => unknown }) {
  const form = useForm({
    initialValues: { code: '', password: '' },
    validate: { code: isGiven('Enter the code.'), password: isGiven('Choose a password.') },
  })
  return (
    <ServiceForm
      form={form}
      send={({ code, password }) => api.resetPassword({ verification, code: code.trim(), password })}
      onDone={onReset}
      submit="Change password"
      fullWidth
    >
      <MailedCodeField autoFocus {...form.getInputProps('code')} />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        description={NEW_PASSWORD_HINT}
        {...form.getInputProps('password')}
      />
    </ServiceForm>
  )
}
