import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Application } from '../../answers.ts'
import { api } from '../../api.ts'
import { notify } from '../../shown/notify.ts'
import { QuestionButton } from '../../shown/question-button.tsx'
import { applicationsQuery } from './applications-query.ts'

export function DeleteApplicationButton({ application }: { application: Application }) {
  const queryClient = useQueryClient()
  const remove = async () => {
    await api.deleteApplication(application.id)
    await queryClient.invalidateQueries(applicationsQuery)
    notify(`${application.name} deleted`)
  }
  return (
    <QuestionButton
      label="Delete"
      name={`Delete ${application.name}`}
      title="Delete application?"
      confirm="Delete"
      onConfirm={remove}
    >
      <Text>
        Everyone who authorized <strong>{application.name}</strong> is disconnected, and its client ID and secrets stop
        working. This can’t be undone.
      </Text>
    </QuestionButton>
  )
}
