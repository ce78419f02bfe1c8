import { Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { DepositOption, LinkedPayment } from '../../answers.ts'
import { api, type OpenedLink } from '../../api.ts'
import { isAmount, parseAmount } from '../../form/form-rules.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { hasCode } from '../../service-error.ts'
import { dollars } from '../../shown/dollars.ts'
import { type DepositFields, depositFields } from './deposit-fields.tsx'
import { PrintButton } from './print-button.tsx'

type Props = {
  option: DepositOption
  link: OpenedLink
  payment: LinkedPayment
  onDone: (payment: LinkedPayment) => void
  onStale: () => Promise<unknown>
}

/** Errors that mean that the payment has changed. The page then loads its current state. */
const STALE = ['not_depositable', 'payment_expired', 'link_not_found']

export function DepositForm({ option, ...rest }: Props) {
  if (option !== 'PRINT') return <AccountForm key={option} option={option} fields={depositFields[option]} {...rest} />
  return <PrintForm {...rest} />
}

/** Prints the check. The payee types the amount, because mail scanners press buttons on linked pages. A typed PIN is enough. */
function PrintForm({ link, payment, onStale }: Omit<Props, 'option'>) {
  const [typed, setTyped] = useState('')
  const amount = isAmount(typed) === null ? parseAmount(typed) : undefined
  const isTyped = payment.pin !== null || amount === payment.amount
  return (
    <>
      <Text c="dimmed">
        You get the check as a PDF. Print it on white paper at actual size, then deposit it at your bank or with its
        app. You cannot choose another way afterwards.
      </Text>
      {payment.pin === null && (
        <TextInput
          label="Amount of the check"
          description={`Type ${payment.amount.toFixed(2)} to show that a person asks for the check.`}
          inputMode="decimal"
          autoComplete="off"
          leftSection="$"
          value={typed}
          error={typed !== '' && amount !== undefined && !isTyped && 'This is not the amount of the check.'}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      )}
      <PrintButton link={link} label="Download check" amount={amount} disabled={!isTyped} onDone={onStale} />
    </>
  )
}

function AccountForm({ option, fields, link, payment, onDone, onStale }: Props & { fields: DepositFields }) {
  const { initialValues, validate, bodyOf, Fields } = fields
  const form = useForm({ initialValues: { ...initialValues }, validate })
  const send = (values: Record<string, string>) =>
    api.depositLinked(option, { ...bodyOf(values), ...link }).catch(async (error) => {
      if (STALE.some((code) => hasCode(error, code))) await onStale()
      throw error
    })
  return (
    <ServiceForm form={form} send={send} onDone={onDone} submit={`Get ${dollars(payment.amount)}`} fullWidth>
      <Fields form={form} />
    </ServiceForm>
  )
}
