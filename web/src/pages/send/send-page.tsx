import { Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { PageHeading } from '../../layout/page-heading.tsx'
import { Section } from '../../layout/section.tsx'
import { useFocusOnStep } from '../../layout/use-focus-on-step.ts'
import { useMay } from '../../permission.ts'
import { Loading } from '../../shown/loaded.tsx'
import { allPayeesQuery } from '../payees/payee-queries.ts'
import { limitQuery } from '../users/user-queries.ts'
import { RepeatedStep } from './repeated-step.tsx'
import { ReviewStep } from './review-step.tsx'
import { SendForm } from './send-form.tsx'
import { forgetUnresolved, type Sent, unresolvedFields } from './send-once.ts'
import { emptyOrder, type SendFields } from './send-order.ts'
import { SentStep, WaitingStep } from './sent-step.tsx'

/** The picture of a check in base64, or null if there is none. */
type Reviewed = { image: string | null }

/**
 * Sends a payment in three steps: form, review, done. The form is shown when its payees and limits are loaded, so that its button does not
 * move under the pointer.
 */
export function SendPage() {
  const mayPrepare = useMay('prepare')
  const queryClient = useQueryClient()
  const { payee = '', account = '' } = useSearch({ from: '/signed-in/send' })
  const [unresolved, setUnresolved] = useState(unresolvedFields)
  const [fields, setFields] = useState<SendFields>(unresolved ?? { ...emptyOrder, payee, account })
  const [reviewed, setReviewed] = useState<Reviewed | null>(unresolved && { image: null })
  const [sent, setSent] = useState<Sent | null>(null)
  const payees = useQuery({ ...allPayeesQuery, enabled: mayPrepare })
  const limits = useQuery({ ...limitQuery(undefined), enabled: mayPrepare })
  const isLoading = payees.isLoading || limits.isLoading

  useFocusOnStep(sent !== null ? 'done' : reviewed !== null ? 'review' : 'form')

  const startAgain = () => {
    setFields(emptyOrder)
    forgetUnresolved()
    setUnresolved(null)
    setReviewed(null)
    setSent(null)
    void queryClient.invalidateQueries(limitQuery(undefined))
  }
  return (
    <>
      <PageHeading title="Send a payment">
        {reviewed === null &&
          'To a person by email, phone or user ID, to a postal address as a paper check, or to several people together.'}
      </PageHeading>
      {!mayPrepare && (
        <Section title="Your role cannot send payments">
          <Text c="dimmed">Ask an owner or an admin of your platform.</Text>
        </Section>
      )}
      {mayPrepare && sent !== null && <LastStep sent={sent} onAgain={startAgain} />}
      {mayPrepare && sent === null && reviewed !== null && (
        <ReviewStep
          {...{ fields, image: reviewed.image }}
          isUnresolved={unresolved !== null}
          onBack={() => setReviewed(null)}
          onSent={setSent}
          onStartOver={startAgain}
        />
      )}
      {mayPrepare && sent === null && reviewed === null && isLoading && <Loading />}
      {mayPrepare && sent === null && reviewed === null && !isLoading && (
        <SendForm
          fields={fields}
          onReviewed={(given, image) => {
            setFields(given)
            setReviewed({ image })
          }}
        />
      )}
    </>
  )
}

function LastStep({ sent, onAgain }: { sent: Sent; onAgain: () => void }) {
  if ('payment' in sent) return <SentStep payment={sent.payment} onAgain={onAgain} />
  if ('prepared' in sent) return <WaitingStep payment={sent.prepared} onAgain={onAgain} />
  return <RepeatedStep subscription={sent.subscription} onAgain={onAgain} />
}
