import { Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { LinkedInvoice } from '../../answers.ts'
import { api } from '../../api.ts'
import { PageHeading } from '../../layout/page-heading.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { FileButton } from '../../shown/file-button.tsx'
import { LinkPage, useLinked, useLinkSteps } from '../recipient/link-page.tsx'
import { StepHeading } from '../recipient/step-heading.tsx'
import { AccountStep } from './account-step.tsx'
import { AuthorizeStep } from './authorize-step.tsx'
import { InvoiceSheet } from './invoice-sheet.tsx'
import { VerifyStep } from './verify-step.tsx'
import { ViewOnlyStep } from './view-only-step.tsx'

const route = getRouteApi('/invoice/$token')

const back = '/invoices?direction=INCOMING'

/** The page of an invoice for a person without an account: the invoice, the account to pay from, and the progress. */
export function PayerPage() {
  const { token } = route.useParams()
  const linked = useLinked(['invoice-link', token], {
    load: () => api.linkedInvoice(token),
    isMoving: ({ status }) => status === 'IN_PROCESS',
  })
  const question = 'Want this invoice in your account?'
  return (
    <LinkPage
      linked={linked}
      help="It may be incomplete or too old. Use the link in the latest email about this invoice."
      invitation={
        linked.data?.in_account === false ? { question, condition: 'with the email that got it.', back } : null
      }
    >
      {(invoice) => <Invoice token={token} invoice={invoice} />}
    </LinkPage>
  )
}

function Invoice({ token, invoice }: { token: string; invoice: LinkedInvoice }) {
  const { sender, number, status, items, subtotal, tax } = invoice
  const isPayable = status === 'UNPAID' && !invoice.in_account && !invoice.is_view_only
  return (
    <>
      <InvoiceSheet
        content={{ ...invoice, sent: invoice.day, lines: { items, subtotal, tax } }}
        heading={
          <PageHeading title={`Invoice from ${sender}`}>
            {isPayable && <>Pay from your bank account. You don’t need to sign up.</>}
          </PageHeading>
        }
      />
      <FileButton label="Download PDF" name={`invoice-${number}.pdf`} load={() => api.linkedInvoicePdf(token)} />
      <Step token={token} invoice={invoice} />
    </>
  )
}

/** The next step: the account, its confirmation, the authorization, or the progress of the payment. */
function Step({ token, invoice }: { token: string; invoice: LinkedInvoice }) {
  const [wantsOther, setWantsOther] = useState(false)
  const { hasActed, act, reload, ...steps } = useLinkSteps<LinkedInvoice>(['invoice-link', token])
  const onDone = (answer: LinkedInvoice) => {
    setWantsOther(false)
    steps.onDone(answer)
  }
  const change = () => {
    act()
    setWantsOther(true)
  }
  const given = { token, invoice, isFirst: !hasActed, onDone }
  const { status, bank } = invoice
  if (status === 'UNPAID' && invoice.in_account) return <InAccount />
  if (status !== 'UNPAID') return <Progress invoice={invoice} isFirst={!hasActed} />
  if (invoice.is_view_only) return <ViewOnlyStep token={token} sender={invoice.sender} />
  if (bank === null || wantsOther || bank.status === 'DEPOSIT_ONLY') return <AccountStep {...given} />
  if (bank.status === 'PENDING') return <VerifyStep {...given} account={bank.account} onChange={change} />
  return <AuthorizeStep {...given} onChange={change} onStale={reload} />
}

const InAccount = () => (
  <Stack gap="md">
    <StepHeading isFirst>Pay this invoice in your account</StepHeading>
    <Text>
      It was added to the account of its recipient.{' '}
      <RouterAnchor to="/sign-in" search={{ back }}>
        Sign in
      </RouterAnchor>{' '}
      to pay it.
    </Text>
  </Stack>
)

function Progress({ invoice, isFirst }: { invoice: LinkedInvoice; isFirst: boolean }) {
  const { sender, bank, status } = invoice
  const [heading, text] =
    status === 'PAID'
      ? ['Paid', `${sender} received ${invoice.is_view_only ? 'the' : 'your'} payment.`]
      : status === 'VOID'
        ? ['This invoice was canceled', `You don’t owe anything for it. Ask ${sender} if you have questions.`]
        : invoice.is_view_only
          ? ['The payment is on its way', `${sender} receives it in a few days.`]
          : [
              'Your payment is on its way',
              bank ? `We debit your account ending in ${bank.account}. You’re all set.` : 'You’re all set.',
            ]
  return (
    <Stack gap="md">
      <StepHeading isFirst={isFirst} key={status}>
        {heading}
      </StepHeading>
      <Text>{text}</Text>
    </Stack>
  )
}
