import { TextInput, type TextInputProps } from '@mantine/core'
import { useServiceContext } from '../service-context.ts'

/** A code from an email. The hint shows the fixed code of sandbox and demo. */
export function MailedCodeField(props: TextInputProps) {
  const { fixed_code, environment } = useServiceContext()
  const hint = fixed_code === null ? 'Six digits' : `In the ${environment}, the code is always ${fixed_code}`
  return <CodeField description={hint} inputMode="numeric" {...props} />
}

/** A code from an authenticator app or a recovery code, which can contain letters. */
export function AppCodeField(props: TextInputProps) {
  return <CodeField description="From your authenticator app, or one of your recovery codes" {...props} />
}

const monospaced = { input: { fontFamily: 'var(--mantine-font-family-monospace)', letterSpacing: '0.08em' } }

export const CodeField = (props: TextInputProps) => (
  <TextInput label="Code" required autoComplete="one-time-code" styles={monospaced} spellCheck={false} {...props} />
)
