import { Modal, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { WaitingLine } from '../../answers.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { signedDollars } from '../../shown/dollars.ts'
import { dayText } from '../../shown/moment.tsx'
import type { LineDecision } from './use-line-decisions.ts'

export type OpenDialog = { line: WaitingLine; kind: 'book' | 'ignore' }

type Props = {
  dialog: OpenDialog | null
  onDecide: (decision: LineDecision) => Promise<unknown>
  onClose: () => void
}

/** Asks for the account that explains a line, or for the reason to ignore it. */
export const LineDialog = ({ dialog, onDecide, onClose }: Props) => (
  <Modal
    opened={dialog !== null}
    onClose={onClose}
    title={dialog?.kind === 'ignore' ? 'Ignore this line?' : 'Book to which account?'}
    closeOnClickOutside={false}
  >
    {dialog && (
      <DecisionForm key={dialog.line.id + dialog.kind} dialog={dialog} onDecide={onDecide} onClose={onClose} />
    )}
  </Modal>
)

const words = {
  book: {
    label: 'Account',
    about: 'Such as fees, interest or bank_errors. A new name creates an account.',
    submit: 'Book line',
  },
  ignore: { label: 'Reason', about: 'It stays in the history and in the report of the month.', submit: 'Ignore line' },
} as const

function DecisionForm({ dialog: { line, kind }, onDecide, onClose }: Props & { dialog: OpenDialog }) {
  const { label, about, submit } = words[kind]
  const form = useForm({
    initialValues: { text: '' },
    validate: { text: (text) => problemOf(kind, text.trim()) },
  })
  return (
    <ServiceForm
      form={form}
      submit={submit}
      send={({ text }) => onDecide(kind === 'book' ? { line, account: text.trim() } : { line, why: text.trim() })}
      onDone={onClose}
    >
      <Text c="dimmed">
        {signedDollars(line.amount)} of {dayText(line.day)}
      </Text>
      <TextInput
        data-autofocus
        label={label}
        description={about}
        maxLength={kind === 'book' ? 30 : 500}
        {...form.getInputProps('text')}
      />
    </ServiceForm>
  )
}

function problemOf(kind: OpenDialog['kind'], text: string): string | null {
  if (text === '') return kind === 'book' ? 'Enter an account.' : 'Enter a reason.'
  if (kind === 'book' && !/^[a-z][a-z0-9_]*$/.test(text)) return 'Use lower-case letters, digits and underscores.'
  return null
}
