import { Group, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Invoice } from '../../answers.ts'
import { api } from '../../api.ts'
import { errorText } from '../../form/field-errors.ts'
import { useSending } from '../../form/use-sending.ts'
import { WorkingButton } from '../../form/working-button.tsx'
import { BackLink } from '../../layout/back-link.tsx'
import { PageHeading } from '../../layout/page-heading.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { Section } from '../../layout/section.tsx'
import { useMay } from '../../permission.ts'
import { dollars } from '../../shown/dollars.ts'
import { Fact, Facts } from '../../shown/facts.tsx'
import { FileButton } from '../../shown/file-button.tsx'
import { Loaded } from '../../shown/loaded.tsx'
import { Moment } from '../../shown/moment.tsx'
import { notify } from '../../shown/notify.ts'
import { QuestionButton } from '../../shown/question-button.tsx'
import { DueFact, InvoiceDetails, LinkButton, StatusBadge } from './invoice-details.tsx'
import { noInvoiceFilters } from './invoice-filters.ts'
import { invoiceQuery, refreshInvoices } from './invoice-queries.ts'
import { PayInvoiceButton } from './pay-invoice-button.tsx'
import { OpenPageButton, SenderFact, WaitingFact } from './received-invoice.tsx'

const route = getRouteApi('/signed-in/invoices/$id')

/** The page of an invoice: its status, its PDF, its payment, and the possible actions. */
export function InvoicePage() {
  const { id } = route.useParams()
  const invoice = useQuery(invoiceQuery(id))
  return (
    <>
      <BackLink>
        <RouterAnchor
          to="/invoices"
          search={{
            ...noInvoiceFilters,
            direction: invoice.data?.direction === 'INCOMING' ? 'INCOMING' : undefined,
          }}
        >
          Invoices
        </RouterAnchor>
      </BackLink>
      {invoice.data === undefined && <PageHeading title="Invoice" />}
      <Loaded query={invoice}>{(data) => <Shown invoice={data} />}</Loaded>
    </>
  )
}

function Shown({ invoice }: { invoice: Invoice }) {
  const { id, number, name, amount, recipient, description, date, direction, status, check_id: payment } = invoice
  const isOpen = direction === 'OUTGOING' && status === 'UNPAID'
  const isReceived = direction === 'INCOMING'
  return (
    <>
      <PageHeading
        title={isReceived ? `Invoice for ${dollars(amount)}` : `Invoice for ${dollars(amount)} to ${name}`}
        action={
          <Group gap="sm">
            <FileButton label="Download PDF" name={`invoice-${number}.pdf`} load={() => api.invoicePdf(id)} />
            <LinkButton invoice={invoice} />
            {isReceived && <OpenPageButton invoice={invoice} />}
            {isReceived && <PayInvoiceButton invoice={invoice} />}
            {isOpen && recipient.includes('@') && <RemindButton id={id} />}
            {isOpen && <VoidButton id={id} name={name} />}
          </Group>
        }
      >
        <span role="status">
          {isReceived && status === 'UNPAID' ? 'You have not paid this invoice yet.' : words[status]}
        </span>
      </PageHeading>
      <Section title={`Invoice ${number}`} action={<StatusBadge invoice={invoice} />}>
        <Facts>
          {isReceived && <SenderFact id={id} />}
          {isReceived && status === 'UNPAID' && <WaitingFact id={id} />}
          <Fact label="To">{name}</Fact>
          <Fact label="Recipient">{recipient}</Fact>
          <Fact label="Description">{description}</Fact>
          <Fact label="Sent">
            <Moment utc={date} />
          </Fact>
          <DueFact id={id} />
          {payment !== null && (
            <Fact label="Payment">
              <RouterAnchor to="/payments/$id" params={{ id: payment }}>
                View payment
              </RouterAnchor>
            </Fact>
          )}
        </Facts>
      </Section>
      <InvoiceDetails invoice={invoice} />
    </>
  )
}

const words: Record<Invoice['status'], string> = {
  UNPAID: 'Nobody has paid this invoice yet.',
  IN_PROCESS: 'The payment is on its way.',
  PAID: 'The invoice is paid.',
  VOID: 'The invoice was canceled and cannot be paid.',
}

function RemindButton({ id }: { id: string }) {
  const reminding = useSending({
    mutationFn: () => api.remindInvoice(id),
    onSuccess: () => notify('Reminder sent'),
    onError: (error) => notify(errorText(error)),
  })
  if (!useMay('prepare')) return null
  return (
    <WorkingButton variant="default" working={reminding.isPending} onClick={() => reminding.mutate()}>
      Send reminder
    </WorkingButton>
  )
}

function VoidButton({ id, name }: { id: string; name: string }) {
  const queryClient = useQueryClient()
  if (!useMay('prepare')) return null
  return (
    <QuestionButton
      label="Void"
      title={`Void the invoice to ${name}?`}
      confirm="Void invoice"
      button={{ size: 'sm' }}
      onConfirm={async () => {
        await api.voidInvoice(id)
        await refreshInvoices(queryClient)
      }}
    >
      <Text>Its link says that it was canceled. This cannot be undone.</Text>
    </QuestionButton>
  )
}
