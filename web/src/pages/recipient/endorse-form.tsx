import { Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { LinkedPayment } from '../../answers.ts'
import { api, type OpenedLink } from '../../api.ts'
import { isGiven } from '../../form/form-rules.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { SignaturePad } from '../../form/signature-pad.tsx'
import { StepHeading } from './step-heading.tsx'

type Props = {
  link: OpenedLink
  payment: LinkedPayment
  isFirst: boolean
  onDone: (payment: LinkedPayment) => void
}

/** Lets one of several recipients endorse the payment, so that another one can deposit it. */
export function EndorseForm({ link, payment, isFirst, onDone }: Props) {
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: isGiven('Enter your full name.') },
  })
  const [signature, setSignature] = useState<string | null>(null)
  return (
    <Stack gap="md">
      <div>
        <StepHeading isFirst={isFirst}>Endorse this payment</StepHeading>
        <Text c="dimmed" mt={4}>
          It is for {payment.name}. Your endorsement lets another recipient deposit it.
        </Text>
      </div>
      <ServiceForm
        form={form}
        send={({ name }) => api.endorseLinked({ ...link, name, signature })}
        onDone={onDone}
        submit="Endorse payment"
        fullWidth
      >
        <TextInput label="Full name" autoComplete="name" {...form.getInputProps('name')} />
        <SignaturePad label="Signature (optional)" onChange={setSignature} />
      </ServiceForm>
    </Stack>
  )
}
