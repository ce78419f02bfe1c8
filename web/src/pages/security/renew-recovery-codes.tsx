import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../api.ts'
import { PasswordAndCodeForm } from './password-and-code-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

export function RenewRecoveryCodes({ onDone }: { onDone: () => void }) {
  const [codes, setCodes] = useState<string[] | null>(null)
  if (codes !== null) return <RecoveryCodes codes={codes} onDone={onDone} />
  return (
    <Stack gap="md">
      <Text>Your old recovery codes will stop working.</Text>
      <PasswordAndCodeForm
        send={api.renewRecoveryCodes}
        onDone={(answer) => setCodes(answer.recovery_codes)}
        submit="Generate new codes"
      />
    </Stack>
  )
}
