import { Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { Section } from '../../layout/section.tsx'
import { Loaded } from '../../shown/loaded.tsx'
import { notify } from '../../shown/notify.ts'
import { QuestionButton } from '../../shown/question-button.tsx'
import { requestSettingsQuery } from './request-queries.ts'

/** Shows whether the bodies of requests are kept, with a button to change that. */
export function RequestBodiesSection() {
  const settings = useQuery(requestSettingsQuery)
  return (
    <Loaded query={settings}>
      {({ keeps_bodies: isKept }) => (
        <Section
          title="Request bodies"
          about={
            <>
              <strong>{isKept ? 'Kept for seven days.' : 'Not kept.'}</strong>{' '}
              {isKept
                ? 'Secrets and account numbers are masked.'
                : 'Keep them to see what your programs sent, and to send a request again.'}
            </>
          }
          action={<ChangeButton isKept={isKept} />}
        />
      )}
    </Loaded>
  )
}

function ChangeButton({ isKept }: { isKept: boolean }) {
  const queryClient = useQueryClient()
  const change = async () => {
    await api.changeRequestSettings({ keeps_bodies: !isKept })
    await queryClient.invalidateQueries({ queryKey: ['requests'] })
    notify(isKept ? 'Request bodies deleted' : 'Request bodies are kept now')
  }
  return isKept ? (
    <QuestionButton
      label="Stop keeping bodies"
      title="Stop keeping request bodies?"
      confirm="Delete bodies"
      onConfirm={change}
      button={{ size: 'sm' }}
    >
      <Text>The bodies that were kept are deleted. The requests stay in the list.</Text>
    </QuestionButton>
  ) : (
    <QuestionButton
      label="Keep bodies"
      title="Keep request bodies?"
      confirm="Keep bodies"
      onConfirm={change}
      color="petrol"
      button={{ size: 'sm' }}
    >
      <Text>
        The bodies of all requests by your programs and users are kept for seven days, encrypted. Secrets, account
        numbers and other long numbers are masked. Names, addresses and amounts are not.
      </Text>
    </QuestionButton>
  )
}
