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

/** The form's values have the shape of the request, so that the service's errors find their fields. */
export function WebhookUrlForm({ developer }: { developer: Developer }) {
  const queryClient = useQueryClient()
  const form = useForm({
    initialValues: { developer: { webhook_uri: developer.webhook_url ?? '' } },
    validate: { developer: { webhook_uri: isGiven('Enter a webhook URL.') } },
  })
  const refresh = () => queryClient.invalidateQueries(developerQuery)
  const remove = async () => {
    await api.setWebhookUrl(null)
    form.setValues({ developer: { webhook_uri: '' } })
    await refresh()
    notify('Webhook URL removed')
  }
  return (
    <ServiceForm
      form={form}
      send={(values) => api.setWebhookUrl(values.developer.webhook_uri.trim())}
      onDone={async () => {
        await refresh()
        notify('Webhook URL saved')
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
            <Text>You won’t get any webhooks at this URL anymore.</Text>
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
            ? 'An https:// URL. This environment also allows http://localhost'
            : 'A public https:// URL'
        }
        {...form.getInputProps('developer.webhook_uri')}
      />
    </ServiceForm>
  )
}
