import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import type { NewApiKey } from '../../answers.ts'
import { api } from '../../api.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { apiKeysQuery } from './developer-query.ts'

export function NewApiKeyForm({ onCreated }: { onCreated: (created: NewApiKey) => void }) {
  const queryClient = useQueryClient()
  const form = useForm({ initialValues: { name: '', expiration_date: '' } })
  const onDone = async (created: NewApiKey) => {
    onCreated(created)
    await queryClient.invalidateQueries(apiKeysQuery)
  }
  return (
    <ServiceForm
      form={form}
      send={({ name, expiration_date }) =>
        api.createApiKey({ name: name.trim() || null, expiration_date: expiration_date || null })
      }
      onDone={onDone}
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
