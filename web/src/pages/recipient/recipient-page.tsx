import { Alert, Text } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { LinkedPayment } from '../../answers.ts'
import { api } from '../../api.ts'
import { EntryCard } from '../../layout/entry-layout.tsx'
import { PageHeading } from '../../layout/page-heading.tsx'
import { RecipientLayout } from '../../layout/recipient-layout.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { useServiceContext } from '../../service-context.ts'
import { hasCode } from '../../service-error.ts'
import { dollars } from '../../shown/dollars.ts'
import { FileButton } from '../../shown/file-button.tsx'
import { Loaded } from '../../shown/loaded.tsx'
import { Day } from '../../shown/moment.tsx'
import { ClaimButton, ClaimedNote } from './claim-button.tsx'
import { DepositChoice } from './deposit-choice.tsx'
import { EndorseForm } from './endorse-form.tsx'
import { PaymentProgress } from './payment-progress.tsx'
import { PaymentRecord, RemittanceLines } from './payment-record.tsx'
import { PinForm } from './pin-form.tsx'
import classes from './recipient-page.module.css'

const route = getRouteApi('/pay/$token')

const REFRESH_MS = 15_000

/** The page of a recipient without an account: the payment, the deposit options, and the progress. */
export function RecipientPage() {
  const { token } = route.useParams()
  const { owner } = useServiceContext()
  const back = `/pay/${token}`
  const payment = useQuery({
    queryKey: ['pay', token],
    queryFn: () => api.linkedPayment(token),
    refetchInterval: ({ state }) => (state.data && state.data.options.length === 0 ? REFRESH_MS : false),
  })
  if (hasCode(payment.error, 'link_not_found')) return <DeadLink />
  return (
    <RecipientLayout>
      <EntryCard
        below={
          owner === null && (
            <>
              {payment.data?.options.length === 0 ? 'Want to see all your payments?' : 'Want it in your account?'}{' '}
              <RouterAnchor to="/sign-in" search={{ back }}>
                Sign in
              </RouterAnchor>{' '}
              or{' '}
              <RouterAnchor to="/sign-up" search={{ back }}>
                sign up
              </RouterAnchor>
            </>
          )
        }
      >
        <Loaded query={payment}>{(data) => <Payment token={token} payment={data} />}</Loaded>
      </EntryCard>
    </RecipientLayout>
  )
}

const DeadLink = () => (
  <RecipientLayout>
    <EntryCard>
      <PageHeading title="This link does not work" />
      <Text>
        It may be incomplete or replaced by a newer one. Use the link in the latest email about this payment, or ask the
        sender to send it again.
      </Text>
    </EntryCard>
  </RecipientLayout>
)

function Payment({ token, payment }: { token: string; payment: LinkedPayment }) {
  const queryClient = useQueryClient()
  const [pin, setPin] = useState<string | null>(null)
  const [hasActed, setHasActed] = useState(false)
  const queryKey = ['pay', token]
  const onDone = (answer: LinkedPayment) => {
    setHasActed(true)
    queryClient.setQueryData(queryKey, answer)
  }
  const reload = () => {
    setHasActed(true)
    return queryClient.invalidateQueries({ queryKey })
  }
  const link = payment.pin === null ? { token } : pin === null ? null : { token, pin }
  const mayEndorse = payment.endorsement?.can_endorse === true && payment.options.length === 0
  const canAct = payment.options.length > 0 || mayEndorse || payment.status === 'PRINTED'
  const isFirst = !hasActed && pin === null
  return (
    <>
      <Summary payment={payment} />
      {payment.has_attachment && link !== null && (
        <FileButton label="Download attachment" name="attachment.pdf" load={() => api.linkedAttachment(link)} />
      )}
      {payment.pin !== null && link === null && canAct ? (
        <PinForm token={token} sender={payment.sender} description={payment.pin.description} onRight={setPin} />
      ) : payment.options.length > 0 && link !== null ? (
        <>
          {payment.status === 'FAILED' && <CameBack />}
          <DepositChoice link={link} payment={payment} isFirst={isFirst} onDone={onDone} onStale={reload} />
          {payment.status === 'UNPAID' && payment.endorsement === null && (
            <ClaimButton link={link} onClaimed={reload} />
          )}
        </>
      ) : mayEndorse && link !== null ? (
        <EndorseForm link={link} payment={payment} isFirst={isFirst} onDone={onDone} />
      ) : (
        <PaymentProgress payment={payment} link={link} isFirst={isFirst} onPrinted={reload} />
      )}
      {payment.claimed && <ClaimedNote />}
      {payment.options.length === 0 && <PaymentRecord payment={payment} />}
    </>
  )
}

const titles: Partial<Record<LinkedPayment['status'], (sender: string) => string>> = {
  PAID: (sender) => `${sender} paid you`,
  REFUNDED: (sender) => `A payment from ${sender}`,
  VOID: (sender) => `A payment from ${sender}`,
  EXPIRED: (sender) => `A payment from ${sender}`,
}

const Summary = ({ payment }: { payment: LinkedPayment }) => {
  const { owner } = useServiceContext()
  const { status, sender, logo, amount, description, comment, expires, options, remittance_advice: lines } = payment
  return (
    <>
      {logo !== null && <img src={logo} alt={`${sender} logo`} className={classes.logo} />}
      <PageHeading title={titles[status]?.(sender) ?? `${sender} is paying you`}>
        {status === 'UNPAID' && options.length > 0 && (
          <>
            Choose how to get paid by <Day date={expires} />.{owner === null && ' You don’t need an account.'}
          </>
        )}
      </PageHeading>
      <p className={classes.amount}>{dollars(amount)}</p>
      {(description || comment) && (
        <section aria-label="Note" className={classes.note}>
          {description && <Text fw={600}>{description}</Text>}
          {comment && <Text mt={description ? 4 : 0}>{comment}</Text>}
        </section>
      )}
      {lines.length > 0 && <RemittanceLines lines={lines} />}
    </>
  )
}

const CameBack = () => (
  <Alert color="red" role="alert" icon={<IconAlertCircle aria-hidden />} title="The money didn’t arrive">
    Check your account details or choose another way to get paid.
  </Alert>
)
