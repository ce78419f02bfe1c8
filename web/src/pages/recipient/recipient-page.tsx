import { Alert, Text } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { LinkedPayment } from '../../answers.ts'
import { api } from '../../api.ts'
import { PageHeading } from '../../layout/page-heading.tsx'
import { useServiceContext } from '../../service-context.ts'
import { dollars } from '../../shown/dollars.ts'
import { FileButton } from '../../shown/file-button.tsx'
import { Day } from '../../shown/moment.tsx'
import { ClaimButton, ClaimedNote } from './claim-button.tsx'
import { DepositChoice } from './deposit-choice.tsx'
import { EndorseForm } from './endorse-form.tsx'
import { LinkPage, useLinked, useLinkSteps } from './link-page.tsx'
import { PaymentProgress } from './payment-progress.tsx'
import { PaymentRecord, RemittanceLines } from './payment-record.tsx'
import { PinForm } from './pin-form.tsx'
import classes from './recipient-page.module.css'

const route = getRouteApi('/pay/$token')

/** The page of a recipient without an account: the payment, the deposit options, and the progress. */
export function RecipientPage() {
  const { token } = route.useParams()
  const linked = useLinked(['pay', token], {
    load: () => api.linkedPayment(token),
    isMoving: ({ options }) => options.length === 0,
  })
  const isChosen = linked.data?.options.length === 0
  return (
    <LinkPage
      linked={linked}
      help="It may be incomplete or replaced by a newer one. Use the link in the latest email about this payment, or ask the sender to send it again."
      invitation={{
        question: isChosen ? 'Want to see all your payments?' : 'Want it in your account?',
        back: `/pay/${token}`,
      }}
    >
      {(payment) => <Payment token={token} payment={payment} />}
    </LinkPage>
  )
}

function Payment({ token, payment }: { token: string; payment: LinkedPayment }) {
  const [pin, setPin] = useState<string | null>(null)
  const { hasActed, onDone, reload } = useLinkSteps<LinkedPayment>(['pay', token])
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
