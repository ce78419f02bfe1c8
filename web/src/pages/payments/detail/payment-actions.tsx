import { Group, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { PaymentDetails, PaymentStatus } from '../../../answers.ts'
import { api } from '../../../api.ts'
import { errorText } from '../../../form/field-errors.ts'
import { useSending } from '../../../form/use-sending.ts'
import { WorkingButton } from '../../../form/working-button.tsx'
import { mayDo } from '../../../permission.ts'
import { useServiceContext } from '../../../service-context.ts'
import { dollars } from '../../../shown/dollars.ts'
import { notify } from '../../../shown/notify.ts'
import { QuestionButton } from '../../../shown/question-button.tsx'
import { refreshPayments } from '../payment-queries.ts'

const voidable: PaymentStatus[] = ['UNPAID', 'PRINTED', 'MAILED', 'IN_PROCESS']

/** What the reader may do with the payment. Its sender and the owner of the platform void it and mail its payee. */
export function PaymentActions({ payment }: { payment: PaymentDetails }) {
  const { owner } = useServiceContext()
  const { status, direction, recipient, has_attachment } = payment
  const may = (permission: 'prepare' | 'send') => direction === 'OUTGOING' && mayDo(owner, permission)
  return (
    <Group gap="xs">
      {has_attachment && <AttachmentButton id={payment.id} />}
      {may('prepare') && status === 'UNPAID' && recipient.includes('@') && <ResendButton payment={payment} />}
      {may('send') && voidable.includes(status) && <VoidButton payment={payment} />}
    </Group>
  )
}

function VoidButton({ payment: { id, amount, name, status } }: { payment: PaymentDetails }) {
  const queryClient = useQueryClient()
  const isPaper = status === 'PRINTED' || status === 'MAILED'
  return (
    <QuestionButton
      label="Void payment"
      title="Void this payment?"
      confirm="Void payment"
      button={{ size: 'sm' }}
      onConfirm={async () => {
        await api.voidPayment(id)
        await refreshPayments(queryClient)
        notify('The payment is voided.')
      }}
    >
      <Text>
        {isPaper
          ? `The check over ${dollars(amount)} to ${name} can no longer be cashed.`
          : `${name} can no longer get these ${dollars(amount)}.`}{' '}
        You cannot undo this.
      </Text>
    </QuestionButton>
  )
}

function ResendButton({ payment: { id, recipient } }: { payment: PaymentDetails }) {
  const queryClient = useQueryClient()
  const sending = useSending({
    mutationFn: () => api.notifyPayee(id),
    onSuccess: async () => {
      await refreshPayments(queryClient)
      notify(`We sent the mail to ${recipient} again.`)
    },
    onError: (error) => notify(errorText(error)),
  })
  return (
    <WorkingButton variant="default" working={sending.isPending} onClick={() => sending.mutate()}>
      Resend mail
    </WorkingButton>
  )
}

function AttachmentButton({ id }: { id: string }) {
  const loading = useSending({
    mutationFn: () => api.attachment(id),
    onSuccess: (file) => {
      const link = document.createElement('a')
      link.href = URL.createObjectURL(file)
      link.download = 'attachment.pdf'
      link.click()
      URL.revokeObjectURL(link.href)
    },
    onError: (error) => notify(errorText(error)),
  })
  return (
    <WorkingButton variant="default" working={loading.isPending} onClick={() => loading.mutate()}>
      Download attachment
    </WorkingButton>
  )
}
