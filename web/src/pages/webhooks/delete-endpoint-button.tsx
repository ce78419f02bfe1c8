import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Endpoint } from '../../answers.ts'
import { api } from '../../api.ts'
import { notify } from '../../shown/notify.ts'
import { QuestionButton } from '../../shown/question-button.tsx'
import { refreshWebhooks } from './webhook-queries.ts'
import { nameOf } from './webhook-words.ts'

export function DeleteEndpointButton({ endpoint }: { endpoint: Endpoint }) {
  const queryClient = useQueryClient()
  const name = nameOf(endpoint)
  const remove = async () => {
    await api.deleteEndpoint(endpoint.id)
    await refreshWebhooks(queryClient)
    notify(`${name} deleted`)
  }
  return (
    <QuestionButton label="Delete" name={`Delete ${name}`} title="Delete endpoint?" confirm="Delete" onConfirm={remove}>
      <Text>
        We stop sending events to <strong>{name}</strong>, and pending deliveries fail. This can’t be undone. To pause
        it, disable it instead.
      </Text>
    </QuestionButton>
  )
}
