import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconAlertCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '../../api.ts'
import { isGiven } from '../../form/form-rules.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { depositFields } from '../recipient/deposit-fields.tsx'
import { StepHeading } from '../recipient/step-heading.tsx'
import { InstitutionForm, type StepProps } from './institution-form.tsx'

/** Asks for the account to pay from. It is confirmed by a sign-in at its bank or by two small deposits. */
export function AccountStep(props: StepProps) {
  const { invoice, isFirst } = props
  const [signsIn, setSignsIn] = useState(invoice.can_sign_in)
  const [hasSwitched, setHasSwitched] = useState(false)
  const turn = () => {
    setSignsIn(!signsIn)
    setHasSwitched(true)
  }
  return (
    <Stack gap="md">
      <StepHeading isFirst={isFirst && !hasSwitched} key={String(signsIn)}>
        {signsIn ? 'Sign in to your bank' : 'Your bank account'}
      </StepHeading>
      {invoice.bank?.status === 'DEPOSIT_ONLY' && <NotConfirmed account={invoice.bank.account} />}
      {signsIn ? <InstitutionForm {...props} /> : <AccountForm {...props} />}
      {invoice.can_sign_in && (
        <Button variant="subtle" onClick={turn}>
          {signsIn ? 'Enter account numbers instead' : 'Sign in to your bank instead'}
        </Button>
      )}
    </Stack>
  )
}

const NotConfirmed = ({ account }: { account: string }) => (
  <Alert color="red" role="alert" icon={<IconAlertCircle aria-hidden />} title="This account cannot be used">
    The account ending in {account} could not be confirmed. Use another account.
  </Alert>
)

function AccountForm({ token, invoice, onDone }: StepProps) {
  const { initialValues, validate, bodyOf, Fields } = depositFields.BANK
  const form = useForm<Record<string, string>>({
    initialValues: { name: invoice.name, ...initialValues },
    validate: { name: isGiven('Enter the name of the account holder.'), ...validate },
  })
  const send = (values: Record<string, string>) => {
    const { routing = '', account = '', type } = bodyOf(values)
    return api.giveAccount({ token, name: (values.name ?? '').trim(), routing, account, type: type as 'CHECKING' })
  }
  return (
    <ServiceForm form={form} send={send} onDone={onDone} submit="Continue" fullWidth>
      <Text c="dimmed">
        We confirm the account with two deposits of less than $1. They arrive within two banking days. Then come back
        with this link.
      </Text>
      <TextInput label="Account holder" required autoComplete="name" {...form.getInputProps('name')} />
      <Fields form={form} />
    </ServiceForm>
  )
}
