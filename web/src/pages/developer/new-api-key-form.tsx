import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { NewApiKey } from '../../answers.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import type { Body } from '../../operation.ts'

export type NewApiKeyFields = Body<'post', '/v3/user/api_key'>

type Props = { create: (body: NewApiKeyFields) => Promise<NewApiKey>; onCreated: (created: NewApiKey) => unknown }

export function NewApiKeyForm({ create, onCreated }: Props) {
  const form = useForm({ initialValues: { name: '', expiration_date: '' } })
  return (
    <ServiceForm
      form={form}
      send={({ name, expiration_date }) =>
        create({ name: name.trim() || null, expiration_date: expiration_date || null })
      }
      onDone={onCreated}
      submit="Create key"
    >
      <TextInput
        label="Name"
        description="Optional. What you use the key for, such as “Billing server”"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput
        label="Expires"
        type="date"
        description="Optional. Without a date, the key works until you revoke it"
        {...form.getInputProps('expiration_date')}
      />
    </ServiceForm>
  )
}
