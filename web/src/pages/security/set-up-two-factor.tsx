import { Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { QRCodeSVG } from 'qrcode.react'
import { useState } from 'react'
import type { TwoFactorStart } from '../../answers.ts'
import { api } from '../../api.ts'
import { CodeField } from '../../form/code-field.tsx'
import { isGiven } from '../../form/form-rules.ts'
import { PasswordField } from '../../form/password-field.tsx'
import { ServiceForm } from '../../form/service-form.tsx'
import { ShownValue } from '../../shown/shown-value.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import classes from './security.module.css'

/** Three steps: the password, the QR code with the first code from the app, and the recovery codes. */
export function SetUpTwoFactor({ onDone }: { onDone: () => unknown }) {
  const [start, setStart] = useState<TwoFactorStart | null>(null)
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null)
  if (recoveryCodes !== null) return <RecoveryCodes codes={recoveryCodes} onDone={onDone} />
  if (start !== null) return <ConfirmApp start={start} onConfirmed={setRecoveryCodes} />
  return <AskPassword onStarted={setStart} />
}

function AskPassword({ onStarted }: { onStarted: (start: TwoFactorStart) => void }) {
  const form = useForm({ initialValues: { password: '' }, validate: { password: isGiven('Enter your password.') } })
  return (
    <ServiceForm form={form} send={api.startTwoFactor} onDone={onStarted} submit="Continue">
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        data-autofocus
        {...form.getInputProps('password')}
      />
    </ServiceForm>
  )
}

type ConfirmProps = { start: TwoFactorStart; onConfirmed: (recoveryCodes: string[]) => void }

function ConfirmApp({ start, onConfirmed }: ConfirmProps) {
  const form = useForm({ initialValues: { code: '' }, validate: { code: isGiven('Enter the code.') } })
  return (
    <Stack gap="md">
      <Text>Scan this QR code with your authenticator app, or enter the key by hand.</Text>
      <div className={classes.qr}>
        <QRCodeSVG value={start.uri} size={184} marginSize={3} title="QR code for your authenticator app" />
      </div>
      <ShownValue label="Key" what="key" value={start.secret} />
      <ServiceForm
        form={form}
        send={({ code }) => api.confirmTwoFactor({ code: code.trim() })}
        onDone={(answer) => onConfirmed(answer.recovery_codes)}
        submit="Turn on"
      >
        <CodeField
          autoFocus
          inputMode="numeric"
          description="The six digits in your app"
          {...form.getInputProps('code')}
        />
      </ServiceForm>
    </Stack>
  )
}
