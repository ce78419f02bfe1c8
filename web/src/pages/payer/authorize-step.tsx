import { Button, Checkbox, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { api } from '../../api.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { hasCode } from '../../service-error.ts'
import { dollars } from '../../shown/dollars.ts'
import classes from '../recipient/recipient-page.module.css'
import { StepHeading } from '../recipient/step-heading.tsx'
import type { StepProps } from './institution-form.tsx'

/** Shows the text that authorizes the debit. The payer accepts it and pays. */
export function AuthorizeStep({
  token,
  invoice,
  isFirst,
  onDone,
  onChange,
  onStale,
}: StepProps & { onChange: () => void; onStale: () => Promise<unknown> }) {
  const form = useForm({
    initialValues: { agrees: false },
    validate: { agrees: (agrees) => (agrees ? null : 'Agree to the authorization to pay.') },
  })
  const send = () =>
    api.payLinkedInvoice({ token, authorization: invoice.authorization ?? '' }).catch(async (error) => {
      if (hasCode(error, 'invoice_not_payable')) await onStale()
      throw error
    })
  return (
    <Stack gap="md">
      <StepHeading isFirst={isFirst}>Authorize the payment</StepHeading>
      <ServiceForm form={form} send={send} onDone={onDone} submit={`Pay ${dollars(invoice.amount)}`} fullWidth>
        <Text className={classes.note}>{invoice.authorization}</Text>
        <Checkbox label="I agree to this authorization" {...form.getInputProps('agrees', { type: 'checkbox' })} />
      </ServiceForm>
      <Button variant="subtle" onClick={onChange}>
        Use another account
      </Button>
    </Stack>
  )
}
