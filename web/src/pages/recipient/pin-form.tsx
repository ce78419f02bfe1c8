import { Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { api } from '../../api.ts'
import { CodeField } from '../../form/code-field.tsx'
import { isGiven } from '../../form/form-rules.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { StepHeading } from './step-heading.tsx'

type Props = { token: string; sender: string; description: string | null; onRight: (pin: string) => void }

/** Asks for the PIN that protects the payment. */
export function PinForm({ token, sender, description, onRight }: Props) {
  const form = useForm({ initialValues: { pin: '' }, validate: { pin: isGiven('Enter the PIN.') } })
  return (
    <Stack gap="md">
      <div>
        <StepHeading isFirst>Enter the PIN</StepHeading>
        <Text c="dimmed" mt={4}>
          {sender} protected this payment with a PIN. Ask them if you don’t have it.
        </Text>
      </div>
      <ServiceForm
        form={form}
        send={({ pin }) => api.tryPin({ token, pin })}
        onDone={(_answer, { pin }) => onRight(pin)}
        submit="Continue"
        fullWidth
      >
        <CodeField
          label="PIN"
          autoComplete="off"
          description={description || undefined}
          {...form.getInputProps('pin')}
        />
      </ServiceForm>
    </Stack>
  )
}
