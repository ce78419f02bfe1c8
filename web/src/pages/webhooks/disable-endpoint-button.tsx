import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Endpoint } from '../../answers.ts'
import { api } from '../../api.ts'
import { notify } from '../../shown/notify.ts'
import { QuestionButton } from '../../shown/question-button.tsx'
import { refreshWebhooks } from './webhook-queries.ts'
import { nameOf } from './webhook-words.ts'

export function DisableEndpointButton({ endpoint }: { endpoint: Endpoint }) {
  const queryClient = useQueryClient()
  const name = nameOf(endpoint)
  const disable = async () => {
    await api.changeEndpoint(endpoint.id, { status: 'DISABLED' })
    await refreshWebhooks(queryClient)
    notify(`${name} disabled`)
  }
  return (
    <QuestionButton
      label="Disable"
      name={`Disable ${name}`}
      title="Disable endpoint?"
      confirm="Disable"
      onConfirm={disable}
      color="petrol"
    >
      <Text>
        We stop sending events to <strong>{name}</strong> until you enable it. We keep the events, and you can replay
        them then.
      </Text>
    </QuestionButton>
  )
}
