import { Stack, Text } from '@mantine/core'
import { api } from '../../api.ts'
import { ErrorAlert } from '../../error-display.tsx'
import { errorText } from '../../form/field-errors.ts'
import { useSending } from '../../form/use-sending.ts'
import { WorkingButton } from '../../form/working-button.tsx'
import { hasCode } from '../../service-error.ts'
import { StepHeading } from '../recipient/step-heading.tsx'

/** The last step of a link that accepts no payment. It can mail the recipient a link to pay. */
export function ViewOnlyStep({ token, sender }: { token: string; sender: string }) {
  const mailing = useSending({ mutationFn: () => api.mailPayLink(token) })
  if (mailing.isSuccess) {
    return (
      <Stack gap="md">
        <StepHeading>Check your email</StepHeading>
        <Text>We sent a link to the address that {sender} entered for this invoice. Pay with that link.</Text>
      </Stack>
    )
  }
  return (
    <Stack gap="md">
      <StepHeading isFirst>Pay this invoice</StepHeading>
      <Text>
        Anyone with this link can see the invoice. To protect your bank account, you pay with a link that we send to the
        address that {sender} entered for it.
      </Text>
      {mailing.error && <ErrorAlert>{problemOf(mailing.error, sender)}</ErrorAlert>}
      <WorkingButton size="md" fullWidth working={mailing.isPending} onClick={() => mailing.mutate()}>
        Email the link to pay
      </WorkingButton>
    </Stack>
  )
}

const problemOf = (error: Error, sender: string): string =>
  hasCode(error, 'not_notifiable')
    ? `There is no email address for this invoice. Ask ${sender} for another one.`
    : errorText(error)
