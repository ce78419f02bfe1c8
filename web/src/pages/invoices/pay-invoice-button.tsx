import { Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Invoice } from '../../answers.ts'
import { api } from '../../api.ts'
import { once } from '../../form/once.ts'
import { isPending } from '../../form/pending.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { focusHeading } from '../../layout/page-heading.tsx'
import { useMay } from '../../permission.ts'
import { hasCode } from '../../service-error.ts'
import { DialogButton } from '../../shown/dialog-button.tsx'
import { dollars } from '../../shown/dollars.ts'
import { notify } from '../../shown/notify.ts'
import { FundingField } from '../accounts/funding-field.tsx'
import { invoiceSenderQuery, refreshInvoices } from './invoice-queries.ts'

/** Pays a received invoice, or prepares its payment for a person who can release it. */
export function PayInvoiceButton({ invoice }: { invoice: Invoice }) {
  const { data } = useQuery(invoiceSenderQuery(invoice.id))
  const [maySend, mayPrepare] = [useMay('send'), useMay('prepare')]
  if (data === undefined || data.waits || invoice.status !== 'UNPAID' || !mayPrepare) return null
  const { sender, has_page: hasPage } = data
  const paysAtOnce = maySend && !hasPage
  const label = paysAtOnce ? 'Pay invoice' : 'Prepare payment'
  return (
    <DialogButton
      label={label}
      title={`${label} for ${dollars(invoice.amount)}`}
      variant={maySend && hasPage ? 'default' : 'filled'}
    >
      {(close) => <PayForm {...{ invoice, sender, hasPage, close }} maySend={paysAtOnce} />}
    </DialogButton>
  )
}

type Props = { invoice: Invoice; sender: string; hasPage: boolean; maySend: boolean; close: () => void }

function PayForm({ invoice: { id, amount }, sender, hasPage, maySend, close }: Props) {
  const queryClient = useQueryClient()
  const [isUnsure, setUnsure] = useState(false)
  const form = useForm({ initialValues: { account: '' } })
  const body = ({ account }: { account: string }) => ({ id, amount, ...(account !== '' && { account }) })
  /**
   * Pays the invoice. If that needs an approval, prepares the payment instead. The same key can be used, because the refused request did
   * not use it up.
   */
  const payOrPrepare = async (values: { account: string }): Promise<string> => {
    const onUnknown = () => setUnsure(true)
    const [pay, prepare] = [`pay ${id}`, `prepare ${id}`]
    if (maySend && !isPending(prepare, body(values))) {
      try {
        await once(pay, body(values), (key) => api.payInvoice(key, body(values)), onUnknown)
        return `Paid ${dollars(amount)} to ${sender}`
      } catch (error) {
        if (!hasCode(error, 'approval_required')) throw error
      }
    }
    await once(prepare, body(values), (key) => api.prepareInvoicePayment(key, body(values)), onUnknown)
    return 'The payment waits for approval'
  }
  return (
    <ServiceForm
      form={form}
      send={payOrPrepare}
      onDone={async (words) => {
        await refreshInvoices(queryClient)
        for (const queryKey of [['approvals'], ['payments']]) void queryClient.invalidateQueries({ queryKey })
        close()
        notify(words)
        focusHeading()
      }}
      submit={maySend ? `Pay ${dollars(amount)}` : `Request approval of ${dollars(amount)}`}
    >
      <Text>
        {dollars(amount)} to {sender}.{' '}
        {maySend ? 'If it needs an approval, it waits for an approver.' : 'It is sent when an approver releases it.'}
      </Text>
      {hasPage && <Text>After this, the link in its email no longer accepts a payment.</Text>}
      <FundingField {...form.getInputProps('account')} value={form.values.account} />
      {isUnsure && (
        <Text role="status" c="dimmed">
          Checking whether the payment was made…
        </Text>
      )}
    </ServiceForm>
  )
}
