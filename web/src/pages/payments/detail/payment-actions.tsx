import { Group, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { PaymentDetails } from '../../../answers.ts'
import { api } from '../../../api.ts'
import { errorText } from '../../../form/field-errors.ts'
import { useSending } from '../../../form/use-sending.ts'
import { WorkingButton } from '../../../form/working-button.tsx'
import { mayDo } from '../../../permission.ts'
import { useServiceContext } from '../../../service-context.ts'
import { dollars } from '../../../shown/dollars.ts'
import { FileButton, saveFile } from '../../../shown/file-button.tsx'
import { notify } from '../../../shown/notify.ts'
import { QuestionButton } from '../../../shown/question-button.tsx'
import classes from '../payment-page.module.css'
import { refreshPayments } from '../payment-queries.ts'
import { isVoidable } from '../payment-selection.ts'
import { DepositButton } from './deposit-button.tsx'

/** The actions for the payment. Its sender and the owner of the platform can void it and mail its payee again. */
export function PaymentActions({ payment }: { payment: PaymentDetails }) {
  const { owner } = useServiceContext()
  const { status, direction, user, recipient, number, has_attachment } = payment
  const isOwn = user.id === owner?.id
  const isRecipient = direction === 'INCOMING' && isOwn
  const may = (permission: 'prepare' | 'send') => direction === 'OUTGOING' && mayDo(owner, permission)
  return (
    <Group gap="xs" className={classes.unprinted}>
      {has_attachment && (
        <FileButton label="Download attachment" name="attachment.pdf" load={() => api.attachment(payment.id)} />
      )}
      {isOwn && mayDo(owner, 'send') && isPrintable(payment) && <PrintButton payment={payment} />}
      {may('prepare') && status === 'UNPAID' && recipient.includes('@') && <ResendButton payment={payment} />}
      {may('send') && isVoidable(payment) && <VoidButton payment={payment} />}
      <FileButton label="Download receipt" name={`receipt-${number}.pdf`} load={() => api.receipt(payment.id)} />
      {isRecipient && mayDo(owner, 'send') && ['UNPAID', 'FAILED'].includes(status) && (
        <DepositButton payment={payment} />
      )}
    </Group>
  )
}

const isPrintable = ({ status, deposit_options }: PaymentDetails): boolean =>
  status === 'PRINTED' || (status === 'UNPAID' && deposit_options.includes('PRINT'))

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
        const { status: statusNow } = await api.payment(id)
        await refreshPayments(queryClient)
        notify(
          statusNow === 'IN_PROCESS'
            ? 'The payment is in process until the bank or processor answers'
            : 'Payment voided',
        )
      }}
    >
      <Text>
        {isPaper
          ? `The check for ${dollars(amount)} to ${name} can no longer be cashed.`
          : `${name} can no longer get these ${dollars(amount)}.`}{' '}
        You cannot undo this.
        {status === 'IN_PROCESS' &&
          ' If the money has left, the bank or processor is asked to stop it. The payment stays in process until the answer, and may still be paid.'}
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
      notify(`Mail sent to ${recipient} again`)
    },
    onError: (error) => notify(errorText(error)),
  })
  return (
    <WorkingButton variant="default" working={sending.isPending} onClick={() => sending.mutate()}>
      Resend mail
    </WorkingButton>
  )
}

/** Prints the check. It asks first, because the first print starts the debit. A printed check can be printed again. */
function PrintButton({ payment: { id, number, amount, name, status } }: { payment: PaymentDetails }) {
  const queryClient = useQueryClient()
  return (
    <QuestionButton
      label="Print check"
      title="Print this check?"
      confirm="Print check"
      color="petrol"
      button={{ size: 'sm' }}
      onConfirm={async () => {
        saveFile(await api.printPayment(id), `check-${number}.pdf`)
        await refreshPayments(queryClient)
        notify('The check is ready to print')
      }}
    >
      <Text>
        {status === 'PRINTED'
          ? 'This is the same check again. It can be cashed only once.'
          : `You get a real check for ${dollars(amount)} to ${name}. The payment can then no longer be deposited in another way.`}
      </Text>
    </QuestionButton>
  )
}
