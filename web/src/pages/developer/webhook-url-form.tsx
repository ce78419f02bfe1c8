import { Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import type { Developer } from '../../answers.ts'
import { api } from '../../api.ts'
import { isGiven } from '../../form/form-rules.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { notify } from '../../shown/notify.ts'
import { QuestionButton } from '../../shown/question-button.tsx'
import { developerQuery } from './developer-query.ts'

/** The form's values have the shape of the request, so that the service's errors find their field. */
export function WebhookUrlForm({ developer }: { developer: Developer }) {
  const queryClient = useQueryClient()
  const form = useForm({
    initialValues: { developer: { webhook_uri: developer.webhook_url ?? '' } },
    validate: { developer: { webhook_uri: isGiven('Enter the address that webhooks are sent to.') } },
  })
  const refresh = () => queryClient.invalidateQueries(developerQuery)
  const remove = async () => {
    await api.setWebhookUrl(null)
    form.setValues({ developer: { webhook_uri: '' } })
    await refresh()
    notify('The webhook URL was removed.')
  }
  return (
    <ServiceForm
      form={form}
      send={(values) => api.setWebhookUrl(values.developer.webhook_uri.trim())}
      onDone={async () => {
        await refresh()
        notify('The webhook URL was saved.')
      }}
      submit="Save"
      aside={
        developer.webhook_url !== null && (
          <QuestionButton
            label="Remove"
            title="Remove webhook URL?"
            confirm="Remove"
            onConfirm={remove}
            button={{ size: 'sm' }}
          >
            <Text>No webhook is sent until you save a new address.</Text>
          </QuestionButton>
        )
      }
    >
      <TextInput
        label="Webhook URL"
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder="https://"
        description={
          developer.allows_local_webhooks
            ? 'An https:// address. In this environment http://localhost is taken, too'
            : 'An https:// address that can be reached from the internet'
        }
        {...form.getInputProps('developer.webhook_uri')}
      />
    </ServiceForm>
  )
}
