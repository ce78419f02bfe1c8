import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { useMay } from '../permission.ts'
import { contextQuery, useServiceContext } from '../service-context.ts'
import { QuestionButton } from '../shown/question-button.tsx'

/** The button below the menu of a payee. One click adds the rest of the menu. */
export function SetUpPlatform() {
  const { owner } = useServiceContext()
  const queryClient = useQueryClient()
  const isOffered = useMay('accounts') && owner?.is_payee && !owner.must_enroll
  if (!isOffered) return null
  const setUp = async () => {
    await api.setUpPlatform()
    await queryClient.invalidateQueries(contextQuery)
  }
  return (
    <QuestionButton
      label="Set up a platform"
      title="Set up a platform?"
      confirm="Set up platform"
      color="petrol"
      button={{ size: 'sm', fullWidth: true, mt: 'sm' }}
      onConfirm={setUp}
    >
      <Text>
        The menu then has the pages to send payments and invoices, invite a team, and connect your programs. Your
        payments and accounts stay.
      </Text>
    </QuestionButton>
  )
}
