import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api.ts'
import { errorText, placeError } from '../../form/field-errors.ts'
import { once } from '../../form/once.ts'
import { useSending } from '../../form/use-sending.ts'
import { BackLink } from '../../layout/back-link.tsx'
import { PageHeading } from '../../layout/page-heading.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { Section } from '../../layout/section.tsx'
import { useFocusOnStep } from '../../layout/use-focus-on-step.ts'
import { useToday } from '../../layout/use-today.ts'
import { useMay } from '../../permission.ts'
import { Loaded, Loading } from '../../shown/loaded.tsx'
import { notify } from '../../shown/notify.ts'
import { banksQuery } from '../accounts/account-queries.ts'
import { nameOfBank } from '../accounts/account-words.ts'
import { RefusedPage } from '../refused-page.tsx'
import { noInvoiceFilters } from './invoice-filters.ts'
import { InvoiceForm } from './invoice-form.tsx'
import { emptyInvoice, type InvoiceFields, invoiceBody, invoiceRules } from './invoice-order.ts'
import { InvoicePreview } from './invoice-preview.tsx'
import { refreshInvoices } from './invoice-queries.ts'

/** A new invoice to anyone with an email, or to a user of the platform, in two steps: its content, and a preview. */
export function NewInvoicePage() {
  const banks = useQuery(banksQuery)
  const today = useToday()
  if (!useMay('prepare')) return <RefusedPage name="New invoice" permission="prepare" />
  return (
    <>
      <BackLink>
        <RouterAnchor to="/invoices" search={noInvoiceFilters}>
          Invoices
        </RouterAnchor>
      </BackLink>
      <PageHeading title="New invoice">
        The recipient gets an email with a link, and pays from a bank account without signing up.
      </PageHeading>
      <Loaded query={banks}>
        {(all) =>
          today === null ? (
            <Loading />
          ) : (
            <Steps today={today} banks={all.map((bank) => ({ value: bank.id, label: nameOfBank(bank) }))} />
          )
        }
      </Loaded>
    </>
  )
}

type Step = 'form' | 'preview'

function Steps({ today, banks }: { today: string; banks: { value: string; label: string }[] }) {
  const [step, setStep] = useState<Step>('form')
  const [isUnsure, setUnsure] = useState(false)
  const form = useForm<InvoiceFields>({ initialValues: emptyInvoice, validate: invoiceRules(today) })
  const sent = useSent()
  const sending = useSending({
    mutationFn: () => {
      const body = invoiceBody(form.values)
      return once(
        'new invoice',
        body,
        (key) => api.sendInvoice(key, body),
        () => setUnsure(true),
      )
    },
    onSuccess: sent,
    onError: (error) => {
      const { fields } = placeError(error, { ...form.values, attachment: '' }) // an object is the value of one field
      setUnsure(false)
      if (Object.keys(fields).length === 0) return
      form.setErrors(fields)
      setStep('form')
    },
  })
  useFocusOnStep(step, Object.keys(form.errors).length > 0)
  if (step === 'form') {
    const onReady = () => {
      sending.reset()
      setStep('preview')
    }
    return (
      <Section title="Invoice">
        <InvoiceForm {...{ form, banks, today, onReady }} />
      </Section>
    )
  }
  return (
    <InvoicePreview
      {...{ fields: form.values, today, isUnsure }}
      problem={sending.error && errorText(sending.error)}
      isSending={sending.isPending}
      onSend={() => sending.mutate()}
      onChange={() => setStep('form')}
    />
  )
}

function useSent() {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return async ({ id }: { id: string }) => {
    await refreshInvoices(queryClient)
    notify('Invoice sent')
    await navigate({ to: '/invoices/$id', params: { id } })
  }
}
