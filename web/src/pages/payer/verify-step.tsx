import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { api } from '../../api.ts'
import { AmountField } from '../../form/amount-field.tsx'
import { isMicroDeposit, parseMicroDeposit } from '../../form/form-rules.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { useServiceContext } from '../../service-context.ts'
import { StepHeading } from '../recipient/step-heading.tsx'
import type { StepProps } from './institution-form.tsx'

/** Asks for the amounts of the two deposits, which prove that the payer can read the statement of the account. */
export function VerifyStep({
  token,
  isFirst,
  account,
  onDone,
  onChange,
}: StepProps & { account: string; onChange: () => void }) {
  const { environment } = useServiceContext()
  const [triesLeft, setTriesLeft] = useState<number | null>(null)
  const form = useForm({ initialValues: { amount_1: '', amount_2: '' }, validate: rules })
  const send = ({ amount_1, amount_2 }: typeof form.values) =>
    api.confirmAccount({ token, amount_1: parseMicroDeposit(amount_1), amount_2: parseMicroDeposit(amount_2) })
  const finish = ({ tries_left, ...invoice }: Awaited<ReturnType<typeof send>>) => {
    setTriesLeft(tries_left)
    onDone(invoice)
  }
  return (
    <Stack gap="md">
      <StepHeading isFirst={isFirst}>Confirm your account</StepHeading>
      <Text>
        We sent two deposits of less than $1 to your account ending in {account}. Find them on its statement and enter
        both, in any order.
        {environment === 'production'
          ? ' They arrive within two banking days. You can close this page and come back with the same link.'
          : ' Here they are always $0.07 and $0.15.'}
      </Text>
      {triesLeft !== null && (
        <Alert color="red" role="alert">
          These amounts are not right. You have {triesLeft} {triesLeft === 1 ? 'try' : 'tries'} left.
        </Alert>
      )}
      <ServiceForm form={form} send={send} onDone={finish} submit="Confirm account" fullWidth>
        <Group grow align="flex-start">
          <AmountField label="First amount" {...form.getInputProps('amount_1')} />
          <AmountField label="Second amount" {...form.getInputProps('amount_2')} />
        </Group>
      </ServiceForm>
      <Button variant="subtle" onClick={onChange}>
        Use another account
      </Button>
    </Stack>
  )
}

const rules = { amount_1: isMicroDeposit, amount_2: isMicroDeposit }
