import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { Invoice } from '../../answers.ts'
import { api } from '../../api.ts'
import { errorText } from '../../form/field-errors.ts'
import { useSending } from '../../form/use-sending.ts'
import { WorkingButton } from '../../form/working-button.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { useMay } from '../../permission.ts'
import { Fact } from '../../shown/facts.tsx'
import { notify } from '../../shown/notify.ts'
import { invoiceSenderQuery } from './invoice-queries.ts'

/** Shows who sent a received invoice. */
export function SenderFact({ id }: { id: string }) {
  const { data } = useQuery(invoiceSenderQuery(id))
  return data === undefined ? null : <Fact label="From">{data.sender}</Fact>
}

/** Says that the payment of the invoice waits for approval. */
export function WaitingFact({ id }: { id: string }) {
  const { data } = useQuery(invoiceSenderQuery(id))
  if (!data?.waits) return null
  return (
    <Fact label="Payment">
      <RouterAnchor to="/approvals">Waits for approval</RouterAnchor>
    </Fact>
  )
}

/** Opens the payer's page of an invoice from another platform, to pay it from a bank account. */
export function OpenPageButton({ invoice: { id, status } }: { invoice: Invoice }) {
  const router = useRouter()
  const { data } = useQuery(invoiceSenderQuery(id))
  const mayPay = useMay('send')
  const opening = useSending({
    mutationFn: () => api.openInvoice(id),
    onSuccess: ({ token }) => router.navigate({ to: '/invoice/$token', params: { token } }),
    onError: (error) => notify(errorText(error)),
  })
  if (!data?.has_page || !mayPay || status !== 'UNPAID') return null
  return (
    <WorkingButton working={opening.isPending} onClick={() => opening.mutate()}>
      Pay invoice
    </WorkingButton>
  )
}
