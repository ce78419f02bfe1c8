import { NativeSelect, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { AttachmentField } from '../../form/attachment-field.tsx'
import { ServiceForm } from '../../form/service-form.tsx'
import type { InvoiceFields } from './invoice-order.ts'
import { AmountFields } from './items-fields.tsx'

type Props = {
  form: UseFormReturnType<InvoiceFields>
  banks: { value: string; label: string }[]
  today: string
  onReady: () => void
}

/** The first step of a new invoice: its content. */
export function InvoiceForm({ form, banks, today, onReady }: Props) {
  const { error, value } = form.getInputProps('attachment')
  return (
    <ServiceForm form={form} send={() => Promise.resolve()} onDone={onReady} submit="Preview invoice">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="To"
          description="Email address or user ID"
          required
          autoComplete="off"
          {...form.getInputProps('recipient')}
        />
        <TextInput
          label="Name"
          description="As it is printed on the invoice"
          required
          autoComplete="off"
          {...form.getInputProps('name')}
        />
      </SimpleGrid>
      <Textarea
        label="Description"
        required
        autosize
        minRows={2}
        maxLength={255}
        {...form.getInputProps('description')}
      />
      <AmountFields form={form} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Due date"
          description="Optional"
          type="date"
          min={today}
          {...form.getInputProps('due_date')}
        />
        <TextInput
          label="Number"
          description="Optional. The next number is used by default."
          autoComplete="off"
          maxLength={32}
          {...form.getInputProps('number')}
        />
      </SimpleGrid>
      <Textarea
        label="Terms"
        description="Optional. For example, how to reach you, or a fee for late payment."
        autosize
        minRows={2}
        maxLength={1_024}
        {...form.getInputProps('terms')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NativeSelect
          label="Paid into"
          description="The payer does not see it."
          data={[{ value: '', label: 'Default bank account' }, ...banks]}
          {...form.getInputProps('account')}
        />
        <AttachmentField
          label="Attachment"
          description="Optional."
          value={value}
          error={error}
          onChange={(file) => {
            form.clearFieldError('attachment')
            form.setFieldValue('attachment', file)
          }}
        />
      </SimpleGrid>
    </ServiceForm>
  )
}
