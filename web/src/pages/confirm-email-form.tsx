import { useForm } from '@mantine/form'
import { MailedCodeField } from '../form/code-field.tsx'
import { isGiven } from '../form/form-rules.ts'
import { ServiceForm } from '../form/service-form.tsx'
import { CodeSentNote, NoCodeHelp } from './mailed-code.tsx'

type Props = {
  email: string
  send: (code: string) => Promise<unknown>
  onDone: () => unknown
  sendAgain: () => Promise<unknown>
  onOtherEmail: () => void
}

/** The second step of verifying an email address: the person enters the code that was sent to it. */
export function ConfirmEmailForm({ email, send, onDone, sendAgain, onOtherEmail }: Props) {
  const form = useForm({ initialValues: { code: '' }, validate: { code: isGiven('Enter the code.') } })
  return (
    <>
      <CodeSentNote email={email} />
      <ServiceForm form={form} send={({ code }) => send(code.trim())} onDone={onDone} submit="Confirm" fullWidth>
        <MailedCodeField autoFocus {...form.getInputProps('code')} />
      </ServiceForm>
      <NoCodeHelp sendAgain={sendAgain} onOtherEmail={onOtherEmail} />
    </>
  )
}
